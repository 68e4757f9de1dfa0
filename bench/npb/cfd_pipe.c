/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pipeline. A PE is at most its lag ahead of the one above, for it waits for that one's substitution; so a slot is
 * read before it is written again when there are as many as the largest lag and two more.
 */
#include "cfd_pipe.h"

#include "common/turn.h"

#include <string.h>

#define GROUP 4 /* vectors of a unit */

void cfd_pipe_make(struct cfd_pipe *p, int rows, int chunks, size_t up_bytes, size_t down_bytes, size_t kept_bytes)
{
    const int npes = bench_job.npes;

    p->chunks = chunks;
    p->groups = (chunks + GROUP - 1) / GROUP;
    p->units = rows * p->groups;
    p->lag = 2 * (npes - 1 - bench_job.me);
    p->slots = 2 * npes + 2;
    p->up_bytes = up_bytes;
    p->down_bytes = down_bytes;
    p->kept_bytes = kept_bytes;
    p->kept = npb_private((size_t)(p->lag + 1) * GROUP * kept_bytes);
    p->done = 0;
    if (npes == 1)
        return;
    p->from_below = npb_symmetric((size_t)p->slots * GROUP * up_bytes);
    p->from_above = npb_symmetric((size_t)p->slots * GROUP * down_bytes);
    p->stage_up = npb_private((size_t)p->slots * GROUP * up_bytes);
    p->stage_down = npb_private((size_t)p->slots * GROUP * down_bytes);
    p->signal = npb_symmetric(2 * sizeof *p->signal);
}

/* The lines of a unit; `in` and `out` have a state of each, or are NULL. */
static void work(const struct cfd_pipe *p, int unit, cfd_pipe_stage *stage, const char *in, char *out, size_t bytes)
{
    static char state[CFD_PIPE_STATE] __attribute__((aligned(64)));
    const int row = 1 + unit / p->groups, first = unit % p->groups * GROUP;
    const int n = p->chunks - first < GROUP ? p->chunks - first : GROUP;

    for (int i = 0; i < n; i++) {
        const int place = unit % (p->lag + 1) * GROUP + i;

        if (in)
            memcpy(state, in + (size_t)i * bytes, bytes);
        else
            memset(state, 0, bytes);
        stage(row, (first + i) * NPB_WIDE, p->kept + (size_t)place * p->kept_bytes, state);
        if (out)
            memcpy(out + (size_t)i * bytes, state, bytes);
    }
}

static void eliminate_one(struct cfd_pipe *p, cfd_pipe_stage *stage, int unit)
{
    const bool first = bench_job.me == 0, last = bench_job.me + 1 == bench_job.npes;
    const size_t bytes = GROUP * p->up_bytes, at = (size_t)(unit % p->slots) * bytes;
    const uint64_t number = p->done + (uint64_t)unit + 1;

    if (!first)
        shmem_signal_wait_until(&p->signal[0], SHMEM_CMP_GE, number);
    work(p, unit, stage, first ? NULL : p->from_below + at, last ? NULL : p->stage_up + at, p->up_bytes);
    if (last)
        return;
    shmem_fence(); /* units arrive in order */
    shmem_putmem_signal_nbi(p->from_below + at, p->stage_up + at, bytes, &p->signal[0], number, SHMEM_SIGNAL_SET,
                            bench_job.me + 1);
}

static void substitute_one(struct cfd_pipe *p, cfd_pipe_stage *stage, int unit)
{
    const bool first = bench_job.me == 0, last = bench_job.me + 1 == bench_job.npes;
    const size_t bytes = GROUP * p->down_bytes, at = (size_t)(unit % p->slots) * bytes;
    const uint64_t number = p->done + (uint64_t)unit + 1;

    if (!last)
        shmem_signal_wait_until(&p->signal[1], SHMEM_CMP_GE, number);
    work(p, unit, stage, last ? NULL : p->from_above + at, first ? NULL : p->stage_down + at, p->down_bytes);
    if (first)
        return;
    shmem_fence();
    shmem_putmem_signal_nbi(p->from_above + at, p->stage_down + at, bytes, &p->signal[1], number, SHMEM_SIGNAL_SET,
                            bench_job.me - 1);
}

void cfd_pipe_run(struct cfd_pipe *p, cfd_pipe_stage *eliminate, cfd_pipe_stage *substitute)
{
    for (int i = 0; i < p->units + p->lag; i++) {
        if (i < p->units)
            eliminate_one(p, eliminate, i);
        if (i >= p->lag)
            substitute_one(p, substitute, i - p->lag);
        if (bench_job.npes > 1 && i % p->slots == p->slots - 1)
            shmem_quiet(); /* the stages are filled again */
    }
    if (bench_job.npes > 1)
        shmem_quiet();
    p->done += (uint64_t)p->units;
}
