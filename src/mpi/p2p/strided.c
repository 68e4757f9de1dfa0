/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bodies that are not dense, between processes of one node. Where the receiver
 * can load the sender's memory and its layout is regular, it is told the layout
 * and copies by itself. Else the sender packs into memory that both see, piece
 * by piece, and the receiver unpacks what is there already: both work at once.
 */
#include "core/base/number.h"
#include "mpi/p2p/p2p.h"

enum { PIPE_PIECE = 8 << 10, LINE = 64 };

/* One copy by the receiver is the least work. But where blocks use less than half of
 * the cache lines they lie in, two copies by two processors are faster. */
static bool copies_alone(const struct mpii_regular *l)
{
    MPI_Aint stride = l->level[l->levels - 1].stride, lines = (MPI_Aint)core_round_up((uint64_t)l->bytes, LINE);

    if (stride < 0)
        stride = -stride;
    return core_oversubscribed() || (stride < lines ? stride : lines) <= 2 * l->bytes;
}

/* Tell where the sender's memory is and how it is laid out; false: the receiver cannot reach it. */
static bool lay(struct mpii_p2p_laid *l, const struct mpii_p2p_message *m)
{
    MPI_Count bytes;
    MPI_Aint at;
    uint64_t here, there;
    const void *span = mpii_span(m->buf, m->count, m->type, &bytes);

    if (!core_rndv_loads(m->proc, span, (size_t)bytes) || !mpii_regular_of(m->count, m->type, &l->layout, &at) ||
        !copies_alone(&l->layout))
        return false;
    if (!core_slice_offset((const void *)((uintptr_t)m->buf + (uintptr_t)at), 1, &there) ||
        !core_slice_offset(l, 1, &here))
        return false;
    l->first = (int64_t)(there - here);
    return true;
}

/* Memory that the receiver can load, with what it has to know; NULL: there is none. */
static struct mpii_p2p_block *prepare(const struct mpii_p2p_message *m)
{
    struct mpii_p2p_laid *l;
    struct mpii_p2p_block *b = mpii_p2p_block_need(sizeof *l + m->n);

    if (!b)
        return NULL;
    l = b->data;
    if (!core_rndv_loads(m->proc, l, sizeof *l + m->n)) {
        mpii_p2p_block_free(b);
        return NULL;
    }
    l->packed = 0;
    if (!lay(l, m))
        l->layout.levels = 0;
    return b;
}

static void pack_pieces(struct mpii_p2p_laid *l, const struct mpii_p2p_message *m)
{
    for (size_t at = 0, n; at < m->n; at += n) {
        n = m->n - at < PIPE_PIECE ? m->n - at : PIPE_PIECE;
        mpii_pack(l->data + at, m->buf, m->count, m->type, (MPI_Count)at, (MPI_Count)n);
        /* Release: the bytes come before. */
        __atomic_store_n(&l->packed, at + n, __ATOMIC_RELEASE);
        core_wake(m->proc);
    }
}

enum mpii_p2p_outcome mpii_p2p_send_layout(const struct mpii_p2p_message *m, struct mpii_request *r)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);
    struct mpii_p2p_laid *l;
    enum mpii_p2p_outcome outcome;

    if (s->block && !s->laid) /* packed by an earlier try */
        return P2P_UNFIT;
    if (!s->block && !(s->block = prepare(m)))
        return P2P_UNFIT;
    s->laid = true;
    l = s->block->data;
    outcome = mpii_p2p_announce(m, r, P2P_LAID, l);
    if (outcome == P2P_OUT && l->layout.levels == 0)
        pack_pieces(l, m);
    return outcome;
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
        mpii_unpack(v->buf, v->count, v->type, (MPI_Count)v->fetched, l->data + v->fetched,
                    (MPI_Count)(there - v->fetched));
        v->fetched = there;
    }
}
