/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One mistake, the one that is named by the argument; wrong.py expects its message.
 */
#include <stdlib.h>
#include <string.h>

#include "sccheck.h"

static splitc_lock_t lock;
static int word;

static int is(const char *argument, const char *name)
{
    return MYPROC == PROCS - 1 && strcmp(argument, name) == 0;
}

static void local_ones(const char *a)
{
    struct sc_global none = {NULL, 0}, beyond = sc_global_of(PROCS, &word), other = sc_global_of(0, &word),
                     own = sc_toglobal(&lock);
    char *array;

    if (is(a, "null"))
        SC_READ(int, none);
    if (is(a, "processor"))
        SC_WRITE(int, beyond, 1);
    if (is(a, "minus"))
        bulk_store(sc_global_of(-1, &word), &word, 4);
    if (is(a, "tolocal"))
        sc_check_local(other, __FILE__, __LINE__);
    if (is(a, "index"))
        sc_check_index(9, 9, "A", __FILE__, __LINE__);
    if (is(a, "outside"))
        sc_check_global(sc_global_of(0, (void *)0x1234), 4, __FILE__, __LINE__);
    if (is(a, "lock_twice"))
        splitc_lock(own), splitc_lock(own);
    if (is(a, "unlock"))
        splitc_unlock(own);
    if (is(a, "not_a_lock"))
        lock = 4711, splitc_lock(own);
    if (is(a, "unaligned"))
        fetch_add(sc_plus(other, 1), 1);
    if (is(a, "spread_free")) {
        array = (char *)spread_malloc(10, 8).addr;
        spread_free(sc_spread_of(0, array)), spread_free(sc_spread_of(0, array));
    }
    if (is(a, "not_spread"))
        spread_free(sc_spread_of(0, &word));
    if (is(a, "too_much"))
        spread_malloc((size_t)1 << 40, 8);
}

static void splitc_main(int argc, char **argv)
{
    const char *a = argc > 1 ? argv[1] : "";
    struct sc_spread array;

    local_ones(a);
    if (strcmp(a, "all_too_much") == 0)
        all_spread_malloc((size_t)1 << 60, 1);
    if (strcmp(a, "overflow") == 0)
        all_spread_malloc((size_t)1 << 60, 1 << 20);
    if (strcmp(a, "all_free_twice") == 0) {
        array = all_spread_malloc(10, 8);
        all_spread_free(array);
        all_spread_free(array);
    }
    if (strcmp(a, "status") == 0)
        exit(MYPROC == 0 ? 9 : 0);
    barrier();
}
SC_MAIN_VOID(splitc_main(argc, argv))
