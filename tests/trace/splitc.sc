/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One access of each kind, for splitc.py.
 */
#include <split-c/split-c.h>

int A[PROCS]::[4];
long many[64], own[64];
int word;

splitc_main()
{
    int to = (MYPROC + 1) % PROCS, have;

    A[to][1] = 7;
    barrier();
    have = A[to][1];
    bulk_write(toglobal(to, many), own, 64);
    bulk_read(own, toglobal(to, many), 32);
    own[0] := *toglobal(to, &many[1]);
    *toglobal(to, &many[2]) := 5;
    sync();
    *toglobal(to, &many[3]) :- 6;
    all_store_sync();
    fetch_add(toglobal(0, &word), 2);
    have = all_reduce_to_all_add(have);
    barrier();
    return have != 7 * PROCS;
}
