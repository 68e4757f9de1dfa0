/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows as objects (12.2): how one is made and ends. The members tell each
 * other where their memory is, and whether one of them found an error, so that
 * all give up together.
 */
#include <stdlib.h>
#include <string.h>

#include "core/live/dead.h"
#include "mpi/dyn/dyn.h"
#include "mpi/ft/ft.h"
#include "mpi/rma/rma.h"
#include "mpi/rma/rma_race.h"

size_t mpii_rma_ctrl_bytes(uint32_t mask, int size)
{
    return sizeof(struct mpii_rma_ctrl) + ((size_t)(mask + 2) & ~1ul) * sizeof(uint32_t) +
           2 * (size_t)size * sizeof(uint64_t);
}

int mpii_rma_check_win_slow(MPI_Win handle, const char *call)
{
    MPII_TRY(mpii_check_started(call));
    if (handle == MPI_WIN_NULL)
        return mpii_error(NULL, MPI_ERR_WIN, call, "win is MPI_WIN_NULL");
    return mpii_error(NULL, MPI_ERR_WIN, call, "win is %p, which is not a window (freed?)",
                      mpii_bad_handle(MPII_WIN, handle));
}

static bool make_ctrl(struct mpii_win *w)
{
    size_t bytes;

    for (w->mask = 1; (int64_t)w->mask < w->size; w->mask *= 2) {
    }
    w->mask--;
    bytes = mpii_rma_ctrl_bytes(w->mask, w->size);
    w->ctrl = core_arena_alloc(bytes, 0);
    if (w->ctrl)
        memset(w->ctrl, 0, bytes);
    return w->ctrl != NULL;
}

int mpii_rma_win_new(MPI_Comm comm, int flavor, MPI_Info info, struct mpii_win **win, const char *call)
{
    struct mpii_comm *c;
    int err;
    struct mpii_win *w;

    MPII_TRY(mpii_check_comm(comm, &c, call));
    if (c->inter)
        return mpii_error(c, MPI_ERR_COMM, call, "comm is an intercommunicator");
    if (info != MPI_INFO_NULL && !mpii_info_of(info))
        return mpii_error(c, MPI_ERR_INFO, call, "info is %p, which is not an info object (freed?)",
                          mpii_bad_handle(MPII_INFO, info));
    w = mpii_object_new(MPII_WIN, sizeof *w);
    if (!w)
        return mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for a window");
    mpii_depends_on_time(); /* what it reads there may */
    w->anchor.handle = w;
    w->anchor.errhandler = mpii_errhandler_of(MPI_ERRORS_ARE_FATAL);
    w->anchor.errhandler->object.refs++;
    w->ops_end = &w->ops;
    w->flavor = flavor;
    w->model = MPI_WIN_UNIFIED;
    w->unit = 1;
    err = mpii_comm_dup_quietly(c, &w->comm, call);
    if (err != MPI_SUCCESS) {
        mpii_rma_win_destroy(w);
        return err; /* raised */
    }
    w->rank = w->comm->rank;
    w->size = w->comm->size;
    if (!make_ctrl(w) || !(w->peers = calloc((size_t)w->size, sizeof *w->peers)) ||
        mpii_rma_win_hints(w, info, call) != MPI_SUCCESS) {
        core_arena_free(w->ctrl);
        w->ctrl = NULL; /* said in the exchange */
    }
    *win = w;
    return MPI_SUCCESS;
}

/* The first error of any member; raised on the communicator the user gave. */
static int look_for_errors(const struct mpii_rma_card *cards, int size, int *rank)
{
    for (int i = 0; i < size; i++)
        if (cards[i].error != MPI_SUCCESS) {
            *rank = i;
            return (int)cards[i].error;
        }
    return MPI_SUCCESS;
}

int mpii_rma_win_exchange(struct mpii_win *w, struct mpii_rma_card *own, struct mpii_rma_card **cards, const char *call)
{
    struct mpii_rma_card *all = malloc((size_t)w->size * sizeof *all);
    int rank = -1, err;

    if (!w->ctrl && !own->error)
        own->error = mpii_error(w->comm, MPI_ERR_NO_MEM, call, "no memory for a window (MPT_ARENA_MAX)");
    own->flavor = w->flavor;
    own->window = (uintptr_t)w;
    own->address = (uintptr_t)w->base;
    own->key = core_cma_key();
    own->ctrl = w->ctrl ? core_arena_offset(w->ctrl) : 0;
    if (!all) /* nobody can be told: all would wait */
        core_fatal("%s: no memory for a window of %d processes", call, w->size);
    err = mpii_coll_allgather(w->comm, own, sizeof *own, all);
    if (err == MPI_SUCCESS && (err = look_for_errors(all, w->size, &rank)) == MPI_SUCCESS && cards) {
        *cards = all;
        return MPI_SUCCESS;
    }
    free(all);
    if (own->error)
        return (int)own->error; /* it has said so */
    if (err != MPI_SUCCESS)
        return mpii_error(w->comm, err, call, "rank %d cannot take part in the window", rank);
    return MPI_SUCCESS;
}

static void fill_peer(struct mpii_win *w, int rank, const struct mpii_rma_card *card)
{
    struct mpii_rma_peer *p = &w->peers[rank];
    bool near = !mpii_dyn_is_foreign(w->comm->procs[rank]) && core_on_node(w->comm->procs[rank]);

    p->pe = w->comm->procs[rank];
    p->size = card->size;
    p->unit = card->unit;
    p->window = card->window;
    p->address = card->address;
    p->home = near && card->in_slice ? w->comm->procs[card->owner] : p->pe;
    if (near) {
        p->ctrl = core_arena_at(p->pe, card->ctrl);
        p->ghost = card->ghost ? core_slice_at(p->pe, card->ghost) : NULL;
        if (card->in_slice)
            p->base = p->ghost = core_slice_at(w->comm->procs[card->owner], card->slice_offset);
    }
    if (rank == w->rank && w->flavor != MPI_WIN_FLAVOR_DYNAMIC)
        p->base = w->base;
    if (!p->base && (p->size > 0 || w->flavor == MPI_WIN_FLAVOR_DYNAMIC))
        w->messages = true;
    if (!p->ctrl)
        w->messages = true;
    p->cma = near && !p->base && rank != w->rank && core_cma_may(p->pe, card->key);
}

int mpii_rma_win_join(struct mpii_win *w, const struct mpii_rma_card *cards, const char *call)
{
    int64_t messages;
    int err;

    for (int i = 0; i < w->size; i++)
        fill_peer(w, i, &cards[i]);
    /* Who reaches all directly may still be the target of whoever does not. */
    messages = w->messages || core_late_on(); /* a flush has something to do */
    err = mpii_coll_allreduce(w->comm, &messages, 1, MPI_MAX);
    w->messages = messages != 0;
    if (err == MPI_SUCCESS && w->messages)
        err = mpii_rma_messages_begin(w);
    if (MPT_UNLIKELY(core_race_on()))
        mpii_rma_race_join(w);
    if (err == MPI_SUCCESS)
        err = mpii_coll_barrier(w->comm);
    mpii_coll_within(w->comm, "MPI_Win_fence"); /* what most of the rest is of */
    return err == MPI_SUCCESS ? err : mpii_error(w->comm, err, call, "the members of the window cannot meet");
}

void mpii_rma_win_destroy(struct mpii_win *w)
{
    if (MPT_UNLIKELY(core_race_on()))
        mpii_rma_race_part(w);
    if (w->peers && w->messages)
        mpii_rma_messages_end(w);
    mpii_rma_tables_free(w);
    core_arena_free(w->memory);
    core_arena_free(w->ctrl);
    free(w->peers);
    mpii_info_release(w->info);
    if (w->started)
        mpii_group_release(w->started);
    if (w->posted)
        mpii_group_release(w->posted);
    if (w->comm)
        mpii_comm_release(w->comm);
    mpii_errhandler_release(w->anchor.errhandler);
    mpii_object_free(w);
}

/* After this nobody stores to our memory, nor to what we have there. Where processes may die a barrier could be
 * over for some only; and who has been told of a revocation in it gives nothing back. */
static int last_meeting(struct mpii_win *w, const char *call)
{
    int err;

    if (core_survivable()) {
        mpii_rma_part(w);
        return MPI_SUCCESS;
    }
    err = mpii_coll_barrier(w->comm);
    if (mpii_ft_class(err)) {
        w->memory = NULL;
        w->ctrl = NULL;
        return MPI_SUCCESS;
    }
    return err == MPI_SUCCESS ? err : mpii_error(w, err, call, "the members of the window cannot meet");
}

int mpii_Win_free(MPI_Win *win)
{
    struct mpii_win *w;
    int err;

    MPII_TRY(mpii_check_pointer(NULL, win, "win", __func__));
    MPII_TRY(mpii_rma_check_win(*win, &w, __func__));
    if (!w->comm->trouble && (w->access_all || w->locks || w->started || w->posted || w->fence_used))
        return mpii_error(w, MPI_ERR_RMA_SYNC, __func__, "an epoch of the window is still open: %s",
                          w->posted       ? "MPI_Win_wait was not called"
                          : w->started    ? "MPI_Win_complete was not called"
                          : w->fence_used ? "MPI_Win_fence was not called after its last operations"
                                          : "a target is locked");
    err = mpii_attrs_delete(MPII_WIN, *win, &w->attrs);
    if (err != MPI_SUCCESS)
        return mpii_error(w, err, __func__, "a delete callback of an attribute failed");
    MPII_TRY(mpii_rma_flush_everything(w, MPT_LIKELY(w->comm->trouble == 0) ? __func__ : NULL));
    if (w->messages) /* one that comes later would find no window */
        mpii_rma_posts_await(w, __func__);
    mpii_coll_within(w->comm, __func__);
    MPII_TRY(last_meeting(w, __func__));
    mpii_rma_ops_drop(w, MPIX_ERR_PROC_FAILED);
    mpii_rma_win_destroy(w);
    *win = MPI_WIN_NULL;
    return MPI_SUCCESS;
}
