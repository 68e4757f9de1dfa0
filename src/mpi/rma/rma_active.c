/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Active target synchronisation (12.5.1, 12.5.2): fences, and epochs of groups.
 * Posts and completes are counters in the control block of whoever waits for them,
 * one for each peer, which only that peer raises; what is due is how often they
 * were used. Nothing need be reset, and a peer may be an epoch ahead.
 */
#include <stdlib.h>

#include "mpi/comm/group.h"
#include "mpi/ft/ft.h"
#include "mpi/rma/rma.h"
#include "mpi/rma/rma_race.h"

int mpii_Win_fence(int assert, MPI_Win win)
{
    struct mpii_win *w;
    int err, met;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    MPII_TRY(mpii_rma_check_asserts(
        w, assert, MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, __func__));
    if (w->started || w->posted || w->locks || w->access_all)
        return mpii_error(w, MPI_ERR_RMA_SYNC, __func__, "an epoch of another kind is open");
    if ((assert &MPI_MODE_NOPRECEDE) && w->fence_used)
        return mpii_error(w, MPI_ERR_RMA_SYNC, __func__, "assert has MPI_MODE_NOPRECEDE, but operations precede");
    err = mpii_rma_flush(w, 0, w->size, true, __func__);
    w->fence = !(assert &MPI_MODE_NOSUCCEED);
    if (w->fence_used) {
        w->fence_used = false;
        mpii_rma_quicken_all(w);
    }
    if ((assert &MPI_MODE_NOPRECEDE) && (assert &MPI_MODE_NOSUCCEED) && !core_params.check)
        return err; /* nothing ends and nothing begins */
    met = MPT_UNLIKELY(core_params.check) ? mpii_rma_epoch_fence(w, assert) : mpii_coll_barrier(w->comm);
    if (mpii_ft_class(met))
        return err != MPI_SUCCESS ? err : mpii_ft_raise(w, met, __func__);
    return met == MPI_SUCCESS ? err : mpii_error(w, MPI_ERR_INTERN, __func__, "the members of the window cannot meet");
}

/* ------------------------------------------------------ groups of epochs -- */

/* The group as ranks of the window: in `procs` of a group object of our own. */
static int ranks_of(struct mpii_win *w, MPI_Group handle, struct mpii_group **out, const char *call)
{
    struct mpii_group *g = mpii_group_of(handle), *made;
    struct mpii_group_ranks ranks;

    if (!g)
        return mpii_error(w, MPI_ERR_GROUP, call,
                          handle == MPI_GROUP_NULL ? "group is MPI_GROUP_NULL"
                                                   : "group is %p, which is not a group (freed?)",
                          mpii_bad_handle(MPII_GROUP, handle));
    made = mpii_group_new(g->size, g->procs);
    if (!made || mpii_group_ranks_make(&ranks, w->comm->group) != MPI_SUCCESS)
        return mpii_error(w, MPI_ERR_NO_MEM, call, "no memory for the group of an epoch");
    for (int i = 0; i < g->size; i++) {
        int rank = mpii_group_ranks_at(&ranks, g->procs[i]);

        if (rank == MPI_UNDEFINED) {
            mpii_group_ranks_drop(&ranks);
            mpii_group_release(made);
            return mpii_error(w, MPI_ERR_GROUP, call, "member %d of group is not a process of this window", i);
        }
        made->procs[i] = rank;
    }
    mpii_group_ranks_drop(&ranks);
    *out = made;
    return MPI_SUCCESS;
}

/* Raise our counter at a peer: which of its two, `counters` says for its control block. */
static void tell(struct mpii_win *w, int rank, uint64_t *(*counters)(const struct mpii_win *, struct mpii_rma_ctrl *),
                 enum mpii_rma_kind kind)
{
    struct mpii_rma_peer *p = &w->peers[rank];
    uint64_t *word;

    if (MPT_UNLIKELY(core_race_on()))
        core_race_tell();
    if (!p->ctrl) {
        mpii_rma_send_plain(w, rank, kind, false);
        return;
    }
    word = &counters(w, p->ctrl)[w->rank];
    if (MPT_UNLIKELY(core_race_on()) && kind == RMA_POST)
        mpii_rma_race_posts(w, rank, *word + 1);
    if (MPT_UNLIKELY(core_race_on()) && kind == RMA_COMPLETE)
        mpii_rma_race_completes(w, rank, *word + 1);
    __atomic_store_n(word, *word + 1, __ATOMIC_RELEASE);
    core_changed(p->pe, word, sizeof *word);
}

int mpii_Win_post(MPI_Group group, int assert, MPI_Win win)
{
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    MPII_TRY(mpii_rma_check_asserts(w, assert, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT, __func__));
    if (w->posted)
        return mpii_error(w, MPI_ERR_RMA_SYNC, __func__, "an exposure epoch is open: MPI_Win_wait comes first");
    MPII_TRY(ranks_of(w, group, &w->posted, __func__));
    w->post_nocheck = assert &MPI_MODE_NOCHECK;
    if (MPT_UNLIKELY(core_params.check))
        mpii_rma_epoch_exposed(w, assert);
    for (int i = 0; i < w->posted->size; i++) {
        w->peers[w->posted->procs[i]].waits++;
        if (!w->post_nocheck)
            tell(w, w->posted->procs[i], mpii_rma_posted, RMA_POST);
    }
    return MPI_SUCCESS;
}

int mpii_Win_start(MPI_Group group, int assert, MPI_Win win)
{
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    MPII_TRY(mpii_rma_check_asserts(w, assert, MPI_MODE_NOCHECK, __func__));
    if (w->started || w->locks || w->access_all || w->fence_used)
        return mpii_error(w, MPI_ERR_RMA_SYNC, __func__, "an access epoch is open already");
    MPII_TRY(ranks_of(w, group, &w->started, __func__));
    w->start_nocheck = assert &MPI_MODE_NOCHECK;
    if (MPT_UNLIKELY(core_params.check))
        mpii_rma_epoch_opened(w);
    w->fence = false;
    for (int i = 0; i < w->started->size; i++) {
        struct mpii_rma_peer *p = &w->peers[w->started->procs[i]];

        p->access = w->start_nocheck ? RMA_OPEN_PSCW : RMA_AWAITS_POST;
        p->starts += !w->start_nocheck;
        mpii_rma_quicken(w, p);
    }
    return MPI_SUCCESS;
}

/* A target where nothing was done need not have posted yet: the counters add up. */
int mpii_Win_complete(MPI_Win win)
{
    struct mpii_group *g;
    struct mpii_win *w;
    int err;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    if (!w->started)
        return mpii_error(w, MPI_ERR_RMA_SYNC, __func__, "no epoch of MPI_Win_start is open");
    err = mpii_rma_flush(w, 0, w->size, true, __func__);
    g = w->started;
    w->started = NULL;
    for (int i = 0; i < g->size; i++) {
        w->peers[g->procs[i]].access = RMA_CLOSED;
        mpii_rma_quicken(w, &w->peers[g->procs[i]]);
        tell(w, g->procs[i], mpii_rma_completed, RMA_COMPLETE);
    }
    mpii_group_release(g);
    return err;
}

static bool all_complete(struct mpii_win *w)
{
    const uint64_t *completed = mpii_rma_completed(w, w->ctrl);

    for (int i = 0; i < w->posted->size; i++) {
        int rank = w->posted->procs[i];

        if (__atomic_load_n(&completed[rank], __ATOMIC_ACQUIRE) < w->peers[rank].waits && !mpii_rma_in_vain(w, rank))
            return false;
    }
    return true;
}

static void end_exposure(struct mpii_win *w)
{
    for (int i = 0; MPT_UNLIKELY(core_race_on()) && i < w->posted->size; i++)
        mpii_rma_race_completed(w, w->posted->procs[i], w->peers[w->posted->procs[i]].waits);
    mpii_group_release(w->posted);
    w->posted = NULL;
    if (MPT_UNLIKELY(core_params.check))
        mpii_rma_epoch_exposed(w, -1);
}

/* Or in vain: some have not completed, and never will. */
static int exposure_over(struct mpii_win *w, const char *call)
{
    const uint64_t *completed = mpii_rma_completed(w, w->ctrl);
    bool all = true;

    for (int i = 0; i < w->posted->size; i++) {
        int rank = w->posted->procs[i];

        if (__atomic_load_n(&completed[rank], __ATOMIC_ACQUIRE) >= w->peers[rank].waits)
            continue;
        all = false;
        w->peers[rank].waits = __atomic_load_n(&completed[rank], __ATOMIC_ACQUIRE);
    }
    end_exposure(w);
    return MPT_LIKELY(all) ? MPI_SUCCESS : mpii_rma_troubled(w, -1, call);
}

/* MPI_Win_complete did not wait for posts of targets where nothing was done. */
void mpii_rma_posts_await(struct mpii_win *w, const char *call)
{
    const uint64_t *posted = mpii_rma_posted(w, w->ctrl);
    struct core_waiter waiter;

    for (int i = 0; i < w->size; i++) {
        if (__atomic_load_n(&posted[i], __ATOMIC_ACQUIRE) >= w->peers[i].starts)
            continue;
        core_wait_begin_for(&waiter, call, &posted[i], sizeof posted[i]);
        while (__atomic_load_n(&posted[i], __ATOMIC_ACQUIRE) < w->peers[i].starts && !mpii_rma_in_vain(w, i))
            mpii_wait_pause(&waiter);
        core_wait_end(&waiter);
    }
}

static int check_posted(struct mpii_win *w, const char *call)
{
    return w->posted ? MPI_SUCCESS : mpii_error(w, MPI_ERR_RMA_SYNC, call, "no epoch of MPI_Win_post is open");
}

int mpii_Win_wait(MPI_Win win)
{
    struct core_waiter waiter;
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    MPII_TRY(check_posted(w, __func__));
    core_wait_begin_for(&waiter, "MPI_Win_wait", mpii_rma_completed(w, w->ctrl), (size_t)w->size * sizeof(uint64_t));
    while (!all_complete(w))
        mpii_wait_pause(&waiter);
    core_wait_end(&waiter);
    return exposure_over(w, __func__);
}

int mpii_Win_test(MPI_Win win, int *flag)
{
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    MPII_TRY(mpii_check_pointer(w, flag, "flag", __func__));
    MPII_TRY(check_posted(w, __func__));
    *flag = all_complete(w);
    if (*flag)
        return exposure_over(w, __func__);
    mpii_progress();
    mpii_test_failed("MPI_Win_test", NULL);
    return MPI_SUCCESS;
}
