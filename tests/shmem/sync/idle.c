/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting is cheap: while PE 0 sleeps, the others wait in a barrier, in wait_until and for a signal, and use less than
 * a tenth of a core each. A library that polls would use all of one. */
#include "../../check.h"
#include <sys/resource.h>

#define PAUSE 0.3
#define ALLOWED 0.1

static long word;
static uint64_t signal_word;

static double cpu_seconds(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void in_barrier(void)
{
    shmem_barrier_all();
}

static void in_wait_until(void)
{
    if (check_me == 0)
        for (int pe = 0; pe < check_npes; pe++)
            shmem_long_p(&word, 1, pe);
    shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
}

static void in_signal_wait(void)
{
    if (check_me == 0)
        for (int pe = 0; pe < check_npes; pe++)
            shmem_signal_set(&signal_word, 1, pe);
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 1);
}

static const struct {
    const char *name;
    void (*wait)(void);
} waits[] = {{"barrier", in_barrier}, {"wait_until", in_wait_until}, {"signal_wait_until", in_signal_wait}};

int main(void)
{
    check_start();
    for (size_t i = 0; i < CHECK_COUNT(waits); i++) {
        double cpu, time;

        shmem_barrier_all();
        cpu = cpu_seconds();
        time = check_seconds();
        if (check_me == 0)
            check_sleep(PAUSE);
        waits[i].wait();
        cpu = cpu_seconds() - cpu;
        time = check_seconds() - time;
        CHECK(cpu <= ALLOWED * time, "%s: %.3f s of CPU in %.3f s of waiting, expected at most a tenth", waits[i].name,
              cpu, time);
        shmem_barrier_all();
    }
    return check_finish();
}
