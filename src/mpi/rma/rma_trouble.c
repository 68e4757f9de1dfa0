/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows in trouble, as the communicators that they have for themselves are; their revocation.
 */
#include "mpi/rma/rma.h"
#include "mpi/ulfm/ulfm.h"

/* From now on every operation looks whether it may begin. */
void mpii_rma_quicken_troubled(void)
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[MPII_WIN];

    for (size_t at = 0; at < pool->used; at += pool->slot) {
        struct mpii_win *w = (void *)(pool->base + at);

        if (w->anchor.object.kind == MPII_WIN && w->comm && w->peers && w->comm->trouble)
            mpii_rma_quicken_all(w);
    }
}

int mpii_rma_troubled(struct mpii_win *w, int rank, const char *call)
{
    int error = mpii_ft_error(w->comm);

    if (error == MPIX_ERR_PROC_FAILED && rank >= 0 && !mpii_ft_is_dead(w->peers[rank].pe))
        return MPI_SUCCESS;
    return error == MPI_SUCCESS ? error : mpii_ft_raise(w, error, call);
}

bool mpii_rma_in_vain(const struct mpii_win *w, int rank)
{
    return MPT_UNLIKELY(w->comm->trouble != 0) &&
           (w->comm->trouble & MPII_REVOKED || rank < 0 || mpii_ft_is_dead(w->peers[rank].pe));
}

/* Nobody who lives uses the window any more: what a barrier would say. */
void mpii_rma_part(struct mpii_win *w)
{
    struct mpii_agreement *a = mpii_agree_start(w->comm, 0);
    struct core_waiter waiter;

    if (!a)
        core_fatal("MPI_Win_free: out of memory");
    mpii_wait_begin(&waiter, "MPI_Win_free");
    while (!mpii_agree_done(a))
        mpii_wait_pause(&waiter);
    mpii_wait_end(&waiter);
    mpii_agree_release(a);
}

int mpii_Win_revoke(MPI_Win win)
{
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    mpii_ulfm_revoke(w->comm);
    return MPI_SUCCESS;
}

int mpii_Win_get_failed(MPI_Win win, MPI_Group *failedgrp)
{
    struct mpii_win *w;

    mpii_looked();
    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    MPII_TRY(mpii_check_pointer(w, failedgrp, "failedgrp", __func__));
    mpii_progress();
    return mpii_ulfm_group(w, w->comm, INT32_MAX, failedgrp, __func__);
}
