/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The queue of late operations (late.h).
 *
 * An operation stays in the queue until it has taken effect, so that what must come after it finds it there; `taken`
 * says that a thread is at it. The queue is short, because the oldest must go when it is long.
 */
#include "core/rma/late.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "core/adversary/adversary.h"
#include "core/base/clock.h"
#include "core/internal.h"
#include "core/rma/amo.h"
#include "core/task/task.h"

enum {
    MOST = 64,           /* operations in the queue */
    MOST_BYTES = 8 << 20, /* of one operation's data */
    LOOK_US = 500,
    MANY = 64, /* after each so many times are shorter: who waits for each of thousands has an end, too */
    TASK_STEPS = 4, /* tasks have no thread, and count looks instead of time */
};
static const uint64_t longest_ns = 40000000;

struct op {
    struct op *next;
    const void *key;
    int pe;
    bool taken, overtakes;
    uint64_t after; /* fences before it */
    uint64_t due;
    void (*run)(void *data);
    _Alignas(16) unsigned char data[];
};

struct core_late {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct op *first, **last;
    unsigned n;
    uint64_t fences, looks, begun;
    bool stop, running, counts; /* counts looks: of a task, whose own threads are none */
    pthread_t thread;
};

/* ------------------------------------------------------------------- order -- */

static bool belongs(const struct op *op, const void *key, int pe)
{
    return (!key || op->key == key) && (pe == CORE_LATE_ALL_PES || op->pe == pe);
}

/* Nothing before it in the queue must come first. */
static bool may_run(const struct core_late *l, const struct op *op)
{
    if (op->taken)
        return false;
    for (const struct op *o = l->first; o != op; o = o->next)
        if (o->key == op->key && o->pe == op->pe && (o->after != op->after || !op->overtakes))
            return false;
    return true;
}

static void unlink_op(struct core_late *l, struct op *op)
{
    struct op **at = &l->first;

    while (*at != op)
        at = &(*at)->next;
    *at = op->next;
    if (!op->next)
        l->last = at;
    __atomic_store_n(&l->n, l->n - 1, __ATOMIC_RELAXED);
    free(op);
}

/* With the lock, which is let go meanwhile. */
static void run(struct core_late *l, struct op *op)
{
    op->taken = true;
    pthread_mutex_unlock(&l->lock);
    op->run(op->data);
    pthread_mutex_lock(&l->lock);
    unlink_op(l, op);
}

static uint64_t now(const struct core_late *l)
{
    return l->counts ? l->looks : core_clock_ns();
}

static uint64_t draw_due(const struct core_late *l, bool sure)
{
    if (!sure && !core_adversary_does(CORE_ADVERSARY_LATE))
        return 0;
    if (l->counts)
        return l->looks + 1 + core_adversary_choose(TASK_STEPS);
    return core_clock_ns() +
           (longest_ns >> core_adversary_choose(10)) / 16 * core_adversary_choose(17) / (1 + l->begun / MANY);
}

/* Any of those that belong and may run. */
static struct op *choose(struct core_late *l, const void *key, int pe)
{
    struct op *chosen = NULL;
    unsigned n = 0;

    for (struct op *op = l->first; op; op = op->next)
        if (belongs(op, key, pe) && may_run(l, op) && core_adversary_choose(++n) == 0)
            chosen = op;
    return chosen;
}

static struct op *find_due(struct core_late *l)
{
    const uint64_t t = now(l);

    for (struct op *op = l->first; op; op = op->next)
        if (op->due <= t && may_run(l, op))
            return op;
    return NULL;
}

static int run_due(struct core_late *l)
{
    struct op *op;
    int n = 0;

    for (; (op = find_due(l)); n++)
        run(l, op);
    return n;
}

int core_late_step(void)
{
    struct core_late *l = core_state.rma.late;
    int n;

    if (__atomic_load_n(&l->n, __ATOMIC_RELAXED) == 0)
        return 0;
    pthread_mutex_lock(&l->lock);
    l->looks++;
    n = run_due(l);
    pthread_mutex_unlock(&l->lock);
    return n;
}

/* ------------------------------------------------------------------ to begin -- */

static struct op *new_op(const void *key, int pe, void (*what)(void *data), size_t n)
{
    struct op *op = malloc(sizeof *op + n);

    if (!op)
        core_fatal("out of memory for operations that the adversary delays");
    op->next = NULL;
    op->key = key;
    op->pe = pe;
    op->taken = false;
    op->overtakes = core_adversary_does(CORE_ADVERSARY_SWAP);
    op->run = what;
    return op;
}

/* sure: it has been decided that it is late. */
static void begin(struct op *op, bool sure)
{
    struct core_late *l = core_state.rma.late;
    struct op *old;

    core_adversary_pause();
    pthread_mutex_lock(&l->lock);
    op->after = l->fences;
    op->due = draw_due(l, sure);
    *l->last = op;
    l->last = &op->next;
    __atomic_store_n(&l->n, l->n + 1, __ATOMIC_RELAXED);
    while (l->n > MOST && (old = choose(l, NULL, CORE_LATE_ALL_PES)))
        run(l, old);
    l->looks++;
    l->begun++;
    run_due(l);
    pthread_cond_signal(&l->more);
    pthread_mutex_unlock(&l->lock);
}

/* -------------------------------------------------------------- operations -- */

/* The data of a put may follow. */
struct move {
    _Alignas(16) void *to;
    const void *from; /* NULL: what follows */
    size_t n;
    struct core_strides s; /* nblocks > 0: of blocks */
    bool is_put;
    int pe;
    void *object; /* NULL, or then this */
    struct core_amo amo;
    void *fetch;
};

static void run_move(void *data)
{
    const struct move *m = data;
    const void *from = m->from ? m->from : m + 1;
    uint64_t old;

    if (m->s.nblocks > 0) {
        core_copy_strided(m->to, m->s.remote, from, m->s.local, m->s.bytes, m->s.nblocks);
        core_changed_scattered(m->pe);
    } else if (m->n > 0 && m->to != from) {
        core_copy(m->to, from, m->n);
        if (m->is_put)
            core_changed(m->pe, m->to, m->n);
    }
    if (!m->object)
        return;
    old = core_amo_here(m->object, m->amo);
    if (m->fetch)
        __builtin_memcpy(m->fetch, &old, m->amo.width);
    core_changed(m->pe, m->object, m->amo.width);
}

/* With room for n bytes behind it. */
static struct op *new_move(const void *key, int pe, struct move m, size_t n)
{
    struct op *op = new_op(key, pe, run_move, sizeof m + n);

    m.pe = pe;
    memcpy(op->data, &m, sizeof m);
    return op;
}

static void *behind(struct op *op)
{
    return op->data + sizeof(struct move);
}

void core_late_put(const void *key, int pe, void *to, const void *from, size_t n, bool borrow)
{
    struct move m = {.to = to, .n = n, .is_put = true};
    struct op *op;

    if (to == from || n > MOST_BYTES)
        borrow = true;
    else
        borrow = borrow && core_adversary_does(CORE_ADVERSARY_LOCAL);
    m.from = borrow ? from : NULL;
    op = new_move(key, pe, m, borrow ? 0 : n);
    if (!borrow)
        memcpy(behind(op), from, n);
    begin(op, borrow);
    if (borrow && n > MOST_BYTES)
        core_late_finish(key, pe);
}

void core_late_put_strided(const void *key, int pe, void *to, const void *from, struct core_strides s)
{
    const size_t n = s.bytes * s.nblocks;
    struct core_strides packed = {s.remote, (ptrdiff_t)s.bytes, s.bytes, s.nblocks};
    struct op *op;

    if (n == 0)
        return;
    op = new_move(key, pe, (struct move){.to = to, .s = packed, .is_put = true}, n);
    core_copy_strided(behind(op), packed.local, from, s.local, s.bytes, s.nblocks);
    begin(op, false);
}

void core_late_get(const void *key, int pe, void *to, const void *from, size_t n)
{
    if (!core_adversary_does(CORE_ADVERSARY_LOCAL)) {
        if (to != from)
            core_copy(to, from, n);
        return;
    }
    begin(new_move(key, pe, (struct move){.to = to, .from = from, .n = n}, 0), true);
}

void core_late_amo(const void *key, int pe, void *object, struct core_amo a, void *fetch)
{
    begin(new_move(key, pe, (struct move){.object = object, .amo = a, .fetch = fetch}, 0), false);
}

void core_late_put_signal(const void *key, int pe, void *to, const void *from, size_t n, uint64_t *signal,
                          enum core_amo_op op, uint64_t value)
{
    const struct core_amo amo = {.op = op, .width = sizeof value, .value = value};
    struct op *o = new_move(key, pe, (struct move){.to = to, .n = n, .is_put = true, .object = signal, .amo = amo}, n);

    if (n > 0)
        memcpy(behind(o), from, n);
    begin(o, false);
}

/* --------------------------------------------------------- to order and end -- */

void core_late_fence(const void *key)
{
    struct core_late *l = core_state.rma.late;

    (void)key; /* one count for all: operations of different keys are not compared */
    pthread_mutex_lock(&l->lock);
    l->fences++;
    pthread_mutex_unlock(&l->lock);
    core_adversary_pause();
}

static struct op *find_before_fence(const struct core_late *l, const void *key, int pe)
{
    for (struct op *op = l->first; op; op = op->next)
        if (belongs(op, key, pe) && op->after < l->fences)
            return op;
    return NULL;
}

void core_late_catch_up(const void *key, int pe)
{
    struct core_late *l = core_state.rma.late;
    struct op *op;

    pthread_mutex_lock(&l->lock);
    while ((op = find_before_fence(l, key, pe))) {
        if (may_run(l, op)) {
            run(l, op);
            continue;
        }
        pthread_mutex_unlock(&l->lock); /* another thread is at it */
        sched_yield();
        pthread_mutex_lock(&l->lock);
    }
    pthread_mutex_unlock(&l->lock);
}

static bool has(const struct core_late *l, const void *key, int pe)
{
    for (const struct op *op = l->first; op; op = op->next)
        if (belongs(op, key, pe))
            return true;
    return false;
}

void core_late_finish(const void *key, int pe)
{
    struct core_late *l = core_state.rma.late;
    struct op *op;

    core_adversary_pause();
    pthread_mutex_lock(&l->lock);
    while (has(l, key, pe)) {
        op = choose(l, key, pe);
        if (op)
            run(l, op);
        pthread_mutex_unlock(&l->lock);
        if (op)
            core_adversary_pause();
        else
            sched_yield(); /* another thread is at it */
        pthread_mutex_lock(&l->lock);
    }
    pthread_mutex_unlock(&l->lock);
    core_fence_full();
}

bool core_late_idle(const void *key)
{
    struct core_late *l = core_state.rma.late;
    bool idle;

    core_late_step();
    pthread_mutex_lock(&l->lock);
    idle = !has(l, key, CORE_LATE_ALL_PES);
    pthread_mutex_unlock(&l->lock);
    return idle;
}

/* -------------------------------------------------------------- the thread -- */

/* A program may look at its memory in a loop of its own, or compute for long: what it has put arrives all the same. */
static void *look(void *late)
{
    const struct timespec nap = {.tv_nsec = LOOK_US * 1000};
    struct core_late *l = late;

    pthread_mutex_lock(&l->lock);
    while (!l->stop) {
        while (l->n == 0 && !l->stop)
            pthread_cond_wait(&l->more, &l->lock);
        pthread_mutex_unlock(&l->lock);
        nanosleep(&nap, NULL);
        pthread_mutex_lock(&l->lock);
        run_due(l);
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

static int start_thread(struct core_late *l)
{
    sigset_t all, before;
    int rc;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the program's threads' */
    rc = pthread_create(&l->thread, NULL, look, l);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    l->running = rc == 0;
    if (rc != 0)
        core_error("cannot create the thread that carries out what the adversary delays: %s", strerror(rc));
    return -rc;
}

int core_late_start(void)
{
    struct core_late *l = calloc(1, sizeof *l);

    if (!l)
        return -ENOMEM;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->more, NULL);
    l->last = &l->first;
    l->counts = core_task_on();
    core_state.rma.late = l;
    core_state.rma.later = true;
    core_progress_needed();
    return l->counts ? 0 : start_thread(l);
}

/* The queue stays: an operation after the end of the job is an error of the program, which finds no thread. */
void core_late_stop(void)
{
    struct core_late *l = core_state.rma.late;

    if (!l->running)
        return;
    pthread_mutex_lock(&l->lock);
    l->stop = true;
    pthread_cond_signal(&l->more);
    pthread_mutex_unlock(&l->lock);
    pthread_join(l->thread, NULL);
    l->running = false;
}
