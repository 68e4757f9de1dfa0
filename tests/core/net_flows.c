/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Flows: quiet and idle are of a flow, a flow that threads share counts right,
 * core_quiet_all covers all; operations that nobody asks for arrive. Threads that
 * begin operations, wait and make progress at the same time.
 */
#include <pthread.h>
#include <string.h>

#include "core/core.h"
#include "harness.h"

enum { THREADS = 4, STREAM = 300, WORDS = 1024, LARGE = 100000, FLOWS = 20 };

static uint64_t *words; /* [THREADS][WORDS] */
static uint64_t *counter, *flag;
static unsigned char *large; /* [THREADS][LARGE] */
static struct core_flow shared;

static int next_pe(void)
{
    return (core_me() + 1) % core_size();
}

static uint64_t get_word(const uint64_t *at, int pe)
{
    uint64_t v;
    core_get(CORE_FLOW_DEFAULT, pe, &v, at, sizeof v);
    return v;
}

static void poll_until_idle(struct core_flow *f)
{
    struct core_waiter w;
    core_wait_begin(&w, "flow test");
    while (!core_flow_idle(f))
        core_wait_pause(&w);
    core_wait_end(&w);
}

/* Many flows at the same time; each is idle when its own operations are done. */
static void many_flows(void)
{
    static struct core_flow flows[FLOWS];
    static uint64_t sources[FLOWS][WORDS / FLOWS];
    for (unsigned i = 0; i < FLOWS; i++) {
        for (unsigned j = 0; j < WORDS / FLOWS; j++) {
            sources[i][j] = 1000 * i + j + 1;
            core_put_nbi(&flows[i], next_pe(), &words[i * (WORDS / FLOWS) + j], &sources[i][j], 8);
        }
        core_put_nbi(&flows[i], next_pe(), large, large, 10000);
    }
    for (unsigned i = FLOWS; i-- > 0;) {
        poll_until_idle(&flows[i]);
        EXPECT(core_flow_idle(&flows[i]), "an idle flow stays idle");
        for (unsigned j = 0; j < WORDS / FLOWS; j++) {
            uint64_t got = get_word(&words[i * (WORDS / FLOWS) + j], next_pe());
            EXPECT(got == 1000 * i + j + 1, "flow %u word %u: %llu", i, j, (unsigned long long)got);
        }
        core_flow_finish(&flows[i]);
    }
    core_job_barrier(__func__);
}

static void all_flows(void)
{
    static struct core_flow a, b;
    core_put_nbi(&a, next_pe(), large, large, LARGE);
    for (int i = 0; i < STREAM; i++)
        core_amo_nbi(&b, next_pe(), counter, (struct core_amo){CORE_AMO_ADD, 8, 1, 0}, NULL);
    core_quiet_all();
    core_job_barrier(__func__);
    EXPECT(*counter == STREAM, "%llu additions, expected %d", (unsigned long long)*counter, STREAM);
    EXPECT(core_flow_idle(&a) && core_flow_idle(&b), "quiet of all flows");
    core_flow_finish(&a);
    core_flow_finish(&b);
    core_job_barrier(__func__);
    *counter = 0;
    core_job_barrier(__func__);
}

/* No flow: the receiver sees it, in order. */
static void nobody_asks(void)
{
    uint64_t data = 7;
    for (uint64_t i = 1; i <= STREAM; i++, data += 3) {
        core_put_signal(NULL, next_pe(), &words[0], &data, 8, flag, CORE_AMO_SET, i);
        core_wait_word(flag, CORE_GE, i, "flow test");
        EXPECT(words[0] >= data, "data %llu with signal %llu", (unsigned long long)words[0], (unsigned long long)i);
    }
    core_job_barrier(__func__);
    *flag = 0;
    core_job_barrier(__func__);
}

/* No order is known between adapters' atomics and other operations: fences are kept by waiting. */
static void fenced_atomics(void)
{
    struct core_flow f = {0};
    *counter = 0;
    core_job_barrier(__func__);
    for (uint64_t i = 1; i <= STREAM; i++) {
        core_put(&f, next_pe(), words, &i, 8);
        core_fence(&f);
        core_atomic_nbi(&f, next_pe(), counter, (struct core_amo){CORE_AMO_ADD, 8, 1, 0}, NULL);
        EXPECT(!core_atomics_are_native() || f.begun - __atomic_load_n(&f.done, __ATOMIC_ACQUIRE) <= 1,
               "atomic %u passes the put before it", (unsigned)i);
        core_fence(&f);
        EXPECT(!core_atomics_are_native() || f.begun == __atomic_load_n(&f.done, __ATOMIC_ACQUIRE),
               "a fence passes atomic %u", (unsigned)i);
    }
    core_flow_finish(&f);
    core_job_barrier(__func__);
    EXPECT(*counter == STREAM && words[0] == STREAM, "%llu additions, then %llu", (unsigned long long)*counter,
           (unsigned long long)words[0]);
    core_job_barrier(__func__);
}

static void stream(unsigned t, struct core_flow *f)
{
    uint64_t *mine = words + t * WORDS, got[8];
    unsigned char *part = large + t * LARGE, *back = malloc(LARGE), *from = malloc(LARGE);
    uint64_t rng = 5 + t;
    for (int i = 0; i < STREAM; i++) {
        uint64_t v = (uint64_t)i << 8 | t;
        core_put(f, next_pe(), &mine[i % WORDS], &v, 8);
        core_atomic_nbi(f, next_pe(), counter, (struct core_amo){CORE_AMO_ADD, 8, 1, 0}, i % 3 ? &got[i % 8] : NULL);
        if (i % 16 == 0) {
            memset(from, (int)(i + t), LARGE);
            size_t n = check_random_below(&rng, LARGE) + 1;
            core_put(f, next_pe(), part, from, n);
            core_quiet(f);
            core_get(f, next_pe(), back, part, n);
            EXPECT(memcmp(back, from, n) == 0, "thread %u: %zu bytes written and read", t, n);
            EXPECT(get_word(&mine[i % WORDS], next_pe()) == v, "thread %u word %d", t, i);
        }
    }
    core_quiet(f);
    free(back);
    free(from);
}

static void *own_flow(void *arg)
{
    struct core_flow f = {0};
    stream((unsigned)(uintptr_t)arg, &f);
    core_flow_finish(&f);
    return NULL;
}

static void *shared_flow(void *arg)
{
    stream((unsigned)(uintptr_t)arg, &shared);
    return NULL;
}

static void threads(void *body(void *), uint64_t additions)
{
    pthread_t id[THREADS];
    core_job_barrier(__func__);
    *counter = 0;
    memset(words, 0, (size_t)THREADS * WORDS * 8);
    core_job_barrier(__func__);
    for (uintptr_t t = 0; t < THREADS; t++)
        EXPECT(pthread_create(&id[t], NULL, body, (void *)t) == 0, "no thread");
    for (int t = 0; t < THREADS; t++)
        pthread_join(id[t], NULL);
    core_job_barrier(__func__);
    EXPECT(*counter == additions, "%llu additions, expected %llu", (unsigned long long)*counter,
           (unsigned long long)additions);
    core_job_barrier(__func__);
}

/* Threads that wait for words of their own, each set by the peer's thread. */
static void *ping(void *arg)
{
    unsigned t = (unsigned)(uintptr_t)arg;
    struct core_flow f = {0};
    uint64_t *mine = words + t * WORDS;
    for (uint64_t i = 1; i <= STREAM / 4; i++) {
        core_put(&f, next_pe(), mine, &i, 8);
        core_wait_word(mine, CORE_GE, i, "flow test");
    }
    core_quiet(&f);
    core_flow_finish(&f);
    return NULL;
}

int main(void)
{
    EXPECT(core_job_start(0) == 0, "start");
    words = core_heap_alloc((size_t)THREADS * WORDS * 8, 64);
    large = core_heap_alloc((size_t)THREADS * LARGE, 64);
    counter = core_heap_alloc(8, 8);
    flag = core_heap_alloc(8, 8);
    memset(words, 0, (size_t)THREADS * WORDS * 8);
    memset(large, 0, (size_t)THREADS * LARGE);
    *counter = *flag = 0;
    core_job_barrier(__func__);
    many_flows();
    all_flows();
    nobody_asks();
    fenced_atomics();
    threads(own_flow, THREADS * STREAM);
    threads(shared_flow, THREADS * STREAM);
    threads(ping, 0);
    core_flow_finish(&shared);
    core_job_barrier(__func__);
    core_job_finish();
    return 0;
}
