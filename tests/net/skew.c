/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Before a program (LD_PRELOAD) its host's clocks go wrong: SKEW_NS is added to the date, and the time since the host's
 * start runs faster by SKEW_PPM millionths, so that the rate of the processor's counter is taken for less.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long long asked(const char *name)
{
    const char *text = getenv(name);

    return text ? atoll(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    static long long ns, ppm, first;
    static int known;
    int rc = (int)syscall(SYS_clock_gettime, clock, t);
    long long now = t->tv_sec * 1000000000ll + t->tv_nsec;

    if (!known) {
        ns = asked("SKEW_NS");
        ppm = asked("SKEW_PPM");
        known = 1;
    }
    if (clock == CLOCK_REALTIME)
        now += ns;
    else if (clock == CLOCK_MONOTONIC) {
        if (!first)
            first = now;
        now += (now - first) / 1000000 * ppm + (now - first) % 1000000 * ppm / 1000000;
    }
    t->tv_sec = now / 1000000000;
    t->tv_nsec = now % 1000000000;
    return rc;
}
