/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The border between MPICH's binary interface (libmpi.so.12) and the bodies,
 * which speak the standard's: a converter for each kind of argument. in: from
 * the program, out: to it. What means nothing there must mean nothing here.
 *
 * MPICH's handles are integers: two bits say whether it is predefined, four of
 * what kind it is. Ours for objects that are made have the number of their slot
 * in the low 26 bits, so that nothing has to be remembered.
 */
#ifndef MPI_FRONT_MPICH_H
#define MPI_FRONT_MPICH_H

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/front/mpich_inside.h"

struct mpich_status {
    int count_lo;
    int count_hi_and_cancelled; /* bit 0: cancelled */
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
};

#define MPICH_HIDDEN __attribute__((visibility("hidden")))

/* Constants that are pointers there. */
#define MPICH_STATUS_IGNORE ((struct mpich_status *)1)
#define MPICH_IN_PLACE ((void *)-1)
#define MPICH_BUFFER_AUTOMATIC ((void *)-2)
MPICH_HIDDEN extern int mpich_unweighted[1], mpich_weights_empty[1], mpich_all_handles[1];

/* The generated tables (mpich_tables.c): value there, value here. */
struct mpich_pair {
    int there, here;
};
struct mpich_table {
    int n;
    const struct mpich_pair *pairs;
};
#pragma GCC visibility push(hidden)
#include "mpich_tables.h"
/* Types of MPICH's own that are one of the standard's by another name, which the program then wants to see again. */
MPI_Datatype mpich_alias_in(int handle) __attribute__((cold));
#pragma GCC visibility pop

/* A number that no argument may be, and a handle that none is. */
#define MPICH_BAD INT_MIN
#define MPICH_BAD_HANDLE ((void *)(uintptr_t)0xff8)
/* A result that the body has not stored. */
#define MPICH_UNSET ((void *)(uintptr_t)0xff0)
static inline bool mpich_is_handle(const void *p)
{
    return p != MPICH_UNSET && p != MPICH_BAD_HANDLE;
}

/* ------------------------------------------------------------- numbers -- */

#pragma GCC visibility push(hidden)
/* By a table. A value that is not in it stays as it is; one that means something here only is MPICH_BAD. */
int mpich_value_in(const struct mpich_table *t, int value);
int mpich_value_out(const struct mpich_table *t, int value);
/* Sums of powers of two; bits that mean nothing stay an error. */
int mpich_bits_in(const struct mpich_table *t, int value);
int mpich_bits_out(const struct mpich_table *t, int value);
#pragma GCC visibility pop

/* Ranks: their special ones are -1 to -3, ours to -4. */
static inline int mpich_rank_in(int rank)
{
    if (MPT_LIKELY(rank >= 0))
        return rank;
    return rank < -3 ? (rank == MPI_UNDEFINED ? rank : MPICH_BAD) : mpich_value_in(&mpich_rank, rank);
}
static inline int mpich_rank_out(int rank)
{
    return MPT_LIKELY(rank >= 0) ? rank : mpich_value_out(&mpich_rank, rank);
}
static inline int mpich_tag_in(int tag)
{
    return MPT_LIKELY(tag >= 0) ? tag : mpich_value_in(&mpich_tag, tag);
}
static inline int mpich_tag_out(int tag)
{
    return MPT_LIKELY(tag >= 0) ? tag : mpich_value_out(&mpich_tag, tag);
}

/* Error codes: the program's own lie above MPI_ERR_LASTCODE, which is another number there. */
enum { MPICH_ERR_LASTCODE = 0x3fffffff };
static inline int mpich_code_in(int code)
{
    return code >= MPICH_ERR_LASTCODE ? code - MPICH_ERR_LASTCODE + MPI_ERR_LASTCODE
                                      : mpich_value_in(&mpich_error, code);
}
static inline int mpich_code_out(int code)
{
    if (MPT_LIKELY(code == MPI_SUCCESS))
        return code;
    return code >= MPI_ERR_LASTCODE ? code - MPI_ERR_LASTCODE + MPICH_ERR_LASTCODE
                                    : mpich_value_out(&mpich_error, code);
}

/* ------------------------------------------------------------- handles -- */

struct mpich_kind {
    enum mpii_kind kind;
    unsigned bits; /* of handles of objects that were made */
    struct mpich_table predefined;
};
enum { MPICH_INDEX_BITS = 26, MPICH_INDEX = (1 << MPICH_INDEX_BITS) - 1 };

MPICH_HIDDEN void *mpich_predefined_in(const struct mpich_kind *k, int handle);
MPICH_HIDDEN int mpich_predefined_out(const struct mpich_kind *k, const void *handle);

static inline void *mpich_made_in(const struct mpich_kind *k, int handle)
{
    const struct mpii_pool *pool = &mpt_mpich_inside.pools[k->kind];

    return pool->base ? (void *)(pool->base + (size_t)(handle & MPICH_INDEX) * pool->slot) : MPICH_BAD_HANDLE;
}

static inline int mpich_made_out(const struct mpich_kind *k, const void *handle)
{
    const struct mpii_pool *pool = &mpt_mpich_inside.pools[k->kind];

    return (int)(k->bits | (unsigned)(((uintptr_t)handle - pool->base) >> __builtin_ctzl(pool->slot)));
}

static inline void *mpich_handle_in(const struct mpich_kind *k, int handle)
{
    if (((unsigned)handle & ~(unsigned)MPICH_INDEX) == k->bits)
        return mpich_made_in(k, handle);
    return mpich_predefined_in(k, handle);
}

static inline int mpich_handle_out(const struct mpich_kind *k, const void *handle)
{
    if ((uintptr_t)handle >= MPII_PREDEFINED_MAX)
        return mpich_made_out(k, handle);
    return mpich_predefined_out(k, handle);
}

static inline MPI_Datatype mpich_type_in(int handle)
{
    if (MPT_LIKELY(((unsigned)handle & 0xffff0000u) == 0x4c000000u)) {
        const struct mpich_pair *p = &mpich_types_in[handle & 0xff];

        return MPT_LIKELY(p->there == handle) ? (MPI_Datatype)(uintptr_t)(unsigned)p->here : mpich_alias_in(handle);
    }
    return mpich_handle_in(&mpich_type_kind, handle);
}
static inline int mpich_type_out(MPI_Datatype handle)
{
    return ((uintptr_t)handle & ~(uintptr_t)0xff) == 0x200 ? mpich_types_out[(uintptr_t)handle & 0xff]
                                                           : mpich_handle_out(&mpich_type_kind, handle);
}

#define MPICH_HANDLE(Type_, kind_)                              \
    static inline Type_ mpich_##kind_##_in(int handle)          \
    {                                                           \
        return mpich_handle_in(&mpich_##kind_##_kind, handle);  \
    }                                                           \
    static inline int mpich_##kind_##_out(Type_ handle)         \
    {                                                           \
        return mpich_handle_out(&mpich_##kind_##_kind, handle); \
    }
MPICH_HANDLE(MPI_Comm, comm)
MPICH_HANDLE(MPI_Errhandler, errhandler)
MPICH_HANDLE(MPI_Group, group)
MPICH_HANDLE(MPI_Info, info)
MPICH_HANDLE(MPI_Message, message)
MPICH_HANDLE(MPI_Op, op)
MPICH_HANDLE(MPI_Request, request)
MPICH_HANDLE(MPI_Session, session)
MPICH_HANDLE(MPI_Win, win)
#undef MPICH_HANDLE
/* Files are pointers there too, but no file is NULL. */
static inline MPI_File mpich_file_in(MPI_File file)
{
    return file ? file : MPI_FILE_NULL;
}
static inline MPI_File mpich_file_out(MPI_File file)
{
    return file == MPI_FILE_NULL ? NULL : file;
}

static inline MPI_T_pvar_handle mpich_pvar_in(MPI_T_pvar_handle h)
{
    return (void *)h == (void *)mpich_all_handles ? MPI_T_PVAR_ALL_HANDLES : h;
}

/* ------------------------------------------------------------ pointers -- */

static inline void *mpich_buffer_in(const void *buffer)
{
    if (MPT_UNLIKELY((uintptr_t)buffer >= (uintptr_t)-2))
        return buffer == MPICH_IN_PLACE ? MPI_IN_PLACE : MPI_BUFFER_AUTOMATIC;
    return (void *)(uintptr_t)buffer;
}
static inline void mpich_buffer_out(void *at)
{
    if (at && *(void **)at == MPI_BUFFER_AUTOMATIC)
        *(void **)at = MPICH_BUFFER_AUTOMATIC;
}
static inline int *mpich_weights_in(const int *weights)
{
    return weights == mpich_unweighted      ? MPI_UNWEIGHTED
           : weights == mpich_weights_empty ? MPI_WEIGHTS_EMPTY
                                            : (int *)(uintptr_t)weights;
}

/* ------------------------------------------------------------ statuses -- */

/* Where request_status.c keeps them in MPI_internal. */
enum { MPICH_CANCELLED_AT = 0, MPICH_BYTES_AT = 1 };

static inline bool mpich_status_ignored(const struct mpich_status *s)
{
    return s == NULL || s == MPICH_STATUS_IGNORE;
}

static inline MPI_Status *mpich_status_in(MPI_Status *to, const struct mpich_status *from)
{
    MPI_Count bytes;

    if (mpich_status_ignored(from))
        return MPI_STATUS_IGNORE;
    bytes = (MPI_Count)((uint64_t)((unsigned)from->count_hi_and_cancelled >> 1) << 32 | (unsigned)from->count_lo);
    *to = (MPI_Status){.MPI_SOURCE = mpich_rank_in(from->MPI_SOURCE),
                       .MPI_TAG = mpich_tag_in(from->MPI_TAG),
                       .MPI_ERROR = mpich_code_in(from->MPI_ERROR)};
    to->MPI_internal[MPICH_CANCELLED_AT] = from->count_hi_and_cancelled & 1;
    memcpy(&to->MPI_internal[MPICH_BYTES_AT], &bytes, sizeof bytes);
    return to;
}

/* A status to be filled in: fields that the body leaves alone stay as the program has them. */
static inline MPI_Status *mpich_status_room(MPI_Status *room, const struct mpich_status *to)
{
    if (mpich_status_ignored(to))
        return MPI_STATUS_IGNORE;
    room->MPI_SOURCE = room->MPI_ERROR = MPICH_BAD;
    return room;
}

static inline void mpich_status_out(struct mpich_status *to, const MPI_Status *from)
{
    MPI_Count bytes;

    if (mpich_status_ignored(to))
        return;
    if (from->MPI_ERROR != MPICH_BAD)
        to->MPI_ERROR = mpich_code_out(from->MPI_ERROR);
    if (from->MPI_SOURCE == MPICH_BAD)
        return;
    memcpy(&bytes, &from->MPI_internal[MPICH_BYTES_AT], sizeof bytes);
    to->MPI_SOURCE = mpich_rank_out(from->MPI_SOURCE);
    to->MPI_TAG = mpich_tag_out(from->MPI_TAG);
    to->count_lo = (int)(uint32_t)bytes;
    to->count_hi_and_cancelled = (int)((unsigned)(bytes >> 32) << 1 | (from->MPI_internal[MPICH_CANCELLED_AT] != 0));
}

/* -------------------------------------------------------------- arrays -- */

enum { MPICH_FEW = 32 };
static inline void mpich_free(void **heap)
{
    free(*heap);
}

/* An array to convert to: on the stack when it is short. */
#define MPICH_ARRAY(type_, name_, n_)                                               \
    type_ name_##few_[MPICH_FEW];                                                   \
    void *name_##heap_ __attribute__((cleanup(mpich_free))) = NULL;                 \
    MPI_Count name_##n = (n_) > 0 ? (MPI_Count)(n_) : 0;                            \
    type_ *name_ = name_##few_;                                                     \
    if (name_##n > MPICH_FEW) {                                                     \
        name_ = name_##heap_ = reallocarray(NULL, (size_t)name_##n, sizeof *name_); \
        if (!name_)                                                                 \
            return mpich_code_out(MPI_ERR_NO_MEM);                                  \
    }

/* Entries in and out; NULL stays NULL for the body to complain of. */
#define MPICH_ARRAY_IN(name_, from_, in_)                    \
    do {                                                     \
        for (MPI_Count i_ = 0; from_ && i_ < name_##n; i_++) \
            name_[i_] = in_((from_)[i_]);                    \
        if (!(from_))                                        \
            name_ = NULL;                                    \
    } while (0)
#define MPICH_ARRAY_OUT(name_, to_, out_)                    \
    do {                                                     \
        for (MPI_Count i_ = 0; (to_) && i_ < name_##n; i_++) \
            if (mpich_is_handle(name_[i_]))                  \
                (to_)[i_] = out_(name_[i_]);                 \
    } while (0)
#define MPICH_ARRAY_UNSET(name_)                    \
    do {                                            \
        for (MPI_Count i_ = 0; i_ < name_##n; i_++) \
            name_[i_] = MPICH_UNSET;                \
    } while (0)

static inline void mpich_statuses_room(MPI_Status *room, const struct mpich_status *to, MPI_Count n)
{
    for (MPI_Count i = 0; !mpich_status_ignored(to) && i < n; i++)
        mpich_status_room(&room[i], &to[i]);
}
static inline void mpich_statuses_out(struct mpich_status *to, const MPI_Status *from, MPI_Count n)
{
    for (MPI_Count i = 0; !mpich_status_ignored(to) && i < n; i++)
        mpich_status_out(&to[i], &from[i]);
}

/* The weak name that programs call, beside the strong one of profiling. Each function is declared with it
 * (mpich_calls.h). */
#define MPICH_NAMESX(Name_)                                                     \
    extern __typeof__(mpich_##Name_) mpich_weak_##Name_ __asm__("MPIX_" #Name_) \
        __attribute__((weak, alias("PMPIX_" #Name_)));
#define MPICH_NAMES(Name_)                                                     \
    extern __typeof__(mpich_##Name_) mpich_weak_##Name_ __asm__("MPI_" #Name_) \
        __attribute__((weak, alias("PMPI_" #Name_)));

#endif
