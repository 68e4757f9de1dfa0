/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles as integers (20.3): predefined ones keep their value; objects have the
 * number of their slot, counted from behind the predefined ones. Nothing has to
 * be remembered, and an integer that means nothing gives the null handle.
 */
#include "mpi/mpii.h"

enum { NO_HANDLE = -1 };

static int to_int(enum mpii_kind kind, const void *handle)
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[kind];

    if ((uintptr_t)handle < MPII_PREDEFINED_MAX)
        return (int)(uintptr_t)handle;
    if (!mpii_object_of(handle, kind))
        return NO_HANDLE;
    return (int)(MPII_PREDEFINED_MAX + ((uintptr_t)handle - pool->base) / pool->slot);
}

static void *from_int(enum mpii_kind kind, int number, void *null)
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[kind];
    void *object;

    if (number >= 0 && number < MPII_PREDEFINED_MAX)
        return (void *)(uintptr_t)number;
    if (number < 0 || !pool->base)
        return null;
    object = mpii_object_of((void *)(pool->base + (size_t)(number - MPII_PREDEFINED_MAX) * pool->slot), kind);
    return object ? object : null;
}

/* MPI_Comm_toint, MPI_Comm_fromint, MPI_Group_toint, MPI_Win_toint, ...: to_int, from_int */
#define CONVERT(Name_, KIND_, NULL_)               \
    int mpii_##Name_##_toint(MPI_##Name_ handle)   \
    {                                              \
        return to_int(KIND_, handle);              \
    }                                              \
    MPI_##Name_ mpii_##Name_##_fromint(int number) \
    {                                              \
        return from_int(KIND_, number, NULL_);     \
    }

typedef MPI_Datatype MPI_Type;

CONVERT(Comm, MPII_COMM, MPI_COMM_NULL)
CONVERT(Errhandler, MPII_ERRHANDLER, MPI_ERRHANDLER_NULL)
CONVERT(File, MPII_FILE, MPI_FILE_NULL)
CONVERT(Group, MPII_GROUP, MPI_GROUP_NULL)
CONVERT(Info, MPII_INFO, MPI_INFO_NULL)
CONVERT(Message, MPII_MESSAGE, MPI_MESSAGE_NULL)
CONVERT(Op, MPII_OP, MPI_OP_NULL)
CONVERT(Request, MPII_REQUEST, MPI_REQUEST_NULL)
CONVERT(Session, MPII_SESSION, MPI_SESSION_NULL)
CONVERT(Type, MPII_TYPE, MPI_DATATYPE_NULL)
CONVERT(Win, MPII_WIN, MPI_WIN_NULL)
