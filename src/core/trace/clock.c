/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clock of traces: the processor's counter where it runs at one rate and in step on all cores, else the system's.
 * All PEs of a host use one pair of moments and one rate, so that what is wrong with the rate does not set them apart.
 */
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "core/base/clock.h"
#include "core/internal.h"
#include "core/trace/internal.h"

bool core_trace_counts(void)
{
#if defined(__x86_64__)
    enum { POWER = 0x80000007, INVARIANT = 1 << 8 }; /* CPUID: Intel's manual, volume 3, 17.17.1 */
    unsigned a, b, c, d;

    return __get_cpuid(POWER, &a, &b, &c, &d) && (d & INVARIANT);
#elif defined(__aarch64__)
    return true;
#else
    return false;
#endif
}

struct moment {
    uint64_t ticks, ns, epoch_ns;
};

/* The same moment by all clocks: of some tries, that in which the least time passed. */
static struct moment moment_now(void)
{
    uint64_t least = UINT64_MAX;
    struct moment m = {0};

    for (int i = 0; i < 16; i++) {
        uint64_t a = core_clock_counter(), ns = core_clock_ns(), epoch = core_clock_epoch_ns(),
                 b = core_clock_counter();

        if (b - a < least) {
            least = b - a;
            m = (struct moment){a + (b - a) / 2, ns, epoch};
        }
    }
    return m;
}

static uint64_t measured_rate(void)
{
    struct timespec pause = {.tv_nsec = 5 * CORE_CLOCK_MS};
    struct moment a = moment_now(), b;

    nanosleep(&pause, NULL);
    b = moment_now();
    return (uint64_t)((double)(b.ticks - a.ticks) * CORE_CLOCK_S / (double)(b.ns - a.ns) + 0.5);
}

/* As the processor says; 0: it does not. */
static uint64_t told_rate(void)
{
#if defined(__aarch64__)
    uint64_t hz;

    __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
    return hz;
#else
    return 0;
#endif
}

/* n * by / through; `through` times `by` stays below 2^64 up to 18 GHz. */
static uint64_t scaled(uint64_t n, uint64_t by, uint64_t through)
{
    return n / through * by + n % through * by / through;
}

uint64_t core_trace_ticks_ns(uint64_t ticks)
{
    return scaled(ticks, CORE_CLOCK_S, core_trace_header()->ticks_per_second);
}

uint64_t core_trace_ns_ticks(uint64_t ns)
{
    return scaled(ns, core_trace_header()->ticks_per_second, CORE_CLOCK_S);
}

uint64_t core_trace_epoch_ns(uint64_t tick)
{
    const struct core_trace_header *h = core_trace_header();

    return tick >= h->ticks ? h->epoch_ns + core_trace_ticks_ns(tick - h->ticks)
                            : h->epoch_ns - core_trace_ticks_ns(h->ticks - tick);
}

void core_trace_clock_set(struct core_wire_trace_clock *c)
{
    const struct timespec pause = {.tv_nsec = CORE_CLOCK_MS};
    uint32_t none = 0;
    struct moment m;

    if (!__atomic_compare_exchange_n(&c->state, &none, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        /* model: publish.see */
        while (__atomic_load_n(&c->state, __ATOMIC_ACQUIRE) != 2)
            nanosleep(&pause, NULL);
        return;
    }
    c->by_clock = !core_trace_counts();
    if (!c->by_clock && (c->ticks_per_second = told_rate()) == 0)
        c->ticks_per_second = measured_rate();
    m = moment_now();
    c->ticks = c->by_clock ? m.ns : m.ticks;
    c->epoch_ns = m.epoch_ns;
    if (c->by_clock)
        c->ticks_per_second = CORE_CLOCK_S;
    /* model: publish.set */
    __atomic_store_n(&c->state, 2, __ATOMIC_RELEASE); /* pairs with the loads above */
}
