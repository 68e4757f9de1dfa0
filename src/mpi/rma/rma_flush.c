/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion of operations (12.5.4), for flushes and for the ends of epochs. What
 * is direct is done when its call returns: a fence makes it so for everybody.
 * Messages are done at the target when it has answered a question that was sent
 * after them.
 */
#include "mpi/check/watch.h"
#include "mpi/ft/ft.h"
#include "mpi/rma/rma.h"
#include "mpi/rma/rma_race.h"

static bool rank_done(const struct mpii_rma_peer *p, bool remote)
{
    return p->ops == 0 && (!remote || __atomic_load_n(&p->acks, __ATOMIC_ACQUIRE) == p->flushes);
}

static bool all_done(struct mpii_win *w, int from, int to, bool remote)
{
    for (int i = from; i < to; i++)
        if (!rank_done(&w->peers[i], remote))
            return false;
    return true;
}

static void ask(struct mpii_win *w, int from, int to)
{
    for (int i = from; i < to; i++) {
        struct mpii_rma_peer *p = &w->peers[i];

        if (!p->dirty)
            continue;
        p->dirty = false;
        p->flushes++;
        mpii_rma_send_plain(w, i, RMA_FLUSH, false);
    }
}

static int errors_of(struct mpii_win *w, int from, int to, const char *call)
{
    int err = MPI_SUCCESS;

    for (int i = from; i < to; i++) {
        int code = (int)__atomic_exchange_n(&w->peers[i].error, 0, __ATOMIC_RELAXED);

        if (code && !err)
            err = mpii_error(w, code, call, "an operation on rank %d was refused: the memory is not attached there", i);
    }
    return err;
}

/* Those who live answer; the dead have done what they have done. call NULL: nothing is raised. */
static int flush_in_trouble(struct mpii_win *w, int from, int to, bool remote, const char *call)
{
    struct core_waiter waiter;
    bool dead;

    if (remote && w->messages)
        ask(w, from, to);
    mpii_wait_begin(&waiter, call);
    for (;;) {
        dead = false;
        for (int i = from; i < to; i++)
            if (mpii_ft_is_dead(w->peers[i].pe)) {
                dead = true;
                w->peers[i].acks = w->peers[i].flushes;
            }
        mpii_rma_ops_step(w);
        mpii_rma_ops_drop(w, MPIX_ERR_PROC_FAILED);
        if (all_done(w, from, to, remote))
            break;
        mpii_wait_pause(&waiter);
    }
    mpii_wait_end(&waiter);
    for (int i = from; i < to; i++)
        w->peers[i].error = mpii_ft_class((int)w->peers[i].error) ? 0 : w->peers[i].error;
    if (!call)
        return MPI_SUCCESS;
    if (dead || mpii_ft_error(w->comm) == MPIX_ERR_REVOKED)
        return mpii_ft_raise(w, mpii_ft_error(w->comm), call);
    return errors_of(w, from, to, call);
}

static int flush(struct mpii_win *w, int from, int to, bool remote, const char *call)
{
    struct core_waiter waiter;

    core_fence_full();
    if (MPT_UNLIKELY(core_params.check))
        mpii_watch_completed(w, from, to);
    if (core_late_on())
        core_late_finish(w, to - from == w->size ? CORE_LATE_ALL_PES : w->peers[from].pe);
    if (MPT_UNLIKELY(w->comm->trouble != 0))
        return flush_in_trouble(w, from, to, remote, call);
    if (MPT_LIKELY(!w->messages))
        return MPI_SUCCESS;
    if (remote)
        ask(w, from, to);
    if (!all_done(w, from, to, remote)) {
        mpii_wait_begin(&waiter, call);
        do {
            mpii_wait_pause(&waiter);
            mpii_rma_ops_step(w);
        } while (!all_done(w, from, to, remote) && MPT_LIKELY(w->comm->trouble == 0));
        mpii_wait_end(&waiter);
        if (MPT_UNLIKELY(w->comm->trouble != 0))
            return flush_in_trouble(w, from, to, remote, call);
    }
    return errors_of(w, from, to, call);
}

int mpii_rma_flush(struct mpii_win *w, int from, int to, bool remote, const char *call)
{
    int err = flush(w, from, to, remote, call);

    if (MPT_UNLIKELY(core_race_on())) {
        mpii_rma_race_arrived(w);
        core_race_came_back();
        if (remote)
            mpii_rma_race_flushed(w, from, to);
    }
    return err;
}

int mpii_rma_flush_everything(struct mpii_win *w, const char *call)
{
    return mpii_rma_flush(w, 0, w->size, true, call);
}
