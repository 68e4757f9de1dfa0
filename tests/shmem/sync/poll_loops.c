/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that wait in loops of their own: a word goes round the ring of all PEs, and each looks for it in one of the
 * ways there are without a wait or a test. Where PEs share cores none of these ways may keep the core for a time
 * slice, which would take some hundred times as long as a loop over shmem_test. */
#include "../../check.h"
#include <sched.h>

enum { LAPS = 30, ATTEMPTS = 4, MUCH = 100 /* times as long: 10 to 30 are usual, slices make it 400 and more */ };

static long word, told;
static uint64_t signal_word;
static double spent;

static bool by_test(long lap)
{
    return shmem_long_test(&word, SHMEM_CMP_GE, lap);
}
static bool by_signal(long lap)
{
    return shmem_signal_fetch(&signal_word) >= (uint64_t)lap;
}
static bool by_g(long lap)
{
    return shmem_long_g(&word, check_me) >= lap;
}
static bool by_g_elsewhere(long lap)
{
    return shmem_long_g(&told, check_previous()) >= lap;
}
static bool by_fetch(long lap)
{
    return shmem_long_atomic_fetch(&word, check_me) >= lap;
}
static bool by_swap(long lap)
{
    return shmem_long_atomic_compare_swap(&word, -1, -1, check_me) >= lap;
}

static bool by_quiet(long lap)
{
    shmem_quiet();
    return *(volatile long *)&word >= lap;
}

static bool by_fence(long lap)
{
    shmem_ctx_fence(SHMEM_CTX_DEFAULT);
    return *(volatile long *)&word >= lap;
}

static bool by_get(long lap)
{
    long copy[3];
    shmem_getmem(copy, &told, sizeof *copy, check_previous());
    return copy[0] >= lap;
}

static bool by_iget(long lap)
{
    long copy;
    shmem_long_iget(&copy, &told, 1, 1, 1, check_previous());
    return copy >= lap;
}

/* All PEs' words in turn, as programs do that do not know whom to expect. */
static bool by_round(long lap)
{
    bool found = false;
    for (int pe = 0; pe < check_npes; pe++)
        if (shmem_long_g(&told, pe) >= lap && pe == check_previous())
            found = true;
    return found;
}

static const struct way {
    const char *name;
    bool (*arrived)(long lap);
} ways[] = {{"test", by_test},
            {"signal_fetch", by_signal},
            {"g", by_g},
            {"g of another PE", by_g_elsewhere},
            {"fetch", by_fetch},
            {"compare_swap", by_swap},
            {"quiet", by_quiet},
            {"fence", by_fence},
            {"getmem", by_get},
            {"iget", by_iget},
            {"g of all in turn", by_round}};

static void pass_on(long lap)
{
    told = lap;
    shmem_fence();
    shmem_long_p(&word, lap, check_next());
    shmem_signal_set(&signal_word, (uint64_t)lap, check_next());
}

/* Seconds for LAPS laps, the same on all PEs. */
static double laps(const struct way *way)
{
    word = told = 0;
    signal_word = 0;
    shmem_barrier_all();
    double start = check_seconds();
    for (long lap = 1; lap <= LAPS; lap++) {
        if (check_me == 0)
            pass_on(lap);
        while (!way->arrived(lap))
            REQUIRE(check_seconds() < start + 50, "%s: lap %ld: nothing for 50 s", way->name, lap);
        if (check_me != 0)
            pass_on(lap);
    }
    spent = check_seconds() - start;
    shmem_barrier_all();
    double all = shmem_double_g(&spent, 0);
    shmem_barrier_all();
    return all;
}

int main(void)
{
    cpu_set_t cores;

    check_start();
    bool share = sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) < check_npes;
    for (size_t i = 0; i < CHECK_COUNT(ways); i++) {
        double times = 1e9;
        for (int attempt = 0; attempt < ATTEMPTS && times > MUCH; attempt++) {
            double usual = laps(&ways[0]), took = laps(&ways[i]);
            times = took / usual; /* all PEs have the same two numbers */
        }
        CHECK(!share || times <= MUCH, "%s: %.0f times as long as a loop over shmem_test", ways[i].name, times);
    }
    return check_finish();
}
