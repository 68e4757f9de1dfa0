/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All PEs flood all others with requests whose replies are large, and poll only when
 * they must: more replies wait for room than any ring holds, and nobody may wait for
 * anybody in a circle. Then without replies, and with requests that must not wait.
 */
#include "acheck.h"

static volatile long requests, replies, busy;
static char body[880];

static void on_reply(vnn_t src, void *b, int n, const am_word *w, int words)
{
    CHECK(n == (int)sizeof body && words == 1 && memcmp(b, body, sizeof body) == 0 && w[0] == src, "reply of PE %d",
          src);
    replies++;
}

static void on_request(vnn_t src, void *b, int n, const am_word *w, int words)
{
    am_word me = ac_me;

    CHECK(n >= 0 && words == 1 && w[0] == src && b, "request of PE %d", src);
    requests++;
    am_reply_medium(src, on_reply, body, sizeof body, &me, 1);
}

static void quietly(vnn_t src, am_word i)
{
    requests += src >= 0 && i >= 0;
}

static void flood(long rounds)
{
    am_word me = ac_me;

    for (long i = 0; i < rounds; i++)
        for (int pe = 0; pe < ac_n; pe++)
            am_request_medium(pe, on_request, body, (int)(i % 3) * 440, &me, 1);
    am_wait_for(replies == rounds * ac_n && requests == rounds * ac_n);
}

static void immediately(long rounds)
{
    int next = (ac_me + 1) % ac_n;

    for (long i = 0; i < rounds; i++)
        while (am_request_1(next | AM_IMMEDIATE, quietly, i) == AM_BUSY) {
            busy++;
            am_poll();
        }
    am_wait_for(requests == rounds);
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 2000;

    memset(body, 'x', sizeof body);
    ac_start();
    flood(rounds);
    am_quiet();
    gam_barrier();
    requests = 0;
    gam_barrier();
    for (long i = 0; i < rounds; i++)
        for (int pe = 0; pe < ac_n; pe++)
            am_request_1(pe, quietly, i);
    am_wait_for(requests == rounds * ac_n);
    gam_barrier();
    requests = 0;
    gam_barrier();
    immediately(5 * rounds);
    am_quiet(); /* everybody's last requests have been counted before anybody leaves */
    return ac_finish();
}
