/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A store to an address at which the other PE has no memory.
 * check: argument
 */
#include <am.h>

static long box;
static int got;

static void stored(vnn_t src, void *addr, int n, void *arg)
{
    (void)src, (void)addr, (void)n, (void)arg;
    got++;
}

int main(void)
{
    long value = 1;

    am_enable();
#ifdef WRONG
    void *there = (void *)64;
#else
    void *there = &box;
#endif
    am_store((am_my_proc() + 1) % am_procs(), &value, there, sizeof value, stored, NULL);
    gam_wait(&got, 1);
    am_disable();
    return 0;
}
