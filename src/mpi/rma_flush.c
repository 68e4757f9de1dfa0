/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion of operations (12.5.4), for flushes and for the ends of epochs. What
 * is direct is done when its call returns: a fence makes it so for everybody.
 * Messages are done at the target when it has answered a question that was sent
 * after them.
 */
#include "mpi/rma.h"

static bool rank_done(const struct rma_peer *p, bool remote)
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
        struct rma_peer *p = &w->peers[i];

        if (!p->dirty)
            continue;
        p->dirty = false;
        p->flushes++;
        rma_send_plain(w, i, RMA_FLUSH, false);
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

int rma_flush(struct mpii_win *w, int from, int to, bool remote, const char *call)
{
    struct core_waiter waiter;

    core_fence_full();
    if (MPT_LIKELY(!w->messages))
        return MPI_SUCCESS;
    if (remote)
        ask(w, from, to);
    if (!all_done(w, from, to, remote)) {
        mpii_wait_begin(&waiter, call);
        do {
            mpii_wait_pause(&waiter);
            rma_ops_step(w);
        } while (!all_done(w, from, to, remote));
        mpii_wait_end(&waiter);
    }
    return errors_of(w, from, to, call);
}

int rma_flush_everything(struct mpii_win *w, const char *call)
{
    return rma_flush(w, 0, w->size, true, call);
}
