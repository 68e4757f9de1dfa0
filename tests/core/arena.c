/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The arena: random blocks in several threads never overlap, keep what is written,
 * are seen by the peers at their offsets; large ones give their memory back; who
 * waits for a change there is woken; a rendezvous body there is read without system calls.
 */
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/internal.h"
#include "harness.h"

enum { SLOTS = 64, STEPS = 4000, THREADS = 3, LARGE = 24 << 20, CHANNEL = 1, BODY = 300000 };

struct slot {
    unsigned char *p;
    size_t n;
    unsigned char mark;
};

static void check_slot(const struct slot *s)
{
    EXPECT(core_arena_holds(s->p, s->n) && core_arena_size_of(s->p) >= s->n, "block %p of %zu bytes", (void *)s->p,
           s->n);
    for (size_t i = 0; i < s->n; i++)
        if (s->p[i] != s->mark)
            EXPECT(false, "byte %zu of a block of %zu is %u, not %u", i, s->n, s->p[i], s->mark);
}

static size_t random_size(uint64_t *rng)
{
    return 1 + (size_t)check_random_below(rng, check_random_below(rng, 50) == 0 ? 3 << 20 : 5000);
}

static void *churn(void *arg)
{
    uint64_t rng = 77 + (uint64_t)core_me() * 1000 + (uintptr_t)arg;
    struct slot slots[SLOTS] = {0};

    for (int step = 0; step < STEPS; step++) {
        struct slot *s = &slots[check_random_below(&rng, SLOTS)];

        if (s->p) {
            check_slot(s);
            core_arena_free(s->p);
            s->p = NULL;
        } else {
            size_t align = (size_t)1 << check_random_below(&rng, 14);

            *s = (struct slot){.n = random_size(&rng), .mark = (unsigned char)check_random(&rng)};
            s->p = core_arena_alloc(s->n, align);
            EXPECT(s->p && (uintptr_t)s->p % align == 0, "%zu bytes aligned to %zu: %p", s->n, align, (void *)s->p);
            memset(s->p, s->mark, s->n);
        }
    }
    for (int i = 0; i < SLOTS; i++)
        core_arena_free(slots[i].p);
    return NULL;
}

static void test_threads(void)
{
    pthread_t thread[THREADS];

    for (uintptr_t i = 0; i < THREADS; i++)
        EXPECT(pthread_create(&thread[i], NULL, churn, (void *)i) == 0, "thread %d", (int)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
}

static void test_limits(void)
{
    char outside;
    size_t whole = core_seg->header->arena_size;
    char *p = core_arena_alloc(whole, 0);

    EXPECT(p && core_arena_holds(p, whole), "all of it at once: %zu bytes", whole);
    EXPECT(!core_arena_alloc(1, 0), "then there is no more");
    EXPECT(!core_arena_holds(p + 1, whole) && !core_arena_holds(p - 1, 1) && !core_arena_holds(&outside, 1),
           "and nothing beside");
    core_arena_free(p);
    EXPECT(!core_arena_alloc(0, 0) && !core_arena_alloc(whole + 1, 0) && !core_arena_alloc(SIZE_MAX, 0),
           "what cannot be");
    core_arena_free(NULL);
}

static long long file_bytes(void)
{
    struct stat st;

    EXPECT(fstat(core_seg->fd, &st) == 0, "the job's file");
    return st.st_blocks * 512ll;
}

static void test_giving_back(void)
{
    char *p = core_arena_alloc(LARGE, 0);
    long long before = file_bytes(), full;

    memset(p, 1, LARGE);
    full = file_bytes();
    core_arena_free(p);
    EXPECT(full - before >= LARGE / 2, "%lld bytes came in", full - before); /* some of it may have been there */
    EXPECT(full - file_bytes() >= LARGE - 8192, "%lld bytes went back", full - file_bytes());
}

/* Offsets go round in a ring through the collective area. */
static void test_peers(void)
{
    uint64_t *box = core_coll_area(NULL), *mine = core_arena_alloc(4096, 0), offset = core_arena_offset(mine);
    int right = (core_me() + 1) % core_size();

    mine[0] = 1000 + (uint64_t)core_me();
    mine[1] = 0;
    __atomic_store_n(&box[100], offset, __ATOMIC_RELEASE);
    core_job_barrier(__func__);
    for (int pe = 0; pe < core_size(); pe++) {
        uint64_t *at =
            core_on_node(pe)
                ? core_arena_at(pe, __atomic_load_n((uint64_t *)core_coll_at(pe, &box[100]), __ATOMIC_ACQUIRE))
                : NULL;

        EXPECT(!at == !core_on_node(pe) && core_arena_at(core_me(), offset) == mine, "PE %d", pe);
        EXPECT(!at || at[0] == 1000 + (uint64_t)pe, "PE %d: %llu", pe, at ? (unsigned long long)at[0] : 0);
        if (at && pe == right && core_me() == core_node_of(core_me())) {
            usleep(30000); /* it sleeps by now */
            __atomic_store_n(&at[1], 5, __ATOMIC_RELEASE);
            core_changed(pe, &at[1], 8);
        }
    }
    if (core_on_node((core_me() + core_size() - 1) % core_size()) &&
        (core_me() + core_size() - 1) % core_size() == core_node_of(core_me())) {
        double begin = check_seconds();

        core_wait_word(&mine[1], CORE_EQ, 5, "the test");
        EXPECT(check_seconds() - begin < 5, "woken after %g s", check_seconds() - begin);
    }
    core_job_barrier(__func__);
    core_arena_free(mine);
}

static bool slice_way;
static unsigned char *got;
static struct core_rndv kept;
static bool come;

static void on_body(const struct core_mail *m)
{
    slice_way = m->rndv.key == 0;
    kept = m->rndv;
    come = true;
}

static void test_far(void)
{
    unsigned char *body = core_arena_alloc(BODY, 0);
    struct core_sending sending;
    struct core_waiter w;
    struct core_flow flow = {0};

    for (size_t i = 0; i < BODY; i++)
        body[i] = (unsigned char)(i * 7 + (i >> 8));
    got = malloc(BODY);
    EXPECT(core_channel_open(CHANNEL, on_body) == 0, "channel");
    core_job_barrier(__func__);
    EXPECT(core_send_rndv((core_me() + 1) % core_size(), CHANNEL, NULL, 0, body, BODY, &sending) == 0, "send");
    core_wait_begin(&w, "the body");
    while (!come)
        core_wait_pause(&w);
    core_wait_end(&w);
    EXPECT(slice_way || !core_on_node(kept.pe), "the body is read in PE %d's slice", kept.pe);
    core_fetch(&flow, got, &kept, 0, BODY);
    core_flow_finish(&flow);
    core_fetch_end(&kept);
    EXPECT(memcmp(got, body, BODY) == 0, "what came");
    core_wait_begin(&w, "the end of sending");
    while (!core_sending_done(&sending))
        core_wait_pause(&w);
    core_wait_end(&w);
    core_job_barrier(__func__);
    core_arena_free(body);
    free(got);
}

int main(void)
{
    EXPECT(!core_arena_alloc(1, 0), "no arena before the start");
    EXPECT(core_job_start(0) == 0, "start");
    test_limits();
    test_threads();
    core_job_barrier(__func__);
    for (int pe = 0; pe < core_size(); pe++) { /* alone: the file is everybody's */
        if (pe == core_me())
            test_giving_back();
        core_job_barrier(__func__);
    }
    test_peers();
    test_far();
    core_job_finish();
    return 0;
}
