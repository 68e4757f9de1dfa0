/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The five ways to make a window (12.2.1 to 12.2.5). Memory that MPI allocates
 * comes from the arena, so that PEs of the node reach it directly; memory of the
 * user's is reached directly when it lies in a slice.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/dyn/dyn.h"
#include "mpi/rma/rma.h"
#include "mpi/rma/rma_race.h"
#include "mpi/rma/win.h"

static int check_size(struct mpii_win *w, MPI_Aint size, MPI_Aint unit, const char *call)
{
    if (size < 0)
        return mpii_error(w->comm, MPI_ERR_SIZE, call, "size is %lld, less than 0", (long long)size);
    if (unit <= 0)
        return mpii_error(w->comm, MPI_ERR_DISP, call, "disp_unit is %lld; expected 1 or more", (long long)unit);
    return MPI_SUCCESS;
}

/* The last steps; whatever fails gives the window up. */
static int finish(struct mpii_win *w, struct mpii_rma_card *own, MPI_Win *win, const char *call)
{
    struct mpii_rma_card *cards = NULL;
    int err;

    if (MPT_UNLIKELY(core_race_on()))
        mpii_rma_race_place(w, own);
    err = mpii_rma_win_exchange(w, own, &cards, call);

    if (err == MPI_SUCCESS)
        err = mpii_rma_win_join(w, cards, call);
    free(cards);
    if (err != MPI_SUCCESS) {
        mpii_rma_win_destroy(w);
        return err;
    }
    *win = (MPI_Win)w->anchor.handle;
    return MPI_SUCCESS;
}

static struct mpii_rma_card card_of(struct mpii_win *w, void *base, MPI_Aint size, MPI_Aint unit)
{
    struct mpii_rma_card card = {.size = size, .unit = unit, .owner = w->rank};

    w->base = base;
    w->bytes = size;
    w->unit = unit > INT_MAX ? INT_MAX : (int)unit;
    card.in_slice = size > 0 && core_slice_offset(base, (size_t)size, &card.slice_offset);
    return card;
}

int mpii_Win_create(void *base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    struct mpii_rma_card card = {0};
    struct mpii_win *w;

    MPII_TRY(mpii_check_pointer(NULL, win, "win", __func__));
    *win = MPI_WIN_NULL;
    MPII_TRY(mpii_rma_win_new(comm, MPI_WIN_FLAVOR_CREATE, info, &w, __func__));
    card.error = check_size(w, size, disp_unit, __func__);
    if (!card.error && !base && size > 0)
        card.error = mpii_error(w->comm, MPI_ERR_ARG, __func__, "base is NULL, but size is %lld", (long long)size);
    if (!card.error)
        card = card_of(w, base, size, disp_unit);
    return finish(w, &card, win, __func__);
}

/* n bytes of the arena, at least one: addresses of members differ. */
static void *allocate(struct mpii_win *w, size_t n, MPI_Info info, const char *call, int64_t *error)
{
    size_t align = mpii_rma_alignment(info);

    w->memory = core_arena_alloc(n ? n : 1, align > 64 ? align : 64);
    if (!w->memory)
        *error = mpii_error(w->comm, MPI_ERR_NO_MEM, call, "no memory for a window of %zu bytes (MPT_ARENA_MAX)", n);
    return w->memory;
}

int mpii_Win_allocate(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    struct mpii_rma_card card = {0};
    struct mpii_win *w;
    void *p = NULL;

    MPII_TRY(mpii_check_pointer(NULL, win, "win", __func__));
    *win = MPI_WIN_NULL;
    MPII_TRY(mpii_check_pointer(NULL, baseptr, "baseptr", __func__));
    MPII_TRY(mpii_rma_win_new(comm, MPI_WIN_FLAVOR_ALLOCATE, info, &w, __func__));
    card.error = check_size(w, size, disp_unit, __func__);
    if (!card.error)
        p = allocate(w, (size_t)size, info, __func__, &card.error);
    if (!card.error)
        card = card_of(w, p, size, disp_unit);
    MPII_TRY(finish(w, &card, win, __func__));
    *(void **)baseptr = p;
    return MPI_SUCCESS;
}

/* ------------------------------------------------------ shared windows -- */

static bool separate(MPI_Info info)
{
    const char *value = mpii_info_get(info, "alloc_shared_noncontig");

    return value && strcmp(value, "true") == 0;
}

/* One block for all, of rank 0, one member's part behind the other's. */
static int64_t share_block(struct mpii_win *w, MPI_Aint size, MPI_Info info, struct mpii_rma_card *card,
                           const char *call)
{
    int64_t before = size, total = size, error = MPI_SUCCESS;
    uint64_t slice_offset = 0;

    mpii_coll_exscan(w->comm, &before, 1, MPI_SUM);
    mpii_coll_allreduce(w->comm, &total, 1, MPI_SUM);
    if (w->rank == 0) {
        void *block = allocate(w, (size_t)total, info, call, &error);

        if (!error)
            core_slice_offset(block, (size_t)(total ? total : 1), &slice_offset);
    }
    mpii_coll_bcast(w->comm, &slice_offset, sizeof slice_offset, 0);
    card->owner = 0;
    card->slice_offset = slice_offset + (uint64_t)before;
    w->base = error || !slice_offset ? NULL : (char *)core_slice_at(w->comm->procs[0], slice_offset) + before;
    return error;
}

static int check_sharing(struct mpii_win *w, const char *call)
{
    if (mpii_comm_on_node(w->comm))
        return MPI_SUCCESS;
    for (int i = 0; i < w->size; i++)
        if (mpii_dyn_is_foreign(w->comm->procs[i]))
            return mpii_error(w->comm, MPI_ERR_RMA_SHARED, call,
                              "rank %d of comm belongs to another job, with which no memory is shared", i);
    return mpii_error(w->comm, MPI_ERR_RMA_SHARED, call,
                      "not all processes of comm can share memory (MPI_Comm_split_type finds those that can)");
}

static int64_t share(struct mpii_win *w, MPI_Aint size, MPI_Aint unit, MPI_Info info, struct mpii_rma_card *card,
                     const char *call)
{
    int64_t error = check_size(w, size, unit, call), worst;

    if (!error)
        error = check_sharing(w, call);
    worst = error;
    mpii_coll_allreduce(w->comm, &worst, 1, MPI_MAX);
    if (worst)
        return error ? error : mpii_error(w->comm, (int)worst, call, "another process of comm gave a bad argument");
    w->bytes = size;
    w->unit = unit > INT_MAX ? INT_MAX : (int)unit;
    *card = (struct mpii_rma_card){.size = size, .unit = unit, .owner = w->rank, .in_slice = true};
    w->separate = separate(info);
    if (!w->separate)
        return share_block(w, size, info, card, call);
    w->base = allocate(w, (size_t)size, info, call, &error);
    if (!error)
        core_slice_offset(w->base, size ? (size_t)size : 1, &card->slice_offset);
    return error;
}

int mpii_Win_allocate_shared(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
                             MPI_Win *win)
{
    struct mpii_rma_card card = {0};
    struct mpii_win *w;

    MPII_TRY(mpii_check_pointer(NULL, win, "win", __func__));
    *win = MPI_WIN_NULL;
    MPII_TRY(mpii_check_pointer(NULL, baseptr, "baseptr", __func__));
    MPII_TRY(mpii_rma_win_new(comm, MPI_WIN_FLAVOR_SHARED, info, &w, __func__));
    if (w->size > 1) /* loads, stores and locks of threads order processes, too */
        core_race_blind();
    card.error = share(w, size, disp_unit, info, &card, __func__);
    MPII_TRY(finish(w, &card, win, __func__));
    *(void **)baseptr = w->base;
    return MPI_SUCCESS;
}

int mpii_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    struct mpii_rma_card card = {.unit = 1};
    struct mpii_win *w;

    MPII_TRY(mpii_check_pointer(NULL, win, "win", __func__));
    *win = MPI_WIN_NULL;
    MPII_TRY(mpii_rma_win_new(comm, MPI_WIN_FLAVOR_DYNAMIC, info, &w, __func__));
    return finish(w, &card, win, __func__);
}
