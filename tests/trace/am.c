/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests, replies, a store and a get, for am.py.
 */
#include <am.h>
#include <stdlib.h>

static volatile int asked, answered, stored, got;
static char place[256];

static void answer(vnn_t src, am_word a)
{
    (void)src;
    answered += (int)a;
}

static void ask(vnn_t src, am_word a, am_word b)
{
    asked++;
    am_reply_1(src, answer, a + b);
}

static void noted(vnn_t src, void *at, int n, void *arg)
{
    (void)src, (void)at, (void)n, (void)arg;
    stored = 1;
}

static void fetched(vnn_t src, void *at, int n, void *arg)
{
    (void)src, (void)at, (void)n, (void)arg;
    got = 1;
}

int main(void)
{
    char own[256] = {0};

    if (am_enable_job() != 0)
        return 1;
    const int me = am_my_proc(), to = (me + 1) % am_procs();
    for (int i = 0; i < 3; i++)
        am_request_2(to, ask, 1, 2);
    am_wait_for(answered == 9 && asked == 3);
    am_store(to, own, place, 200, noted, NULL);
    am_wait_for(stored);
    gam_barrier();
    am_get(to, place, own, 100, fetched, NULL);
    am_wait_for(got);
    am_quiet();
    gam_barrier();
    return am_disable();
}
