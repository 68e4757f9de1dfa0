/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The library's calls with the pointers the language has: blocks of bytes,
 * reductions and scans, atomic operations, locks.
 */
#include "check.h"
#include <split-c/control.h>

int total, part[64];
splitc_lock_t guard;
double line[8];
struct cell {
    int *spread row;
    int *global back;
    struct cell *global (*find)(int);
} cells[PROCS]::, mine;

static struct cell *global find_cell(int i)
{
    return &cells[i];
}

static void raise_by(int *p, int by)
{
    *p += by;
}

static void bytes(void)
{
    int right = (MYPROC + 1) % PROCS, i;
    double got[8], *global far = toglobal(right, line);
    for (i = 0; i < 8; i++)
        line[i] = MYPROC + i;
    barrier();
    bulk_read(got, far, sizeof got);
    CHECK(got[7] == right + 7);
    bulk_get(got, far + 4, 4 * sizeof *got);
    sync();
    CHECK(got[0] == right + 4);
    barrier();
    got[1] = -1;
    bulk_put(far + 2, got + 1, sizeof(double));
    bulk_write(&far[3], &got[1], sizeof got[1]);
    sync();
    barrier();
    CHECK(line[2] == -1 && line[3] == -1 && line[4] == MYPROC + 4);
    barrier();
    bulk_store(far, got, sizeof(double));
    all_store_sync();
    CHECK(line[0] == MYPROC + 4);
    barrier();
}

static void together(void)
{
    int n = PROCS;
    CHECK(all_reduce_to_all_add(MYPROC + 1) == n * (n + 1) / 2);
    CHECK(all_reduce_to_all_dmax(MYPROC * 0.5) == (n - 1) * 0.5 && all_reduce_to_all_min(MYPROC) == 0);
    CHECK(all_scan_add(1) == MYPROC + 1 && all_bcast_d(MYPROC + 2.5) == 2.5 && all_bcast(MYPROC + 3) == 3);
    n = all_reduce_to_one_add(2);
    CHECK(MYPROC || n == 2 * PROCS);
}

static void one_at_a_time(void)
{
    int i, *global first = toglobal(0, &total);
    splitc_lock_t *global lock = toglobal(0, &guard);
    barrier();
    for (i = 0; i < 100; i++)
        fetch_add(first, 2);
    barrier();
    CHECK(*first == 200 * PROCS);
    barrier();
    for (i = 0; i < 50; i++) {
        splitc_lock(lock);
        *first += 1;
        splitc_unlock(lock);
    }
    barrier();
    CHECK(*first == 250 * PROCS);
    barrier();
    atomic(raise_by, first, 10);
    barrier();
    CHECK(*first == 260 * PROCS);
    barrier();
}

static void structures(void)
{
    struct cell *global c = &cells[MYPROC], copy;
    int *spread s;
    mine.row = all_spread_malloc(3 * PROCS, sizeof(int));
    mine.back = toglobal(MYPROC, &part[3]);
    mine.find = find_cell;
    part[3] = 33 + MYPROC;
    *c = mine;
    s = c->row + MYPROC;
    *s = MYPROC;
    s[PROCS] = 10 * MYPROC;
    barrier();
    c = find_cell((MYPROC + 1) % PROCS);
    CHECK(*c->back == 33 + (MYPROC + 1) % PROCS && *(c->back + 0) == *c->back);
    CHECK(c->row[2 % PROCS] == 2 % PROCS && c->row[PROCS + PROCS - 1] == 10 * (PROCS - 1));
    copy := *c;
    sync();
    CHECK(copy.back == c->back && copy.row == c->row && copy.find(0) == &cells[0]);
    barrier();
    *cells[MYPROC].back += 5;
    cells[MYPROC].back++;
    CHECK(part[3] == 38 + MYPROC && cells[MYPROC].back == toglobal(MYPROC, part + 4));
    CHECK(is_local(&cells[MYPROC]) != NULL && tolocal(&cells[MYPROC])->find == find_cell);
    barrier();
    all_spread_free(mine.row);
}

void splitc_main()
{
    bytes();
    together();
    one_at_a_time();
    structures();
    on_one printf("library: right\n");
}
