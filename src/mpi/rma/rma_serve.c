/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a one-sided message asks for, carried out where the memory is, and the
 * answers to it. In any thread; MPI's lock is held when another job is answered.
 */
#include <pthread.h>
#include <stdlib.h>

#include "mpi/rma/rma.h"

/* A reply whose body is still being read. */
struct mpii_rma_reply {
    struct mpii_rma_reply *next;
    struct core_sending sending;
    void *buffer;
};

static struct mpii_rma_replies *const replies = &mpii_state.rma.replies;

/* ----------------------------------------------------------------- answers -- */

void mpii_rma_replies_drop(void)
{
    struct mpii_rma_reply *r, *over = NULL;

    if (__atomic_load_n(&replies->n, __ATOMIC_RELAXED) == 0)
        return;
    pthread_mutex_lock(&replies->lock);
    for (struct mpii_rma_reply **at = &replies->first; (r = *at);) {
        if (!core_sending_done(&r->sending)) {
            at = &r->next;
            continue;
        }
        *at = r->next;
        r->next = over;
        over = r;
        replies->n--;
    }
    pthread_mutex_unlock(&replies->lock);
    while ((r = over)) {
        over = r->next;
        free(r->buffer);
        free(r);
    }
}

static struct mpii_rma_head answer_head(const struct mpii_win *w, const struct mpii_rma_head *h,
                                        enum mpii_rma_kind kind)
{
    return (struct mpii_rma_head){
        .window = w->peers[h->rank].window, .op = h->op, .rank = w->rank, .kind = (uint8_t)kind, .bytes = h->bytes};
}

static void answer(const struct mpii_win *w, const struct mpii_rma_head *h, enum mpii_rma_kind kind, int error)
{
    struct mpii_rma_head a = answer_head(w, h, kind);

    a.error = (uint8_t)error;
    mpii_rma_wire_send(w->peers[h->rank].pe, &a, sizeof a, NULL, 0);
}

/* Data for the origin; buffer (may be NULL) is freed when it has it. */
static void reply(const struct mpii_win *w, const struct mpii_rma_head *h, const void *data, void *buffer)
{
    struct mpii_rma_head a = answer_head(w, h, RMA_REPLY);
    struct mpii_rma_reply *r = calloc(1, sizeof *r);

    if (!r)
        core_fatal("no memory to answer rank %d", h->rank);
    r->buffer = buffer;
    mpii_rma_wire_rndv(w->peers[h->rank].pe, &a, sizeof a, data, (size_t)h->bytes, &r->sending);
    if (core_sending_done(&r->sending)) {
        free(buffer);
        free(r);
        return;
    }
    pthread_mutex_lock(&replies->lock);
    r->next = replies->first;
    replies->first = r;
    replies->n++;
    pthread_mutex_unlock(&replies->lock);
}

/* -------------------------------------------------------------- operations -- */

/* Of dynamic windows: an address; everything else was checked by the origin. */
bool mpii_rma_allowed(const struct mpii_win *w, const struct mpii_rma_head *h)
{
    uint64_t slice_offset;

    for (int i = 0; w->flavor == MPI_WIN_FLAVOR_DYNAMIC && i < h->nruns; i++) {
        const struct mpii_rma_run *run = &mpii_rma_runs_of(h)[i];
        int64_t last = run->at + run->stride * (run->count - 1), from = run->at < last ? run->at : last;

        if (!mpii_rma_attached(core_me(), w->ctrl, (uint64_t)from,
                               (uint64_t)((run->at < last ? last : run->at) - from + run->n), &slice_offset))
            return false;
    }
    return true;
}

static void refuse(struct mpii_win *w, const struct mpii_rma_head *h)
{
    if (h->op)
        answer(w, h, RMA_REPLY, MPI_ERR_RMA_RANGE);
    else
        w->peers[h->rank].refused = MPI_ERR_RMA_RANGE; /* told at the next flush */
}

static void get(const struct mpii_win *w, const struct mpii_rma_head *h, const char *base)
{
    const char *data = mpii_rma_at(base, mpii_rma_runs_of(h)[0].at);
    void *buffer = NULL;

    if (h->nruns > 1 || mpii_rma_runs_of(h)[0].count > 1) {
        if (!(buffer = malloc((size_t)h->bytes)))
            core_fatal("no memory for %lld bytes that rank %d gets", (long long)h->bytes, h->rank);
        mpii_rma_gather(buffer, base, mpii_rma_runs_of(h), h->nruns);
        data = buffer;
    }
    reply(w, h, data, buffer);
}

static void update(struct mpii_win *w, const struct mpii_rma_head *h, char *base, const char *data)
{
    struct mpii_rma_update u = {.op = mpii_op_of((MPI_Op)(uintptr_t)h->op_code),
                                .element = mpii_type_of((MPI_Datatype)(uintptr_t)h->type_code),
                                .ctrl = w->ctrl,
                                .alone = h->exclusive};
    char *old = NULL;

    if (h->kind != RMA_COMPARE)
        u.way = mpii_rma_way(u.op, u.element);
    if (h->kind != RMA_UPDATE && !(old = malloc((size_t)h->bytes)))
        core_fatal("no memory for %lld bytes that rank %d fetches", (long long)h->bytes, h->rank);
    if (h->kind == RMA_COMPARE)
        mpii_rma_compare_swap(&u, mpii_rma_at(base, mpii_rma_runs_of(h)[0].at), data, data + h->bytes, old);
    else
        mpii_rma_apply_runs(&u, base, mpii_rma_runs_of(h), h->nruns, data, old);
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

static void flush_answer(struct mpii_win *w, const struct mpii_rma_head *h)
{
    int error = w->peers[h->rank].refused;

    w->peers[h->rank].refused = 0;
    answer(w, h, RMA_ACK, error);
}

void mpii_rma_carry_out(struct mpii_win *w, const struct mpii_rma_head *h, const char *data, bool in_place)
{
    char *base = w->base;

    if (h->nruns && !mpii_rma_allowed(w, h)) {
        refuse(w, h);
        return;
    }
    switch ((enum mpii_rma_kind)h->kind) {
    case RMA_PUT:
        if (!in_place)
            mpii_rma_scatter(base, mpii_rma_runs_of(h), h->nruns, data);
        return;
    case RMA_GET:
        get(w, h, base);
        return;
    case RMA_UPDATE:
    case RMA_FETCH_UPDATE:
    case RMA_COMPARE:
        update(w, h, base, data);
        return;
    case RMA_LOCK:
        answer(w, h, RMA_GRANT, 0);
        return;
    case RMA_UNLOCK:
        mpii_rma_lock_leave(w->ctrl, w->mask, h->exclusive); /* fall through */
    case RMA_FLUSH:
        flush_answer(w, h);
        return;
    case RMA_POST:
        count_up(&mpii_rma_posted(w, w->ctrl)[h->rank]);
        return;
    case RMA_COMPLETE:
        count_up(&mpii_rma_completed(w, w->ctrl)[h->rank]);
        return;
    case RMA_REPLY:
    case RMA_ACK:
    case RMA_GRANT:
        break;
    }
    core_fatal("a damaged one-sided message of kind %u from rank %d", h->kind, h->rank);
}
