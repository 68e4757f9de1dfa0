/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of another PE by am_get, whose handler tells that it is there. Wrong: without waiting for that.
 */
#include <am.h>
#include <stdio.h>

enum { N = 1000 };
static long theirs[N], here[N];
static volatile int done;

static void got(vnn_t src, void *lva, int n, void *arg)
{
    (void)src, (void)lva, (void)n, (void)arg;
    done = 1;
}

int main(void)
{
    int next, bad = 0;

    am_enable();
    next = (AM_MY_PROC + 1) % AM_PROCS;
    for (int i = 0; i < N; i++)
        theirs[i] = AM_MY_PROC * 10000 + i;
    gam_barrier();
    am_get(next, theirs, here, sizeof here, got, NULL);
#ifndef WRONG
    am_wait_for(done);
#endif
    for (int i = 0; i < N; i++)
        bad += here[i] != next * 10000 + i;
    if (bad)
        fprintf(stderr, "PE %d: %d numbers are wrong\n", AM_MY_PROC, bad);
    am_wait_for(done);
    gam_barrier();
    am_disable();
    return bad != 0;
}
