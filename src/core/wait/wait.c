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

#include "core/adversary/adversary.h"
#include "core/wait/bias.h"
#include "core/base/clock.h"
#include "core/base/thread.h"
#include "core/internal.h"
#include "core/task/task.h"

enum phase { START, SPIN, YIELD, TELL, SLEEP };

/* A sleep is limited because stores through shmem_ptr ring no bell. The limit
 * grows with the time waited, so idle PEs cost nearly nothing, and with the PEs
 * that share a core: of a thousand, each looking up every 20 ms, nobody would get
 * on with anything else. A PE that waits only to be rung may sleep longest. */
#define SLEEP_FIRST_NS 200000u
#define SLEEP_LAST_NS 20000000u
enum { FIRST_EACH_NS = 50000, LAST_EACH_NS = 200000, MOST_NS = 100000000 };
enum { BELL_FIRST_EACH_NS = 200000, BELL_LAST_EACH_NS = 1000000, BELL_MOST_NS = 250000000 };
enum { LONG = 25 }; /* times SLEEP_LAST_NS: a long wait */
/* So often the PEs of a core give it away together before each of them sleeps. */
enum { YIELDS_TOGETHER = 1024 };
/* Of waits for memory that a network adapter changes: nothing else ends the sleep. */
#define SLEEP_SILENT_NS 400000u

static void full_fence_everywhere(void)
{
    /* model: bell.fence */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (core_state.wait.have_membarrier)
        /* model: bell.membarrier */
        syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
}

unsigned core_cores(void)
{
    return core_seg->header->ncores;
}

/* The same for all PEs: algorithms depend on it. Tasks share a core also where there are cores for all. */
bool core_oversubscribed(void)
{
    const struct core_header *h = core_seg->header;

    return h && (h->tasks || __atomic_load_n(&h->alive, __ATOMIC_RELAXED) > h->ncores);
}

/* PEs for each core. It may have no core of its own (job/pmix_node.c), and not know with how many it shares one. */
static uint32_t crowd(void)
{
    uint32_t cores = core_seg->header->ncores;
    return __atomic_load_n(&core_seg->header->alive, __ATOMIC_RELAXED) / (cores > 0 ? cores : 1);
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
    return w->watch_n > 0 ? shared_ns(SLEEP_FIRST_NS, FIRST_EACH_NS, MOST_NS)
                          : shared_ns(SLEEP_FIRST_NS, BELL_FIRST_EACH_NS, BELL_MOST_NS);
}

static uint64_t last_sleep(const struct core_waiter *w)
{
    return w->watch_n > 0 ? shared_ns(SLEEP_LAST_NS, LAST_EACH_NS, MOST_NS)
                          : shared_ns(SLEEP_LAST_NS, BELL_LAST_EACH_NS, BELL_MOST_NS);
}

void core_wait_retune(void)
{
    /* Looking at the word without `pause` finds it soonest; with more PEs than
     * cores any spinning keeps the core from the PE that could end the wait. */
    core_state.wait.tight = core_oversubscribed() || core_task_on() || core_adversary_on() ? 0 : 256;
    core_state.wait.looks = core_state.wait.tight == 0 || core_has_network();
    mpt_fast.look_n = core_state.wait.tight ? mpt_fast.reach_n : 0;
}

void core_wait_init(void)
{
    core_state.wait.spin_us = core_params.spin_us;
    core_state.wait.fence = core_seg->header->tasks;
    core_state.wait.have_membarrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
    core_wait_retune();
    core_debug("waiting: spin %u us, %u yields, then sleep%s", core_oversubscribed() ? 0 : core_state.wait.spin_us,
               core_params.yields, core_state.wait.have_membarrier ? "" : " (no membarrier: sleeps are short)");
}

/* Several threads may sleep: then everything between what they watch is watched. */
static void watch(struct mpt_bell *bell, const struct core_waiter *w, bool alone)
{
    uint64_t lo = alone ? UINT64_MAX : bell->watch_lo, hi = alone ? 0 : bell->watch_hi;
    if (w->watch_n > 0) {
        uint64_t from = (uintptr_t)core_own_address(w->watch, w->watch_n) - (uintptr_t)bell, to = from + w->watch_n;
        lo = from < lo ? from : lo;
        hi = to > hi ? to : hi;
    }
    __atomic_store_n(&bell->watch_lo, lo, __ATOMIC_RELAXED);
    __atomic_store_n(&bell->watch_hi, hi, __ATOMIC_RELAXED);
}

static void tell(struct core_waiter *w)
{
    struct core_ctrl *own = core_ctrl_of(core_seg->idx);
    w->rung = __atomic_load_n(&own->bell.rung, __ATOMIC_RELAXED);
    if (MPT_UNLIKELY(core_params.check))
        core_blocked_look(w);
    pthread_mutex_lock(&core_state.wait.sleepers_lock);
    if (w->phase != SLEEP) {
        bool alone = __atomic_fetch_add(&core_state.wait.sleepers, 1, __ATOMIC_RELAXED) == 0;
        if (own->tasked && !core_task_on()) {
            alone &= own->bell.sleeping == MPT_AWAKE; /* a task that knew of no threads is not counted */
            core_state.wait.threaded = true;
            __atomic_store_n(&own->tasked, CORE_TASK_WITH_THREADS, __ATOMIC_SEQ_CST);
            __atomic_store_n(&core_board_of(own->host)->threads, 1, __ATOMIC_SEQ_CST);
        }
        watch(&own->bell, w, alone);
        w->counted = true;
        own->timed += w->timed;
        core_thread.wait.announced++;
        strncpy(own->where, w->where ? w->where : "", sizeof own->where - 1);
    }
    bool memory = own->bell.watch_hi > 0;
    /* Release: a PE that sees this sees what is watched. */
    /* model: bell.announce */
    __atomic_store_n(&own->bell.sleeping, memory ? MPT_WATCHES_MEMORY : MPT_WAITS_FOR_RING, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&core_state.wait.sleepers_lock);
    full_fence_everywhere();
}

/* A fence is enough: writers of other processes pass one, too (core_sleeps). */
static void tell_task(const struct core_waiter *w)
{
    struct core_ctrl *own = core_ctrl_of(core_seg->idx);
    if (MPT_UNLIKELY(core_params.check))
        core_blocked_look(w);
    if (w->phase == START) {
        core_task_waits(w->where);
        own->timed = w->timed;
        watch(&own->bell, w, true);
        if (MPT_UNLIKELY(core_state.wait.poll.on))
            __atomic_store_n(&own->polls, 0, __ATOMIC_RELAXED); /* it no longer waits outside */
    }
    /* model: tell.announce */
    __atomic_store_n(&own->bell.sleeping, w->watch_n > 0 ? MPT_WATCHES_MEMORY : MPT_WAITS_FOR_RING, __ATOMIC_RELEASE);
    if (!core_task_alone())
        /* model: tell.fence */
        core_fence_full();
}

static void ring_futex(struct core_ctrl *ctrl)
{
    if (ctrl == core_ctrl_of(core_seg->idx))
        __atomic_fetch_add(&ctrl->self_rung, 1, __ATOMIC_RELAXED);
    /* model: poll.rung */
    __atomic_fetch_add(&ctrl->bell.rung, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &ctrl->bell.rung, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
}

void core_ring_bell_next(void)
{
    /* model: bell.announce */
    __atomic_store_n(&core_ctrl_of(core_seg->idx)->bell.sleeping, MPT_WAITS_FOR_RING, __ATOMIC_RELEASE);
    full_fence_everywhere();
}

/* For deadlock.c. Only once this has waited for some time, as it asks the kernel. */
static void look_for_timers(struct core_waiter *w)
{
    if (w->timed || !core_blocked_timer())
        return;
    w->timed = true;
    if (w->counted)
        pthread_mutex_lock(&core_state.wait.sleepers_lock);
    core_ctrl_of(core_seg->idx)->timed++;
    if (w->counted)
        pthread_mutex_unlock(&core_state.wait.sleepers_lock);
}

static bool sleep_on_futex(uint32_t *word, uint32_t value, uint64_t ns)
{
    struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
    return syscall(SYS_futex, word, FUTEX_WAIT, value, &limit, NULL, 0) != 0 && errno == ETIMEDOUT;
}

static uint64_t sleep_limit(const struct core_waiter *w)
{
    uint64_t most = !core_state.wait.have_membarrier              ? SLEEP_FIRST_NS
                    : core_state.rma.net_silent && w->watch_n > 0 ? SLEEP_SILENT_NS
                                                                  : last_sleep(w);
    return w->sleep_ns < most ? w->sleep_ns : most;
}

static void sleep_on_bell(struct core_waiter *w)
{
    struct core_ctrl *own = core_ctrl_of(core_seg->idx);
    uint64_t ns = sleep_limit(w);
    enum core_slept slept = core_state.wait.poll.on ? core_poll_sleep(w->rung, ns) : CORE_SLEPT_NOT;
    if (slept == CORE_SLEPT) {
        if (core_progress() == 0)
            sched_yield(); /* another thread may be at it */
        else
            __atomic_fetch_add(&own->steps, 1, __ATOMIC_RELAXED);
        if (__atomic_load_n(&core_state.wait.sleepers, __ATOMIC_RELAXED) > core_thread.wait.announced)
            ring_futex(own); /* a write of the network tells nobody whose wait it ends */
    }
    if (slept == CORE_SLEPT_OUT || (slept == CORE_SLEPT_NOT && sleep_on_futex(&own->bell.rung, w->rung, ns))) {
        core_job_check(w->where);
        look_for_timers(w);
        if (w->sleep_ns < last_sleep(w))
            w->sleep_ns *= 2;
        else if ((w->yields += (uint32_t)(w->sleep_ns / SLEEP_LAST_NS)) > LONG)
            w->waited_long = true;
    }
}

/* A PE that gives the core away beside strangers gets it back after their time slices, and a sleeper in a virtual
 * machine is woken slowly. So spin longer while waits end soon after all, and less when they are long anyway. The
 * method is that of KVM's polling before a halt (Linux, Documentation/virt/kvm/halt-polling.rst). */
static void learn(const struct core_waiter *w)
{
    const uint32_t most = core_params.spin_max_us, least = core_params.spin_us,
                   now = __atomic_load_n(&core_state.wait.spin_us, __ATOMIC_RELAXED);
    uint32_t took = (uint32_t)(core_clock_ns() / 1000) - w->began_us, next = now;

    if (took <= most && now < most)
        next = now * 2 < most ? now * 2 : most;
    else if (took > most && now > least)
        next = now / 2 > least ? now / 2 : least;
    if (next != now)
        __atomic_store_n(&core_state.wait.spin_us, next, __ATOMIC_RELAXED);
}

/* Something came, though not what is waited for: more may follow at once. */
static void linger(struct core_waiter *w)
{
    if (w->phase >= TELL)
        __atomic_fetch_add(&core_ctrl_of(core_seg->idx)->steps, 1, __ATOMIC_RELAXED);
    if (w->phase >= TELL && !core_oversubscribed())
        w->spin_end = core_clock_ns() + core_params.spin_us * 1000ul;
}

static void spin_begin(struct core_waiter *w)
{
    uint64_t now = core_clock_ns();

    w->began_us = (uint32_t)(now / 1000);
    w->spin_end = now + __atomic_load_n(&core_state.wait.spin_us, __ATOMIC_RELAXED) * 1000ul;
}

bool core_wait_spins(const struct core_waiter *w)
{
    return w->phase <= SPIN;
}

bool core_wait_sleeps(const struct core_waiter *w)
{
    return w->phase >= TELL;
}

unsigned core_wait_yields(const struct core_waiter *w)
{
    return w->phase == YIELD ? w->yields : 0;
}

bool core_wait_slept(const struct core_waiter *w)
{
    return w->phase == SLEEP;
}

static void tell_of_task(struct core_waiter *w)
{
    if (core_state.wait.threaded)
        tell(w);
    else
        tell_task(w);
    w->phase = TELL;
}

/* A wait inside this one, of what came meanwhile, has taken back what this one announced when it ended. (Whoever rings
 * takes it back, too, but then the task can run.) */
static bool is_told(const struct core_waiter *w)
{
    const struct core_ctrl *own = core_ctrl_of(core_seg->idx);

    return w->counted || __atomic_load_n(&own->bell.sleeping, __ATOMIC_RELAXED) != MPT_AWAKE || core_task_rung();
}

/* The same of a task: no spinning and no yields, as all that is given away is the process's own. It sleeps only when it
 * has announced that and then looked in vain: a look may end with the messages of one sender, and who sent the others
 * has rung already. */
static void task_pause(struct core_waiter *w)
{
    if (w->phase == START) {
        w->yields = 0;
        w->spin_end = 0;
        w->counted = false;
    } else if (w->came || !is_told(w)) {
        w->phase = w->counted ? SLEEP : START;
    } else {
        w->phase = w->counted ? SLEEP : TELL;
        /* Rung since it was announced, and perhaps run for that: in progress it may have waited for a lock. */
        if (__atomic_load_n(&core_ctrl_of(core_seg->idx)->bell.sleeping, __ATOMIC_RELAXED) == MPT_AWAKE)
            core_task_yield();
        else if (!core_task_block()) {
            core_job_check(w->where);
            look_for_timers(w);
            if (++w->yields > LONG)
                w->waited_long = true;
        }
    }
    tell_of_task(w);
    w->came = core_progress_due() && core_progress() > 0;
    if (w->came)
        linger(w);
}

void core_wait_measure(void)
{
    core_state.wait.measures = true;
}

uint64_t core_waited_ns(void)
{
    return core_thread.wait.waited_ns;
}

/* A wait within another counts as part of that. */
static __attribute__((noinline, cold)) void measure(const struct core_waiter *w)
{
    if (w->phase != START || (core_thread.wait.wait_began && core_thread.wait.waits == w))
        return;
    core_thread.wait.wait_began = core_clock_ns();
    core_thread.wait.waits = w;
}

static __attribute__((noinline, cold)) void measure_end(const struct core_waiter *w)
{
    if (!core_thread.wait.wait_began || core_thread.wait.waits != w)
        return;
    core_thread.wait.waited_ns += core_clock_ns() - core_thread.wait.wait_began;
    core_thread.wait.wait_began = 0;
}

/* One pause beyond the tight ones; returns for the caller to look again. */
void core_wait_slow(struct core_waiter *w)
{
    if (MPT_UNLIKELY(core_state.wait.measures))
        measure(w);
    if (core_bias_gives_way())
        return;
    if (core_task_on()) {
        task_pause(w);
        return;
    }
    if (core_progress_due() && core_progress() > 0) {
        linger(w);
        return;
    }
    switch ((enum phase)w->phase) {
    case START:
        w->yields = 0;
        w->sleep_ns = first_sleep(w);
        if (w->spins < core_state.wait.tight) { /* polling a channel: still the tight phase */
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
        if (core_clock_ns() > w->spin_end)
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
        if (w->spin_end && core_clock_ns() < w->spin_end) {
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

static void end_of_sleep(const struct core_waiter *w)
{
    struct core_ctrl *own = core_ctrl_of(core_seg->idx);
    if (core_task_on()) {
        core_task_waits(NULL);
        if (!w->counted) {
            own->timed = 0;
            __atomic_store_n(&own->bell.sleeping, 0, __ATOMIC_RELAXED);
            return;
        }
    }
    pthread_mutex_lock(&core_state.wait.sleepers_lock);
    bool others = __atomic_sub_fetch(&core_state.wait.sleepers, 1, __ATOMIC_RELAXED) > 0;
    core_thread.wait.announced--;
    own->timed -= w->timed;
    if (!others) {
        __atomic_store_n(&own->bell.sleeping, 0, __ATOMIC_RELAXED);
        own->where[0] = 0;
    }
    pthread_mutex_unlock(&core_state.wait.sleepers_lock);
    if (others && core_state.wait.poll.on)
        ring_futex(own); /* one of them may have to poll now */
}

void core_wait_end_slow(struct core_waiter *w)
{
    if (MPT_UNLIKELY(core_state.wait.measures))
        measure_end(w);
    if (w->phase > SPIN && w->spin_end)
        learn(w);
    if (w->phase >= TELL) {
        if (MPT_UNLIKELY(core_params.check))
            core_blocked_end(w);
        end_of_sleep(w);
    }
    core_adversary_at_call();
}

/* A thread that handles what came over the network is not asleep, even if it has
 * announced that. */
void core_wake_threads(void)
{
    if (MPT_UNLIKELY(__atomic_load_n(&core_state.wait.sleepers, __ATOMIC_RELAXED) > core_thread.wait.announced))
        core_wake_slice(core_seg->idx);
}

/* Of two tasks of one process only one runs: no locked instructions are needed. If another process rings meanwhile,
 * too, the peer is made ready twice. */
static bool ring_beside(struct core_ctrl *peer)
{
    if (!core_task_on() || peer->tasked != CORE_TASK_ALONE || peer->host != core_ctrl_of(core_seg->idx)->host)
        return false;
    __atomic_store_n(&peer->bell.sleeping, MPT_AWAKE, __ATOMIC_RELAXED);
    core_task_ready_beside(peer->bit);
    return true;
}

static bool ring_elsewhere(struct core_ctrl *peer)
{
    if (!peer->tasked)
        return false;
    core_task_ready(core_board_of(peer->host), peer->bit);
    return __atomic_load_n(&peer->tasked, __ATOMIC_RELAXED) != CORE_TASK_WITH_THREADS;
}

/* Taking `sleeping` down makes one doorbell per sleep, however many stores follow. */
void core_ring_bell(unsigned slice)
{
    struct core_ctrl *peer = core_ctrl_of(slice);
    bool beside = ring_beside(peer);

    /* model: bell.ring */
    if (!beside && !__atomic_exchange_n(&peer->bell.sleeping, MPT_AWAKE, __ATOMIC_ACQ_REL))
        return;
    if (!beside && !ring_elsewhere(peer))
        ring_futex(peer);
    else if (MPT_LIKELY(!__atomic_load_n(&peer->polls, __ATOMIC_RELAXED)))
        return;
    core_poll_ring(slice); /* it waits outside */
}

void mpt_ring(unsigned idx)
{
    core_ring_bell(idx + core_seg->run_first);
}

/* PEs of this node whose numbers are outside mpt_fast's run. */
void core_wake_slow(int pe)
{
    if (core_on_node_slow(pe))
        core_wake_slice(core_slice_of(pe));
}

void core_changed_slow(int pe, const void *at, size_t n)
{
    if (core_on_node_slow(pe) && core_watched(&core_ctrl_of(core_slice_of(pe))->bell, at, n))
        core_ring_bell(core_slice_of(pe));
}

static bool holds(uint64_t have, enum core_cmp cmp, uint64_t want)
{
    int64_t a = (int64_t)have, b = (int64_t)want;
    switch (cmp) {
    case CORE_EQ:
        return a == b;
    case CORE_NE:
        return a != b;
    case CORE_GT:
        return a > b;
    case CORE_GE:
        return a >= b;
    case CORE_LT:
        return a < b;
    case CORE_LE:
        return a <= b;
    }
    return true;
}

void core_wait_word(const uint64_t *word, enum core_cmp cmp, uint64_t value, const char *where)
{
    struct core_waiter w;
    core_wait_begin_for(&w, where, word, sizeof *word);
    /* model: signal.wait */
    while (!holds(__atomic_load_n(word, __ATOMIC_ACQUIRE), cmp, value))
        core_wait_pause(&w);
    core_wait_end(&w);
}
