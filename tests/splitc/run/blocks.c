/* SPDX-License-Identifier: BSD-3-Clause
 *
 * malloc's blocks of Split-C programs: all sizes, alignments and resizings keep their contents, peers read them through
 * global pointers, and a forked child has a memory of its own while its parent goes on.
 */
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sccheck.h"

enum { BLOCKS = 400, ROUNDS = 30000 };

struct block {
    unsigned char *p;
    size_t n;
    unsigned char fill;
};

static unsigned next(unsigned *seed)
{
    return (*seed = *seed * 1664525u + 1013904223u) >> 8;
}

static int holds(const struct block *b)
{
    for (size_t i = 0; i < b->n; i += i < 32 || b->n - i < 64 ? 1 : 61)
        if (b->p[i] != b->fill)
            return 0;
    return 1;
}

static size_t size(unsigned *seed)
{
    return next(seed) % ((size_t)1 << (next(seed) % 19));
}

static void make(struct block *b, unsigned *seed)
{
    static const size_t aligns[] = {16, 32, 64, 128, 4096, 65536, 1 << 18};
    size_t align = aligns[next(seed) % 7];

    b->n = size(seed);
    switch (next(seed) % 8) {
    case 0:
        b->p = memalign(align, b->n);
        CHECK((uintptr_t)b->p % align == 0);
        break;
    case 1:
        b->p = calloc(b->n, 1);
        b->fill = 0;
        CHECK(holds(b));
        break;
    default:
        b->p = malloc(b->n);
    }
    CHECK(b->p && malloc_usable_size(b->p) >= b->n && (uintptr_t)b->p % 16 == 0);
    b->fill = (unsigned char)next(seed);
    memset(b->p, b->fill, b->n);
}

static void churn(void)
{
    static struct block block[BLOCKS];
    unsigned seed = (unsigned)MYPROC + 5;

    for (int i = 0; i < ROUNDS; i++) {
        struct block *b = &block[next(&seed) % BLOCKS];

        if (!b->p) {
            make(b, &seed);
        } else if (next(&seed) % 3 == 0) {
            size_t n = size(&seed) + 1;

            CHECK(holds(b));
            b->p = realloc(b->p, n);
            b->n = n < b->n ? n : b->n;
            CHECK(b->p && holds(b));
            b->n = n;
            memset(b->p, b->fill, n);
        } else {
            CHECK(holds(b));
            free(b->p);
            b->p = NULL;
        }
    }
    for (int i = 0; i < BLOCKS; i++)
        free(block[i].p);
}

static void reached(void)
{
    static int *list;
    int right = (MYPROC + 1) % PROCS;

    for (size_t n = 1; n < 100000; n = n * 3 + 1) {
        list = malloc(n * sizeof *list);
        for (size_t i = 0; i < n; i++)
            list[i] = MYPROC + (int)i;
        barrier();
        int *there = SC_READ(int *, sc_global_of(right, &list));
        CHECK(!is_local(sc_global_of(right, &list)) || is_local(sc_global_of(right, there))); /* as a global is */
        CHECK(SC_READ(int, sc_plus(sc_global_of(right, there), (long)((n - 1) * sizeof *list))) == right + (int)n - 1);
        barrier();
        free(list);
    }
}

static void forks(void)
{
    int on_stack = 1, *small = malloc(sizeof *small), *large = malloc(1 << 20), status = -1;
    static int global;
    pid_t pid;

    *small = *large = global = 1;
    pid = fork();
    if (pid == 0) {
        on_stack = *small = *large = global = 2;
        free(malloc(100));
        free(small);
        _exit(on_stack + *large + global == 6 ? 7 : 8);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 7);
    CHECK(on_stack == 1 && *small == 1 && *large == 1 && global == 1);
    CHECK(system("exit 3") >> 8 == 3);
    free(small);
    free(large);
    barrier();
}

static int splitc_main(void)
{
    churn();
    reached();
    forks();
    return check_status();
}
SC_MAIN_INT(splitc_main())
