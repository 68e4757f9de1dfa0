/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random requests with and without replies, stores and gets among all PEs, as many as
 * the argument says, each checked where it arrives; at the end every PE knows how many
 * it should have seen.
 */
#include "acheck.h"

enum { SLOT = 2048, MOST = SLOT };
static char inbox[64][SLOT], shelf[SLOT];
static volatile long arrived[64], expected[64], told, replies, replies_due, gets, gets_due, free_slot[64];

/* A check of the words; where the request came from is part of it. */
static am_word mix(am_word a, int src, int dest)
{
    return (am_word)(random_mix((uint64_t)a + (uint64_t)src * 64 + (uint64_t)dest));
}

static void on_reply(vnn_t src, am_word a, am_word b)
{
    CHECK(b == mix(a, src, ac_me), "reply of PE %d", src);
    replies++;
}

static void on_request(vnn_t src, am_word a, am_word b, am_word c, am_word reply)
{
    CHECK(b == mix(a, src, ac_me) && c == ~a, "request of PE %d", src);
    arrived[src]++;
    if (reply)
        am_reply_2(src, on_reply, a, mix(a, ac_me, src));
}

/* One store at a time into each slot: its reply says that it may be written again. */
static void on_free(vnn_t src)
{
    free_slot[src] = 1;
}

static void on_store(vnn_t src, void *addr, int n, void *arg)
{
    CHECK(addr == inbox[src] && check_differs(addr, (size_t)n, (uint64_t)(am_word)arg) == (size_t)n,
          "store of %d bytes from PE %d", n, src);
    arrived[src]++;
    am_reply_0(src, on_free);
}

static void on_get(vnn_t src, void *addr, int n, void *arg)
{
    CHECK(check_differs(addr, (size_t)n, (uint64_t)src + 5) == (size_t)n && !arg, "get of %d bytes from PE %d", n, src);
    gets++;
}

static void on_total(vnn_t src, am_word n)
{
    expected[src] = n;
    told++;
}

static void one(uint64_t *state, long sent[])
{
    static char buffer[MOST];
    int dest = (int)(random_next(state) % (uint64_t)ac_n);
    am_word a = (am_word)random_next(state);
    int n = (int)(random_next(state) % MOST);

    switch (random_next(state) % 16) {
    case 0:
        am_wait_for(free_slot[dest]);
        free_slot[dest] = 0;
        check_fill(buffer, (size_t)n, (uint64_t)a);
        am_store(dest, buffer, inbox[ac_me], n, on_store, a);
        sent[dest]++;
        return;
    case 1:
        am_wait_for(gets == gets_due); /* one buffer */
        gets_due++;
        am_get(dest, shelf, buffer, n, on_get, 0);
        am_wait_for(gets == gets_due);
        return;
    default:
        am_request_4(dest, on_request, a, mix(a, ac_me, dest), ~a, n & 1);
        replies_due += n & 1;
        sent[dest]++;
    }
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 100000, sent[64] = {0};
    uint64_t state;

    ac_start();
    if (ac_n > 64) {
        fprintf(stderr, "SKIP: at most 64 PEs\n");
        am_disable();
        return 77;
    }
    state = random_seed(1) + (uint64_t)ac_me * 977;
    check_fill(shelf, sizeof shelf, (uint64_t)ac_me + 5);
    for (int pe = 0; pe < ac_n; pe++)
        free_slot[pe] = 1;
    gam_barrier();
    for (long i = 0; i < rounds / ac_n; i++)
        one(&state, sent);
    for (int pe = 0; pe < ac_n; pe++)
        am_request_1(pe, on_total, sent[pe]);
    am_quiet();
    gam_barrier();
    CHECK(told == ac_n, "%ld totals came", told);
    for (int pe = 0; pe < ac_n; pe++)
        CHECK(arrived[pe] == expected[pe], "%ld messages of PE %d arrived, %ld were sent", arrived[pe], pe,
              expected[pe]);
    CHECK(replies == replies_due && gets == gets_due, "%ld replies of %ld, %ld gets of %ld", replies, replies_due, gets,
          gets_due);
    return ac_finish();
}
