/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Running tasks in turn on one thread of the process, its carrier. A task's context is a stack and a thread pointer:
 * those of a thread of its own that sleeps for ever, so that thread-local variables, errno, locale and the C
 * library's caches are the task's.
 */
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/number.h"
#include "core/internal.h"
#include "core/task/hooks.h"
#include "core/task/host.h"
#include "core/task/machine.h"

_Thread_local struct core_task *core_task_self __attribute__((tls_model("initial-exec")));

#define FIRST_NAP_NS 200000u
#define LAST_NAP_NS 20000000u
/* A look takes each task some 5 us, as nothing of it is in a cache by then. */
#define NAP_EACH_NS 300000u
enum { LOOK_TURNS = 8 };

/* ----------------------------------------------------------- switching -- */

static void go_to(struct core_task *from, struct core_task *to)
{
    struct core_task_host *h = from->host;

    if (from->environ != to->environ) {
        from->environ = *h->environ;
        *h->environ = to->environ;
    }
    h->board->running = to->bit;
    to->armed = false;
    if (MPT_UNLIKELY(h->resume))
        to->stack = core_task_lay_call(to->stack, h->resume, to);
    core_task_swap(&from->stack, to->stack, to->thread, h->sets_pointer);
}

/* Who can run, of 64: by whoever has woken them. */
static uint64_t ready_in(const struct core_task_host *h, unsigned word)
{
    /* model: ready.look */
    return __atomic_load_n(&h->board->ready[word], __ATOMIC_ACQUIRE) | h->ready[word];
}

static void take_off(struct core_task_host *h, unsigned word, uint64_t bit)
{
    if (h->ready[word] & bit)
        core_task_clear_bits(&h->ready[word], bit);
    if (__atomic_load_n(&h->board->ready[word], __ATOMIC_RELAXED) & bit)
        /* model: ready.take */
        __atomic_fetch_and(&h->board->ready[word], ~bit, __ATOMIC_ACQ_REL);
}

/* The next one after `bit` that can run, round the circle, `bit` itself last. From then on it is not ready. */
static int take_ready(struct core_task_host *h, unsigned bit)
{
    unsigned words = (h->n + 63) / 64, w = (bit + 1) / 64 % words;
    uint64_t mask = (bit + 1) % 64 ? ~0ul << (bit + 1) % 64 : ~0ul;

    for (unsigned i = 0; i <= words; i++, w = w + 1 == words ? 0 : w + 1, mask = ~0ul) {
        uint64_t ready = ready_in(h, w) & mask;

        while (ready) {
            unsigned next = w * 64 + (unsigned)__builtin_ctzl(ready);

            take_off(h, w, 1ul << next % 64);
            if (next < h->n && !h->tasks[next].ended)
                return (int)next;
            ready &= ready - 1;
        }
    }
    return -1;
}

/* For reports: when nobody is in a hurry, or a PE has kept the others from running for long. */
static void tell_places(struct core_task_host *h)
{
    for (unsigned i = 0; i < h->n; i++) {
        struct core_task *t = &h->tasks[i];
        struct core_ctrl *c = core_wire_ctrl(h->base, h->header, h->first + i);

        if (t->where == t->told)
            continue;
        t->told = t->where;
        memset(c->where, 0, sizeof c->where);
        if (t->where)
            strncpy(c->where, t->where, sizeof c->where - 1);
    }
}

/* Of tasks that are rung by whatever they wait for it is enough that some look for what has become of others, unless
 * each is asked. */
static bool look_is_its(const struct core_task_host *h, const struct core_task *t)
{
    return !t->ended && (!t->rung || (t->bit + h->naps) % LOOK_TURNS == 0 ||
                         (h->header && __atomic_load_n(&h->header->ask_sites, __ATOMIC_RELAXED)));
}

void core_task_look(struct core_task_host *h)
{
    tell_places(h);
    for (unsigned i = 0; i < h->n; i++)
        if (look_is_its(h, &h->tasks[i]))
            core_task_set_bits(&h->ready[i / 64], 1ul << i % 64);
    h->naps++;
}

static bool somebody_ready(const struct core_task_host *h)
{
    for (unsigned w = 0; w < (h->n + 63) / 64; w++)
        /* model: ready.somebody */
        if (__atomic_load_n(&h->board->ready[w], __ATOMIC_SEQ_CST) || h->ready[w])
            return true;
    return false;
}

/* Processes have a core each: what comes soon is seen soonest by who looks. */
static bool spin(struct core_task_host *h)
{
    uint64_t end = core_clock_ns() + core_params.spin_us * 1000ul;

    do {
        for (unsigned i = 0; i < 64; i++) {
            if (somebody_ready(h))
                return true;
            core_relax();
        }
        if (MPT_UNLIKELY(h->network.n > 0))
            core_task_network_look(h);
    } while (core_clock_ns() < end);
    return false;
}

/* The process sleeps until somebody is rung. True: the time is over. */
static bool sleep_all(struct core_task_host *h, uint64_t ns)
{
    struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
    bool out = false;

    tell_places(h);
    if (MPT_UNLIKELY(h->network.n > 0))
        return core_task_network_sleep(h, ns, somebody_ready);
    /* model: ready.idle */
    __atomic_store_n(&h->board->idle, CORE_TASK_SLEEPS, __ATOMIC_SEQ_CST);
    if (!somebody_ready(h))
        out = syscall(SYS_futex, &h->board->idle, FUTEX_WAIT, CORE_TASK_SLEEPS, &limit, NULL, 0) != 0 &&
              errno == ETIMEDOUT;
    __atomic_store_n(&h->board->idle, 0, __ATOMIC_RELAXED);
    return out;
}

/* A sleep is over, and all look, or only those who ask. */
static void wake_up(struct core_task_host *h, uint64_t slept)
{
    uint64_t most = LAST_NAP_NS + h->n * NAP_EACH_NS;

    h->napped_ns += slept;
    if (h->napped_ns < h->nap_ns) {
        core_task_ask(h);
        return;
    }
    h->nap_ns = h->nap_ns * 2 < most ? h->nap_ns * 2 : most;
    h->napped_ns = 0;
    core_task_look(h);
}

/* Nobody can run: until somebody is rung, or all look for what rings nothing. */
__attribute__((noinline)) static void idle(struct core_task_host *h)
{
    uint64_t rest = h->nap_ns - h->napped_ns, ask = core_task_ask_ns(h), ns = ask < rest ? ask : rest;

    if (h->napped_ns == 0 && spin(h))
        return;
    if (ns == 0 || sleep_all(h, ns)) {
        wake_up(h, ns);
    } else {
        h->nap_ns = FIRST_NAP_NS;
        h->napped_ns = 0;
    }
}

static void be_ready(const struct core_task *self)
{
    core_task_set_bits(&self->host->ready[self->bit / 64], 1ul << self->bit % 64);
}

void core_task_shuffle(uint64_t seed)
{
    struct core_task *self = core_task_self;

    if (self && !self->host->shuffle)
        self->host->shuffle = seed | 1;
}

/* Whose turn it would be after: this one's, unless it is left to chance (Marsaglia's xorshift). */
static unsigned place_in_circle(struct core_task_host *h, unsigned bit)
{
    if (MPT_LIKELY(!h->shuffle))
        return bit;
    h->shuffle ^= h->shuffle << 13;
    h->shuffle ^= h->shuffle >> 7;
    h->shuffle ^= h->shuffle << 17;
    return (unsigned)((h->shuffle >> 32) % h->n);
}

static void next(struct core_task *self)
{
    struct core_task_host *h = self->host;
    uint64_t yields = h->yields;
    int to;

    if (MPT_UNLIKELY(h->look_due)) {
        h->look_due = false;
        core_task_look(h);
    }
    if (MPT_UNLIKELY(h->network.n > 0))
        core_task_network_pass(h);
    if (MPT_UNLIKELY(h->again != UINT64_MAX))
        core_task_ask(h);
    for (;;) {
        /* Serving others had to wait for a lock, and that wait has taken our bit, whoever had set it. */
        if (MPT_UNLIKELY(yields != h->yields))
            be_ready(self);
        if ((to = take_ready(h, place_in_circle(h, self->bit))) >= 0)
            break;
        yields = h->yields;
        idle(h);
    }
    if ((unsigned)to != self->bit)
        go_to(self, &h->tasks[to]);
}

bool core_task_rung(void)
{
    const struct core_task *self = core_task_self;

    return ready_in(self->host, self->bit / 64) >> self->bit % 64 & 1;
}

void core_task_yield(void)
{
    struct core_task *self = core_task_self;

    self->host->yields++;
    be_ready(self);
    next(self);
}

void core_task_around(void (*away)(void), void (*back)(void))
{
    const struct core_task *self = core_task_self;

    if (!self || self->bases)
        return;
    self->host->away = away;
    self->host->back = back;
}

void core_task_give_way_by(void (*way)(void))
{
    const struct core_task_host *h = core_task_self->host;

    if (h->away)
        h->away();
    way();
    if (h->back)
        h->back();
}

void core_task_give_way(void)
{
    core_task_give_way_by(core_task_yield);
}

static bool block(struct core_task *t, const char *where)
{
    const struct core_task_host *h = t->host;
    const char *before = t->where;
    uint64_t naps = h->naps;

    t->where = where;
    next(t);
    t->where = before;
    if (naps != h->naps)
        return false;
    h->board->woken++;
    return true;
}

/* By the code of the first instance: after a switch the processor expects to return to where the task before was
 * called from, and code of its own copy it would guess wrong. */
bool core_task_block(void)
{
    struct core_task *self = core_task_self;

    return self->host->await(self, self->where);
}

bool core_task_block_in(const char *where)
{
    struct core_task *self = core_task_self;

    return self->host->await(self, where);
}

/* In each copy. */
__attribute__((constructor(103))) static void begin(void)
{
    struct core_task *self = core_task_self;

    if (!self)
        return;
    core_state.threads.single = &self->single;
    if (!self->bases)
        self->host->await = block;
}

void core_task_ready_beside(unsigned bit)
{
    core_task_set_bits(&core_task_self->host->ready[bit / 64], 1ul << bit % 64);
}

void core_task_ready(struct core_task_board *b, unsigned bit)
{
    core_task_ready_all(b, bit / 64, 1ul << bit % 64);
}

void core_task_ready_all(struct core_task_board *b, unsigned word, uint64_t mask)
{
    uint32_t idle;

    /* model: ready.set */
    __atomic_fetch_or(&b->ready[word], mask, __ATOMIC_SEQ_CST);
    /* model: ready.is_idle */
    if (MPT_LIKELY(!__atomic_load_n(&b->idle, __ATOMIC_SEQ_CST)))
        return;
    /* model: ready.wake */
    idle = __atomic_exchange_n(&b->idle, 0, __ATOMIC_ACQ_REL);
    if (idle == CORE_TASK_SLEEPS)
        syscall(SYS_futex, &b->idle, FUTEX_WAKE, 1, NULL, NULL, 0);
    else if (idle == CORE_TASK_POLLS)
        core_task_ring(b);
}

void core_task_end(struct core_task *t, int status)
{
    struct core_task_host *h = t->host;

    if (t->at_end)
        t->at_end();
    h->board->status[t->bit] = (uint8_t)status;
    __atomic_fetch_or(&h->board->ended[t->bit / 64], 1ul << t->bit % 64, __ATOMIC_RELEASE);
    t->ended = true;
    h->status = h->status ? h->status : status;
    if (--h->alive == 0)
        core_task_real.exit(h->launcher > 0 ? 0 : h->status); /* our launcher reads them on the board */
    if (h->launcher > 0)
        kill(h->launcher, SIGCHLD);
    next(t);
    abort(); /* nobody comes back here */
}

/* ---------------------------------------------------------- a new task -- */

/* As the kernel lays it for a program: argc, argv, environment, auxiliary vector. Returns where that begins. */
static uintptr_t *lay_arguments(const struct core_task *t, uintptr_t top)
{
    size_t n_env = 0, n;
    uintptr_t *at;

    while (t->environ[n_env])
        n_env++;
    n = 1 + (size_t)t->argc + 1 + n_env + 1 + 2;
    at = (uintptr_t *)((top - n * sizeof *at) & ~63ul);
    at[0] = (uintptr_t)t->argc;
    memcpy(at + 1, t->argv, ((size_t)t->argc + 1) * sizeof *at);
    memcpy(at + 2 + t->argc, t->environ, (n_env + 1) * sizeof *at);
    at[3 + (size_t)t->argc + n_env] = at[4 + (size_t)t->argc + n_env] = 0; /* AT_NULL */
    return at;
}

static void *park(void *arg)
{
    struct core_task *t = arg;
    struct core_task_host *h = t->host;
    char here;

    core_task_self = core_task_owner = t;
    t->thread = core_task_thread_pointer();
    t->stack = core_task_lay_entry(lay_arguments(t, (uintptr_t)&here - 4096), t->entry);
    /* model: publish.count */
    if (__atomic_add_fetch(&h->parked, 1, __ATOMIC_ACQ_REL) == h->n - 1)
        syscall(SYS_futex, &h->parked, FUTEX_WAKE, 1, NULL, NULL, 0);
    for (;;)
        core_task_real.pause();
    return NULL;
}

int core_task_thread(struct core_task *t, uintptr_t entry)
{
    struct rlimit limit;
    pthread_attr_t attr;
    sigset_t all, old;
    int rc;

    t->entry = entry;
    pthread_attr_init(&attr);
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        pthread_attr_setstacksize(&attr, core_round_up(limit.rlim_cur, 4096));
    sigfillset(&all);
    sigdelset(&all, SIGABRT); /* abort sends it to the thread that it takes for its own */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    rc = pthread_create(&t->id, &attr, park, t);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    return -rc;
}

void core_task_await_threads(struct core_task_host *h)
{
    uint32_t parked;

    /* model: publish.see */
    while ((parked = __atomic_load_n(&h->parked, __ATOMIC_ACQUIRE)) < h->n - 1)
        syscall(SYS_futex, &h->parked, FUTEX_WAIT, parked, NULL, NULL, 0);
}

/* ------------------------------------------------------------ questions -- */

char *core_task_base(void)
{
    return core_task_self ? core_task_self->host->base : NULL;
}

unsigned core_task_bit(void)
{
    return core_task_self->bit;
}

unsigned core_task_threads(void)
{
    return core_task_self ? core_task_self->host->n - 1 : 0;
}

bool core_task_alone(void)
{
    return core_task_self->host->lone && core_task_self->host->network.n == 0;
}

unsigned core_task_count(void)
{
    return core_task_self ? core_task_self->host->n : 1;
}

bool core_task_once(enum core_task_duty what)
{
    unsigned done = core_task_self ? core_task_self->host->once : 0;

    if (core_task_self)
        core_task_self->host->once |= what;
    return !(done & what);
}

void **core_task_kept(enum core_task_keeper what)
{
    return &(core_task_self ? core_task_self->host : &core_task_process)->kept[what];
}

void core_task_waits(const char *where)
{
    core_task_self->where = where;
}
