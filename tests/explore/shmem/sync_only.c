/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A table that all PEs fill together. Wrong: without the quiet before shmem_sync_all, which completes
 * nothing.
 */
#include <shmem.h>
#include <stdio.h>

enum { MOST = 64 };
static int table[MOST];

int main(void)
{
    int me, n, bad = 0;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    for (int pe = 0; pe < n; pe++)
        shmem_int_p(&table[me], me + 1, pe);
#ifndef WRONG
    shmem_quiet();
#endif
    shmem_sync_all();
    for (int pe = 0; pe < n; pe++)
        bad += table[pe] != pe + 1;
    if (bad)
        fprintf(stderr, "PE %d: %d entries are wrong\n", me, bad);
    shmem_finalize();
    return bad != 0;
}
