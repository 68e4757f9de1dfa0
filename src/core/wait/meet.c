/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How tasks meet (meet.h). The epoch of a meeting is one more than that of the last release, which is the same for all
 * until all have come. Tasks run the code of their process's first instance, so that they do not touch a page of text
 * each.
 */
#include <string.h>

#include "core/wait/meet.h"
#include "core/internal.h"
#include "core/task/host.h"

/* ---- coming ---- */

/* The launcher has written them before it started anybody. */
static unsigned tasks_of(const struct core_task_board *b)
{
    return b->n > 0 ? b->n : 1;
}

static uint32_t processes(const char *base, const struct core_header *h)
{
    uint32_t n = 0;

    for (unsigned i = 0; i < h->npes; i += tasks_of(core_wire_board(base, h, i)))
        n++;
    return n;
}

static unsigned first_slice(unsigned slice)
{
    const struct core_ctrl *c = core_ctrl_of(slice);

    return c->tasked ? c->host : slice;
}

/* Bits of word w of n tasks. */
static uint64_t all_of(uint32_t n, unsigned w)
{
    return n - w * 64 >= 64 ? ~0ul : (1ul << n % 64) - 1;
}

/* Of this process all have come. The words are free again before others can come to the next meeting. */
static bool complete(struct core_task_board *b, struct core_task_meeting *m, unsigned bit)
{
    uint64_t mine = 1ul << bit % 64;
    unsigned w = bit / 64, n = tasks_of(b), words = (n + 63) / 64;

    /* acq_rel: the last one has seen all others' stores, and passes them on */
    /* model: meet.here */
    if ((__atomic_fetch_or(&m->here[w], mine, __ATOMIC_ACQ_REL) | mine) != all_of(n, w))
        return false;
    /* model: meet.full */
    if (words > 1 && __atomic_add_fetch(&m->full, 1, __ATOMIC_ACQ_REL) != words)
        return false;
    m->full = 0;
    __atomic_store_n(&m->complete, m->released + 1, __ATOMIC_RELAXED);
    memset(m->here, 0, words * sizeof m->here[0]);
    return true;
}

/* All tasks, of all processes, but the one that runs. A thread of a PE, and a PE that is no task, sleep on the bell. */
static void release(const char *base, const struct core_header *h, unsigned kind, unsigned slice)
{
    for (unsigned first = 0, n; first < h->npes; first += n) {
        struct core_task_board *b = core_wire_board(base, h, first);
        struct core_task_meeting *m = &b->meeting[kind];

        n = tasks_of(b);
        /* model: meet.release */
        __atomic_store_n(&m->released, m->released + 1, __ATOMIC_RELEASE);
        for (unsigned w = 0; n > 1 && w * 64 < n; w++)
            core_task_ready_all(b, w, all_of(n, w) & ~(slice - first - w * 64 < 64 ? 1ul << (slice - first) % 64 : 0));
        for (unsigned i = 0; (n == 1 || __atomic_load_n(&b->threads, __ATOMIC_RELAXED)) && i < n; i++)
            core_ring_bell(first + i);
    }
}

/* True: this PE was the last one. */
static bool come(const char *base, const struct core_header *h, struct core_task_board *b, unsigned kind, unsigned bit,
                 uint32_t n_processes, unsigned slice, const struct core_meet_hooks *hooks)
{
    struct core_task_board *root = core_wire_board(base, h, 0);
    uint32_t *count = &root->meeting[kind].processes;

    /* model: meet.process */
    if (!complete(b, &b->meeting[kind], bit) || __atomic_add_fetch(count, 1, __ATOMIC_ACQ_REL) != n_processes)
        return false;
    *count = 0;
    if (hooks->last)
        hooks->last(hooks->arg);
    release(base, h, kind, slice);
    return true;
}

/* ---- waiting ---- */

static bool over(const struct core_task_meeting *m, uint64_t epoch)
{
    /* model: meet.over */
    return __atomic_load_n(&m->released, __ATOMIC_ACQUIRE) >= epoch;
}

/* A PE that waits here has announced it (wait.h) and stays announced: as long as the bell says so, no message has come
 * since the last progress, which most waits can do without. */
static bool needs_progress(const struct mpt_bell *bell, const struct core_meet_hooks *hooks)
{
    return hooks->progress && (__atomic_load_n(&bell->sleeping, __ATOMIC_ACQUIRE) == MPT_AWAKE ||
                               *hooks->under_way != NULL || __atomic_load_n(hooks->news, __ATOMIC_RELAXED));
}

/* True: something came, or may have come. Progress may wait for a lock, and that wait takes the ring for its own. */
static bool look_for_messages(struct mpt_bell *bell, const struct core_meet_hooks *hooks, int *did)
{
    /* model: tell.announce */
    __atomic_store_n(&bell->sleeping, MPT_WAITS_FOR_RING, __ATOMIC_RELEASE);
    /* model: tell.fence */
    core_fence_full(); /* what comes from now on rings */
    *did = hooks->progress();
    return *did != 0 || __atomic_load_n(&bell->sleeping, __ATOMIC_ACQUIRE) == MPT_AWAKE;
}

/* A task, by the code of the first instance. */
static bool wait_task(struct core_task *t, unsigned kind, uint64_t epoch, const struct core_meet_hooks *hooks,
                      const char *where)
{
    const struct core_task_host *h = t->host;
    const struct core_task_meeting *m = &h->board->meeting[kind];
    struct mpt_bell *bell = &core_wire_ctrl(h->base, h->header, h->first + t->bit)->bell;
    int did = 0;

    while (did >= 0 && !over(m, epoch)) {
        if (needs_progress(bell, hooks) && look_for_messages(bell, hooks, &did))
            continue;
        if (!over(m, epoch) && !core_task_block()) {
            hooks->look(kind, where);
            __atomic_store_n(&bell->sleeping, MPT_AWAKE, __ATOMIC_RELAXED);
        }
    }
    return over(m, epoch);
}

static bool come_task(struct core_task *t, unsigned kind, const struct core_meet_hooks *hooks)
{
    struct core_task_host *h = t->host;

    if (MPT_UNLIKELY(h->processes == 0))
        h->processes = processes(h->base, h->header);
    return come(h->base, h->header, h->board, kind, t->bit, h->processes, h->first + t->bit, hooks);
}

static bool await_task(struct core_task *t, unsigned kind, uint64_t epoch, const struct core_meet_hooks *hooks,
                       const char *where)
{
    bool met;

    t->where = where;
    t->rung = true;
    met = wait_task(t, kind, epoch, hooks, where);
    t->rung = false;
    t->where = NULL;
    return met;
}

static bool meet_task(struct core_task *t, unsigned kind, const struct core_meet_hooks *hooks, const char *where)
{
    uint64_t epoch = t->host->board->meeting[kind].released + 1;

    return come_task(t, kind, hooks) || await_task(t, kind, epoch, hooks, where);
}

/* Of the first instance. */
__attribute__((constructor(103))) static void begin(void)
{
    if (core_task_self && !core_task_self->bases)
        core_task_self->host->meet = meet_task;
}

/* Another thread of a PE, or a PE that is no task. */
static struct core_task_board *own_board(void)
{
    return core_board_of(first_slice(core_seg->idx));
}

static bool come_thread(unsigned kind, const struct core_meet_hooks *hooks)
{
    const char *base = core_seg->slices - CORE_HEADER_SIZE;
    unsigned slice = core_seg->idx, first = first_slice(slice);

    return come(base, core_seg->header, core_board_of(first), kind, slice - first, processes(base, core_seg->header),
                slice, hooks);
}

static bool await_thread(unsigned kind, uint64_t epoch, const struct core_meet_hooks *hooks, const char *where)
{
    const struct core_task_meeting *m = &own_board()->meeting[kind];
    struct core_waiter w;
    int did = 0;

    core_wait_begin(&w, where);
    while (did >= 0 && !over(m, epoch)) {
        core_wait_pause(&w);
        did = hooks->progress ? hooks->progress() : 0;
        if (core_wait_is_long(&w))
            hooks->look(kind, where);
    }
    core_wait_end(&w);
    return over(m, epoch);
}

static bool meet_thread(unsigned kind, const struct core_meet_hooks *hooks, const char *where)
{
    uint64_t epoch = own_board()->meeting[kind].released + 1;

    return come_thread(kind, hooks) || await_thread(kind, epoch, hooks, where);
}

uint64_t core_meet_come(unsigned kind, const struct core_meet_hooks *hooks)
{
    struct core_task *t = core_task_self;
    uint64_t epoch = own_board()->meeting[kind].released + 1;

    if (MPT_LIKELY(t != NULL))
        come_task(t, kind, hooks);
    else
        come_thread(kind, hooks);
    return epoch;
}

bool core_meet_over(unsigned kind, uint64_t epoch)
{
    return over(&own_board()->meeting[kind], epoch);
}

bool core_meet_await(unsigned kind, uint64_t epoch, const struct core_meet_hooks *hooks, const char *where)
{
    struct core_task *t = core_task_self;

    return MPT_LIKELY(t != NULL) ? await_task(t, kind, epoch, hooks, where) : await_thread(kind, epoch, hooks, where);
}

bool core_meet(unsigned kind, const struct core_meet_hooks *hooks, const char *where)
{
    struct core_task *t = core_task_self;

    return MPT_LIKELY(t != NULL) ? t->host->meet(t, kind, hooks, where) : meet_thread(kind, hooks, where);
}

bool core_meet_by_task(void)
{
    return core_task_on();
}

uintptr_t core_meet_shift(void)
{
    return (uintptr_t)core_task_self->host->meet - (uintptr_t)meet_task;
}

void core_meet_look(const char *where)
{
    core_job_check(where);
}

bool core_meet_has(unsigned kind, int pe)
{
    unsigned slice = core_slice_of(pe), first = first_slice(slice), bit = slice - first;
    const struct core_task_meeting *m = &core_board_of(first)->meeting[kind];

    return __atomic_load_n(&m->complete, __ATOMIC_ACQUIRE) > __atomic_load_n(&m->released, __ATOMIC_ACQUIRE) ||
           __atomic_load_n(&m->here[bit / 64], __ATOMIC_ACQUIRE) >> bit % 64 & 1;
}

bool core_meets(void)
{
    const struct core_header *h = core_seg->header;

    return h && h->tasks && !core_seg->open && !core_has_network() && mpt_fast.node_n == h->npes;
}
