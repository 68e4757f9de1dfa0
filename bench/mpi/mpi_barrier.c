/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time of MPI_Barrier at the number of ranks the program is started with: as a rate, as sequences of ten (ParkBench's
 * SYNCH1, the T3E paper's table 5), and when one rank comes late: what then passes until the last has left.
 */
#include "mpijob.h"

#define SEQUENCE 10
#define SEQUENCES 1000
#define LATE_NS 20000 /* how much later than the others one rank comes */
#define LATE_SAMPLES 1000

static struct bench_series samples, rates;

static void barriers(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void linger(int64_t ns)
{
    for (const int64_t end = bench_now() + ns; bench_now() < end;)
        continue;
}

static struct bench_params parameters(void)
{
    struct bench_params p = mpijob_params();

    bench_param_text(&p, "call", "MPI_Barrier");
    return p;
}

/*
 * Nobody may leave before all have come. Each rank counts its arrivals in a window of rank 0; after the barrier
 * everyone must find all of them there. One rank in turn comes late, so that luck doesn't help.
 */
static bool check(int rounds)
{
    const long one = 1;
    long *count, seen;
    bool right = true;
    MPI_Win window;

    MPI_Win_allocate(sizeof *count, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &count, &window);
    *count = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    for (int round = 1; round <= rounds; round++) {
        if (round % mpijob.size == mpijob.rank)
            linger(10 * LATE_NS);
        MPI_Fetch_and_op(&one, &seen, MPI_LONG, 0, 0, MPI_SUM, window);
        MPI_Win_flush(0, window);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Fetch_and_op(NULL, &seen, MPI_LONG, 0, 0, MPI_NO_OP, window);
        MPI_Win_flush(0, window);
        right = right && seen >= (long)round * mpijob.size;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return mpijob_right(right);
}

static void rate(bool right)
{
    const double budget = mpijob_case("barrier");
    const struct bench_params p = parameters();
    const enum bench_stop stop = mpijob_measure(barriers, NULL, budget, MPIJOB_RANK0, &samples);

    bench_series_invert(&rates, &samples, 1e3);
    bench_series_scale(&samples, &samples, 1e-3);
    mpijob_emit("barrier", &p, "barrier_time", "us", &samples, right, stop);
    mpijob_emit("barrier", &p, "barrier_rate", "Mbarrier/s", &rates, right, stop);
}

/* A sample is a sequence of ten; as many as asked for, or as the budget allows. */
static void synch1(bool right)
{
    const int64_t end = bench_now() + (int64_t)mpijob_case("SYNCH1");
    struct bench_params p = parameters();
    long n = 0;

    bench_series_clear(&samples);
    while (n < SEQUENCES && (n == 0 || mpijob_agree(bench_now() < end))) {
        const long block = n < 10 ? 10 : 99; /* sequences in a row before the budget is looked at */

        barriers(NULL, SEQUENCE);
        for (long i = 0; i < block; i++) {
            const int64_t t0 = bench_now();

            barriers(NULL, SEQUENCE);
            bench_series_add(&samples, (double)(bench_now() - t0) / SEQUENCE * 1e-3);
        }
        n += block;
    }
    bench_param_integer(&p, "sequences", n);
    mpijob_emit("SYNCH1", &p, "barrier_time", "us", &samples, right,
                n < SEQUENCES ? BENCH_STOP_BUDGET : BENCH_STOP_FULL);
}

/* One rank in turn is late. From its coming to the last one's leaving, on the clock that all have in common. */
static void late(bool right)
{
    const int64_t end = bench_now() + (int64_t)mpijob_case("late arrival");
    struct bench_params p = parameters();
    long n = 0;

    bench_series_clear(&samples);
    for (; n < LATE_SAMPLES && (n < 10 || mpijob_agree(bench_now() < end)); n++) {
        const bool last = n % mpijob.size == mpijob.rank;
        int64_t mine[2], all[2];

        MPI_Barrier(MPI_COMM_WORLD);
        if (last)
            linger(LATE_NS);
        mine[0] = bench_now();
        MPI_Barrier(MPI_COMM_WORLD);
        mine[1] = bench_now();
        MPI_Reduce(mine, all, 2, MPI_INT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
        if (mpijob.rank == 0)
            bench_series_add(&samples, (double)(all[1] - all[0]) * 1e-3);
    }
    bench_param_integer(&p, "late_by_us", LATE_NS / 1000);
    mpijob_emit("barrier, one late", &p, "release_time", "us", &samples, right,
                n < LATE_SAMPLES ? BENCH_STOP_BUDGET : BENCH_STOP_FULL);
}

/* Whether all ranks read the same clock. */
static bool one_machine(void)
{
    uint64_t mine = bench_machine(), least, most;

    MPI_Allreduce(&mine, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return least == most;
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_barrier", "time of a barrier of all ranks", 1, 6, 2};
    bool right;

    mpijob_start(argc, argv, &program);
    bench_plan_begin(3, bench_options.max_seconds);
    right = check(20);
    rate(right);
    synch1(right);
    if (mpijob.size > 1 && one_machine())
        late(right);
    return mpijob_finish();
}
