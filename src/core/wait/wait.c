/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a PE waits. Phases of a wait:
 *   SPIN   when PEs do not outnumber cores, for MPT_SPIN_US and, while waits end
 *          soon after that, up to MPT_SPIN_MAX_US
 *   YIELD  MPT_YIELDS times
 *   TELL   announce the sleep in the bell; the caller looks at its condition once more
 *   SLEEP  on the bell (futex; with a network also on that, see poll.c), for a
 *          limited and growing time, then TELL again
 *
 * A writer stores, then reads `sleeping`; a sleeper writes `sleeping`, then
 * reads its condition. Both could miss each other through store buffers:
 * membarrier() in TELL makes every running thread of every PE pass a full
 * fence, so either the writer sees `sleeping` or the sleeper sees the store,
 * and the writer's path needs no fence.
 */
#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/channel/quick.h"
#include "core/internal.h"

enum phase { START, SPIN, YIELD, TELL, SLEEP };

/* A sleep is limited because stores through shmem_ptr ring no bell. The limit
 * grows with the time waited, so idle PEs cost nearly nothing, and with the PEs
 * that share a core: of a thousand, each looking up every 20 ms, nobody would get
 * on with anything else. Who waits for a ring only may sleep longest. */
#define SLEEP_FIRST_NS 200000u
#define SLEEP_LAST_NS 20000000u
enum { FIRST_EACH_NS = 50000, LAST_EACH_NS = 200000, MOST_NS = 100000000 };
enum { RING_FIRST_EACH_NS = 200000, RING_LAST_EACH_NS = 1000000, RING_MOST_NS = 250000000 };
enum { LONG = 25 }; /* times SLEEP_LAST_NS: a long wait */
/* So often the PEs of a core give it away together before each of them sleeps. */
enum { YIELDS_TOGETHER = 1024 };
/* Of who waits for memory that a network adapter changes: nothing else ends the sleep. */
#define SLEEP_SILENT_NS 400000u

unsigned core_wait_tight;
bool core_progress_due_;

static bool have_membarrier;
static uint32_t spin_us; /* how long to spin now; threads may lose each other's changes */
static pthread_mutex_t sleepers_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned sleepers; /* threads of this PE between TELL and the end of their wait; changed under the lock, read without it */
static _Thread_local unsigned announced __attribute__((tls_model("initial-exec"))); /* of them, this one's */

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void full_fence_everywhere(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (have_membarrier)
        syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
}

unsigned core_cores(void)
{
    return core_seg.header->ncores;
}

bool core_oversubscribed(void)
{
    return core_seg.header && __atomic_load_n(&core_seg.header->alive, __ATOMIC_RELAXED) > core_seg.header->ncores;
}

/* PEs for each core. */
static uint32_t crowd(void)
{
    return __atomic_load_n(&core_seg.header->alive, __ATOMIC_RELAXED) / core_seg.header->ncores;
}

static unsigned most_yields(void)
{
    uint32_t share = YIELDS_TOGETHER / (crowd() + 1) + 1;
    return share < core_params.yields ? share : core_params.yields;
}

static uint64_t shared_ns(uint64_t least, uint64_t each, uint64_t most)
{
    uint64_t ns = crowd() * each;
    ns = ns < most ? ns : most;
    return ns > least ? ns : least;
}

static uint64_t first_sleep(const struct core_waiter *w)
{
    return w->watch_n > 0 ? shared_ns(SLEEP_FIRST_NS, FIRST_EACH_NS, MOST_NS) : shared_ns(SLEEP_FIRST_NS, RING_FIRST_EACH_NS, RING_MOST_NS);
}

static uint64_t last_sleep(const struct core_waiter *w)
{
    return w->watch_n > 0 ? shared_ns(SLEEP_LAST_NS, LAST_EACH_NS, MOST_NS) : shared_ns(SLEEP_LAST_NS, RING_LAST_EACH_NS, RING_MOST_NS);
}

void core_wait_retune(void)
{
    /* Looking at the word without `pause` finds it soonest; with more PEs than
     * cores any spinning keeps the core from who could end the wait. */
    core_wait_tight = core_oversubscribed() ? 0 : 256;
    mpt_fast.look_n = core_wait_tight ? mpt_fast.reach_n : 0;
}

void core_wait_init(void)
{
    spin_us = core_params.spin_us;
    have_membarrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
    core_wait_retune();
    core_debug("waiting: spin %u us, %u yields, then sleep%s", core_oversubscribed() ? 0 : spin_us,
               core_params.yields, have_membarrier ? "" : " (no membarrier: sleeps are short)");
}

/* Several threads may sleep: then everything between what they watch is watched. */
static void watch(struct mpt_bell *bell, const struct core_waiter *w, bool alone)
{
    uint64_t lo = alone ? UINT64_MAX : bell->watch_lo, hi = alone ? 0 : bell->watch_hi;
    if (w->watch_n > 0) {
        uint64_t from = (uintptr_t)core_own_place(w->watch, w->watch_n) - (uintptr_t)bell, to = from + w->watch_n;
        lo = from < lo ? from : lo;
        hi = to > hi ? to : hi;
    }
    __atomic_store_n(&bell->watch_lo, lo, __ATOMIC_RELAXED);
    __atomic_store_n(&bell->watch_hi, hi, __ATOMIC_RELAXED);
}

static void tell(struct core_waiter *w)
{
    struct core_ctrl *own = core_ctrl_of(core_seg.idx);
    w->rung = __atomic_load_n(&own->bell.rung, __ATOMIC_RELAXED);
    pthread_mutex_lock(&sleepers_lock);
    if (w->phase != SLEEP) {
        watch(&own->bell, w, __atomic_fetch_add(&sleepers, 1, __ATOMIC_RELAXED) == 0);
        announced++;
        strncpy(own->where, w->where ? w->where : "", sizeof own->where - 1);
    }
    bool memory = own->bell.watch_hi > 0;
    /* Release: who sees this sees what is watched. */
    __atomic_store_n(&own->bell.sleeping, memory ? MPT_WATCHES_MEMORY : MPT_WAITS_FOR_RING, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&sleepers_lock);
    full_fence_everywhere();
}

static void ring_futex(struct core_ctrl *ctrl)
{
    if (ctrl == core_ctrl_of(core_seg.idx))
        __atomic_fetch_add(&ctrl->self_rung, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&ctrl->bell.rung, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &ctrl->bell.rung, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
}

void core_wait_ring_me(void)
{
    __atomic_store_n(&core_ctrl_of(core_seg.idx)->bell.sleeping, MPT_WAITS_FOR_RING, __ATOMIC_RELEASE);
    full_fence_everywhere();
}

static bool sleep_on_futex(uint32_t *word, uint32_t value, uint64_t ns)
{
    struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
    return syscall(SYS_futex, word, FUTEX_WAIT, value, &limit, NULL, 0) != 0 && errno == ETIMEDOUT;
}

static uint64_t sleep_limit(const struct core_waiter *w)
{
    uint64_t most = !have_membarrier ? SLEEP_FIRST_NS : core_net_silent && w->watch_n > 0 ? SLEEP_SILENT_NS : last_sleep(w);
    return w->sleep_ns < most ? w->sleep_ns : most;
}

static void sleep_on_bell(struct core_waiter *w)
{
    struct core_ctrl *own = core_ctrl_of(core_seg.idx);
    uint64_t ns = sleep_limit(w);
    enum core_slept slept = core_poll_on ? core_poll_sleep(w->rung, ns) : CORE_SLEPT_NOT;
    if (slept == CORE_SLEPT) {
        if (core_progress() == 0)
            sched_yield(); /* another thread may be at it */
        else
            __atomic_fetch_add(&own->steps, 1, __ATOMIC_RELAXED);
        if (__atomic_load_n(&sleepers, __ATOMIC_RELAXED) > announced)
            ring_futex(own); /* a write of the network tells nobody whose wait it ends */
    }
    if (slept == CORE_SLEPT_OUT || (slept == CORE_SLEPT_NOT && sleep_on_futex(&own->bell.rung, w->rung, ns))) {
        core_job_check(w->where);
        if (w->sleep_ns < last_sleep(w))
            w->sleep_ns *= 2;
        else if ((w->yields += (uint32_t)(w->sleep_ns / SLEEP_LAST_NS)) > LONG)
            w->waited_long = true;
    }
}

/* Who gives the core away beside strangers gets it back after their time slices, and who sleeps in a virtual machine
 * is woken slowly. So spin longer while waits end soon after all, and less when they are long anyway. The method is
 * that of KVM's polling before a halt (Linux, Documentation/virt/kvm/halt-polling.rst). */
static void learn(const struct core_waiter *w)
{
    const uint32_t most = core_params.spin_max_us, least = core_params.spin_us, now = __atomic_load_n(&spin_us, __ATOMIC_RELAXED);
    uint32_t took = (uint32_t)(now_ns() / 1000) - w->began_us, next = now;

    if (took <= most && now < most)
        next = now * 2 < most ? now * 2 : most;
    else if (took > most && now > least)
        next = now / 2 > least ? now / 2 : least;
    if (next != now)
        __atomic_store_n(&spin_us, next, __ATOMIC_RELAXED);
}

/* Something came, though not what is waited for: more may follow at once. */
static void linger(struct core_waiter *w)
{
    if (w->phase >= TELL)
        __atomic_fetch_add(&core_ctrl_of(core_seg.idx)->steps, 1, __ATOMIC_RELAXED);
    if (w->phase >= TELL && !core_oversubscribed())
        w->spin_end = now_ns() + core_params.spin_us * 1000ul;
}

static void spin_begin(struct core_waiter *w)
{
    uint64_t now = now_ns();

    w->began_us = (uint32_t)(now / 1000);
    w->spin_end = now + __atomic_load_n(&spin_us, __ATOMIC_RELAXED) * 1000ul;
}

bool core_wait_spins(const struct core_waiter *w)
{
    return w->phase <= SPIN;
}

bool core_wait_sleeps(const struct core_waiter *w)
{
    return w->phase >= TELL;
}

bool core_wait_slept(const struct core_waiter *w)
{
    return w->phase == SLEEP;
}

/* One pause beyond the tight ones; returns for the caller to look again. */
void core_wait_slow(struct core_waiter *w)
{
    if (core_bias_gives_way())
        return;
    if (core_progress_due() && core_progress() > 0) {
        linger(w);
        return;
    }
    switch ((enum phase)w->phase) {
    case START:
        w->yields = 0;
        w->sleep_ns = first_sleep(w);
        if (w->spins < core_wait_tight) { /* polling a channel: still the tight phase */
            w->spins++;
            return;
        }
        w->phase = core_oversubscribed() || !core_params.spin_us ? YIELD : SPIN;
        w->spin_end = 0;
        if (w->phase == SPIN)
            spin_begin(w);
        return;
    case SPIN:
        core_relax();
        if (now_ns() > w->spin_end)
            w->phase = YIELD;
        return;
    case YIELD:
        if (w->yields++ < most_yields()) {
            sched_yield();
            return;
        }
        w->yields = 0;
        tell(w);
        w->phase = TELL;
        return;
    case TELL:
        if (w->spin_end && now_ns() < w->spin_end) {
            core_relax();
            return;
        }
        sleep_on_bell(w);
        w->phase = SLEEP;
        return;
    case SLEEP:
        tell(w);
        w->phase = TELL;
        return;
    }
}

void core_wait_end_slow(struct core_waiter *w)
{
    if (w->phase > SPIN && w->spin_end)
        learn(w);
    if (w->phase < TELL)
        return;
    struct core_ctrl *own = core_ctrl_of(core_seg.idx);
    pthread_mutex_lock(&sleepers_lock);
    bool others = __atomic_sub_fetch(&sleepers, 1, __ATOMIC_RELAXED) > 0;
    announced--;
    if (!others) {
        __atomic_store_n(&own->bell.sleeping, 0, __ATOMIC_RELAXED);
        own->where[0] = 0;
    }
    pthread_mutex_unlock(&sleepers_lock);
    if (others && core_poll_on)
        ring_futex(own); /* one of them may have to poll now */
}

/* A thread that handles what came over the network is not asleep, even if it has
 * announced that. */
void core_wake_threads(void)
{
    if (MPT_UNLIKELY(__atomic_load_n(&sleepers, __ATOMIC_RELAXED) > announced))
        core_wake_slice(core_seg.idx);
}

/* Taking `sleeping` down makes one ring per sleep, however many stores follow. */
void core_ring_slice(unsigned slice)
{
    struct core_ctrl *peer = core_ctrl_of(slice);
    if (!__atomic_exchange_n(&peer->bell.sleeping, 0, __ATOMIC_ACQ_REL))
        return;
    ring_futex(peer);
    core_poll_ring(slice);
}

void mpt_ring(unsigned idx)
{
    core_ring_slice(idx + core_seg.run_first);
}

/* PEs of this node whose numbers are outside mpt_fast's run. */
void core_wake_slow(int pe)
{
    if (core_on_node_slow(pe))
        core_wake_slice(core_slice_of(pe));
}

void core_changed_slow(int pe, const void *at, size_t n)
{
    if (core_on_node_slow(pe) && mpt_watched(&core_ctrl_of(core_slice_of(pe))->bell, at, n))
        core_ring_slice(core_slice_of(pe));
}

static bool holds(uint64_t have, enum core_cmp cmp, uint64_t want)
{
    int64_t a = (int64_t)have, b = (int64_t)want;
    switch (cmp) {
    case CORE_EQ: return a == b;
    case CORE_NE: return a != b;
    case CORE_GT: return a > b;
    case CORE_GE: return a >= b;
    case CORE_LT: return a < b;
    case CORE_LE: return a <= b;
    }
    return true;
}

void core_wait_word(const uint64_t *word, enum core_cmp cmp, uint64_t value, const char *where)
{
    struct core_waiter w;
    core_wait_begin_for(&w, where, word, sizeof *word);
    while (!holds(__atomic_load_n(word, __ATOMIC_ACQUIRE), cmp, value))
        core_wait_pause(&w);
    core_wait_end(&w);
}
