/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bodies that stayed with their sender. A matched receive becomes a task, so
 * that handlers never copy much: its step copies straight from the sender where
 * this process can load its memory; else it fetches, into the user's memory when
 * that is dense, in pieces through a small buffer when not.
 */
#include "mpi/ft/ft.h"
#include "mpi/p2p/p2p.h"

enum { PIECE = 64 << 10 };

unsigned mpii_p2p_fetching;

static void finish(struct mpii_request *r)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);

    mpii_task_remove(&v->task);
    mpii_p2p_fetching--;
    free(v->bounce);
    v->bounce = NULL;
    if (v->form != P2P_IS_OFFER)
        mpii_p2p_fetch_end(&v->far); /* of a synchronous send: also the answer */
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
        core_fetch(&v->flow, v->buf, &v->far, 0, v->fetched);
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
        core_fetch(&v->flow, v->bounce, &v->far, 0, v->fetched);
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
        core_fetch(&v->flow, v->bounce, &v->far, at, n);
    }
}

/* Its sender is dead, and it is not in memory that outlives it. */
static bool cannot_come(struct mpii_request *r, const void *here)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);

    if (!mpii_ft_dead(v->far.pe) || r->bytes == 0 || v->far.pe >= core_size())
        return false;
    if (v->form == P2P_IS_OFFER)
        return !mpii_p2p_offer_take(r, &v->far);
    if (v->form != P2P_IS_LAID)
        return !here && !(v->fetched && core_flow_idle(&v->flow));
    mpii_p2p_take_laid(r, mpii_p2p_far_here(&v->far));
    return v->fetched < (size_t)r->bytes;
}

static void step(struct mpii_task *task)
{
    struct mpii_p2p_recv *v = (struct mpii_p2p_recv *)(void *)((char *)task - offsetof(struct mpii_p2p_recv, task));
    struct mpii_request *r = mpii_p2p_request_of(v);
    const void *here = v->fetched || v->form == P2P_IS_OFFER ? NULL : mpii_p2p_far_here(&v->far);

    if (MPT_UNLIKELY(mpii_ft_on) && cannot_come(r, here)) {
        r->error = MPIX_ERR_PROC_FAILED;
        finish(r);
    } else if (v->form == P2P_IS_OFFER) {
        if (mpii_p2p_offer_take(r, &v->far))
            finish(r);
    } else if (r->bytes == 0) {
        finish(r);
    } else if (v->form == P2P_IS_LAID) {
        mpii_p2p_take_laid(r, mpii_p2p_far_here(&v->far));
        if (v->fetched == (size_t)r->bytes)
            finish(r);
    } else if (here) {
        copy_from(v, here, (size_t)r->bytes);
        finish(r);
    } else if (v->type->dense) {
        step_dense(r);
    } else if (v->bounce || (v->bounce = malloc(PIECE))) {
        step_pieces(r);
    } else {
        r->error = MPI_ERR_NO_MEM;
        finish(r);
    }
}

void mpii_p2p_fetch_start(struct mpii_request *r)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);

    mpii_counters.far++;
    v->fetched = 0;
    v->bounce = NULL;
    if (v->form == P2P_IS_OFFER && mpii_p2p_offer_take(r, &v->far)) { /* they are short */
        mpii_request_done(r, r->error);
        return;
    }
    v->flow = (struct core_flow){0};
    v->task = (struct mpii_task){.step = step};
    mpii_task_add(&v->task);
    mpii_p2p_fetching++;
}
