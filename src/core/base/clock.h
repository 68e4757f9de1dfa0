/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clocks, read nowhere else. What the library times is told by one that never steps
 * back and that all processes of a host share: a moment of one means the same to another.
 */
#ifndef CORE_CLOCK_H
#define CORE_CLOCK_H

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

#define CORE_CLOCK_MS 1000000u /* ns */
#define CORE_CLOCK_S 1000000000u

static inline uint64_t core_clock_read(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * CORE_CLOCK_S + (uint64_t)t.tv_nsec;
}

/* Nanoseconds since the host started: some 20 ns to ask. */
static inline uint64_t core_clock_ns(void)
{
    return core_clock_read(CLOCK_MONOTONIC);
}

static inline uint64_t core_clock_us(void)
{
    return core_clock_ns() / 1000;
}

static inline uint64_t core_clock_ms(void)
{
    return core_clock_ns() / CORE_CLOCK_MS;
}

/* The same, some milliseconds late at most and in a quarter of the time. */
static inline uint64_t core_clock_coarse_ns(void)
{
    return core_clock_read(CLOCK_MONOTONIC_COARSE);
}

/* What this thread has used of a processor. */
static inline uint64_t core_clock_thread_ns(void)
{
    return core_clock_read(CLOCK_THREAD_CPUTIME_ID);
}

/* The processor's counter that goes on at one rate: a fifth of that. Only where core_clock_counts() (trace/clock.c)
 * says so is it the same on all cores. */
static inline uint64_t core_clock_counter(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t n;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(n));
    return n;
#else
    return core_clock_ns();
#endif
}

/* Nanoseconds since 1970. */
static inline uint64_t core_clock_epoch_ns(void)
{
    return core_clock_read(CLOCK_REALTIME);
}

/* For programs, which count in seconds: what core_clock_ns says, and the step in which it goes. */
static inline double core_clock_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double core_clock_step(void)
{
    struct timespec t;

    clock_getres(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Date and time, which somebody may set. */
static inline struct timeval core_clock_date(void)
{
    struct timeval t;

    gettimeofday(&t, NULL);
    return t;
}

#endif
