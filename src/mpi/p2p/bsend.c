/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Buffered sends (3.4, 3.6): what cannot leave at once is packed into the buffer
 * attached to the communicator, else to its session, else to the process, and an
 * internal request sends it from there. Places are found first fit among those
 * in use, each with MPI_BSEND_OVERHEAD bytes, as a program reckons.
 */
#include "mpi/p2p/bsend.h"

struct mpii_bsend_piece {
    struct mpii_bsend_piece *next;
    struct mpii_bsend *of;
    MPI_Count at, n; /* in the buffer, overhead included */
    char *data;
    uint64_t serial;
};

struct flush {
    struct mpii_request *next;
    uint64_t before; /* serial */
    unsigned left;
};

static struct flush *flush_in(struct mpii_request *r)
{
    return (struct flush *)(void *)r->own;
}

static void count_flushes(struct mpii_bsend *b, uint64_t serial)
{
    struct mpii_request **at = &b->flushes, *r;

    while ((r = *at)) {
        struct flush *f = flush_in(r);

        if (serial < f->before && --f->left == 0) {
            *at = f->next;
            mpii_request_done(r, MPI_SUCCESS);
        } else {
            at = &f->next;
        }
    }
}

static void piece_free(struct mpii_bsend_piece *p)
{
    struct mpii_bsend_piece **at = &p->of->pieces;

    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    if (!p->of->base)
        free(p->data);
    free(p);
}

/* Nobody can be told later what its call could not tell. */
static void piece_sent(struct mpii_request *r)
{
    struct mpii_bsend_piece *p = r->then_arg;
    struct mpii_bsend *b = p->of;
    uint64_t serial = p->serial;

    if (r->freed && mpii_request_is_lost(r))
        core_fatal("no memory for a buffered message of %lld bytes", (long long)p->n);
    piece_free(p);
    b->pending--;
    count_flushes(b, serial);
}

/* The first gap of n bytes: where it begins in the list and in the buffer; -1. */
static MPI_Count gap(struct mpii_bsend *b, MPI_Count n, struct mpii_bsend_piece ***where)
{
    struct mpii_bsend_piece **at = &b->pieces;
    MPI_Count from = 0;

    for (; *at; at = &(*at)->next) {
        if ((*at)->at - from >= n)
            break;
        from = (*at)->at + (*at)->n;
    }
    *where = at;
    return *at || b->size - from >= n ? from : -1;
}

/* NULL: *err says whether room or memory is lacking. */
static struct mpii_bsend_piece *piece_new(struct mpii_bsend *b, MPI_Count bytes, int *err)
{
    MPI_Count need = (bytes + mpii_state.p2p.bsend_overhead + 7) & ~7ll, at = 0;
    struct mpii_bsend_piece *p, **where = &b->pieces;

    *err = MPI_ERR_BUFFER;
    if (b->base) {
        if (need > b->size)
            need = bytes + mpii_state.p2p.bsend_overhead; /* the last one may end anywhere */
        at = gap(b, need, &where);
        if (at < 0) {
            mpii_progress(); /* some may have been sent */
            at = gap(b, need, &where);
        }
        if (at < 0)
            return NULL;
    }
    *err = MPI_ERR_NO_MEM;
    p = malloc(sizeof *p);
    if (!p || !(p->data = b->base ? b->base + at : malloc(bytes > 0 ? (size_t)bytes : 1))) {
        free(p);
        return NULL;
    }
    p->of = b;
    p->at = at;
    p->n = need;
    p->serial = b->serial++;
    p->next = *where;
    *where = p;
    return p;
}

static struct mpii_bsend *buffer_of(const struct mpii_comm *c)
{
    struct mpii_session *s = c->session ? mpii_session_of(c->session) : NULL;

    return c->bsend ? c->bsend : s && s->bsend ? s->bsend : mpii_state.p2p.buffer;
}

static int from_piece(struct mpii_bsend_piece *p, MPI_Count n, int dest, int tag, struct mpii_comm *c,
                      const struct mpii_p2p_label *label, const char *call)
{
    struct mpii_p2p_message m = mpii_p2p_message_of(p->data, n, mpii_type_of(MPI_BYTE), dest, tag, c);
    struct mpii_request *r;

    m.mode = MPII_DIRECT;
    m.internal = true;
    m.label = label;
    r = mpii_p2p_send_new(&m);
    if (!r) {
        piece_free(p);
        return mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for a request");
    }
    p->of->pending++;
    r->then = piece_sent;
    r->then_arg = p;
    mpii_p2p_send_start(r);
    if (mpii_request_is_lost(r))
        return mpii_error(c, mpii_request_end(r), call, "no memory for a message of %lld bytes", (long long)n);
    if (r->done)
        mpii_request_free(r);
    else
        r->freed = true; /* goes away when it is done */
    return MPI_SUCCESS;
}

int mpii_bsend_send(const void *buf, MPI_Count count, struct mpii_type *t, int dest, int tag, struct mpii_comm *c,
                    const char *call)
{
    struct mpii_bsend *b = buffer_of(c);
    struct mpii_p2p_message m = mpii_p2p_message_of(buf, count, t, dest, tag, c);
    MPI_Count n = (MPI_Count)m.n;
    struct mpii_p2p_label label;
    struct mpii_bsend_piece *p;
    int err;

    m.mode = MPII_BUFFERED;
    if (dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (!b)
        return mpii_error(c, MPI_ERR_BUFFER, call,
                          "no buffer is attached to the communicator, its session or the process");
    if (b->base && (b->size < mpii_state.p2p.bsend_overhead || n > b->size - mpii_state.p2p.bsend_overhead))
        return mpii_error(
            c, MPI_ERR_BUFFER, call,
            "a message of %lld bytes and MPI_BSEND_OVERHEAD (%d) does not fit the attached buffer of %lld bytes",
            (long long)n, mpii_state.p2p.bsend_overhead, (long long)b->size);
    if (MPT_UNLIKELY(core_params.check) && m.proc < core_size())
        m.label = mpii_p2p_label_make(&label, &m, "MPI_Bsend", NULL);
    if (mpii_p2p_send_at_once(&m))
        return MPI_SUCCESS;
    p = piece_new(b, n, &err);
    if (!p && err == MPI_ERR_NO_MEM)
        return mpii_error(c, err, call, "no memory for a message of %lld bytes", (long long)n);
    if (!p)
        return mpii_error(
            c, MPI_ERR_BUFFER, call,
            "a message of %lld bytes finds no room: %u messages are still in the attached buffer of %lld bytes",
            (long long)n, b->pending, (long long)b->size);
    mpii_pack(p->data, buf, count, t, 0, n);
    return from_piece(p, n, dest, tag, c, m.label, call);
}

/* ---------------------------------------------------------------- flushing -- */

void mpii_bsend_wait(struct mpii_bsend *b, const char *call)
{
    struct core_waiter w;

    if (!b)
        return;
    mpii_wait_begin(&w, call);
    while (b->pending)
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
}

static void flush_free(struct mpii_request *r)
{
    (void)r;
}

static const struct mpii_request_ops flush_ops = {.what = "flush of a buffer", .free = flush_free};

struct mpii_request *mpii_bsend_flush(struct mpii_bsend *b, struct mpii_comm *c)
{
    struct mpii_request *r = mpii_request_new(&flush_ops, c);

    if (!r)
        return NULL;
    if (!b || !b->pending) {
        mpii_request_done(r, MPI_SUCCESS);
        return r;
    }
    *flush_in(r) = (struct flush){b->flushes, b->serial, b->pending};
    b->flushes = r;
    return r;
}

void mpii_bsend_forget(struct mpii_bsend **b)
{
    mpii_bsend_wait(*b, "MPI (the end of an attached buffer)");
    free(*b);
    *b = NULL;
}
