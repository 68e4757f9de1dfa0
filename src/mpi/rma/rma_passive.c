/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Passive target synchronisation (12.5.3, 12.5.4): locks, flushes, MPI_Win_sync.
 * A lock on this node is taken in the target's control block, the target does
 * nothing for it; of another node it is asked for by a message.
 */
#include "mpi/ft/ft.h"
#include "mpi/rma/rma.h"
#include "mpi/rma/rma_race.h"

/* ------------------------------------------------------------------ locks -- */

/* For a deadlock's report: who holds a lock alone is the only one to end the wait. Of shared ones nobody knows. */
struct locking {
    const struct mpii_rma_ctrl *ctrl;
    const char *where;
    int rank;
    bool exclusive;
};

static uint32_t holder_of(const struct mpii_rma_ctrl *c)
{
    return __atomic_load_n(&c->holder, __ATOMIC_ACQUIRE);
}

static void who_holds(const void *arg, struct core_wire_blocked_thread *b)
{
    const uint32_t holder = holder_of(((const struct locking *)arg)->ctrl);

    core_blocked_any(b);
    if (holder)
        core_blocked_pe(b, (int)holder - 1);
    else
        core_blocked_everybody(b);
}

static void say_lock(const void *arg, struct core_wire_blocked_thread *b)
{
    const struct locking *l = arg;
    const uint32_t holder = holder_of(l->ctrl);
    const char *kind = l->exclusive ? "exclusive" : "shared";

    if (holder)
        core_blocked_call(b, "%s(%s, rank %d), which PE %d has locked", l->where, kind, l->rank, (int)holder - 1);
    else
        core_blocked_call(b, "%s(%s, rank %d), which others have locked", l->where, kind, l->rank);
}

/* False: in vain, as far as is known: who has it may be dead. */
static bool lock_here(struct mpii_win *w, struct mpii_rma_peer *p, bool exclusive, const char *where)
{
    enum { PATIENCE = 16 }; /* yields: long before it sleeps */
    const struct locking locking = {p->ctrl, where, (int)(p - w->peers), exclusive};
    const struct core_blocked_by by = {who_holds, say_lock, &locking};
    struct core_waiter waiter;
    uint32_t ticket;
    bool in;

    if (MPT_LIKELY(mpii_rma_lock_try(p->ctrl, exclusive)))
        return true;
    mpii_wait_begin(&waiter, where);
    if (MPT_UNLIKELY(core_params.check))
        core_wait_by(&waiter, &by);
    do
        mpii_wait_pause(&waiter);
    while (!(in = mpii_rma_lock_try(p->ctrl, exclusive)) && core_wait_yields(&waiter) < PATIENCE &&
           !core_wait_sleeps(&waiter) && !mpii_rma_in_vain(w, -1));
    if (!in && !mpii_rma_in_vain(w, -1)) {
        ticket = mpii_rma_lock_draw(p->ctrl, w->mask, core_me());
        while (!(in = mpii_rma_lock_turn(p->ctrl, w->mask, ticket, exclusive)) && !mpii_rma_in_vain(w, -1))
            mpii_wait_pause(&waiter);
    }
    mpii_wait_end(&waiter);
    return in;
}

static bool lock_far(struct mpii_win *w, int rank, bool exclusive, const char *where)
{
    struct mpii_rma_peer *p = &w->peers[rank];
    struct core_waiter waiter;

    p->granted = false;
    mpii_rma_send_plain(w, rank, RMA_LOCK, exclusive);
    mpii_wait_begin(&waiter, where);
    while (!__atomic_load_n(&p->granted, __ATOMIC_ACQUIRE) && !mpii_rma_in_vain(w, -1))
        mpii_wait_pause(&waiter);
    mpii_wait_end(&waiter);
    return __atomic_load_n(&p->granted, __ATOMIC_ACQUIRE);
}

static int lock(struct mpii_win *w, int rank, enum mpii_rma_access access, const char *where, const char *call)
{
    struct mpii_rma_peer *p = &w->peers[rank];
    bool exclusive = access == RMA_OPEN_EXCLUSIVE;

    if (MPT_UNLIKELY(w->comm->trouble != 0))
        MPII_TRY(mpii_rma_troubled(w, rank, call));
    if (MPT_UNLIKELY(access != RMA_OPEN_NOCHECK &&
                     !(p->ctrl ? lock_here(w, p, exclusive, where) : lock_far(w, rank, exclusive, where))))
        return mpii_rma_troubled(w, -1, call);
    if (MPT_UNLIKELY(core_params.check)) {
        mpii_rma_epoch_locked(w, rank);
        if (exclusive && p->ctrl)
            __atomic_store_n(&p->ctrl->holder, (uint32_t)core_me() + 1, __ATOMIC_RELEASE);
    }
    if (MPT_UNLIKELY(core_race_on()) && access != RMA_OPEN_NOCHECK)
        mpii_rma_race_locked(p, exclusive);
    return MPI_SUCCESS;
}

static void unlock(struct mpii_win *w, int rank, enum mpii_rma_access access)
{
    struct mpii_rma_peer *p = &w->peers[rank];

    if (access == RMA_OPEN_NOCHECK)
        return;
    if (MPT_UNLIKELY(core_race_on()))
        mpii_rma_race_unlocks(p, access == RMA_OPEN_EXCLUSIVE);
    if (!p->ctrl) {
        p->flushes++; /* it is answered as a flush is, which nobody need wait for */
        mpii_rma_send_plain(w, rank, RMA_UNLOCK, access == RMA_OPEN_EXCLUSIVE);
        return;
    }
    if (MPT_UNLIKELY(core_params.check) && access == RMA_OPEN_EXCLUSIVE)
        __atomic_store_n(&p->ctrl->holder, 0, __ATOMIC_RELEASE);
    mpii_rma_lock_leave(p->ctrl, w->mask, access == RMA_OPEN_EXCLUSIVE);
    if (w->messages && rank == w->rank)
        mpii_rma_target_step();
}

static int check_lock(struct mpii_win *w, int assert, const char *call)
{
    MPII_TRY(mpii_rma_check_asserts(w, assert, MPI_MODE_NOCHECK, call));
    if (w->no_locks)
        return mpii_error(w, MPI_ERR_RMA_SYNC, call, "the window has the hint no_locks=true");
    if (w->started || w->access_all || w->fence_used)
        return mpii_error(w, MPI_ERR_RMA_SYNC, call, "an access epoch of another kind is open");
    return MPI_SUCCESS;
}

/* MPI_PROC_NULL: nothing to do. */
static int check_rank(struct mpii_win *w, int rank, const char *call)
{
    return rank == MPI_PROC_NULL || (unsigned)rank < (unsigned)w->size ? MPI_SUCCESS
                                                                       : mpii_rma_check_rank(w, rank, call);
}

int mpii_Win_lock(int lock_type, int rank, int assert, MPI_Win win)
{
    enum mpii_rma_access access = lock_type == MPI_LOCK_EXCLUSIVE ? RMA_OPEN_EXCLUSIVE : RMA_OPEN_SHARED;
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    if (lock_type != MPI_LOCK_EXCLUSIVE && lock_type != MPI_LOCK_SHARED)
        return mpii_error(w, MPI_ERR_LOCKTYPE, __func__,
                          "lock_type is %d, neither MPI_LOCK_EXCLUSIVE nor MPI_LOCK_SHARED", lock_type);
    MPII_TRY(check_rank(w, rank, __func__));
    MPII_TRY(check_lock(w, assert, __func__));
    if (rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (w->peers[rank].access != RMA_CLOSED)
        return mpii_error(w, MPI_ERR_RMA_SYNC, __func__, "rank %d is locked by this process already", rank);
    if (assert &MPI_MODE_NOCHECK)
        access = RMA_OPEN_NOCHECK;
    w->fence = false;
    MPII_TRY(lock(w, rank, access, "MPI_Win_lock", __func__));
    w->peers[rank].access = (uint8_t)access;
    mpii_rma_quicken(w, &w->peers[rank]);
    w->locks++;
    if (MPT_UNLIKELY(core_params.check))
        mpii_rma_epoch_opened(w);
    return MPI_SUCCESS;
}

int mpii_Win_unlock(int rank, MPI_Win win)
{
    enum mpii_rma_access access;
    struct mpii_win *w;
    int err;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    MPII_TRY(check_rank(w, rank, __func__));
    if (rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    access = (enum mpii_rma_access)w->peers[rank].access;
    if (access < RMA_OPEN_SHARED || access > RMA_OPEN_NOCHECK)
        return mpii_error(w, MPI_ERR_RMA_SYNC, __func__, "rank %d is not locked by MPI_Win_lock", rank);
    err = mpii_rma_flush(w, rank, rank + 1, true, __func__);
    w->peers[rank].access = RMA_CLOSED;
    mpii_rma_quicken(w, &w->peers[rank]);
    w->locks--;
    unlock(w, rank, access);
    mpii_rma_looked(w);
    return err;
}

/* Those of the first n. */
static void give_all(struct mpii_win *w, int n)
{
    enum mpii_rma_access access = (enum mpii_rma_access)w->access_all;

    w->access_all = RMA_CLOSED;
    mpii_rma_quicken_all(w);
    for (int i = 0; i < n; i++)
        unlock(w, i, access);
}

int mpii_Win_lock_all(int assert, MPI_Win win)
{
    struct mpii_win *w;
    int err = MPI_SUCCESS;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    MPII_TRY(check_lock(w, assert, __func__));
    if (w->locks)
        return mpii_error(w, MPI_ERR_RMA_SYNC, __func__, "%d targets are locked already", w->locks);
    w->fence = false;
    w->access_all = assert &MPI_MODE_NOCHECK ? RMA_OPEN_NOCHECK : RMA_OPEN_SHARED;
    for (int i = 0; i < w->size && err == MPI_SUCCESS; i++)
        if ((err = lock(w, i, (enum mpii_rma_access)w->access_all, "MPI_Win_lock_all", __func__)) != MPI_SUCCESS)
            give_all(w, i);
    mpii_rma_quicken_all(w);
    if (MPT_UNLIKELY(core_params.check))
        mpii_rma_epoch_opened(w);
    return err;
}

int mpii_Win_unlock_all(MPI_Win win)
{
    struct mpii_win *w;
    int err;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    if (!w->access_all)
        return mpii_error(w, MPI_ERR_RMA_SYNC, __func__, "MPI_Win_lock_all was not called");
    err = mpii_rma_flush_everything(w, __func__);
    give_all(w, w->size);
    mpii_rma_looked(w);
    return err;
}

/* ---------------------------------------------------------------- flushes -- */

/* Where all is direct: the fence is all there is to do, but for progress now and then. */
enum { POLL_EVERY = 1024, POLL_OFTEN = 256 }; /* flushes; often: when processes share cores */

static inline bool flushed_quickly(MPI_Win win, int rank)
{
    const struct mpii_win *w = mpii_rma_win_of(win);

    if (MPT_UNLIKELY(!w || w->messages || w->comm->trouble || (unsigned)rank >= (unsigned)w->size))
        return false;
    if (MPT_UNLIKELY(!w->access_all &&
                     (unsigned)(w->peers[rank].access - RMA_OPEN_SHARED) > RMA_OPEN_NOCHECK - RMA_OPEN_SHARED))
        return false;
    if (MPT_UNLIKELY(++mpii_state.rma.flushes % POLL_OFTEN == 0) || MPT_UNLIKELY(core_params.check))
        return false;
    core_fence_full();
    return true;
}

/* Programs look at a window again and again until another process has changed
 * it, which may need this one's progress, or its core. */
static void polled(const struct mpii_win *w)
{
    mpii_progress();
    if (!w->messages || ++mpii_thread.rma.polls % POLL_OFTEN == 0)
        mpii_test_failed(NULL, NULL);
}

static bool is_poll_due(const struct mpii_win *w)
{
    unsigned every = core_oversubscribed() ? POLL_OFTEN : POLL_EVERY;

    return w->messages || w->comm->trouble || mpii_state.rma.flushes % every == 0;
}

/* Arguments stand as in the calls, so that these need not move them. */
static __attribute__((noinline)) int flush(int rank, MPI_Win win, bool remote, const char *call)
{
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, call));
    MPII_TRY(check_rank(w, rank, call));
    if (rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (MPT_UNLIKELY(!w->access_all &&
                     (w->peers[rank].access < RMA_OPEN_SHARED || w->peers[rank].access > RMA_OPEN_NOCHECK)))
        return mpii_error(w, MPI_ERR_RMA_SYNC, call, "rank %d is not locked", rank);
    if (is_poll_due(w))
        polled(w);
    return mpii_rma_flush(w, rank, rank + 1, remote, call);
}

static int flush_all(MPI_Win win, bool remote, const char *call)
{
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, call));
    if (!w->access_all && !w->locks)
        return mpii_error(w, MPI_ERR_RMA_SYNC, call, "no target is locked");
    polled(w);
    return mpii_rma_flush(w, 0, w->size, remote, call);
}

int mpii_Win_flush(int rank, MPI_Win win)
{
    return MPT_LIKELY(flushed_quickly(win, rank)) ? MPI_SUCCESS : flush(rank, win, true, __func__);
}

int mpii_Win_flush_local(int rank, MPI_Win win)
{
    return MPT_LIKELY(flushed_quickly(win, rank)) ? MPI_SUCCESS : flush(rank, win, false, __func__);
}

int mpii_Win_flush_all(MPI_Win win)
{
    return flush_all(win, true, __func__);
}

int mpii_Win_flush_local_all(MPI_Win win)
{
    return flush_all(win, false, __func__);
}

/* One memory: only the order of this process's loads and stores is left to see to. */
int mpii_Win_sync(MPI_Win win)
{
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (MPT_UNLIKELY(core_race_on()))
        core_race_polls();
    mpii_rma_looked(w);
    return MPI_SUCCESS;
}
