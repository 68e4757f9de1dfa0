/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attributes of communicators, windows and datatypes (7.7): integers of address
 * size, or default integers in the deprecated calls.
 */
#include "attr.h"

#define DECLARE(name_, ...)              \
    void MPIF_PUBLIC name_(__VA_ARGS__); \
    void name_(__VA_ARGS__)

/* The library's own attributes: C gets the address of an int, of an MPI_Aint, or the address that is the value. */
static MPI_Aint value_of(int keyval, void *p)
{
    switch (keyval) {
    case MPI_TAG_UB:
    case MPI_IO:
    case MPI_HOST:
    case MPI_WTIME_IS_GLOBAL:
    case MPI_APPNUM:
    case MPI_LASTUSEDCODE:
    case MPIX_FT:
    case MPI_UNIVERSE_SIZE:
    case MPI_WIN_DISP_UNIT:
    case MPI_WIN_CREATE_FLAVOR:
    case MPI_WIN_MODEL:
        return *(int *)p;
    case MPI_WIN_SIZE:
        return *(MPI_Aint *)p;
    default:
        return mpif_cell_value(p);
    }
}

/* mpi_comm_set_attr_, mpi_comm_get_attr_, mpi_win_set_attr_, mpi_win_get_attr_, mpi_type_set_attr_, mpi_type_get_attr_
 */
#define KIND(lower_, Name_)                                                                                           \
    static int put_##lower_(MPI_##Name_ handle, int keyval, MPI_Aint value)                                           \
    {                                                                                                                 \
        void *cell = mpif_cell(value);                                                                                \
        int error = cell ? PMPI_##Name_##_set_attr(handle, keyval, cell) : mpif_no_memory();                          \
                                                                                                                      \
        if (error != MPI_SUCCESS)                                                                                     \
            mpif_cell_free(cell);                                                                                     \
        return error;                                                                                                 \
    }                                                                                                                 \
    static int get_##lower_(MPI_##Name_ handle, int keyval, MPI_Aint *value, int *flag)                               \
    {                                                                                                                 \
        void *p = NULL;                                                                                               \
        int flag_c = 0, error = PMPI_##Name_##_get_attr(handle, keyval, &p, &flag_c);                                 \
                                                                                                                      \
        if (error == MPI_SUCCESS && flag_c)                                                                           \
            *value = value_of(keyval, p);                                                                             \
        *flag = flag_c != 0;                                                                                          \
        return error;                                                                                                 \
    }                                                                                                                 \
    DECLARE(pmpi_##lower_##_set_attr_, const int *handle, const int *keyval, const MPI_Aint *value, int *ierror)      \
    {                                                                                                                 \
        mpif_result(ierror, put_##lower_(mpif_##lower_(*handle), *keyval, *value));                                   \
    }                                                                                                                 \
    DECLARE(pmpi_##lower_##_get_attr_, const int *handle, const int *keyval, MPI_Aint *value, int *flag, int *ierror) \
    {                                                                                                                 \
        mpif_result(ierror, get_##lower_(mpif_##lower_(*handle), *keyval, value, flag));                              \
    }                                                                                                                 \
    MPIF_NAMES(mpi_##lower_##_set_attr);                                                                              \
    MPIF_NAMES(mpi_##lower_##_get_attr);
KIND(comm, Comm)
KIND(win, Win)
KIND(type, Type)

DECLARE(pmpi_attr_put_, const int *comm, const int *keyval, const int *value, int *ierror)
{
    mpif_result(ierror, put_comm(mpif_comm(*comm), *keyval, *value));
}
MPIF_NAMES_77(mpi_attr_put);

DECLARE(pmpi_attr_get_, const int *comm, const int *keyval, int *value, int *flag, int *ierror)
{
    MPI_Aint wide = 0;
    int error = get_comm(mpif_comm(*comm), *keyval, &wide, flag);

    if (error == MPI_SUCCESS && *flag)
        *value = (int)wide;
    mpif_result(ierror, error);
}
MPIF_NAMES_77(mpi_attr_get);
