/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bodies that are not dense, between processes of one node. Where the receiver
 * can load the sender's memory and its layout is regular, it is told the layout
 * and copies by itself. Else the sender packs into memory that both see, piece
 * by piece, and the receiver unpacks what is there already: both work at once.
 */
#include <errno.h>

#include "mpi/p2p/p2p.h"

enum { PIPE_PIECE = 8 << 10, LINE = 64 };

/* One copy by the receiver is the least work. But where blocks use less than half of
 * the cache lines they lie in, two copies by two processors are faster. */
static bool copies_alone(const struct mpii_regular *l)
{
    MPI_Aint stride = l->level[l->levels - 1].stride, lines = (l->bytes + LINE - 1) / LINE * LINE;

    if (stride < 0)
        stride = -stride;
    return core_oversubscribed() || (stride < lines ? stride : lines) <= 2 * l->bytes;
}

/* Tell where the sender's memory is and how it is laid out; false: the receiver cannot reach it. */
static bool lay(struct mpii_p2p_laid *l, const struct mpii_p2p_send *s)
{
    MPI_Count bytes;
    MPI_Aint at;
    uint64_t here, there;
    const void *span = mpii_span(s->buf, s->count, s->type, &bytes);

    if (!core_far_loads(s->proc, span, (size_t)bytes) || !mpii_regular_of(s->count, s->type, &l->layout, &at) || !copies_alone(&l->layout))
        return false;
    if (!core_place_of((const void *)((uintptr_t)s->buf + (uintptr_t)at), 1, &there) || !core_place_of(l, 1, &here))
        return false;
    l->first = (int64_t)(there - here);
    return true;
}

bool mpii_p2p_may_lay(const struct mpii_p2p_send *s)
{
    bool buffered = (s->mode == MPII_STANDARD || s->mode == MPII_READY) && mpii_p2p_may_buffer(s->n);

    return !s->type->dense && !buffered && s->proc < core_size() && s->proc != core_me() && core_on_node(s->proc);
}

/* *usual true: no memory that the receiver can load. */
static int prepare(struct mpii_p2p_send *s, bool *usual)
{
    struct mpii_p2p_laid *l;

    *usual = s->block && !s->laid; /* an earlier try was */
    if (s->block)
        return 0;
    s->block = mpii_p2p_block_need(sizeof *l + s->n);
    if (!s->block)
        return -ENOMEM;
    l = s->block->data;
    if (!core_far_loads(s->proc, l, sizeof *l + s->n)) {
        mpii_p2p_block_free(s->block);
        s->block = NULL;
        *usual = true;
        return 0;
    }
    s->laid = true;
    l->packed = 0;
    if (!lay(l, s))
        l->layout.levels = 0;
    return 0;
}

static void pack_pieces(struct mpii_p2p_laid *l, const struct mpii_p2p_send *s)
{
    for (size_t at = 0, n; at < s->n; at += n) {
        n = s->n - at < PIPE_PIECE ? s->n - at : PIPE_PIECE;
        mpii_pack(l->data + at, s->buf, s->count, s->type, (MPI_Count)at, (MPI_Count)n);
        /* Release: the bytes come before. */
        __atomic_store_n(&l->packed, at + n, __ATOMIC_RELEASE);
        core_wake(s->proc);
    }
}

/* As mpii_p2p_send's others: 0, or -EAGAIN when there is no room. */
int mpii_p2p_push_laid(struct mpii_request *r, const struct mpii_p2p_head *h)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);
    struct mpii_p2p_laid *l;
    bool usual;
    int err = prepare(s, &usual);

    if (err != 0 || usual)
        return err != 0 ? err : mpii_p2p_push_far(r, h);
    l = s->block->data;
    s->out = true;
    err = mpii_p2p_wire_far(s->proc, MPII_CHANNEL_MESSAGE, h, P2P_LAID, l, s->n, &s->sending, mpii_p2p_on_sending_ended);
    s->out = err == 0;
    if (err == 0 && l->layout.levels == 0)
        pack_pieces(l, s);
    return err;
}

void mpii_p2p_take_laid(struct mpii_request *r, const struct mpii_p2p_laid *l)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);
    size_t all = (size_t)r->bytes, there;

    if (l->layout.levels > 0) {
        mpii_copy_regular(v->buf, v->count, v->type, (const char *)l + l->first, &l->layout, 0, r->bytes);
        v->fetched = all;
        return;
    }
    while (v->fetched < all && (there = __atomic_load_n(&l->packed, __ATOMIC_ACQUIRE)) > v->fetched) {
        if (there > all)
            there = all;
        mpii_unpack(v->buf, v->count, v->type, (MPI_Count)v->fetched, l->data + v->fetched, (MPI_Count)(there - v->fetched));
        v->fetched = there;
    }
}
