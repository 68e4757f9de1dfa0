/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks of integer keys as in NAS IS (class A: 2^23 keys below 2^19; with --quick class W's 2^20 below 2^16): the ranks
 * agree by sums of counts on who ranks which range of keys, and send them there. Beside 0, 1, 2 and 4 processes of
 * strangers, which burn a core each, in turns.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpijob.h"

#define ITERATIONS 10
#define BUCKETS 1024
#define LEAST_ROUNDS 3
#define SETTLE_US 20000 /* until the scheduler has moved who was on a core that a stranger takes */

static const int burners[] = {0, 1, 2, 4};
#define BESIDE (int)(sizeof burners / sizeof *burners)

static struct {
    int log2_keys, log2_most, shift; /* a key's bucket is key >> shift */
    long n, mine, from;              /* keys of all, of this rank, and its first one's place */
    int32_t *keys, *ordered, *received;
    long room;                       /* of received */
    int32_t counts[BUCKETS], sums[BUCKETS];
    int low[BUCKETS + 1]; /* rank r has the buckets low[r] to low[r + 1] - 1; at most as many ranks as buckets */
    int *send, *send_at, *receive, *receive_at;
    int32_t *rank; /* of each key of my range: how many keys of it are below */
    long got;
} s;

/* ---- keys, by the generator of the NAS benchmarks: x times 5^13, of 46 bits ---- */

#define MULTIPLIER 1220703125ul
#define SEED 314159265ul
#define BITS 46

static uint64_t times(uint64_t a, uint64_t x)
{
    return a * x & ((1ul << BITS) - 1);
}

static uint64_t skip(uint64_t x, uint64_t n)
{
    for (uint64_t square = MULTIPLIER; n > 0; n >>= 1, square = times(square, square))
        if (n & 1)
            x = times(square, x);
    return x;
}

/* A mean of four random numbers each. */
static void make_keys(void)
{
    uint64_t x = skip(SEED, 4 * (uint64_t)s.from);

    for (long i = 0; i < s.mine; i++) {
        uint64_t sum = 0;

        for (int r = 0; r < 4; r++)
            sum += x = times(MULTIPLIER, x);
        s.keys[i] = (int32_t)(sum >> (BITS + 2 - s.log2_most));
    }
}

/* ---- ranking ---- */

/* A range ends where the keys up to it reach its rank's share. */
static void choose_ranges(void)
{
    long sum = 0;
    int rank = 0;

    s.low[0] = 0;
    for (int b = 0; b < BUCKETS; b++) {
        while (rank + 1 < mpijob.size && sum >= s.n * (rank + 1) / mpijob.size)
            s.low[++rank] = b;
        sum += s.sums[b];
    }
    while (rank < mpijob.size)
        s.low[++rank] = BUCKETS;
}

static void order_keys(void)
{
    int32_t next[BUCKETS], at = 0;

    for (int b = 0; b < BUCKETS; b++) {
        next[b] = at;
        at += s.counts[b];
    }
    for (int r = 0; r < mpijob.size; r++) {
        s.send_at[r] = s.low[r] < BUCKETS ? next[s.low[r]] : at;
        s.send[r] = (s.low[r + 1] < BUCKETS ? next[s.low[r + 1]] : at) - s.send_at[r];
    }
    for (long i = 0; i < s.mine; i++)
        s.ordered[next[s.keys[i] >> s.shift]++] = s.keys[i];
}

static void exchange(void)
{
    MPI_Alltoall(s.send, 1, MPI_INT, s.receive, 1, MPI_INT, MPI_COMM_WORLD);
    s.got = 0;
    for (int r = 0; r < mpijob.size; r++) {
        s.receive_at[r] = (int)s.got;
        s.got += s.receive[r];
    }
    if (s.got > s.room)
        mpijob_fatal("mpi_sort: rank %d: %ld keys, room for %ld", mpijob.rank, s.got, s.room);
    MPI_Alltoallv(s.ordered, s.send, s.send_at, MPI_INT32_T, s.received, s.receive, s.receive_at, MPI_INT32_T,
                  MPI_COMM_WORLD);
}

static void rank_keys(void)
{
    const int32_t first = s.low[mpijob.rank] << s.shift, end = s.low[mpijob.rank + 1] << s.shift;
    int32_t below = 0;

    memset(s.rank, 0, (size_t)(end - first) * sizeof *s.rank);
    for (long i = 0; i < s.got; i++)
        s.rank[s.received[i] - first]++;
    for (int32_t k = 0; k < end - first; k++) {
        const int32_t count = s.rank[k];

        s.rank[k] = below;
        below += count;
    }
}

/* The first rank changes two keys each time, so that no result is that of the time before. */
static void iterate(int iteration)
{
    if (mpijob.rank == 0) {
        s.keys[iteration] = iteration;
        s.keys[iteration + ITERATIONS] = (int32_t)((1l << s.log2_most) - iteration);
    }
    memset(s.counts, 0, sizeof s.counts);
    for (long i = 0; i < s.mine; i++)
        s.counts[s.keys[i] >> s.shift]++;
    MPI_Allreduce(s.counts, s.sums, BUCKETS, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
    choose_ranges();
    order_keys();
    exchange();
    rank_keys();
}

/* ---- whether it is right ---- */

/* Puts each key at its rank: then none may be larger than the next, or outside its range, nor may one be lost or
 * changed. */
static bool verify(void)
{
    const int32_t first = s.low[mpijob.rank] << s.shift, end = s.low[mpijob.rank + 1] << s.shift;
    int32_t *const sorted = malloc((size_t)(s.got + 1) * sizeof *sorted);
    long before[2] = {0, s.mine}, after[2] = {0, s.got};
    bool right = true;

    if (!sorted)
        mpijob_fatal("mpi_sort: out of memory");
    memset(sorted, 0xff, (size_t)(s.got + 1) * sizeof *sorted);
    for (long i = 0; i < s.got; i++) {
        right = right && s.received[i] >= first && s.received[i] < end;
        if (right)
            sorted[s.rank[s.received[i] - first]++] = s.received[i];
    }
    for (long i = 0; i < s.got; i++) {
        right = right && sorted[i] >= (i > 0 ? sorted[i - 1] : 0);
        after[0] += sorted[i];
    }
    for (long i = 0; i < s.mine; i++)
        before[0] += s.keys[i];
    MPI_Allreduce(MPI_IN_PLACE, before, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, after, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    free(sorted);
    return mpijob_right(right && before[0] == after[0] && before[1] == after[1]);
}

/* ---- measuring ---- */

/* All iterations, beside so many burners: seconds of the slowest rank. */
static double run(int beside)
{
    double mine, longest = 0;
    int64_t t0;

    if (mpijob.rank == 0) {
        bench_burners_run(beside);
        usleep(SETTLE_US);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    t0 = bench_now();
    for (int i = 1; i <= ITERATIONS; i++)
        iterate(i);
    mine = 1e-9 * (double)(bench_now() - t0);
    MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (mpijob.rank == 0)
        bench_burners_run(0);
    return longest;
}

static void *room(size_t n, size_t size)
{
    void *const p = calloc(n, size);

    if (!p)
        mpijob_fatal("mpi_sort: no memory for %zu times %zu bytes", n, size);
    return p;
}

static void setup(void)
{
    const size_t ranks = (size_t)mpijob.size;

    s.log2_keys = bench_options.quick ? 20 : 23;
    s.log2_most = bench_options.quick ? 16 : 19;
    s.shift = s.log2_most - 10;
    s.n = 1l << s.log2_keys;
    s.from = s.n * mpijob.rank / mpijob.size;
    s.mine = s.n * (mpijob.rank + 1) / mpijob.size - s.from;
    s.room = s.n / mpijob.size + s.n / 64 + 1; /* its share and the largest bucket */
    s.keys = room((size_t)s.mine, sizeof *s.keys);
    s.ordered = room((size_t)s.mine, sizeof *s.ordered);
    s.received = room((size_t)s.room, sizeof *s.received);
    s.rank = room(1ul << s.log2_most, sizeof *s.rank);
    s.send = room(ranks, sizeof *s.send);
    s.send_at = room(ranks, sizeof *s.send_at);
    s.receive = room(ranks, sizeof *s.receive);
    s.receive_at = room(ranks, sizeof *s.receive_at);
    make_keys();
}

static void emit(int which, const struct bench_series *series, bool right)
{
    struct bench_params p = mpijob_params();

    bench_param_integer(&p, "keys", s.n);
    bench_param_integer(&p, "keys_below", 1l << s.log2_most);
    bench_param_integer(&p, "iterations", ITERATIONS);
    bench_param_integer(&p, "burners", burners[which]);
    mpijob_emit("integer sort", &p, "time", "s", series, right, BENCH_STOP_BUDGET);
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_sort",
                                                  "integer sort, alone and beside processes that burn cores", 1, 40, 3};
    static struct bench_series series[BESIDE];
    bool right[BESIDE] = {false};
    double deadline;

    mpijob_burners(burners[BESIDE - 1]);
    mpijob_start(argc, argv, &program);
    if (mpijob.size > BUCKETS / 4)
        mpijob_fatal("mpi_sort: at most %d ranks", BUCKETS / 4);
    setup();
    bench_plan_begin(BESIDE, bench_options.max_seconds);
    run(0);
    deadline = 1e-9 * (double)bench_now() + bench_options.max_seconds;
    for (int round = 0; mpijob_agree(round < LEAST_ROUNDS || 1e-9 * (double)bench_now() < deadline); round++)
        for (int i = 0; i < BESIDE; i++) {
            if (round == 0)
                mpijob_case("integer sort");
            bench_series_add(&series[i], run(burners[i]));
            right[i] = verify() && (round == 0 || right[i]);
        }
    for (int i = 0; i < BESIDE; i++)
        emit(i, &series[i], right[i]);
    return mpijob_finish();
}
