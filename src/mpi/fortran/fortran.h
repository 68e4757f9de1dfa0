/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the Fortran procedures need to call the C ones: handles, special
 * addresses, strings, arrays of handles. Everything here is over the standard's
 * C ABI. The procedures themselves are generated (tools/mpi/fortran.py) where a
 * table can say how, else they are in this folder.
 *
 * Calling form: gfortran's. Arguments by reference, names in small letters with
 * one underscore behind, lengths of CHARACTER arguments as size_t at the end.
 * LOGICAL is a C int, .TRUE. is 1. An absent optional ierror is NULL.
 */
#ifndef MPI_FORTRAN_H
#define MPI_FORTRAN_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MPIF_PUBLIC __attribute__((visibility("default")))

/* The other names of a procedure: the one tools may define is weak. */
#define MPIF_ALIAS(to_, name_) extern __typeof__(to_) name_ MPIF_PUBLIC __attribute__((alias(#to_)))
#define MPIF_WEAK(to_, name_) extern __typeof__(to_) name_ MPIF_PUBLIC __attribute__((weak, alias(#to_)))
#define MPIF_LOCAL(to_, name_) extern __typeof__(to_) name_ __attribute__((visibility("hidden"), alias(#to_)))
#define MPIF_NAMES_77(name_) MPIF_WEAK(p##name_##_, name_##_)
#define MPIF_NAMES_08(name_) MPIF_WEAK(p##name_##_f08_, name_##_f08_)
#define MPIF_NAMES(name_)                     \
    MPIF_NAMES_77(name_);                     \
    MPIF_ALIAS(p##name_##_, p##name_##_f08_); \
    MPIF_NAMES_08(name_)
#define MPIF_NAMES_CPTR(name_)                 \
    MPIF_ALIAS(p##name_##_, p##name_##_cptr_); \
    MPIF_WEAK(p##name_##_, name_##_cptr_)

/* ---- handles: predefined ones keep their value in both forms (20.3) ---- */

typedef MPI_Datatype MPI_Type;

#define MPIF_HANDLE(Name_, lower_)                                                           \
    static inline MPI_##Name_ mpif_##lower_(int n)                                           \
    {                                                                                        \
        return n >= 0 && n < 0x1000 ? (MPI_##Name_)(uintptr_t)n : PMPI_##Name_##_fromint(n); \
    }                                                                                        \
    static inline int mpif_##lower_##_int(MPI_##Name_ h)                                     \
    {                                                                                        \
        return (uintptr_t)h < 0x1000 ? (int)(uintptr_t)h : PMPI_##Name_##_toint(h);          \
    }
MPIF_HANDLE(Comm, comm)
MPIF_HANDLE(Errhandler, errhandler)
MPIF_HANDLE(File, file)
MPIF_HANDLE(Group, group)
MPIF_HANDLE(Info, info)
MPIF_HANDLE(Message, message)
MPIF_HANDLE(Op, op)
MPIF_HANDLE(Request, request)
MPIF_HANDLE(Session, session)
MPIF_HANDLE(Type, type)
MPIF_HANDLE(Win, win)

/* Arrays of handles: in `here` while they fit, else from the heap; mpif_done gives that back. NULL: out of memory. */
enum { MPIF_HERE = 64 };
static inline void *mpif_array(void *here, MPI_Count n, size_t each)
{
    return n <= MPIF_HERE ? here : malloc((size_t)n * each);
}
static inline void mpif_done(void *array, const void *here)
{
    if (array != here)
        free(array);
}

/* ---- special addresses: variables in common blocks of the modules and mpif.h ---- */

extern MPIF_PUBLIC int mpt_f_bottom_, mpt_f_in_place_, mpt_f_automatic_, mpt_f_errcodes_ignore_, mpt_f_unweighted_,
    mpt_f_weights_empty_;
extern MPIF_PUBLIC int mpt_f_status_ignore_[8], mpt_f_statuses_ignore_[8];
extern MPIF_PUBLIC char mpt_f_argv_null_, mpt_f_argvs_null_;

static inline void *mpif_buffer(const void *p)
{
    return p == &mpt_f_bottom_      ? MPI_BOTTOM
           : p == &mpt_f_in_place_  ? MPI_IN_PLACE
           : p == &mpt_f_automatic_ ? MPI_BUFFER_AUTOMATIC
                                    : (void *)(uintptr_t)p;
}
static inline MPI_Status *mpif_status(const void *p)
{
    return p == mpt_f_status_ignore_ || p == mpt_f_statuses_ignore_ ? MPI_STATUS_IGNORE : (MPI_Status *)(uintptr_t)p;
}
static inline int *mpif_weights(const int *p)
{
    return p == &mpt_f_unweighted_      ? MPI_UNWEIGHTED
           : p == &mpt_f_weights_empty_ ? MPI_WEIGHTS_EMPTY
                                        : (int *)(uintptr_t)p;
}
static inline int *mpif_errcodes(int *p)
{
    return p == &mpt_f_errcodes_ignore_ ? MPI_ERRCODES_IGNORE : p;
}

/* ---- strings.c: CHARACTER to C and back ---- */

/* A copy without the blanks at its end; free it. NULL: out of memory. */
char *mpif_string(const char *text, size_t n);
/* Without those at its beginning, too: keys and values of infos (10), commands and arguments (11.8.2). */
char *mpif_trimmed(const char *text, size_t n);
/* Fills up with blanks, or cuts off. */
void mpif_string_out(char *to, size_t n, const char *from);

/* ---- lengths.c: how many a procedure's array has that no argument tells ---- */

MPI_Count mpif_peers(MPI_Comm comm);
MPI_Count mpif_neighbours(MPI_Comm comm, bool out);

/* ---- error.c ---- */

/* Raise a class on MPI_COMM_SELF, and return it. */
int mpif_error(int code);
int mpif_no_memory(void);
void mpif_start(void); /* before any init: tell the library what Fortran's LOGICAL looks like */

static inline void mpif_result(int *ierror, int error)
{
    if (ierror)
        *ierror = error;
}

/* ---- predefined.c: callbacks that are names for something ---- */

#define MPIF_COPY_ARGS                                                                                                \
    const int *handle, const int *keyval, const MPI_Aint *extra_state, const MPI_Aint *value_in, MPI_Aint *value_out, \
        int *flag, int *ierror
#define MPIF_DELETE_ARGS \
    const int *handle, const int *keyval, const MPI_Aint *value, const MPI_Aint *extra_state, int *ierror
#define MPIF_COPY_ARGS_OLD                                                                                        \
    const int *handle, const int *keyval, const int *extra_state, const int *value_in, int *value_out, int *flag, \
        int *ierror
#define MPIF_DELETE_ARGS_OLD const int *handle, const int *keyval, const int *value, const int *extra_state, int *ierror
#define MPIF_CONVERSION_ARGS                                                                          \
    void *userbuf, const int *datatype, const void *count, void *filebuf, const MPI_Offset *position, \
        MPI_Aint *extra_state, int *ierror
typedef void mpif_copy(MPIF_COPY_ARGS);
typedef void mpif_delete(MPIF_DELETE_ARGS);
typedef void mpif_copy_old(MPIF_COPY_ARGS_OLD);
typedef void mpif_delete_old(MPIF_DELETE_ARGS_OLD);
typedef void mpif_conversion(MPIF_CONVERSION_ARGS);
extern MPIF_PUBLIC mpif_copy mpi_comm_null_copy_fn_, mpi_comm_dup_fn_, mpi_win_null_copy_fn_, mpi_win_dup_fn_,
    mpi_type_null_copy_fn_, mpi_type_dup_fn_;
extern MPIF_PUBLIC mpif_delete mpi_comm_null_delete_fn_, mpi_win_null_delete_fn_, mpi_type_null_delete_fn_;
extern MPIF_PUBLIC mpif_copy_old mpi_null_copy_fn_, mpi_dup_fn_;
extern MPIF_PUBLIC mpif_delete_old mpi_null_delete_fn_;
extern MPIF_PUBLIC mpif_conversion mpi_conversion_fn_null_, mpi_conversion_fn_null_c_;

#endif
