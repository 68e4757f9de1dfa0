/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: what is wrong with epochs and no error without it, as only several processes together know of it, or because
 * it would cost (12.5).
 */
#include <stdlib.h>

#include "core/base/site.h"
#include "mpi/rma/rma.h"

void mpii_rma_epoch_opened(struct mpii_win *w)
{
    w->opened = core_site();
}

#define EXPOSED(assert) ((uint32_t)(assert) << 1) /* in a control block */

/* ------------------------------------------------------------------ fences -- */

static void say_differs(const struct mpii_win *w, const char *name, int given, int not_given)
{
    struct core_finding f;

    core_finding_begin(&f, CORE_FINDING_EPOCH, "MPI-5.0, 12.5.5",
                       "MPI_Win_fence: rank %d asserts %s, but rank %d does not", given, name, not_given);
    core_finding_advise(&f, "give %s on all processes of the window or on none", name);
    core_finding_at(&f, w->peers[w->rank].pe, core_site(), "MPI_Win_fence");
    core_finding_end(&f);
}

/* By the first that differs from rank 0, alone: its line is the one to look at. */
static void compare(const struct mpii_win *w, const int64_t *all, int bit, const char *name)
{
    for (int i = 1; i < w->size; i++) {
        if (!((all[0] ^ all[i]) & bit))
            continue;
        if (i == w->rank)
            say_differs(w, name, all[0] & bit ? 0 : i, all[0] & bit ? i : 0);
        return;
    }
}

int mpii_rma_epoch_fence(struct mpii_win *w, int assert)
{
    int64_t *all = malloc((size_t)w->size * sizeof *all), own = assert;
    int err;

    if (!all)
        core_fatal("MPI_Win_fence: no memory for what %d processes assert", w->size);
    err = mpii_coll_allgather(w->comm, &own, sizeof own, all);
    if (err == MPI_SUCCESS) {
        compare(w, all, MPI_MODE_NOPRECEDE, "MPI_MODE_NOPRECEDE");
        compare(w, all, MPI_MODE_NOSUCCEED, "MPI_MODE_NOSUCCEED");
        for (int i = 0; i < w->size; i++)
            w->peers[i].no_put = (all[i] & MPI_MODE_NOPUT) != 0;
        w->opened = core_site();
    }
    free(all);
    return err;
}

static bool posted_for_no_put(const struct mpii_rma_peer *p)
{
    return p->access == RMA_OPEN_PSCW && p->ctrl &&
           __atomic_load_n(&p->ctrl->exposed, __ATOMIC_RELAXED) & EXPOSED(MPI_MODE_NOPUT);
}

void mpii_rma_epoch_put(const struct mpii_rma_call *c)
{
    const char *call = c->w->fence_used && c->p->no_put && c->p->access == RMA_CLOSED ? "MPI_Win_fence"
                       : posted_for_no_put(c->p)                                      ? "MPI_Win_post"
                                                                                      : NULL;

    if (call)
        core_finding_of_call(CORE_FINDING_EPOCH, "MPI-5.0, 12.5.5",
                             "%s%s: rank %d has asserted MPI_MODE_NOPUT at the %s that opened this epoch",
                             c->name[0] == 'm' ? "MPI_" : "", c->name[0] == 'm' ? c->name + 5 : c->name, c->rank, call);
}

/* -------------------------------------------------------- locked and exposed -- */

static void say_both(int rank, const char *call)
{
    core_finding_of_call(CORE_FINDING_EPOCH, "MPI-5.0, 12.5.3",
                         "%s: the window of rank %d is exposed (MPI_Win_post) and locked at the same time", call, rank);
}

void mpii_rma_epoch_locked(const struct mpii_win *w, int rank)
{
    const struct mpii_rma_ctrl *c = w->peers[rank].ctrl;

    /* Who exposes it stores that and looks at the lock; we have the lock and look at that. */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (c && __atomic_load_n(&c->exposed, __ATOMIC_SEQ_CST))
        say_both(rank, w->access_all ? "MPI_Win_lock_all" : "MPI_Win_lock");
}

void mpii_rma_epoch_exposed(struct mpii_win *w, int assert)
{
    __atomic_store_n(&w->ctrl->exposed, assert < 0 ? 0 : 1 | EXPOSED(assert), __ATOMIC_SEQ_CST);
    if (assert < 0)
        return;
    w->opened = core_site();
    if (__atomic_load_n(&w->ctrl->lock.state, __ATOMIC_SEQ_CST) != 0)
        say_both(w->rank, "MPI_Win_post");
}

/* ----------------------------------------------------------------- the end -- */

static const char *open_epoch(const struct mpii_win *w)
{
    return w->posted       ? "MPI_Win_post, but no MPI_Win_wait"
           : w->started    ? "MPI_Win_start, but no MPI_Win_complete"
           : w->access_all ? "MPI_Win_lock_all, but no MPI_Win_unlock_all"
           : w->locks      ? "MPI_Win_lock, but no MPI_Win_unlock"
           : w->fence_used ? "operations, but no MPI_Win_fence after them"
                           : NULL;
}

void mpii_rma_epoch_left(void)
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[MPII_WIN];

    for (size_t at = 0; at < pool->used; at += pool->slot) {
        const struct mpii_win *w = (const void *)(pool->base + at);
        const char *what;
        struct core_finding f;

        if (w->anchor.object.kind != MPII_WIN || !w->comm || w->comm->trouble || !(what = open_epoch(w)))
            continue;
        core_finding_begin(&f, CORE_FINDING_EPOCH, "MPI-5.0, 12.5", "MPI_Finalize: an epoch is open: %s", what);
        core_finding_at(&f, core_me(), w->opened, "the last call that opened an epoch");
        core_finding_at(&f, core_me(), core_site(), "MPI_Finalize");
        core_finding_end(&f);
    }
}
