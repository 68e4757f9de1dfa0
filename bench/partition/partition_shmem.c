/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The study of decompositions over SHMEM: faces are put straight into the neighbour's ghosts, by one strided put or
 * packed by hand; a flag that follows the data says that they are there.
 */
#include "../common/job.h"
#include "study.h"

#include <stdlib.h>

enum { STRIDED, PACKED };

static struct {
    int n;
    struct cell *buffers;     /* symmetric: what comes packed, by direction, side and turn */
    struct cell *own;         /* what goes packed */
    long *flags;              /* symmetric, by direction and side: the turn whose ghosts have come */
    long turn;
    int kind;
    struct grid near[3][2];
} x;

static size_t buffer_cells(void)
{
    return (size_t)(x.n + 2) * (size_t)(x.n + 2);
}

/*
 * Two in turns: a neighbour that sends turn t + 2 has had my t + 1, which I sent after unpacking t. For the same reason
 * the ghosts themselves are free when they come.
 */
static struct cell *buffer(int d, int side)
{
    return x.buffers + (size_t)(4 * d + 2 * side + (int)(x.turn & 1)) * buffer_cells();
}

static void begin(int n, size_t cells, struct cell *fields[2])
{
    x.n = n;
    x.flags = shmem_calloc(6, sizeof *x.flags);
    x.buffers = shmem_malloc(12 * buffer_cells() * sizeof(struct cell));
    x.own = malloc(buffer_cells() * sizeof(struct cell));
    for (int i = 0; i < 2; i++)
        fields[i] = shmem_malloc(cells * sizeof(struct cell));
    if (!x.flags || !x.buffers || !x.own || !fields[0] || !fields[1])
        bench_job_fatal("no memory for a cube of %d cells each way: raise SHMEM_SYMMETRIC_SIZE or lower --n", n);
    shmem_barrier_all();
}

static void end(void)
{
    free(x.own); /* the rest goes with the heap */
}

static int place(const int dims[3])
{
    (void)dims;
    return bench_job.me;
}

static void prepare(const struct grid *g, const struct study_way *way)
{
    x.kind = way->kind;
    for (int d = 0; d < 3; d++)
        for (int side = 0; side < 2; side++)
            if (g->neighbour[d][side] >= 0)
                grid_part(&x.near[d][side], g->n, g->dims, g->neighbour[d][side]);
}

static void put_strided(struct cell *to, const struct face *there, const struct cell *from, const struct face *here,
                        int pe)
{
    to += there->first;
    from += here->first;
    if (here->blocks == 1)
        shmem_putmem(to, from, here->block * sizeof *from, pe);
    else if (here->block == 1)
        shmem_iput128(to, from, (ptrdiff_t)there->stride, (ptrdiff_t)here->stride, here->blocks, pe);
    else
#if BENCH_SHMEM(1, 6)
        shmem_ibput128(to, from, (ptrdiff_t)there->stride, (ptrdiff_t)here->stride, here->block, here->blocks, pe);
#else
        for (size_t i = 0; i < here->blocks; i++)
            shmem_putmem(to + i * there->stride, from + i * here->stride, here->block * sizeof *from, pe);
#endif
}

static void send(const struct grid *g, struct cell *field, int d, int side)
{
    const int pe = g->neighbour[d][side];
    const struct face here = grid_face(g, d, side, false), there = grid_face(&x.near[d][side], d, 1 - side, true);

    if (x.kind == PACKED) {
        field_pack(field, &here, x.own);
        shmem_putmem(buffer(d, 1 - side), x.own, here.blocks * here.block * sizeof *field, pe);
    } else
        put_strided(field, &there, field, &here, pe);
    shmem_fence();
    shmem_long_p(&x.flags[2 * d + 1 - side], x.turn, pe);
}

static void receive(const struct grid *g, struct cell *field, int d, int side)
{
    const struct face ghosts = grid_face(g, d, side, true);

    shmem_long_wait_until(&x.flags[2 * d + side], SHMEM_CMP_GE, x.turn);
    if (x.kind == PACKED)
        field_unpack(field, &ghosts, buffer(d, side));
}

/* One direction after the other, so that no face is sent while ghosts at its rim still come. */
static double exchange(const struct grid *g, struct cell *field)
{
    double initiating = 0;

    x.turn++;
    for (int d = 0; d < 3; d++) {
        const int64_t t0 = bench_now();

        for (int side = 0; side < 2; side++)
            if (g->neighbour[d][side] >= 0)
                send(g, field, d, side);
        initiating += (double)(bench_now() - t0);
        for (int side = 0; side < 2; side++)
            if (g->neighbour[d][side] >= 0)
                receive(g, field, d, side);
    }
    return initiating;
}

static void finish(void)
{
    shmem_barrier_all();
}

static double budget(const char *label)
{
    return bench_agree_budget(bench_plan_next("%s", label));
}

static enum bench_stop measure(bench_body *body, void *arg, double budget_ns, struct bench_series *out)
{
    return bench_measure_together(body, arg, budget_ns, BENCH_SPAN, out, NULL);
}

static double mean(double mine)
{
    static struct bench_series all;
    double sum = 0;

    bench_gather(mine, &all);
    for (size_t i = 0; i < all.n; i++)
        sum += all.v[i];
    return bench_job.me == 0 ? sum / (double)all.n : 0;
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {
        "partition_shmem", "finite differences on a divided cube", study_options, 2, 60, 5};
    static const struct study_way ways[] = {
        {"strided put", NULL, STRIDED, true}, {"packed by hand", NULL, PACKED, true}, {NULL, NULL, 0, false}};
    struct study_library lib = {.ways = ways,
                                .begin = begin,
                                .end = end,
                                .place = place,
                                .prepare = prepare,
                                .exchange = exchange,
                                .finish = finish,
                                .budget = budget,
                                .right = bench_agree_right,
                                .measure = measure,
                                .mean = mean};
    const char *why;

    bench_job_start(argc, argv, &program);
    why = study_complaint(bench_job.npes);
    if (why && bench_job.me == 0)
        bench_job_fatal("%s: %s", program.name, why);
    shmem_barrier_all();
    lib.npes = bench_job.npes;
    lib.reports = bench_job.me == 0;
    study_run(&lib);
    return bench_job_finish();
}
