/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The predefined callback procedures (7.7.2, 14.5.3). Where a program gives one to
 * MPI it is known by its address and the C library's own is used; a program may
 * also call them itself, from a callback of its own.
 */
#include "fortran.h"

static void dup_any(const MPI_Aint *value_in, MPI_Aint *value_out, int *flag, int *ierror)
{
    *value_out = *value_in;
    *flag = 1;
    *ierror = MPI_SUCCESS;
}

static void no_copy(int *flag, int *ierror)
{
    *flag = 0;
    *ierror = MPI_SUCCESS;
}

#pragma GCC diagnostic ignored "-Wunused-parameter"
/* mpi_comm_null_copy_fn_, mpi_comm_dup_fn_, mpi_comm_null_delete_fn_, and those of win and type */
#define KIND(name_)                                      \
    void mpi_##name_##_null_copy_fn_(MPIF_COPY_ARGS)     \
    {                                                    \
        no_copy(flag, ierror);                           \
    }                                                    \
    void mpi_##name_##_dup_fn_(MPIF_COPY_ARGS)           \
    {                                                    \
        dup_any(value_in, value_out, flag, ierror);      \
    }                                                    \
    void mpi_##name_##_null_delete_fn_(MPIF_DELETE_ARGS) \
    {                                                    \
        *ierror = MPI_SUCCESS;                           \
    }
KIND(comm)
KIND(win)
KIND(type)

void mpi_null_copy_fn_(MPIF_COPY_ARGS_OLD)
{
    no_copy(flag, ierror);
}

void mpi_dup_fn_(MPIF_COPY_ARGS_OLD)
{
    *value_out = *value_in;
    *flag = 1;
    *ierror = MPI_SUCCESS;
}

void mpi_null_delete_fn_(MPIF_DELETE_ARGS_OLD)
{
    *ierror = MPI_SUCCESS;
}

/* It means "no conversion": calling it is a mistake. */
void mpi_conversion_fn_null_(MPIF_CONVERSION_ARGS)
{
    *ierror = MPI_ERR_CONVERSION;
}
void mpi_conversion_fn_null_c_(MPIF_CONVERSION_ARGS)
{
    *ierror = MPI_ERR_CONVERSION;
}
