/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a window tells about itself: predefined attributes (12.2.6), the memory of
 * members that this process can load and store (12.2.3), group and name.
 */
#include <limits.h>

#include "mpi/rma/win.h"

struct mpii_attr **mpii_win_attrs(MPI_Win handle)
{
    struct mpii_win *w = mpii_win_of(handle);

    return w ? &w->attrs : NULL;
}

bool mpii_win_attr(MPI_Win handle, int keyval, void **value)
{
    struct mpii_win *w = mpii_win_of(handle);

    if (!w)
        return false;
    switch (keyval) {
    case MPI_WIN_BASE:
        *value = w->base;
        return true;
    case MPI_WIN_SIZE:
        *value = &w->bytes;
        return true;
    case MPI_WIN_DISP_UNIT:
        *value = &w->unit;
        return true;
    case MPI_WIN_CREATE_FLAVOR:
        *value = &w->flavor;
        return true;
    case MPI_WIN_MODEL:
        *value = &w->model;
        return true;
    }
    return false;
}

/* MPI_PROC_NULL: the first member that has memory, else none. */
static int queried_rank(const struct mpii_win *w, int rank)
{
    for (int i = 0; rank == MPI_PROC_NULL && i < w->size; i++)
        if (w->peers[i].size > 0)
            return i;
    return rank;
}

int mpii_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, void *disp_unit, void *baseptr, int wide)
{
    const struct mpii_rma_peer *p = NULL;
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    MPII_TRY(mpii_check_pointer(w, size, "size", __func__));
    MPII_TRY(mpii_check_pointer(w, disp_unit, "disp_unit", __func__));
    MPII_TRY(mpii_check_pointer(w, baseptr, "baseptr", __func__));
    if (w->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return mpii_error(w, MPI_ERR_RMA_FLAVOR, __func__, "win is a dynamic window, which has no memory of its own");
    if (w->size > 1) /* as in MPI_Win_allocate_shared */
        core_race_blind();
    if (rank != MPI_PROC_NULL && (unsigned)rank >= (unsigned)w->size)
        return mpii_error(w, MPI_ERR_RANK, __func__, "rank is %d, not a rank of this window of %d processes", rank,
                          w->size);
    rank = queried_rank(w, rank);
    if (rank != MPI_PROC_NULL)
        p = &w->peers[rank];
    if (!wide && p && p->unit > INT_MAX)
        return mpii_error(w, MPI_ERR_VALUE_TOO_LARGE, __func__, "disp_unit of rank %d is %lld, too large for an int",
                          rank, (long long)p->unit);
    *(void **)baseptr = p && (p->size > 0 || !w->separate) ? p->base : NULL;
    *size = p && p->base ? p->size : 0;
    if (wide)
        *(MPI_Aint *)disp_unit = p ? p->unit : 1;
    else
        *(int *)disp_unit = p ? (int)p->unit : 1;
    return MPI_SUCCESS;
}

int mpii_Win_get_group(MPI_Win win, MPI_Group *group)
{
    struct mpii_group *g;
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    MPII_TRY(mpii_check_pointer(w, group, "group", __func__));
    g = mpii_group_new(w->size, w->comm->procs);
    if (!g)
        return mpii_error(w, MPI_ERR_NO_MEM, __func__, "no memory for a group");
    *group = mpii_group_handle(g);
    return MPI_SUCCESS;
}

int mpii_Win_set_name(MPI_Win win, const char *win_name)
{
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    MPII_TRY(mpii_check_pointer(w, win_name, "win_name", __func__));
    mpii_name_keep(w->name, win_name);
    return MPI_SUCCESS;
}

int mpii_Win_get_name(MPI_Win win, char *win_name, int *resultlen)
{
    struct mpii_win *w = NULL;

    MPII_TRY(mpii_check_started(__func__));
    if (win != MPI_WIN_NULL)
        MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    return mpii_name_give(w, w ? w->name : "MPI_WIN_NULL", win_name, "win_name", resultlen, __func__);
}
