/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bodies that stayed with their sender. A matched receive becomes a progress hook, so
 * that handlers never copy much: its step copies straight from the sender where
 * this process can load its memory; else it fetches, into the user's memory when
 * that is dense, in pieces through a small buffer when not.
 */
#include "mpi/p2p/watched.h"
#include "mpi/ft/ft.h"
#include "mpi/p2p/p2p.h"

enum { PIECE = 64 << 10 };

static void finish(struct mpii_request *r)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);

    mpii_hook_remove(&v->hook);
    mpii_state.p2p.fetching--;
    free(v->bounce);
    v->bounce = NULL;
    if (v->form != P2P_IS_OFFER)
        mpii_p2p_fetch_end(&v->rndv); /* of a synchronous send: also the answer */
    mpii_request_done(r, r->error);
}

static void copy_from(struct mpii_p2p_recv *v, const void *here, size_t n)
{
    if (v->type->dense)
        core_copy(v->buf, here, n);
    else
        mpii_unpack(v->buf, v->count, v->type, 0, here, (MPI_Count)n);
}

static void step_dense(struct mpii_request *r)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);

    if (!v->fetched) {
        v->fetched = (size_t)r->bytes;
        core_fetch(&v->flow, v->buf, &v->rndv, 0, v->fetched);
    }
    if (core_flow_idle(&v->flow)) {
        core_flow_finish(&v->flow);
        finish(r);
    }
}

static size_t piece_of(const struct mpii_request *r, size_t at)
{
    size_t rest = (size_t)r->bytes - at;

    return rest < PIECE ? rest : PIECE;
}

/* fetched: up to where has been asked for; the last piece of that is in the bounce buffer. */
static void step_pieces(struct mpii_request *r)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);
    size_t at, n;

    if (!v->fetched) {
        v->fetched = piece_of(r, 0);
        core_fetch(&v->flow, v->bounce, &v->rndv, 0, v->fetched);
    }
    while (core_flow_idle(&v->flow)) {
        n = v->fetched % PIECE ? v->fetched % PIECE : PIECE;
        at = v->fetched - n;
        mpii_unpack(v->buf, v->count, v->type, (MPI_Count)at, v->bounce, (MPI_Count)n);
        if (v->fetched == (size_t)r->bytes) {
            core_flow_finish(&v->flow);
            finish(r);
            return;
        }
        n = piece_of(r, v->fetched);
        at = v->fetched;
        v->fetched += n;
        core_fetch(&v->flow, v->bounce, &v->rndv, at, n);
    }
}

/* Its sender is dead, and it is not in memory that outlives it. */
static bool cannot_come(struct mpii_request *r, const void *here)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);

    if (!mpii_ft_dead(v->rndv.pe) || r->bytes == 0 || v->rndv.pe >= core_size())
        return false;
    if (v->form == P2P_IS_OFFER)
        return !mpii_p2p_offer_take(r, &v->rndv);
    if (v->form != P2P_IS_LAID)
        return !here && !(v->fetched && core_flow_idle(&v->flow));
    mpii_p2p_take_laid(r, mpii_p2p_rndv_here(&v->rndv));
    return v->fetched < (size_t)r->bytes;
}

/* How the body gets here. */
enum method {
    BY_OFFER,  /* copied from the sender's memory, or from its copy */
    BY_NONE,   /* no byte of it is wanted */
    BY_LAYOUT, /* by the layout that the sender tells, or as fast as it packs */
    BY_LOAD,   /* copied from memory that this process can load */
    BY_FETCH,  /* by core_fetch, to where it belongs */
    BY_PIECES  /* the same by pieces that are unpacked */
};

/* here: where it can be loaded, NULL: nowhere, or not yet. */
static enum method method_of(const struct mpii_request *r, const struct mpii_p2p_recv *v, const void *here)
{
    if (v->form == P2P_IS_OFFER)
        return BY_OFFER;
    if (r->bytes == 0)
        return BY_NONE;
    if (v->form == P2P_IS_LAID)
        return BY_LAYOUT;
    if (here)
        return BY_LOAD;
    return v->type->dense ? BY_FETCH : BY_PIECES;
}

static void step_layout(struct mpii_request *r)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);

    mpii_p2p_take_laid(r, mpii_p2p_rndv_here(&v->rndv));
    if (v->fetched == (size_t)r->bytes)
        finish(r);
}

static void fail(struct mpii_request *r, int error)
{
    r->error = error;
    finish(r);
}

static void step(struct mpii_hook *hook)
{
    struct mpii_p2p_recv *v = (struct mpii_p2p_recv *)(void *)((char *)hook - offsetof(struct mpii_p2p_recv, hook));
    struct mpii_request *r = mpii_p2p_request_of(v);
    const void *here = v->fetched || v->form == P2P_IS_OFFER ? NULL : mpii_p2p_rndv_here(&v->rndv);

    if (MPT_UNLIKELY(mpii_state.ft.on) && cannot_come(r, here)) {
        fail(r, MPIX_ERR_PROC_FAILED);
        return;
    }
    if (MPT_UNLIKELY(r->then != NULL) && !v->fetched)
        mpii_p2p_watch_arrives(r); /* some time after it was matched */
    switch (method_of(r, v, here)) {
    case BY_OFFER:
        if (mpii_p2p_offer_take(r, &v->rndv))
            finish(r);
        return;
    case BY_NONE:
        finish(r);
        return;
    case BY_LAYOUT:
        step_layout(r);
        return;
    case BY_LOAD:
        copy_from(v, here, (size_t)r->bytes);
        finish(r);
        return;
    case BY_FETCH:
        step_dense(r);
        return;
    case BY_PIECES:
        if (v->bounce || (v->bounce = malloc(PIECE)))
            step_pieces(r);
        else
            fail(r, MPI_ERR_NO_MEM);
    }
}

void mpii_p2p_fetch_start(struct mpii_request *r)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);

    mpii_state.counters.rndv++;
    v->fetched = 0;
    v->bounce = NULL;
    if (v->form == P2P_IS_OFFER && mpii_p2p_offer_take(r, &v->rndv)) { /* they are short */
        mpii_request_done(r, r->error);
        return;
    }
    v->flow = (struct core_flow){0};
    v->hook = (struct mpii_hook){.step = step};
    mpii_hook_add(&v->hook);
    mpii_state.p2p.fetching++;
}
