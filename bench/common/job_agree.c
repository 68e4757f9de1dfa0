/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all PEs must agree on while they measure: how often to repeat, when to stop, whether the data were
 * right. PE 0 decides. All of it happens between the timed batches.
 */
#include "job.h"

#include <string.h>

/* On the symmetric heap, whatever the target of the test: some libraries are slow on globals. */
struct board {
    long decided[2];
    long n, stop;
    double samples[BENCH_MAX_SAMPLES];
    struct report {
        int64_t start, end;
        long right;
        uint64_t machine;
        double value;
    } of[]; /* one a PE, used on PE 0 */
};

static struct board *board;
static long turn;
static bool failed;

/* Two slots in turn: a PE still reading the last decision isn't overtaken, as the barrier between keeps PE 0 back. */
long bench_agree(long value)
{
    long *const slot = &board->decided[turn++ % 2];

    if (bench_job.me == 0)
        for (int pe = 0; pe < bench_job.npes; pe++)
            shmem_long_p(slot, value, pe);
    shmem_barrier_all();
    return *(volatile long *)slot;
}

/* How many different ones the PEs are on. Collective. */
static int agree_machines(void)
{
    const uint64_t mine = bench_machine();
    int n = 0;

    shmem_putmem(&board->of[bench_job.me].machine, &mine, sizeof mine, 0);
    shmem_barrier_all();
    for (int pe = 0; bench_job.me == 0 && pe < bench_job.npes; pe++) {
        int before = 0;

        while (before < pe && board->of[before].machine != board->of[pe].machine)
            before++;
        n += before == pe;
    }
    return (int)bench_agree(n);
}

void bench_agree_start(void)
{
    const size_t bytes = sizeof *board + sizeof board->of[0] * (size_t)bench_job.npes;

    board = shmem_align(64, bytes);
    if (!board)
        bench_job_fatal("the symmetric heap is too small");
    memset(board, 0, bytes);
    shmem_barrier_all();
    bench_job.machines = agree_machines();
}

double bench_agree_budget(double budget_ns)
{
    return (double)bench_agree((long)budget_ns);
}

bool bench_agree_right(bool mine)
{
    bool all = true;

    shmem_long_p(&board->of[bench_job.me].right, mine, 0);
    shmem_barrier_all();
    for (int pe = 0; bench_job.me == 0 && pe < bench_job.npes; pe++)
        all = all && board->of[pe].right;
    all = bench_agree(all) != 0;
    failed = failed || !all;
    return all;
}

bool bench_agree_failed(void)
{
    return failed;
}

void bench_gather(double mine, struct bench_series *all)
{
    shmem_double_p(&board->of[bench_job.me].value, mine, 0);
    shmem_barrier_all();
    bench_series_clear(all);
    for (int pe = 0; bench_job.me == 0 && pe < bench_job.npes; pe++)
        bench_series_add(all, board->of[pe].value);
    shmem_barrier_all();
}

void bench_collect(struct bench_series *s, enum bench_stop *stop, int from)
{
    if (bench_job.me == from && from != 0) {
        shmem_putmem(board->samples, s->v, s->n * sizeof s->v[0], 0);
        shmem_long_p(&board->n, (long)s->n, 0);
        shmem_long_p(&board->stop, (long)*stop, 0);
    }
    shmem_barrier_all();
    if (bench_job.me != 0 || from == 0)
        return;
    s->n = (size_t)board->n;
    *stop = (enum bench_stop)board->stop;
    memcpy(s->v, board->samples, s->n * sizeof s->v[0]);
}

/* Of the stamps that all PEs left on PE 0. */
static double elapsed(enum bench_span span)
{
    int64_t start = board->of[0].start, end = board->of[0].end, longest = end - start;

    if (span == BENCH_PE0)
        return (double)longest;
    if (bench_job.machines > 1)
        span = BENCH_LONGEST;
    for (int pe = 1; pe < bench_job.npes; pe++) {
        const struct report *r = &board->of[pe];

        start = r->start < start ? r->start : start;
        end = r->end > end ? r->end : end;
        longest = r->end - r->start > longest ? r->end - r->start : longest;
    }
    return (double)(span == BENCH_SPAN ? end - start : longest);
}

/* Long against the skew of the start, and where PEs share cores, against the time until each has had its turn. */
static double together_ns(void)
{
    const int cores = bench_job.machines * bench_cores_of_job();

    return bench_job.npes <= cores ? 1e5 : 2e6 * bench_job.npes / cores;
}

enum bench_stop bench_measure_together(bench_body *body, void *arg, double budget_ns, enum bench_span span,
                                       struct bench_series *out, struct bench_series *mine)
{
    struct bench_sampler s;
    long reps, before = 0;

    bench_sampler_begin(&s, out, budget_ns);
    if (span != BENCH_PE0 && !bench_cold())
        s.batch_ns = together_ns();
    while ((reps = bench_agree(bench_job.me == 0 ? bench_sampler_next(&s) : 0)) > 0) {
        int64_t stamp[2];

        if (mine && reps != before)
            bench_series_clear(mine);
        before = reps;
        bench_cold_flush();
        shmem_barrier_all();
        stamp[0] = bench_now();
        body(arg, reps);
        stamp[1] = bench_now();
        if (mine)
            bench_series_add(mine, (double)(stamp[1] - stamp[0]) / (double)reps);
        shmem_putmem(&board->of[bench_job.me].start, stamp, sizeof stamp, 0);
        shmem_barrier_all();
        if (bench_job.me == 0)
            bench_sampler_give(&s, elapsed(span));
    }
    return (enum bench_stop)bench_agree((long)s.stop);
}
