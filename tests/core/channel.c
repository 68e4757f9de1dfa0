/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages between PEs: order and content for every size, random traffic among
 * all, chains of handlers, full rings in both directions with handlers that send,
 * many threads. Run with any number of PEs.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "core/core.h"
#include "harness.h"

enum { ORDERED, TOKEN, FLOOD, ANSWER, THREADED, LATE, NEVER, MAX_PES = 64, SEND_THREADS = 3 };

/* Every message says who it is; its body is a pattern of that. */
struct head {
    uint32_t from, to, count, stream;
};

static uint32_t expected[MAX_PES][SEND_THREADS + 1]; /* next count of (sender, stream) */
static uint64_t received;

static unsigned char pattern(const struct head *h, size_t i)
{
    return (unsigned char)(h->from * 31 + h->to * 17 + h->count * 7 + h->stream * 5 + i * 3 + (i >> 8));
}

static void fill(unsigned char *body, const struct head *h, size_t n)
{
    for (size_t i = 0; i < n; i++)
        body[i] = pattern(h, i);
}

static void on_ordered(const struct core_mail *m)
{
    const struct head *h = m->head;
    const unsigned char *b = m->body;
    int from = m->from;

    EXPECT(m->head_n == sizeof *h, "head of %zu bytes", m->head_n);
    EXPECT((uintptr_t)h % 8 == 0 && (uintptr_t)b % 8 == 0, "head %p or body %p misaligned", m->head, m->body);
    EXPECT((int)h->from == from && (int)h->to == core_me(), "message from %u to %u, said to be from %d", h->from, h->to,
           from);
    EXPECT(h->count == expected[from][h->stream], "message %u of PE %d, expected %u", h->count, from,
           expected[from][h->stream]);
    expected[from][h->stream]++;
    for (size_t i = 0; i < m->n; i++)
        EXPECT(b[i] == pattern(h, i), "byte %zu of %zu of message %u from PE %d", i, m->n, h->count, from);
    received++;
}

static void send_one(int to, unsigned id, uint32_t count, uint32_t stream, size_t n)
{
    struct head h = {(uint32_t)core_me(), (uint32_t)to, count, stream};
    unsigned char body[CORE_SEND_MAX];
    int err;

    fill(body, &h, n);
    err = core_send(to, id, &h, sizeof h, body, n);
    EXPECT(err == 0, "send of %zu bytes to PE %d: %d", n, to, err);
}

static void wait_for(const uint64_t *count, uint64_t target)
{
    struct core_waiter w;

    core_wait_begin(&w, "channel test");
    while (__atomic_load_n(count, __ATOMIC_RELAXED) < target)
        core_wait_pause(&w);
    core_wait_end(&w);
    uint64_t got = __atomic_load_n(count, __ATOMIC_RELAXED);
    EXPECT(got == target, "%llu messages, expected %llu", (unsigned long long)got, (unsigned long long)target);
}

static void begin(void)
{
    core_job_barrier(__func__);
    memset(expected, 0, sizeof expected);
    received = 0;
    core_job_barrier(__func__);
}

static void test_every_size(void)
{
    enum { SIZES = CORE_SEND_MAX - sizeof(struct head) + 1 };

    begin();
    for (uint32_t n = 0; n < SIZES; n++)
        for (int pe = 0; pe < core_size(); pe++)
            send_one(pe, ORDERED, n, 0, n);
    wait_for(&received, (uint64_t)SIZES * (uint64_t)core_size());
}

static void test_random_traffic(void)
{
    uint64_t each = 1000000 / (uint64_t)(core_size() * core_size());
    uint32_t sent[MAX_PES] = {0};
    uint64_t r = 77 + (uint64_t)core_me();

    begin();
    for (uint64_t left = each * (uint64_t)core_size(); left;) {
        int to = (int)check_random_below(&r, (uint64_t)core_size());

        if (sent[to] == each)
            continue;
        send_one(to, ORDERED, sent[to]++, 0,
                 check_random_below(&r, check_random_below(&r, 16) ? 64 : CORE_SEND_MAX - sizeof(struct head) + 1));
        left--;
        if (check_random_below(&r, 100) == 0)
            core_progress();
    }
    wait_for(&received, each * (uint64_t)core_size());
}

/* Head and body of any lengths. */
static unsigned char shape_head[CORE_SEND_MAX], shape_body[CORE_SEND_MAX];
static uint64_t shapes;

static void on_answer(const struct core_mail *m)
{
    EXPECT(memcmp(m->head, shape_head, m->head_n) == 0 && memcmp(m->body, shape_body, m->n) == 0,
           "%zu + %zu bytes from PE %d", m->head_n, m->n, m->from);
    shapes++;
}

static void test_shapes(void)
{
    uint64_t r = 5, sent = 0;
    int to = (core_me() + 1) % core_size();

    for (int i = 0; i < CORE_SEND_MAX; i++) {
        shape_head[i] = (unsigned char)check_random(&r);
        shape_body[i] = (unsigned char)check_random(&r);
    }
    begin();
    for (size_t head_n = 0; head_n <= CORE_SEND_MAX; head_n += 1 + head_n / 9)
        for (size_t n = 0; n <= CORE_SEND_MAX - head_n; n += 1 + n / 5, sent++)
            EXPECT(core_send(to, ANSWER, shape_head, head_n, shape_body, n) == 0, "send of %zu + %zu", head_n, n);
    EXPECT(core_send(to, ANSWER, shape_head, CORE_SEND_MAX, NULL, 0) == 0, "the largest head");
    EXPECT(core_send(to, ANSWER, NULL, 0, shape_body, CORE_SEND_MAX) == 0, "the largest body");
    wait_for(&shapes, sent + 2);
    shapes = 0;
}

static void test_errors(void)
{
    int me = core_me();

    EXPECT(core_send(-1, ORDERED, NULL, 0, NULL, 0) == -EINVAL, "PE -1");
    EXPECT(core_send(core_size(), ORDERED, NULL, 0, NULL, 0) == -EINVAL, "PE beyond the last");
    EXPECT(core_send(me, CORE_CHANNEL_MAX, NULL, 0, NULL, 0) == -EINVAL, "channel id too large");
    EXPECT(core_send(me, CORE_CHANNEL_MAX - 1, NULL, 0, NULL, 0) == -EINVAL, "channel not open");
    EXPECT(core_send(me, ORDERED, shape_head, CORE_SEND_MAX, shape_body, 1) == -EINVAL, "too large");
    EXPECT(core_send(me, ORDERED, shape_head, SIZE_MAX, shape_body, 2) == -EINVAL, "sizes that overflow");
    EXPECT(core_channel_open(CORE_CHANNEL_MAX, on_ordered) == -EINVAL, "open of an id too large");
    EXPECT(core_channel_open(ORDERED, on_answer) == -EBUSY, "open of a taken id");
    EXPECT(core_channel_open(ORDERED, NULL) == -EINVAL, "open without handler");
}

/* Tokens that travel from handler to handler, each to a random next PE. */
static uint64_t hops, tokens_home;

static void on_token(const struct core_mail *m)
{
    uint64_t state[3]; /* random, hops left, home */

    EXPECT(m->head_n == sizeof state && m->n == 0, "a token of %zu + %zu bytes", m->head_n, m->n);
    memcpy(state, m->head, sizeof state);
    hops++;
    if (state[1] == 0 && (int)state[2] == core_me()) {
        tokens_home++;
        return;
    }
    int next = state[1] ? (int)check_random_below(&state[0], (uint64_t)core_size()) : (int)state[2];
    state[1] -= state[1] != 0;
    EXPECT(core_send(next, TOKEN, state, sizeof state, NULL, 0) == 0, "token sent on");
}

static void test_tokens(void)
{
    enum { TOKENS = 300, HOPS = 1000 };

    begin();
    for (uint64_t t = 0; t < TOKENS; t++) {
        uint64_t state[3] = {1 + t * 77 + (uint64_t)core_me(), HOPS, (uint64_t)core_me()};

        EXPECT(core_send(core_me(), TOKEN, state, sizeof state, NULL, 0) == 0, "token sent");
    }
    wait_for(&tokens_home, TOKENS);
    tokens_home = 0;
    core_job_barrier(__func__);
}

/* Everybody sends to everybody, and each message makes its receiver send four large
 * ones back at once: far more than the rings hold, so handlers meet full rings. */
enum { FLOOD_MESSAGES = 400, FLOOD_ANSWERS = 4, FLOOD_BYTES = 900 };
static uint32_t answered[MAX_PES];

static void on_flood(const struct core_mail *m)
{
    EXPECT(m->head_n == 8 && m->n == FLOOD_BYTES, "flood of %zu + %zu bytes", m->head_n, m->n);
    for (int i = 0; i < FLOOD_ANSWERS; i++)
        send_one(m->from, ORDERED, answered[m->from]++, 0, FLOOD_BYTES);
}

static void test_full_rings(void)
{
    static const unsigned char body[FLOOD_BYTES];
    const uint64_t none = 0;

    memset(answered, 0, sizeof answered); /* before anybody can send */
    begin();
    for (int m = 0; m < FLOOD_MESSAGES; m++)
        for (int pe = 0; pe < core_size(); pe++)
            EXPECT(core_send(pe, FLOOD, &none, 8, body, FLOOD_BYTES) == 0, "flood");
    wait_for(&received, (uint64_t)FLOOD_MESSAGES * FLOOD_ANSWERS * (uint64_t)core_size());
}

/* A ring that nobody empties says so, keeps what it took, and goes on later. */
static void test_try(void)
{
    struct head h = {(uint32_t)core_me(), (uint32_t)core_me(), 0, 0};
    uint32_t sent = 0;
    int err;

    begin();
    while ((err = core_send_try(core_me(), ORDERED, &h, sizeof h, NULL, 0)) == 0)
        h.count = ++sent;
    EXPECT(err == -EAGAIN && sent > 100 && sent < 1000, "error %d after %u messages", err, sent);
    EXPECT(received == 0, "messages handled without progress");
    while (core_progress() > 0)
        continue;
    EXPECT(received == sent, "%llu of %u messages", (unsigned long long)received, sent);
    EXPECT(core_send_try(core_me(), ORDERED, &h, sizeof h, NULL, 0) == 0, "room again");
    wait_for(&received, sent + 1);
}

static uint64_t from_threads;

static void on_threaded(const struct core_mail *m)
{
    on_ordered(m);
    __atomic_fetch_add(&from_threads, 1, __ATOMIC_RELAXED);
}

static void *sender(void *arg)
{
    enum { EACH = 5000 };
    uint64_t target = (uint64_t)SEND_THREADS * EACH * (uint64_t)core_size();
    uint32_t stream = (uint32_t)(uintptr_t)arg;
    uint64_t r = 1 + stream;

    for (uint32_t m = 0; m < EACH; m++)
        for (int pe = 0; pe < core_size(); pe++)
            send_one(pe, THREADED, m, stream, check_random_below(&r, 200));
    wait_for(&from_threads, target);
    return NULL;
}

static void test_threads(void)
{
    pthread_t t[SEND_THREADS];

    begin();
    for (uintptr_t i = 0; i < SEND_THREADS; i++)
        EXPECT(pthread_create(&t[i], NULL, sender, (void *)(i + 1)) == 0, "thread");
    for (int i = 0; i < SEND_THREADS; i++)
        pthread_join(t[i], NULL);
    from_threads = 0;
}

/* PE 0 opens two channels and sends; the others open one when messages for it are there, and
 * never the other, whose many messages hold up nobody. */
static uint64_t late;

static void on_late(const struct core_mail *m)
{
    uint64_t count;

    memcpy(&count, m->head, sizeof count);
    EXPECT(count == late && m->from == 0, "message %llu of PE %d, expected %llu", (unsigned long long)count, m->from,
           (unsigned long long)late);
    for (size_t i = 0; i < m->n; i++)
        EXPECT(((const unsigned char *)m->body)[i] == shape_body[i], "byte %zu of %zu", i, m->n);
    late++;
}

static void on_never(const struct core_mail *m)
{
    EXPECT(m->from == 0 && core_me() == 0, "a message for a channel that this PE has not opened");
}

static void send_never(int n)
{
    EXPECT(core_channel_open(NEVER, on_never) == 0, "open");
    for (int i = 0; i < n; i++)
        for (int pe = 0; pe < core_size(); pe++)
            EXPECT(core_send(pe, NEVER, &i, sizeof i, NULL, 0) == 0, "send to a channel that stays closed");
}

static void send_late(uint64_t first, uint64_t n)
{
    for (uint64_t i = first; i < first + n; i++)
        for (int pe = 0; pe < core_size(); pe++)
            EXPECT(core_send(pe, LATE, &i, sizeof i, shape_body, i * 100) == 0, "send before the receiver has opened");
}

static void test_early(void)
{
    enum { BEFORE = 6, AFTER = 3, UNWANTED = 20000 };

    begin();
    if (core_me() == 0) {
        EXPECT(core_channel_open(LATE, on_late) == 0, "open");
        send_never(UNWANTED);
        send_late(0, BEFORE);
        for (int pe = 0; pe < core_size(); pe++)
            send_one(pe, ORDERED, 0, 0, 8);
    }
    wait_for(&received, 1);
    EXPECT(core_me() == 0 || late == 0, "%llu messages handled before the channel was open", (unsigned long long)late);
    core_job_barrier(__func__);
    EXPECT(core_channel_open(LATE, on_late) == 0, "open later");
    if (core_me() == 0)
        send_late(BEFORE, AFTER);
    wait_for(&late, BEFORE + AFTER);
    core_job_barrier(__func__);
}

int main(void)
{
    if (core_job_start(0) != 0)
        return 1;
    EXPECT(core_size() <= MAX_PES, "at most %d PEs", MAX_PES);
    EXPECT(core_channel_open(ORDERED, on_ordered) == 0 && core_channel_open(TOKEN, on_token) == 0 &&
               core_channel_open(FLOOD, on_flood) == 0 && core_channel_open(ANSWER, on_answer) == 0 &&
               core_channel_open(THREADED, on_threaded) == 0,
           "open");
    test_errors();
    test_every_size();
    test_shapes();
    test_early();
    test_try();
    test_random_traffic();
    test_tokens();
    test_full_rings();
    test_threads();
    core_job_finish();
    return 0;
}
