/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective calls stepped by hand, as nonblocking and persistent calls will:
 * nothing blocks, other work goes on between the steps, two teams' calls are
 * under way at once, and a call may be started again. Also distances of PEs.
 */
#include <sched.h>
#include <string.h>

#include "coll/coll.h"
#include "core/core.h"
#include "harness.h"

enum { WORDS = 4000 };

static long source[WORDS], sum[WORDS], *heap_sum;

/* Steps both calls in turn until both are done; returns the steps it took. */
static unsigned finish(struct coll_call *a, struct coll_call *b)
{
    bool a_done = false, b_done = false;
    unsigned steps = 0;
    while (!a_done || !b_done) {
        a_done = a_done || coll_step(a);
        b_done = b_done || coll_step(b);
        steps++;
        sched_yield();
    }
    return steps;
}

static struct coll_call reduction(struct coll_team *team, long *dest, size_t words)
{
    return (struct coll_call){.kind = COLL_ALLREDUCE,
                              .team = team,
                              .where = "a stepped reduction",
                              .dest = dest,
                              .source = source,
                              .n = words * sizeof(long),
                              .nelems = words,
                              .type = COLL_I64,
                              .op = COLL_SUM};
}

static void check_sum(const long *have, size_t words, long of_ranks, long pes, const char *what)
{
    for (size_t i = 0; i < words; i++)
        EXPECT(have[i] == of_ranks + pes * (long)i, "PE %d, %s of %zu words, element %zu is %ld", core_me(), what,
               words, i, have[i]);
}

static void overlapping_calls(struct coll_team *twin, size_t words)
{
    long n = core_size(), world_ranks = n * (n - 1) / 2, twin_ranks = 0;
    struct coll_call all = reduction(COLL_WORLD, sum, words), mine = reduction(twin, heap_sum, words);
    for (int r = 0; r < twin->size; r++)
        twin_ranks += coll_team_pe(twin, r);
    for (int again = 0; again < 3; again++) {
        memset(sum, 0, sizeof sum);
        memset(heap_sum, 0, sizeof sum);
        coll_barrier(COLL_WORLD, "test");
        coll_start(&all);
        coll_start(&mine);
        finish(&all, &mine);
        check_sum(sum, words, world_ranks, n, "sum of all");
        check_sum(heap_sum, words, twin_ranks, twin->size, "sum of the team");
    }
}

/* A call that others have not started is not done, however often it is stepped. */
static void not_before_all(void)
{
    static uint64_t late;
    struct coll_call barrier = {.kind = COLL_BARRIER, .team = COLL_WORLD, .where = "a stepped barrier"};
    late = 0;
    coll_barrier(COLL_WORLD, "test");
    if (core_me() != 0 || core_size() == 1) {
        coll_start(&barrier);
        for (int i = 0; core_size() > 1 && i < 100; i++)
            EXPECT(!coll_step(&barrier), "PE %d: done before PE 0 had arrived", core_me());
        core_amo(CORE_FLOW_DEFAULT, 0, &late, (struct core_amo){.op = CORE_AMO_ADD, .width = 8, .value = 1});
    } else {
        core_wait_word(&late, CORE_EQ, (uint64_t)core_size() - 1, "test");
        coll_start(&barrier);
    }
    coll_wait(&barrier);
}

static void distances(void)
{
    for (int pe = 0; pe < core_size(); pe++) {
        int d = core_topology_distance(core_me(), pe);
        EXPECT(d >= -1 && d <= 3, "distance %d", d);
        EXPECT(d == core_topology_distance(pe, core_me()), "distance of PEs %d and %d has a direction", core_me(), pe);
    }
    EXPECT(core_topology_distance(core_me(), core_me()) == 0, "a PE is at no distance from itself");
    EXPECT(core_topology_distance(core_me(), core_size()) == -1, "no such PE");
}

int main(void)
{
    static const size_t sizes[] = {1, 7, 100, WORDS};
    struct coll_team twin;
    EXPECT(core_job_start(0) == 0, "start");
    coll_init();
    int n = core_size(), half = core_me() % 2;
    EXPECT((heap_sum = core_heap_alloc(sizeof sum, 0)) != NULL, "heap");
    for (int i = 0; i < WORDS; i++)
        source[i] = core_me() + i;
    EXPECT(coll_team_create(COLL_WORLD, half, 2, (n - half + 1) / 2, &twin) == 0, "team");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        overlapping_calls(&twin, sizes[i]);
    not_before_all();
    distances();
    coll_team_destroy(&twin);
    core_job_finish();
    return 0;
}
