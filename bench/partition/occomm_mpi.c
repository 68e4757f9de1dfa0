/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchange of a cube's boundary between ranks 0 and 1 over MPI: by a derived datatype, by MPI_Pack, by a copy by hand,
 * by a message for each block, and one-sided with a derived datatype, put and get.
 */
#include <stdlib.h>

#include "../mpi/mpijob.h"
#include "boundary.h"

#define WINDOW 256

enum way { DATATYPE, PACK, BY_HAND, MANY_SENDS, PUT, GET, WAYS };
static const char *const names[WAYS] = {"derived datatype", "MPI_Pack", "copy by hand",
                                        "many sends",       "MPI_Put",  "MPI_Get"};

static struct {
    struct boundary b;
    enum way way;
    int partner;
    double *cube, *out, *in;
    int bytes; /* of out and in */
    MPI_Comm pair;
    MPI_Win window;
    MPI_Datatype type;
    MPI_Request requests[2 * WINDOW];
    bool written; /* the boundary, before each exchange, and the ghosts are read after it */
    long round;
} x;

static void by_datatype(void)
{
    MPI_Request r[2];

    MPI_Irecv(x.cube + x.b.ghost, 1, x.type, x.partner, 0, x.pair, &r[0]);
    MPI_Isend(x.cube + x.b.own, 1, x.type, x.partner, 0, x.pair, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void by_pack(void)
{
    MPI_Request r[2];
    int end = 0, at = 0;

    MPI_Irecv(x.in, x.bytes, MPI_PACKED, x.partner, 0, x.pair, &r[0]);
    MPI_Pack(x.cube + x.b.own, 1, x.type, x.out, x.bytes, &end, x.pair);
    MPI_Isend(x.out, end, MPI_PACKED, x.partner, 0, x.pair, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Unpack(x.in, x.bytes, &at, x.cube + x.b.ghost, 1, x.type, x.pair);
}

static void by_hand(void)
{
    const int n = (int)boundary_doubles(&x.b);
    MPI_Request r[2];

    MPI_Irecv(x.in, n, MPI_DOUBLE, x.partner, 0, x.pair, &r[0]);
    boundary_pack(&x.b, x.cube, x.b.own, x.out);
    MPI_Isend(x.out, n, MPI_DOUBLE, x.partner, 0, x.pair, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    boundary_unpack(&x.b, x.cube, x.b.ghost, x.in);
}

/* At most WINDOW blocks are on their way in each direction: libraries search long through more. */
static void by_many(void)
{
    const size_t all = x.b.vectors * x.b.blocks;

    for (size_t begin = 0; begin < all; begin += WINDOW) {
        const size_t end = begin + WINDOW < all ? begin + WINDOW : all;
        int n = 0;

        for (int send = 0; send < 2; send++)
            for (size_t i = begin; i < end; i++) {
                double *const place = x.cube + (send ? x.b.own : x.b.ghost) + i / x.b.blocks * x.b.vector_stride +
                                      i % x.b.blocks * x.b.stride;

                if (send)
                    MPI_Isend(place, (int)x.b.block, MPI_DOUBLE, x.partner, 0, x.pair, &x.requests[n++]);
                else
                    MPI_Irecv(place, (int)x.b.block, MPI_DOUBLE, x.partner, 0, x.pair, &x.requests[n++]);
            }
        MPI_Waitall(n, x.requests, MPI_STATUSES_IGNORE);
    }
}

static void one_sided(void)
{
    MPI_Win_fence(MPI_MODE_NOPRECEDE, x.window);
    if (x.way == PUT)
        MPI_Put(x.cube + x.b.own, 1, x.type, x.partner, (MPI_Aint)x.b.ghost, 1, x.type, x.window);
    else
        MPI_Get(x.cube + x.b.ghost, 1, x.type, x.partner, (MPI_Aint)x.b.own, 1, x.type, x.window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, x.window);
}

static void exchange(void *arg, long reps)
{
    static void (*const how[WAYS])(void) = {by_datatype, by_pack, by_hand, by_many, one_sided, one_sided};

    (void)arg;
    for (long i = 0; x.partner >= 0 && i < reps; i++) {
        if (x.written)
            boundary_write(&x.b, x.cube, mpijob.rank, ++x.round);
        how[x.way]();
        if (x.written)
            boundary_read(&x.b, x.cube, x.partner, x.round);
    }
}

static bool check(void)
{
    bool right = true;

    for (int round = 1; x.partner >= 0 && round <= 2; round++) {
        boundary_fill(&x.b, x.cube, mpijob.rank, round);
        MPI_Barrier(x.pair);
        exchange(NULL, 1);
        MPI_Barrier(x.pair);
        right = boundary_right(&x.b, x.cube, mpijob.rank, x.partner, round) && right;
    }
    return mpijob_right(right);
}

/* Vectors of blocks, at the stride of the vectors. */
static void make_type(void)
{
    MPI_Datatype vector;

    MPI_Type_vector((int)x.b.blocks, (int)x.b.block, (int)x.b.stride, MPI_DOUBLE, &vector);
    MPI_Type_create_hvector((int)x.b.vectors, 1, (MPI_Aint)(x.b.vector_stride * sizeof(double)), vector, &x.type);
    MPI_Type_commit(&x.type);
    MPI_Type_free(&vector);
}

static void run_case(int which, int side, int way, enum bench_cache cache)
{
    static struct bench_series times;
    struct bench_params p = mpijob_params();
    const double *const copies[] = {x.out, x.in};
    char label[96];
    enum bench_stop stop;
    double budget;
    bool right;

    boundary_init(&x.b, which, side);
    x.way = (enum way)way;
    if (x.partner >= 0)
        boundary_cache(&x.b, cache, x.cube, copies, 2);
    snprintf(label, sizeof label, "%s, %s, %d", x.b.pattern, names[way], side);
    budget = mpijob_case(label);
    make_type();
    right = check();
    x.written = cache == BENCH_WRITTEN;
    stop = mpijob_measure(exchange, NULL, budget, MPIJOB_LONGEST, &times);
    if (x.written)
        right = mpijob_right(bench_fresh_right()) && right;
    x.written = false;
    if (mpijob.rank == 0)
        boundary_emit(&x.b, &p, names[way], cache, &times, right, stop);
    MPI_Type_free(&x.type);
}

/* Ranks beyond the pair have nothing of all this. */
static void allocate(int most)
{
    const size_t face = (size_t)most * (size_t)most;

    x.partner = mpijob.rank < 2 ? 1 - mpijob.rank : -1;
    MPI_Comm_split(MPI_COMM_WORLD, x.partner >= 0 ? 0 : MPI_UNDEFINED, mpijob.rank, &x.pair);
    if (x.partner < 0)
        return;
    x.bytes = (int)(face * sizeof(double)) + 1024;
    x.out = malloc((size_t)x.bytes);
    x.in = malloc((size_t)x.bytes);
    if (!x.out || !x.in)
        mpijob_fatal("no memory for a cube of %d", most);
    MPI_Win_allocate((MPI_Aint)(boundary_cube(most) * sizeof(double)), sizeof(double), MPI_INFO_NULL, x.pair, &x.cube,
                     &x.window);
}

static void release(void)
{
    if (x.partner < 0)
        return;
    MPI_Win_free(&x.window);
    MPI_Comm_free(&x.pair);
    free(x.out);
    free(x.in);
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"occomm_mpi", "exchange of a cube's boundary", 2, 30, 5};
    char why[96];
    int most;

    mpijob_own(boundary_options);
    mpijob_start(argc, argv, &program);
    most = boundary_most(why, sizeof why);
    if (most < 0 && mpijob.rank == 0)
        mpijob_fatal("%s: %s", program.name, why);
    MPI_Barrier(MPI_COMM_WORLD);
    allocate(most);
    boundary_each(WAYS, run_case);
    release();
    return mpijob_finish();
}
