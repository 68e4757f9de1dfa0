/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers, broadcasts, sums, allgathers and alltoalls over several nodes: by every root, short
 * and long, in the world's order, in reverse, dealt round the nodes and with one
 * rank left out; an operation that does not commute keeps the ranks' order, and
 * nobody leaves a barrier before all have come.
 */
#include <mcheck.h>
#include <time.h>
#include <unistd.h>

enum { LONG = 140000, SIZES = 3, ROUNDS = 20 };
static const int sizes[SIZES] = {1, 1000, LONG};
static long *data, *sum;

/* A pair is the map x -> a * x + b modulo 2^64; composing them does not commute. */
static void compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
    unsigned long *f = in, *g = inout;

    (void)type;
    for (int i = 0; i < *n; i++) {
        g[2 * i + 1] += g[2 * i] * f[2 * i + 1];
        g[2 * i] *= f[2 * i];
    }
}

static void broadcasts(MPI_Comm c, int rank, int size)
{
    for (int root = 0; root < size; root++)
        for (int k = 0; k < SIZES; k++) {
            long wrong = 0;

            for (int i = 0; i < sizes[k]; i++)
                data[i] = rank == root ? root * 1000003l + i : -1;
            OK(MPI_Bcast(data, sizes[k], MPI_LONG, root, c));
            for (int i = 0; i < sizes[k]; i++)
                wrong += data[i] != root * 1000003l + i;
            CHECK(wrong == 0, "%ld of %d elements from %d of %d are wrong", wrong, sizes[k], root, size);
        }
}

static void sums(MPI_Comm c, int rank, int size)
{
    for (int k = 0; k < SIZES; k++) {
        long wrong = 0;

        for (int i = 0; i < sizes[k]; i++)
            data[i] = (rank + 1l) * (i + 3);
        OK(MPI_Allreduce(data, sum, sizes[k], MPI_LONG, MPI_SUM, c));
        OK(MPI_Allreduce(MPI_IN_PLACE, data, sizes[k], MPI_LONG, MPI_SUM, c));
        for (int i = 0; i < sizes[k]; i++)
            wrong += sum[i] != size * (size + 1l) / 2 * (i + 3) || data[i] != sum[i];
        CHECK(wrong == 0, "%ld of %d sums over %d are wrong", wrong, sizes[k], size);
    }
}

/* Every other rank has twice as many elements of half the size. */
static void broadcasts_of_types(MPI_Comm c, int rank, int size)
{
    enum { N = 50000 };
    MPI_Datatype gaps;
    long wrong = 0;

    OK(MPI_Type_vector(N, 1, 2, MPI_LONG, &gaps));
    OK(MPI_Type_commit(&gaps));
    for (int i = 0; i < 2 * N; i++)
        data[i] = rank == size - 1 ? i : -1;
    if (rank % 2)
        OK(MPI_Bcast(data, 1, gaps, size - 1, c));
    else
        OK(MPI_Bcast(data, N, MPI_LONG, size - 1, c));
    for (int i = 0; i < N && rank != size - 1; i++)
        wrong += data[rank % 2 ? 2 * i : i] != ((size - 1) % 2 ? 2 * i : i) || (rank % 2 && data[2 * i + 1] != -1);
    CHECK(wrong == 0, "%ld of %d elements of another type are wrong", wrong, N);
    OK(MPI_Type_free(&gaps));
}

static void sums_to_one(MPI_Comm c, int rank, int size)
{
    for (int root = 0; root < size; root++)
        for (int k = 0; k < SIZES; k++) {
            long wrong = 0, all = size * (size + 1l) / 2;

            for (int i = 0; i < sizes[k]; i++)
                data[i] = (rank + 1l) * (i + root), sum[i] = -1;
            OK(MPI_Reduce(data, sum, sizes[k], MPI_LONG, MPI_SUM, root, c));
            for (int i = 0; i < sizes[k]; i++)
                wrong += sum[i] != (rank == root ? all * (i + root) : -1) || data[i] != (rank + 1l) * (i + root);
            OK(MPI_Reduce(rank == root ? MPI_IN_PLACE : data, data, sizes[k], MPI_LONG, MPI_SUM, root, c));
            for (int i = 0; i < sizes[k]; i++)
                wrong += data[i] != (rank == root ? all : rank + 1l) * (i + root);
            CHECK(wrong == 0, "%ld of %d sums of %d to %d are wrong", wrong, sizes[k], size, root);
        }
}

/* Blocks of up to 40000 bytes: by leaders, and round the ring. */
static void gathers(MPI_Comm c, int rank, int size)
{
    static const int each[] = {1, 300, 2048, 5000};

    for (size_t k = 0; k < sizeof each / sizeof *each; k++)
        for (int in_place = 0; in_place < 2; in_place++) {
            long wrong = 0;

            for (int i = 0; i < size * each[k]; i++)
                sum[i] = in_place && i / each[k] == rank ? rank * 1000003l + i : -1;
            for (int i = 0; i < each[k]; i++)
                data[i] = rank * 1000003l + rank * each[k] + i;
            OK(MPI_Allgather(in_place ? MPI_IN_PLACE : data, each[k], MPI_LONG, sum, each[k], MPI_LONG, c));
            for (int i = 0; i < size * each[k]; i++)
                wrong += sum[i] != i / each[k] * 1000003l + i;
            CHECK(wrong == 0, "%ld of %d blocks of %d are wrong", wrong, size, each[k]);
        }
}

/* By leaders, and in pairs. */
static void exchanges(MPI_Comm c, int rank, int size)
{
    static const int each[] = {1, 100, 1000};

    for (size_t k = 0; k < sizeof each / sizeof *each; k++)
        for (int in_place = 0; in_place < 2; in_place++) {
            long wrong = 0;

            for (int i = 0; i < size * each[k]; i++) {
                data[i] = rank * 1000003l + i;
                sum[i] = in_place ? data[i] : -1;
            }
            OK(MPI_Alltoall(in_place ? MPI_IN_PLACE : data, each[k], MPI_LONG, sum, each[k], MPI_LONG, c));
            for (int i = 0; i < size * each[k]; i++)
                wrong += sum[i] != i / each[k] * 1000003l + rank * each[k] + i % each[k];
            CHECK(wrong == 0, "%ld of %d exchanged blocks of %d are wrong", wrong, size, each[k]);
        }
}

static void in_order(MPI_Comm c, int rank, int size)
{
    unsigned long mine[2] = {(unsigned long)rank * 2 + 3, (unsigned long)rank + 1}, all[2], want[2] = {3, 1};
    MPI_Datatype pair;
    MPI_Op op;

    OK(MPI_Type_contiguous(2, MPI_UNSIGNED_LONG, &pair));
    OK(MPI_Type_commit(&pair));
    OK(MPI_Op_create(compose, 0, &op));
    for (int i = 1; i < size; i++) {
        want[1] = (unsigned long)i + 1 + ((unsigned long)i * 2 + 3) * want[1];
        want[0] *= (unsigned long)i * 2 + 3;
    }
    OK(MPI_Allreduce(mine, all, 1, pair, op, c));
    CHECK(all[0] == want[0] && all[1] == want[1], "%lu %lu, expected %lu %lu", all[0], all[1], want[0], want[1]);
    OK(MPI_Op_free(&op));
    OK(MPI_Type_free(&pair));
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t); /* the ranks of a test are on one machine */
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Each in turn is late: the last to come comes before the first leaves. */
static void barriers(MPI_Comm c, int rank, int size)
{
    for (int i = 0; i < ROUNDS; i++) {
        double times[2]; /* came, left (negative) */

        if (rank == i % size)
            usleep(500);
        times[0] = now();
        OK(MPI_Barrier(c));
        times[1] = -now();
        OK(MPI_Allreduce(MPI_IN_PLACE, times, 2, MPI_DOUBLE, MPI_MAX, c));
        CHECK(times[0] <= -times[1], "round %d: a barrier was left %g s before the last rank came", i,
              times[0] + times[1]);
    }
}

static void all_of(MPI_Comm c)
{
    int rank, size;

    OK(MPI_Comm_rank(c, &rank));
    OK(MPI_Comm_size(c, &size));
    broadcasts(c, rank, size);
    broadcasts_of_types(c, rank, size);
    sums(c, rank, size);
    sums_to_one(c, rank, size);
    gathers(c, rank, size);
    exchanges(c, rank, size);
    in_order(c, rank, size);
    barriers(c, rank, size);
}

int main(void)
{
    MPI_Comm c;

    mc_start();
    data = malloc(LONG * sizeof *data);
    sum = malloc(LONG * sizeof *sum);
    all_of(MPI_COMM_WORLD);
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, -mc_rank, &c)); /* in reverse */
    all_of(c);
    OK(MPI_Comm_free(&c));
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, mc_rank % 2 * mc_size + mc_rank, &c)); /* the even ones first */
    all_of(c);
    OK(MPI_Comm_free(&c));
    OK(MPI_Comm_split(MPI_COMM_WORLD, mc_rank == 1, 0, &c));
    all_of(c);
    OK(MPI_Comm_free(&c));
    free(data);
    free(sum);
    return mc_finish();
}
