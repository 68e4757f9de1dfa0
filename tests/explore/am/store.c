/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Data by am_store, whose handler tells the other PE that it is there. Wrong: used without waiting for
 * that.
 */
#include <am.h>
#include <stdio.h>

enum { N = 20 };
static long data[N];
static volatile int arrived;

static void came(vnn_t src, void *rva, int n, void *arg)
{
    (void)src, (void)rva, (void)n, (void)arg;
    arrived = 1;
}

int main(void)
{
    long mine[N];
    int me, n, bad = 0;

    am_enable();
    me = AM_MY_PROC;
    n = AM_PROCS;
    for (int i = 0; i < N; i++)
        mine[i] = me * 100 + i;
    gam_barrier();
    am_store((me + 1) % n, mine, data, sizeof mine, came, NULL);
#ifdef WRONG
    am_poll();
#else
    am_wait_for(arrived);
#endif
    for (int i = 0; i < N; i++)
        bad += data[i] != (me + n - 1) % n * 100 + i;
    if (bad)
        fprintf(stderr, "PE %d: %d numbers are wrong\n", me, bad);
    am_quiet();
    gam_barrier();
    am_disable();
    return bad != 0;
}
