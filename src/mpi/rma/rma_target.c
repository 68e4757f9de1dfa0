/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The target's side: messages are carried out in the handler of the channel. What
 * cannot be done at once (a body that is still coming, a lock that others hold)
 * becomes a job; later messages of the same origin for the same window queue up
 * behind it. The handler runs in any thread, without MPI's lock: the jobs have a
 * lock of their own, which is held for moments only. What comes over a bridge
 * comes with MPI's lock held, and its jobs are run only so.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "mpi/dyn/bridge.h"
#include "mpi/ft/ft.h"
#include "mpi/rma/rma.h"

struct mpii_rma_job {
    struct mpii_rma_job *next;
    struct mpii_win *w;
    int rank;      /* of the origin */
    bool running;
    bool coming;   /* the body is fetched from `far` */
    bool has_ticket;
    uint32_t ticket;
    struct core_rndv rndv;
    struct core_flow flow;
    char *data;    /* body, in `room` or malloc'ed, or where it belongs */
    bool owned, in_place;
    _Alignas(8) char head[CORE_SEND_MAX]; /* and a small body behind it */
};

static struct mpii_rma_target *const target = &mpii_state.rma.target;

/* -------------------------------------------------------------------- jobs -- */

static bool job_ready(struct mpii_rma_job *j)
{
    const struct mpii_rma_head *h = (const struct mpii_rma_head *)(const void *)j->head;

    if (h->kind == RMA_LOCK)
        return mpii_rma_lock_turn(j->w->ctrl, j->w->mask, j->ticket, h->exclusive);
    return !j->coming || core_flow_idle(&j->flow) || mpii_ft_dead(j->w->peers[j->rank].pe);
}

static void run_job(struct mpii_rma_job *j)
{
    if (j->coming && !core_flow_idle(&j->flow))
        return; /* who was to send the rest is dead */
    if (j->coming) {
        core_flow_finish(&j->flow);
        core_fetch_end(&j->rndv);
    }
    mpii_rma_carry_out(j->w, (const struct mpii_rma_head *)(const void *)j->head, j->data, j->in_place);
}

/* Answers to another job need MPI's lock. */
static bool may_run(const struct mpii_rma_job *j, bool locked)
{
    return locked || !mpii_dyn_is_foreign(j->w->peers[j->rank].pe);
}

/* With the jobs' lock: the first one that can be run. */
static struct mpii_rma_job *next_job(bool locked)
{
    for (struct mpii_rma_job *j = target->jobs; j; j = j->next) {
        struct mpii_rma_job *earlier = target->jobs;

        while (earlier != j && !(earlier->w == j->w && earlier->rank == j->rank))
            earlier = earlier->next;
        if (earlier == j && !j->running && may_run(j, locked) && job_ready(j))
            return j;
    }
    return NULL;
}

static void remove_job(struct mpii_rma_job *j)
{
    struct mpii_rma_job **at = &target->jobs;

    while (*at != j)
        at = &(*at)->next;
    *at = j->next;
    if (!*at)
        target->jobs_end = at;
    __atomic_store_n(&target->busy, target->busy - 1, __ATOMIC_RELAXED);
}

static void step_jobs(bool locked)
{
    struct mpii_rma_job *j;

    pthread_mutex_lock(&target->lock);
    while ((j = next_job(locked))) {
        j->running = true;
        pthread_mutex_unlock(&target->lock);
        run_job(j);
        pthread_mutex_lock(&target->lock);
        remove_job(j);
        if (j->owned)
            free(j->data);
        free(j);
    }
    pthread_mutex_unlock(&target->lock);
}

/* A put of one block needs no buffer: it may land where it belongs (unless the
 * target says no, or something of the same origin is to come first). */
static char *landing(struct mpii_rma_job *j, const struct mpii_rma_head *h, bool queued, size_t n)
{
    if (h->kind == RMA_PUT && h->nruns == 1 && mpii_rma_runs_of(h)[0].count == 1 && !queued &&
        mpii_rma_allowed(j->w, h)) {
        j->in_place = true;
        return mpii_rma_at(j->w->base, mpii_rma_runs_of(h)[0].at);
    }
    j->owned = true;
    return malloc(n);
}

static void make_job(const struct core_mail *m, const struct mpii_rma_head *h, bool queued)
{
    struct mpii_rma_job *j = calloc(1, sizeof *j);

    if (!j)
        core_fatal("no memory for a one-sided operation of rank %d", h->rank);
    j->w = (struct mpii_win *)(uintptr_t)h->window;
    j->rank = h->rank;
    memcpy(j->head, m->head, m->head_n);
    if (h->kind == RMA_LOCK)
        j->ticket = mpii_rma_lock_draw(j->w->ctrl, j->w->mask, core_me());
    if (m->body && m->n) {
        size_t at = core_round_up(m->head_n, 16);

        j->data = at + m->n <= sizeof j->head ? j->head + at : malloc(m->n);
        j->owned = at + m->n > sizeof j->head;
        if (j->data)
            memcpy(j->data, m->body, m->n);
    } else if (m->n) {
        j->coming = true;
        j->rndv = m->rndv;
        j->data = landing(j, h, queued, m->n);
    }
    if (m->n && !j->data)
        core_fatal("no memory for %zu bytes of a one-sided operation of rank %d", m->n, h->rank);
    if (j->coming)
        core_fetch(&j->flow, j->data, &j->rndv, 0, m->n);
    pthread_mutex_lock(&target->lock);
    *target->jobs_end = j;
    target->jobs_end = &j->next;
    __atomic_store_n(&target->busy, target->busy + 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&target->lock);
}

static bool has_job(const struct mpii_rma_head *h)
{
    struct mpii_rma_job *j;

    if (__atomic_load_n(&target->busy, __ATOMIC_RELAXED) == 0)
        return false;
    pthread_mutex_lock(&target->lock);
    for (j = target->jobs; j; j = j->next)
        if ((uintptr_t)j->w == h->window && j->rank == h->rank)
            break;
    pthread_mutex_unlock(&target->lock);
    return j != NULL;
}

static void step_and_drop(bool locked)
{
    if (__atomic_load_n(&target->busy, __ATOMIC_RELAXED))
        step_jobs(locked);
    mpii_rma_replies_drop();
}

/* A question or an answer; `locked`: MPI's lock is held. */
static void take(const struct core_mail *m, const struct mpii_rma_head *h, bool locked)
{
    bool queued;

    if (h->kind >= RMA_REPLY) {
        mpii_rma_on_answer(m, h);
        return;
    }
    queued = has_job(h);
    if (queued || (m->n && !m->body) || h->kind == RMA_LOCK) {
        make_job(m, h, queued);
        step_jobs(locked);
        return;
    }
    mpii_rma_carry_out((struct mpii_win *)(uintptr_t)h->window, h, m->body, false);
    if (h->kind == RMA_UNLOCK)
        step_and_drop(locked); /* another may wait for it */
}

static void on_message(const struct core_mail *m)
{
    take(m, m->head, false);
}

/* Is it whole, for a window that lives, from the member it names? */
static bool makes_sense(const struct core_mail *m, const struct mpii_rma_head *h)
{
    const struct mpii_win *w = target->windows;

    if (m->head_n < sizeof *h || h->kind > RMA_GRANT || m->head_n != sizeof *h + h->nruns * sizeof(struct mpii_rma_run))
        return false;
    while (w && (uintptr_t)w != h->window)
        w = w->next_messaging;
    return w && (unsigned)h->rank < (unsigned)w->size && w->peers[h->rank].pe == m->from;
}

/* A large body has come along: it looks like one that fits into its message. */
static void arrived_over_bridge(const struct core_mail *m)
{
    struct core_mail whole = *m;
    char name[DYN_NAME];

    if (!makes_sense(m, m->head)) {
        struct mpii_dyn_address a = mpii_dyn_address_of(m->from);

        core_fatal("%s has sent a one-sided message that makes no sense here", mpii_dyn_name(&a, name, sizeof name));
    }
    if (m->n && !m->body)
        whole.body = (const void *)(uintptr_t)m->rndv.addr;
    take(&whole, m->head, true);
    if (m->n && !m->body)
        mpii_bridge_end(&m->rndv);
}

/* ------------------------------------------------------------------ windows -- */

void mpii_rma_target_step(void)
{
    step_and_drop(true);
}

static void step(struct mpii_hook *hook)
{
    (void)hook;
    mpii_rma_target_step();
    for (struct mpii_win *w = target->windows; w; w = w->next_messaging)
        if (w->ops)
            mpii_rma_ops_step(w);
}

/* Locks that nobody waits for any more: who asked is dead, or has seen that others are. */
static void drop_jobs(const struct mpii_win *w)
{
    struct mpii_rma_job *j, *next;

    pthread_mutex_lock(&target->lock);
    for (j = target->jobs; j; j = next) {
        next = j->next;
        if (j->w != w || j->running)
            continue;
        remove_job(j);
        if (j->owned)
            free(j->data);
        free(j);
    }
    pthread_mutex_unlock(&target->lock);
}

int mpii_rma_messages_begin(struct mpii_win *w)
{
    if (core_channel_open(MPII_CHANNEL_RMA, on_message) != 0)
        return MPI_ERR_INTERN;
    mpii_state.dyn.bridges.on_rma = arrived_over_bridge;
    if (!target->windows) {
        target->hook.step = step;
        mpii_hook_add(&target->hook);
    }
    w->next_messaging = target->windows;
    target->windows = w;
    return MPI_SUCCESS;
}

void mpii_rma_messages_end(struct mpii_win *w)
{
    struct mpii_win **at = &target->windows;

    while (*at && *at != w)
        at = &(*at)->next_messaging;
    if (!*at)
        return;
    mpii_rma_target_step();
    drop_jobs(w);
    *at = w->next_messaging;
    if (!target->windows)
        mpii_hook_remove(&target->hook);
}
