/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPT_TRACE_COUNTERS: what a thread's processor did between two calls. Hardware counters are read in user space, from
 * the page that the system maps for each: no descriptor stays open, which the program might close and open again as a
 * file of its own, and no system call is made. Where there are none, the system's own sums of processor time, turns of
 * others and page faults serve ("software").
 */
#include "core/trace/counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/page.h"
#include "core/internal.h"
#include "core/task/task.h"
#include "core/trace/folder.h"
#include "core/trace/internal.h"

enum { MOST_THREADS = 256 }; /* of a PE: their pages stay, as nobody says when a thread ends */

static struct core_trace_state *const trace = &core_state.trace;

/* ---------------------------------------------------------------- hardware -- */

#if defined(__x86_64__)
enum { READABLE = 1 };
static uint64_t processor_counter(uint32_t i)
{
    uint32_t lo, hi;

    __asm__ volatile("rdpmc" : "=a"(lo), "=d"(hi) : "c"(i));
    return (uint64_t)hi << 32 | lo;
}
#else
enum { READABLE = 0 };
static uint64_t processor_counter(uint32_t i)
{
    (void)i;
    return 0;
}
#endif

/* The system's protocol: `lock` changes whenever it changes what else is in the page. */
uint64_t core_trace_counter_of(const struct perf_event_mmap_page *page, uint64_t (*counter)(uint32_t i))
{
    uint32_t seen, i;
    uint64_t n;

    do {
        seen = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
        i = __atomic_load_n(&page->index, __ATOMIC_RELAXED);
        n = (uint64_t)__atomic_load_n(&page->offset, __ATOMIC_RELAXED);
        if (i > 0) { /* it is counting now: sign-extended, so many bits wide */
            unsigned unused = 64u - __atomic_load_n(&page->pmc_width, __ATOMIC_RELAXED);

            n += (uint64_t)((int64_t)(counter(i - 1) << (unused & 63)) >> (unused & 63));
        }
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
    } while (__atomic_load_n(&page->lock, __ATOMIC_RELAXED) != seen);
    return n;
}

static int open_event(uint64_t what, int leader)
{
    struct perf_event_attr a = {
        .type = PERF_TYPE_HARDWARE, .size = sizeof a, .config = what, .exclude_kernel = 1, .exclude_hv = 1};

    return (int)syscall(SYS_perf_event_open, &a, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

/* NULL, with errno: it cannot be read in user space. */
static struct perf_event_mmap_page *map_event(int fd)
{
    void *at = mmap(NULL, core_page_size(), PROT_READ, MAP_SHARED, fd, 0);
    struct perf_event_mmap_page *page = at;

    if (at == MAP_FAILED)
        return NULL;
    if (READABLE && page->cap_user_rdpmc)
        return page;
    munmap(at, core_page_size());
    errno = EOPNOTSUPP;
    return NULL;
}

/* 0 or a negative errno; cache misses may be missing. */
static int open_hardware(struct core_trace_counters *c)
{
    static const uint64_t events[] = {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CACHE_MISSES};
    int leader = -1, err = 0;

    for (unsigned i = 0; i < CORE_TRACE_COUNTERS_N && err == 0; i++) {
        int fd = open_event(events[i], leader);

        c->pages[i] = fd < 0 ? NULL : map_event(fd);
        if (!c->pages[i] && i < 2)
            err = errno;
        if (i == 0)
            leader = fd;
        else if (fd >= 0)
            close(fd);
    }
    if (leader >= 0)
        close(leader); /* what is mapped goes on */
    return -err;
}

/* ----------------------------------------------------------------- reading -- */

/* The time by its own clock: in getrusage's it moves by whole ticks of the system, a millisecond or more. */
static void read_software(uint64_t to[CORE_TRACE_COUNTERS_N])
{
    struct rusage u;

    memset(&u, 0, sizeof u);
    getrusage(RUSAGE_THREAD, &u);
    to[0] = core_clock_thread_ns();
    to[1] = (uint64_t)(u.ru_nvcsw + u.ru_nivcsw);
    to[2] = (uint64_t)(u.ru_minflt + u.ru_majflt);
}

/* By what the thread has, not the state of a copy of the library: tasks give way in the code of the first. */
static void read_now(const struct core_trace_counters *c, uint64_t to[CORE_TRACE_COUNTERS_N])
{
    if (!c->pages[0]) {
        read_software(to);
        return;
    }
    for (unsigned i = 0; i < CORE_TRACE_COUNTERS_N; i++)
        to[i] = c->pages[i] ? core_trace_counter_of(c->pages[i], processor_counter) : 0;
}

static bool ready(struct core_trace_counters *c)
{
    if (MPT_LIKELY(c->state != CORE_TRACE_COUNTERS_NEW))
        return c->state == CORE_TRACE_COUNTERS_READY;
    c->state = CORE_TRACE_COUNTERS_NONE;
    if (trace->counters == CORE_TRACE_COUNTS_SOFTWARE ||
        (__atomic_fetch_add(&trace->counted, 1, __ATOMIC_RELAXED) < MOST_THREADS && open_hardware(c) == 0))
        c->state = CORE_TRACE_COUNTERS_READY;
    return c->state == CORE_TRACE_COUNTERS_READY;
}

/* The record names the call before, which the thread still remembers. */
void core_trace_count_until(struct core_trace_thread *own, uint64_t tick)
{
    struct core_trace_counters *c = &own->counters;
    uint64_t now[CORE_TRACE_COUNTERS_N];

    if (c->since == 0 || tick - c->since < trace->soon)
        return;
    read_now(c, now);
    core_trace_add(&(struct core_trace_record){
        .kind = CORE_TRACE_COUNTERS,
        .call = own->call,
        .site = own->site,
        .begin = c->since,
        .end = tick,
        .peer = CORE_TRACE_PEER_NONE,
        .tag = trace->counters == CORE_TRACE_COUNTS_SOFTWARE,
        .bytes = now[0] - c->had[0],
        .message = now[1] - c->had[1],
        .value = trace->counters == CORE_TRACE_COUNTS_SOFTWARE || c->pages[2] ? now[2] - c->had[2] : UINT64_MAX});
}

uint64_t core_trace_count_from(struct core_trace_thread *own)
{
    struct core_trace_counters *c = &own->counters;
    const bool counts = !trace->paused && ready(c);
    uint64_t now;

    if (counts)
        read_now(c, c->had);
    now = core_trace_now();
    c->since = counts ? now : 0;
    return now;
}

static bool is_between_calls(const struct core_trace_thread *own)
{
    return MPT_UNLIKELY(own->counters.since != 0) && own->depth == 0;
}

static void away(void)
{
    struct core_trace_thread *own = &core_thread.trace;

    if (is_between_calls(own))
        read_now(&own->counters, own->counters.left);
}

/* What others have used meanwhile is not this task's. */
static void back(void)
{
    struct core_trace_thread *own = &core_thread.trace;
    struct core_trace_counters *c = &own->counters;
    uint64_t now[CORE_TRACE_COUNTERS_N];

    if (!is_between_calls(own))
        return;
    read_now(c, now);
    for (unsigned i = 0; i < CORE_TRACE_COUNTERS_N; i++)
        c->had[i] += now[i] - c->left[i];
}

/* In each copy of the library. */
__attribute__((constructor(104))) static void begin(void)
{
    core_task_around(away, back);
}

void core_trace_counters_start(void)
{
    struct core_trace_counters *c = &core_thread.trace.counters;
    int rc;

    trace->counters = core_trace_counts_only() ? CORE_TRACE_COUNTS_NOTHING : (uint8_t)core_params.trace_counters;
    if (trace->counters != CORE_TRACE_COUNTS_HARDWARE)
        return;
    rc = open_hardware(c);
    c->state = rc == 0 ? CORE_TRACE_COUNTERS_READY : CORE_TRACE_COUNTERS_NONE;
    if (rc == 0)
        return;
    trace->counters = CORE_TRACE_COUNTS_NOTHING;
    if (core_me() == 0)
        core_error("MPT_TRACE_COUNTERS=hardware: %s; the trace has none (MPT_TRACE_COUNTERS=software works everywhere)",
                   rc == -ENOENT                    ? "this machine has no counters, as most virtual ones"
                   : rc == -EACCES || rc == -EPERM  ? "not permitted (sysctl kernel.perf_event_paranoid)"
                   : rc == -EOPNOTSUPP || !READABLE ? "they cannot be read here without system calls"
                                                    : strerror(-rc));
}
