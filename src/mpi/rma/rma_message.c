/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The origin's side of operations by messages: memory of the target that this
 * process cannot reach. An operation becomes messages of a few runs of target
 * memory each; small data travels with them, large data stays here until the
 * target has fetched it. Messages to one target are carried out in order.
 */
#include <stdlib.h>
#include <string.h>

#include "core/live/dead.h"
#include "mpi/dyn/dyn.h"
#include "mpi/ft/ft.h"
#include "mpi/rma/rma.h"

enum {
    HEAD_MAX = sizeof(struct mpii_rma_head) + RMA_RUNS_MAX * sizeof(struct mpii_rma_run),
    PIECE_MAX = 4 << 20, /* what a target buffers at a time */
};
_Static_assert(HEAD_MAX + sizeof(struct core_rndv) <= CORE_SEND_MAX, "a head with all its runs can be sent");

struct piece {
    _Alignas(8) char bytes[HEAD_MAX];
    MPI_Count offset, n; /* of the packed data */
};

static struct mpii_rma_head *head_of(struct piece *p)
{
    return (struct mpii_rma_head *)(void *)p->bytes;
}

static size_t head_size(struct piece *p)
{
    return sizeof(struct mpii_rma_head) + head_of(p)->nruns * sizeof(struct mpii_rma_run);
}

static struct mpii_rma_head make_head(struct mpii_win *w, int rank, enum mpii_rma_kind kind)
{
    return (struct mpii_rma_head){.window = w->peers[rank].window, .rank = w->rank, .kind = (uint8_t)kind};
}

void mpii_rma_send_plain(struct mpii_win *w, int rank, enum mpii_rma_kind kind, bool exclusive)
{
    struct mpii_rma_head h = make_head(w, rank, kind);

    h.exclusive = exclusive;
    mpii_rma_wire_send(w->peers[rank].pe, &h, sizeof h, NULL, 0);
}

/* --------------------------------------------------- operations under way -- */

static struct mpii_rma_op *new_op(struct mpii_rma_call *c)
{
    struct mpii_rma_op *op = calloc(1, sizeof *op);

    if (!op)
        return NULL;
    op->w = c->w;
    op->rank = c->rank;
    op->request = c->request;
    if (op->request)
        mpii_rma_request_more(op->request);
    *c->w->ops_end = op;
    c->w->ops_end = &op->next;
    c->p->ops++;
    return op;
}

static void want_reply(struct mpii_rma_call *c, struct mpii_rma_op *op, const struct piece *p)
{
    op->result = c->result;
    op->count = c->rcount;
    op->type = c->rtype;
    op->offset = p->offset;
    op->n = p->n;
    mpii_type_hold(op->type);
    __atomic_store_n(&op->state, RMA_OP_ASKED, __ATOMIC_RELEASE);
}

/* An answer's body has come; the rest needs the lock. */
static bool answer_is_here(struct mpii_rma_op *op)
{
    if (!core_flow_idle(&op->flow))
        return false;
    core_flow_finish(&op->flow);
    if (op->landing)
        mpii_unpack(op->result, op->count, op->type, op->offset, op->landing, op->n);
    core_fetch_end(&op->rndv);
    return true;
}

static bool is_over(struct mpii_rma_op *op)
{
    uint32_t state = __atomic_load_n(&op->state, __ATOMIC_ACQUIRE);

    if (state == RMA_OP_COMING && answer_is_here(op))
        op->state = state = RMA_OP_QUIET;
    return state == RMA_OP_QUIET && core_sending_done(&op->sending);
}

static void end_op(struct mpii_rma_op *op)
{
    op->w->peers[op->rank].ops--;
    if (op->request)
        mpii_rma_request_less(op->request, op->error);
    else if (op->error)
        op->w->peers[op->rank].error = (uint32_t)op->error;
    if (op->type)
        mpii_type_release(op->type);
    free(op->buffer);
    free(op->landing);
    free(op);
}

void mpii_rma_ops_step(struct mpii_win *w)
{
    for (struct mpii_rma_op **at = &w->ops, *op; (op = *at);) {
        if (!is_over(op)) {
            at = &op->next;
            continue;
        }
        *at = op->next;
        if (!op->next)
            w->ops_end = at;
        end_op(op);
    }
}

void mpii_rma_ops_drop(struct mpii_win *w, int error)
{
    for (struct mpii_rma_op **at = &w->ops, *op; (op = *at);) {
        if (!mpii_ft_dead(w->peers[op->rank].pe)) {
            at = &op->next;
            continue;
        }
        if (!core_sending_done(&op->sending) && !mpii_dyn_is_foreign(w->peers[op->rank].pe))
            core_sending_drop(&op->sending);
        op->error = error;
        *at = op->next;
        if (!op->next)
            w->ops_end = at;
        end_op(op);
    }
}

/* --------------------------------------------------------------- sending -- */

/* The packed data of a piece: where it lies, or copied. */
static const char *payload(struct mpii_rma_call *c, const struct piece *p, char *small, size_t room, void **buffer)
{
    char *to = small;

    if (c->otype->dense)
        return (const char *)c->origin + p->offset;
    if ((size_t)p->n > room)
        to = *buffer = malloc((size_t)p->n);
    if (to)
        mpii_pack(to, c->origin, c->ocount, c->otype, p->offset, p->n);
    return to;
}

static int out_of_memory(struct mpii_rma_call *c)
{
    return mpii_error(c->w, MPI_ERR_NO_MEM, c->name, "no memory for an operation on rank %d", c->rank);
}

static int send_piece(struct mpii_rma_call *c, struct piece *p, bool data, bool reply)
{
    char small[CORE_SEND_MAX];
    size_t head_n = head_size(p), room = CORE_SEND_MAX - head_n;
    bool rndv = data && (size_t)p->n > room;
    struct mpii_rma_op *op = rndv || reply ? new_op(c) : NULL;
    void *buffer = NULL;
    const char *body = data ? payload(c, p, small, room, &buffer) : NULL;

    if ((data && !body) || ((rndv || reply) && !op)) {
        free(buffer);
        return out_of_memory(c); /* an op that was made is over: it is quiet */
    }
    if (op)
        op->buffer = buffer;
    if (reply)
        want_reply(c, op, p);
    head_of(p)->op = reply ? (uintptr_t)op : 0;
    c->p->dirty = true;
    if (rndv)
        mpii_rma_wire_rndv(c->p->pe, head_of(p), head_n, body, (size_t)p->n, &op->sending);
    else
        mpii_rma_wire_send(c->p->pe, head_of(p), head_n, body, data ? (size_t)p->n : 0);
    return MPI_SUCCESS;
}

static void fill_head(struct mpii_rma_call *c, struct piece *p, enum mpii_rma_kind kind)
{
    struct mpii_rma_head *h = head_of(p);

    *h = make_head(c->w, c->rank, kind);
    h->exclusive = c->p->access == RMA_OPEN_EXCLUSIVE;
    if (c->op)
        h->op_code = (uint32_t)(uintptr_t)c->op->handle;
    if (c->element)
        h->type_code = (uint32_t)(uintptr_t)c->element->handle;
}

/* How much may go at once: all of it when neither side needs a buffer, as bridges always do. */
static MPI_Count piece_end(struct mpii_rma_call *c, enum mpii_rma_kind kind, MPI_Count offset)
{
    MPI_Count unit = c->element ? c->element->size : 1, most = PIECE_MAX / unit * unit;

    if (!mpii_dyn_is_foreign(c->p->pe) && !c->element && c->ttype->dense && (kind == RMA_GET || c->otype->dense))
        return c->bytes;
    return c->bytes - offset < most ? c->bytes : offset + most;
}

/* Compare and swap: both operands in one small message. */
static int send_compare(struct mpii_rma_call *c, const void *compare)
{
    size_t n = (size_t)c->element->size;
    char operands[2 * 16];
    struct mpii_rma_call both = *c;
    struct piece p = {.n = (MPI_Count)n};
    struct mpii_rma_op *op = new_op(c);

    if (!op)
        return out_of_memory(c);
    memcpy(operands, compare, n);
    memcpy(operands + n, both.origin, n);
    fill_head(c, &p, RMA_COMPARE);
    want_reply(c, op, &p);
    head_of(&p)->op = (uintptr_t)op;
    head_of(&p)->bytes = (int64_t)n;
    head_of(&p)->nruns = 1;
    mpii_rma_runs_of(head_of(&p))[0] = (struct mpii_rma_run){c->at, (int64_t)n, 0, 1};
    c->p->dirty = true;
    mpii_rma_wire_send(c->p->pe, head_of(&p), head_size(&p), operands, 2 * n);
    return MPI_SUCCESS;
}

int mpii_rma_by_message(struct mpii_rma_call *c, enum mpii_rma_kind kind, const void *compare)
{
    bool reply = kind == RMA_GET || kind == RMA_FETCH_UPDATE;
    bool data = kind != RMA_GET && !(c->op && c->op->handle == MPI_NO_OP);
    struct mpii_rma_cursor cursor = {.type = c->ttype, .element = c->element, .count = c->tcount, .at = c->at};

    mpii_rma_wire_room(c->p->pe, c->name); /* not while an operation is half made: others may step it */
    if (kind == RMA_COMPARE)
        return send_compare(c, compare);
    while (cursor.offset < c->bytes) {
        struct piece p = {.offset = cursor.offset};
        int n;

        fill_head(c, &p, kind);
        cursor.end = piece_end(c, kind, cursor.offset);
        n = mpii_rma_runs(&cursor, mpii_rma_runs_of(head_of(&p)), RMA_RUNS_MAX);
        p.n = cursor.offset - p.offset;
        head_of(&p)->nruns = (uint8_t)n;
        head_of(&p)->bytes = p.n;
        MPII_TRY(send_piece(c, &p, data, reply));
        mpii_rma_wire_room(c->p->pe, c->name);
    }
    return MPI_SUCCESS;
}

/* --------------------------------------------------------------- answers --
 * In the handler of a message, without the lock: `state` hands over. */

static void on_reply(const struct core_mail *m, const struct mpii_rma_head *h)
{
    struct mpii_rma_op *op = (struct mpii_rma_op *)(uintptr_t)h->op;
    char *to;

    /* Acquire: what want_reply wrote, perhaps in another thread. */
    if (__atomic_load_n(&op->state, __ATOMIC_ACQUIRE) != RMA_OP_ASKED)
        core_fatal("rank %d answers a one-sided operation that is over", h->rank);
    if (h->error) {
        op->error = h->error;
    } else if (m->body) {
        mpii_unpack(op->result, op->count, op->type, op->offset, m->body, op->n);
    } else {
        if (!op->type->dense && !(op->landing = malloc((size_t)op->n)))
            core_fatal("no memory for %lld bytes that a one-sided operation fetches", (long long)op->n);
        to = op->landing ? op->landing : (char *)op->result + op->offset;
        op->rndv = m->rndv;
        core_fetch(&op->flow, to, &m->rndv, 0, (size_t)op->n);
        __atomic_store_n(&op->state, RMA_OP_COMING, __ATOMIC_RELEASE);
        return;
    }
    __atomic_store_n(&op->state, RMA_OP_QUIET, __ATOMIC_RELEASE);
}

void mpii_rma_on_answer(const struct core_mail *m, const struct mpii_rma_head *h)
{
    struct mpii_win *w = (struct mpii_win *)(uintptr_t)h->window;
    struct mpii_rma_peer *p = &w->peers[h->rank];

    if (h->kind == RMA_REPLY) {
        on_reply(m, h);
    } else if (h->kind == RMA_GRANT) {
        __atomic_store_n(&p->granted, true, __ATOMIC_RELEASE);
    } else {
        if (h->error)
            __atomic_store_n(&p->error, h->error, __ATOMIC_RELAXED);
        __atomic_store_n(&p->acks, p->acks + 1, __ATOMIC_RELEASE);
    }
    core_wake(core_me()); /* another thread may sleep until this */
}
