/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The library's calls from Split-C itself: its prototypes with global and spread pointers, and its macros, as the
 * translator sees them.
 */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CHECK(c) ((c) ? 0 : (failures++, fprintf(stderr, "FAIL processor %d, %s:%d: %s\n", MYPROC, __FILE__, __LINE__, #c)))

static int failures;
static int word;
static long counter;
static splitc_lock_t a_lock;
double Grid[PROCS]::[8];
int Square[6][6]::;

struct pair {
    int first;
    double second;
};
struct pair Pairs[2 * PROCS]::;

static long add(int *p, int n)
{
    return *p += n;
}

static void bulk(void)
{
    double mine[8];
    double *global right = (double *global)(Grid[(MYPROC + 1) % PROCS]);
    int i, left = (MYPROC + PROCS - 1) % PROCS;

    for (i = 0; i < 8; i++)
        mine[i] = MYPROC * 8 + i;
    bulk_write(right, mine, sizeof mine);
    barrier();
    CHECK(tolocal(Grid[MYPROC])[7] == left * 8 + 7);
    bulk_read(mine, toglobal(left, tolocal(Grid[MYPROC])), sizeof mine);
    CHECK(mine[1] == ((left + PROCS - 1) % PROCS) * 8 + 1);
    bulk_get(mine, right, 2 * sizeof mine[0]);
    sync();
    CHECK(mine[0] == MYPROC * 8);
    barrier();
    bulk_put(right + 3, mine, sizeof mine[0]);
    bulk_store(right + 4, mine, sizeof mine[0]);
    sync();
    all_store_sync();
    CHECK(tolocal(Grid[MYPROC])[3] == left * 8 && tolocal(Grid[MYPROC])[4] == left * 8);
    barrier();
}

static void memory(void)
{
    int *spread s = (int *spread)all_spread_malloc(20, sizeof(int));
    double *spread *p;
    int *global g;
    int i, j, n = 0;

    for_my_1D(i, 20)
        s[i] = i;
    barrier();
    for (i = 0; i < 20; i++)
        n += s[i];
    CHECK(n == 190 && *(s + 7) == 7 && toproc(s + 7) == 7 % PROCS && (s + 7) - s == 7);
    barrier();
    all_spread_free(s);
    for_my_2D(i, j, 6, 6)
        Square[i][j] = i * 10 + j;
    barrier();
    CHECK(Square[5][5] == 55 && Square[2][3] == 23);
    p = malloc(sizeof *p);
    *p = (double *spread)spread_malloc(2 * PROCS, sizeof(double));
    (*p)[PROCS] = MYPROC + 0.5;
    CHECK((*p)[PROCS] == MYPROC + 0.5);
    spread_free(*p);
    free(p);
    g = toglobal(0, &word);
    CHECK((is_local(g) != NULL) >= (MYPROC == 0));
    barrier();
}

static void atomics(void)
{
    int *global g = toglobal(PROCS - 1, &word);
    long *global l = toglobal(0, &counter);
    splitc_lock_t *global k = toglobal(0, &a_lock);
    int i;

    word = 0;
    barrier();
    fetch_add(g, 2);
    fetch_add_l(l, 3);
    barrier();
    CHECK(*g == 2 * PROCS && *l == 3 * PROCS);
    barrier();
    CHECK(atomic(add, g, 4) > 2 * PROCS);
    barrier();
    CHECK(*g == 6 * PROCS);
    barrier();
    for (i = 0; i < 50; i++) {
        splitc_lock(k);
        *g += 1;
        splitc_unlock(k);
    }
    barrier();
    CHECK(*g == 56 * PROCS);
}

static void collectives(void)
{
    struct pair p;

    p.first = MYPROC + 4;
    p.second = 2.5;
    p = all_bcast(p);
    CHECK(p.first == 4 && p.second == 2.5);
    CHECK(all_reduce_to_all_add(1) == PROCS && all_scan_ladd(2L) == 2 * (MYPROC + 1) && all_reduce_to_all_dmax(MYPROC * 0.5) == (PROCS - 1) * 0.5);
    Pairs[MYPROC + PROCS].second = MYPROC;
    barrier();
    p.first = 9;
    Pairs[(MYPROC + 1) % PROCS + PROCS].first :- p.first;
    all_store_sync();
    p := Pairs[(MYPROC + 1) % PROCS + PROCS];
    sync();
    CHECK(p.first == 9 && p.second == (MYPROC + 1) % PROCS);
    CHECK(PROCSLOG < 0 || 1 << PROCSLOG == PROCS);
}

splitc_main(int argc, char **argv)
{
    double start = get_seconds();

    bulk();
    memory();
    atomics();
    collectives();
    splitc_poll();
    CHECK(is_sync() && get_seconds() >= start && argc == 1);
    on_one {
        printf("library: %s\n", failures ? "FAIL" : "done");
    }
    failures = all_reduce_to_all_add(failures);
    if (failures)
        exit(1);
}
