/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The random program's active messages: requests with and without replies, of words and of bytes, stores and gets.
 */
#include "random.h"

static struct {
    char *inbox;  /* a slot for each PE */
    char *shelf;  /* what others get */
    bool *closed; /* this PE's slot at another one is in use */
    long *arrived;
    long replies, replies_due;
    bool got;
} a;

void random_am_start(void)
{
    memset(&a, 0, sizeof a);
    a.inbox = malloc((size_t)mc_size * RANDOM_SLOT);
    a.shelf = malloc(RANDOM_SLOT);
    a.closed = calloc((size_t)mc_size, sizeof *a.closed);
    a.arrived = calloc((size_t)mc_size, sizeof *a.arrived);
    EXPECT(a.inbox && a.shelf && a.closed && a.arrived, "no memory");
    check_fill(a.shelf, RANDOM_SLOT, random_run.seed + (uint64_t)mc_rank);
}

/* Depends on who sends to whom. */
static am_word mixed(am_word v, int from, int to)
{
    return (am_word)check_mix((uint64_t)v + (uint64_t)from * 1024 + (uint64_t)to);
}

static void on_reply(vnn_t src, am_word v, am_word m)
{
    CHECK(m == mixed(v, src, mc_rank), "reply of PE %d", src);
    a.replies++;
}

static void on_request(vnn_t src, am_word v, am_word m, am_word reply)
{
    CHECK(m == mixed(v, src, mc_rank), "request of PE %d", src);
    a.arrived[src]++;
    if (reply)
        am_reply_2(src, on_reply, v, mixed(v, mc_rank, src));
}

static void on_medium(vnn_t src, void *body, int n, const am_word *words, int count)
{
    if (CHECK(count == 1, "%d words of PE %d", count, src))
        check_verify(body, (size_t)n, (uint64_t)words[0], "a body");
    a.arrived[src]++;
}

static void on_free(vnn_t src)
{
    a.closed[src] = false;
}

static void on_store(vnn_t src, void *at, int n, void *seed)
{
    CHECK(at == a.inbox + (size_t)src * RANDOM_SLOT, "a store of PE %d at another place", src);
    check_verify(at, (size_t)n, (uint64_t)seed, "what was stored");
    a.arrived[src]++;
    am_reply_0(src, on_free);
}

static void on_get(vnn_t src, void *at, int n, void *arg)
{
    (void)arg;
    check_verify(at, (size_t)n, random_run.seed + (uint64_t)src, "what was got");
    a.got = true;
}

static volatile am_word place;

/* Where a PE has its memory, it alone knows. */
static void on_place(vnn_t src, am_word at)
{
    (void)src;
    place = at;
}
static void on_ask(vnn_t src, am_word shelf)
{
    am_reply_1(src, on_place, (am_word)(shelf ? a.shelf : a.inbox + (size_t)src * RANDOM_SLOT));
}
static void *ask(int pe, bool shelf)
{
    place = 0;
    am_request_1(pe, on_ask, shelf);
    am_wait_for(place != 0);
    return (void *)place;
}

static void store(int pe)
{
    static char from[RANDOM_SLOT];
    const long n = 1 + random_choose(RANDOM_SLOT);
    const uint64_t seed = check_random(&random_run.own);

    am_wait_for(!*(volatile bool *)&a.closed[pe]);
    check_fill(from, (size_t)n, seed);
    a.closed[pe] = true;
    random_run.to[pe].requests++;
    am_store(pe, from, ask(pe, false), n, on_store, (void *)seed);
}

static void get(int pe)
{
    static char to[RANDOM_SLOT];

    a.got = false;
    am_get(pe, ask(pe, true), to, 1 + random_choose(RANDOM_SLOT), on_get, NULL);
    am_wait_for(*(volatile bool *)&a.got);
}

static void medium(int pe)
{
    char body[RANDOM_SLOT];
    const int n = (int)random_choose(RANDOM_SLOT);
    const am_word seed = (am_word)check_random(&random_run.own);

    check_fill(body, (size_t)n, (uint64_t)seed);
    random_run.to[pe].requests++;
    am_request_medium(pe, on_medium, body, n, &seed, 1);
}

static void request(int pe)
{
    const am_word v = (am_word)check_random(&random_run.own);

    random_run.to[pe].requests++;
    a.replies_due += v & 1;
    am_request_3(pe, on_request, v, mixed(v, mc_rank, pe), v & 1);
}

void random_am_one(int pe)
{
    const long what = random_choose(16);

    if (what == 0)
        store(pe);
    else if (what == 1)
        get(pe);
    else if (what == 2)
        am_poll();
    else if (what <= 6)
        medium(pe);
    else
        request(pe);
}

static bool all_came(void)
{
    for (int pe = 0; pe < mc_size; pe++)
        if (a.arrived[pe] < random_run.due[pe].requests)
            return false;
    return true;
}

void random_am_settle(void)
{
    am_quiet();
    CHECK(a.replies == a.replies_due, "%ld replies, not %ld", a.replies, a.replies_due);
    am_wait_for(all_came());
    for (int pe = 0; pe < mc_size; pe++)
        CHECK(a.arrived[pe] == random_run.due[pe].requests, "%ld requests of PE %d, not %ld", a.arrived[pe], pe,
              random_run.due[pe].requests);
}

void random_am_end(void)
{
    gam_barrier();
    free(a.inbox);
    free(a.shelf);
    free(a.closed);
    free(a.arrived);
}
