/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The target's side: messages carried out where the memory is, in the handler of
 * the channel. What cannot be done at once (a body that is still coming, a lock
 * that others hold) becomes a job; later messages of the same origin for the same
 * window queue up behind it. The handler runs in any thread, without MPI's lock:
 * the jobs have a lock of their own, which is held for moments only.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/rma.h"

struct job {
    struct job *next;
    struct mpii_win *w;
    int rank;      /* of the origin */
    bool running;
    bool coming;   /* the body is fetched from `far` */
    bool has_ticket;
    uint32_t ticket;
    struct core_far far;
    struct core_flow flow;
    char *data;    /* body, in `room` or malloc'ed, or where it belongs */
    bool owned, in_place;
    _Alignas(8) char head[CORE_SEND_MAX]; /* and a small body behind it */
};

/* A reply whose body is still being read. */
struct reply {
    struct reply *next;
    struct core_sending sending;
    void *buffer;
};

static struct {
    pthread_mutex_t lock;
    struct job *jobs, **jobs_end;
    struct reply *replies;
    struct mpii_win *windows; /* that use messages; under MPI's lock */
    struct mpii_task task;
    uint32_t busy; /* jobs and replies */
} target = {.lock = PTHREAD_MUTEX_INITIALIZER, .jobs_end = &target.jobs};

/* ----------------------------------------------------------------- answers -- */

static void drop_replies(void)
{
    struct reply *r, *over = NULL;

    pthread_mutex_lock(&target.lock);
    for (struct reply **at = &target.replies; (r = *at);) {
        if (!core_sending_done(&r->sending)) {
            at = &r->next;
            continue;
        }
        *at = r->next;
        r->next = over;
        over = r;
        target.busy--;
    }
    pthread_mutex_unlock(&target.lock);
    while ((r = over)) {
        over = r->next;
        free(r->buffer);
        free(r);
    }
}

static void must(int err, int pe)
{
    if (err)
        core_fatal("PE %d on host %s cannot be answered: %s", pe, core_host(pe), strerror(-err));
}

static struct rma_head answer_head(const struct mpii_win *w, const struct rma_head *h, enum rma_kind kind)
{
    return (struct rma_head){.window = w->peers[h->rank].window, .op = h->op, .rank = w->rank, .kind = (uint8_t)kind, .bytes = h->bytes};
}

static void answer(const struct mpii_win *w, const struct rma_head *h, enum rma_kind kind, int error)
{
    struct rma_head a = answer_head(w, h, kind);
    int pe = w->peers[h->rank].pe;

    a.error = (uint8_t)error;
    must(core_send(pe, MPII_CHANNEL_RMA, &a, sizeof a, NULL, 0), pe);
}

/* Data for the origin; buffer (may be NULL) is freed when it has it. */
static void reply(const struct mpii_win *w, const struct rma_head *h, const void *data, void *buffer)
{
    struct rma_head a = answer_head(w, h, RMA_REPLY);
    int pe = w->peers[h->rank].pe;
    struct reply *r = calloc(1, sizeof *r);

    if (!r)
        core_fatal("no memory to answer PE %d", pe);
    r->buffer = buffer;
    must(core_send_far(pe, MPII_CHANNEL_RMA, &a, sizeof a, data, (size_t)h->bytes, &r->sending), pe);
    if (core_sending_done(&r->sending)) {
        free(buffer);
        free(r);
        return;
    }
    pthread_mutex_lock(&target.lock);
    r->next = target.replies;
    target.replies = r;
    target.busy++;
    pthread_mutex_unlock(&target.lock);
}

/* -------------------------------------------------------------- operations -- */

/* Of dynamic windows: an address; everything else was checked by the origin. */
static bool allowed(const struct mpii_win *w, const struct rma_head *h)
{
    uint64_t place;

    for (int i = 0; w->flavor == MPI_WIN_FLAVOR_DYNAMIC && i < h->nruns; i++) {
        const struct rma_run *run = &rma_runs_of(h)[i];
        int64_t last = run->at + run->stride * (run->count - 1), from = run->at < last ? run->at : last;

        if (!rma_attached(core_me(), w->ctrl, (uint64_t)from, (uint64_t)((run->at < last ? last : run->at) - from + run->n), &place))
            return false;
    }
    return true;
}

static void refuse(struct mpii_win *w, const struct rma_head *h)
{
    if (h->op)
        answer(w, h, RMA_REPLY, MPI_ERR_RMA_RANGE);
    else
        w->peers[h->rank].refused = MPI_ERR_RMA_RANGE; /* told at the next flush */
}

static void get(const struct mpii_win *w, const struct rma_head *h, const char *base)
{
    const char *data = rma_at(base, rma_runs_of(h)[0].at);
    void *buffer = NULL;

    if (h->nruns > 1 || rma_runs_of(h)[0].count > 1) {
        if (!(buffer = malloc((size_t)h->bytes)))
            core_fatal("no memory for %lld bytes that rank %d gets", (long long)h->bytes, h->rank);
        rma_gather(buffer, base, rma_runs_of(h), h->nruns);
        data = buffer;
    }
    reply(w, h, data, buffer);
}

static void update(struct mpii_win *w, const struct rma_head *h, char *base, const char *data)
{
    struct rma_update u = {.op = mpii_op_of((MPI_Op)(uintptr_t)h->op_code),
                           .element = mpii_type_of((MPI_Datatype)(uintptr_t)h->type_code),
                           .ctrl = w->ctrl, .alone = h->exclusive};
    char *old = NULL;

    if (h->kind != RMA_COMPARE)
        u.way = rma_way(u.op, u.element);
    if (h->kind != RMA_UPDATE && !(old = malloc((size_t)h->bytes)))
        core_fatal("no memory for %lld bytes that rank %d fetches", (long long)h->bytes, h->rank);
    if (h->kind == RMA_COMPARE)
        rma_compare_swap(&u, rma_at(base, rma_runs_of(h)[0].at), data, data + h->bytes, old);
    else
        rma_apply_runs(&u, base, rma_runs_of(h), h->nruns, data, old);
    if (old)
        reply(w, h, old, old);
}

static void notify_self(const uint64_t *word)
{
    core_changed(core_me(), word, sizeof *word);
}

static void count_up(uint64_t *word)
{
    __atomic_store_n(word, *word + 1, __ATOMIC_RELEASE);
    notify_self(word);
}

static void flush_answer(struct mpii_win *w, const struct rma_head *h)
{
    int error = w->peers[h->rank].refused;

    w->peers[h->rank].refused = 0;
    answer(w, h, RMA_ACK, error);
}

static void carry_out(struct mpii_win *w, const struct rma_head *h, const char *data, bool in_place)
{
    char *base = w->base;

    if (h->nruns && !allowed(w, h)) {
        refuse(w, h);
        return;
    }
    switch ((enum rma_kind)h->kind) {
    case RMA_PUT:
        if (!in_place)
            rma_scatter(base, rma_runs_of(h), h->nruns, data);
        return;
    case RMA_GET: get(w, h, base); return;
    case RMA_UPDATE:
    case RMA_FETCH_UPDATE:
    case RMA_COMPARE: update(w, h, base, data); return;
    case RMA_LOCK: answer(w, h, RMA_GRANT, 0); return;
    case RMA_UNLOCK: rma_lock_leave(w->ctrl, w->mask, h->exclusive); /* fall through */
    case RMA_FLUSH: flush_answer(w, h); return;
    case RMA_POST: count_up(&rma_posted(w, w->ctrl)[h->rank]); return;
    case RMA_COMPLETE: count_up(&rma_completed(w, w->ctrl)[h->rank]); return;
    case RMA_REPLY:
    case RMA_ACK:
    case RMA_GRANT: break;
    }
    core_fatal("a damaged one-sided message of kind %u from rank %d", h->kind, h->rank);
}

/* -------------------------------------------------------------------- jobs -- */

static bool job_ready(struct job *j)
{
    const struct rma_head *h = (const struct rma_head *)(const void *)j->head;

    if (h->kind == RMA_LOCK)
        return rma_lock_turn(j->w->ctrl, j->w->mask, j->ticket, h->exclusive);
    return !j->coming || core_flow_idle(&j->flow);
}

static void run_job(struct job *j)
{
    if (j->coming) {
        core_flow_finish(&j->flow);
        core_fetch_end(&j->far);
    }
    carry_out(j->w, (const struct rma_head *)(const void *)j->head, j->data, j->in_place);
}

/* With the jobs' lock: the first one that can be run. */
static struct job *next_job(void)
{
    for (struct job *j = target.jobs; j; j = j->next) {
        struct job *earlier = target.jobs;

        while (earlier != j && !(earlier->w == j->w && earlier->rank == j->rank))
            earlier = earlier->next;
        if (earlier == j && !j->running && job_ready(j))
            return j;
    }
    return NULL;
}

static void remove_job(struct job *j)
{
    struct job **at = &target.jobs;

    while (*at != j)
        at = &(*at)->next;
    *at = j->next;
    if (!*at)
        target.jobs_end = at;
    target.busy--;
}

static void step_jobs(void)
{
    struct job *j;

    pthread_mutex_lock(&target.lock);
    while ((j = next_job())) {
        j->running = true;
        pthread_mutex_unlock(&target.lock);
        run_job(j);
        pthread_mutex_lock(&target.lock);
        remove_job(j);
        if (j->owned)
            free(j->data);
        free(j);
    }
    pthread_mutex_unlock(&target.lock);
}

/* A put of one block needs no buffer: it may land where it belongs (unless the
 * target says no, or something of the same origin is to come first). */
static char *landing(struct job *j, const struct rma_head *h, bool queued, size_t n)
{
    if (h->kind == RMA_PUT && h->nruns == 1 && rma_runs_of(h)[0].count == 1 && !queued && allowed(j->w, h)) {
        j->in_place = true;
        return rma_at(j->w->base, rma_runs_of(h)[0].at);
    }
    j->owned = true;
    return malloc(n);
}

static void make_job(const struct core_mail *m, const struct rma_head *h, bool queued)
{
    struct job *j = calloc(1, sizeof *j);

    if (!j)
        core_fatal("no memory for a one-sided operation of rank %d", h->rank);
    j->w = (struct mpii_win *)(uintptr_t)h->window;
    j->rank = h->rank;
    memcpy(j->head, m->head, m->head_n);
    if (h->kind == RMA_LOCK)
        j->ticket = rma_lock_draw(j->w->ctrl, j->w->mask, core_me());
    if (m->body && m->n) {
        size_t at = (m->head_n + 15) & ~(size_t)15;

        j->data = at + m->n <= sizeof j->head ? j->head + at : malloc(m->n);
        j->owned = at + m->n > sizeof j->head;
        if (j->data)
            memcpy(j->data, m->body, m->n);
    } else if (m->n) {
        j->coming = true;
        j->far = m->far;
        j->data = landing(j, h, queued, m->n);
    }
    if (m->n && !j->data)
        core_fatal("no memory for %zu bytes of a one-sided operation of rank %d", m->n, h->rank);
    if (j->coming)
        core_fetch(&j->flow, j->data, &j->far, 0, m->n);
    pthread_mutex_lock(&target.lock);
    *target.jobs_end = j;
    target.jobs_end = &j->next;
    target.busy++;
    pthread_mutex_unlock(&target.lock);
}

static bool has_job(const struct rma_head *h)
{
    struct job *j;

    if (__atomic_load_n(&target.busy, __ATOMIC_RELAXED) == 0)
        return false;
    pthread_mutex_lock(&target.lock);
    for (j = target.jobs; j; j = j->next)
        if ((uintptr_t)j->w == h->window && j->rank == h->rank)
            break;
    pthread_mutex_unlock(&target.lock);
    return j != NULL;
}

static void on_message(const struct core_mail *m)
{
    const struct rma_head *h = m->head;
    bool queued;

    if (h->kind >= RMA_REPLY) {
        rma_on_answer(m, h);
        return;
    }
    queued = has_job(h);
    if (queued || (m->n && !m->body) || h->kind == RMA_LOCK) {
        make_job(m, h, queued);
        step_jobs();
        return;
    }
    carry_out((struct mpii_win *)(uintptr_t)h->window, h, m->body, false);
    if (h->kind == RMA_UNLOCK)
        rma_target_step(); /* another may wait for it */
}

/* ------------------------------------------------------------------ windows -- */

void rma_target_step(void)
{
    if (__atomic_load_n(&target.busy, __ATOMIC_RELAXED)) {
        step_jobs();
        drop_replies();
    }
}

static void step(struct mpii_task *task)
{
    (void)task;
    rma_target_step();
    for (struct mpii_win *w = target.windows; w; w = w->next_messaging)
        if (w->ops)
            rma_ops_step(w);
}

int rma_messages_begin(struct mpii_win *w)
{
    if (core_channel_open(MPII_CHANNEL_RMA, on_message) != 0)
        return MPI_ERR_INTERN;
    if (!target.windows) {
        target.task.step = step;
        mpii_task_add(&target.task);
    }
    w->next_messaging = target.windows;
    target.windows = w;
    return MPI_SUCCESS;
}

void rma_messages_end(struct mpii_win *w)
{
    struct mpii_win **at = &target.windows;

    while (*at && *at != w)
        at = &(*at)->next_messaging;
    if (!*at)
        return;
    rma_target_step();
    *at = w->next_messaging;
    if (!target.windows)
        mpii_task_remove(&target.task);
}
