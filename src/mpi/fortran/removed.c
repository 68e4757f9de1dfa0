/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What MPI-3.0 removed, for programs of MPI-1's time. Addresses and displacements are default integers here, so an
 * address keeps its low 32 bits: differences of addresses are right while they fit, addresses themselves are not. A
 * bound that does not fit is MPI_UNDEFINED.
 */
#include "fortran.h"
#include "slots.h"

#define DECLARE(name_, ...)              \
    void MPIF_PUBLIC name_(__VA_ARGS__); \
    void name_(__VA_ARGS__)

/* No form of mpi_f08 has them. */
#define NAME(name_) MPIF_NAMES_77(name_)

DECLARE(pmpi_address_, const void *location, int *address, int *ierror)
{
    MPI_Aint at = 0;
    int error = PMPI_Address(mpif_buffer(location), &at);

    if (error == MPI_SUCCESS)
        *address = (int)(uint32_t)at;
    mpif_result(ierror, error);
}
NAME(mpi_address);

/* mpi_type_extent_, mpi_type_lb_, mpi_type_ub_ */
#define BOUND(lower_)                                                                       \
    DECLARE(pmpi_type_##lower_##_, const int *datatype, int *bound, int *ierror)            \
    {                                                                                       \
        MPI_Aint bytes = 0;                                                                 \
        int error = PMPI_Type_##lower_(mpif_type(*datatype), &bytes);                       \
                                                                                            \
        if (error == MPI_SUCCESS)                                                           \
            *bound = bytes >= INT32_MIN && bytes <= INT32_MAX ? (int)bytes : MPI_UNDEFINED; \
        mpif_result(ierror, error);                                                         \
    }                                                                                       \
    NAME(mpi_type_##lower_);
BOUND(extent)
BOUND(lb)
BOUND(ub)

static void give(int *newtype, MPI_Datatype made, int *ierror, int error)
{
    if (error == MPI_SUCCESS)
        *newtype = mpif_type_int(made);
    mpif_result(ierror, error);
}

DECLARE(pmpi_type_hvector_, const int *count, const int *blocklength, const int *stride, const int *oldtype,
        int *newtype, int *ierror)
{
    MPI_Datatype made = MPI_DATATYPE_NULL;
    int error = PMPI_Type_hvector(*count, *blocklength, *stride, mpif_type(*oldtype), &made);

    give(newtype, made, ierror, error);
}
NAME(mpi_type_hvector);

/* As wide as C has them. NULL: no memory. */
static MPI_Aint *widen(MPI_Aint *here, const int *displacements, int n)
{
    MPI_Aint *all = mpif_array(here, n, sizeof *all);

    for (int i = 0; all && i < n; i++)
        all[i] = displacements[i];
    return all;
}

DECLARE(pmpi_type_hindexed_, const int *count, const int *lengths, const int *displacements, const int *oldtype,
        int *newtype, int *ierror)
{
    MPI_Aint here[MPIF_HERE], *at = widen(here, displacements, *count);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    int error = at ? PMPI_Type_hindexed(*count, lengths, at, mpif_type(*oldtype), &made) : mpif_no_memory();

    mpif_done(at, here);
    give(newtype, made, ierror, error);
}
NAME(mpi_type_hindexed);

DECLARE(pmpi_type_struct_, const int *count, const int *lengths, const int *displacements, const int *types,
        int *newtype, int *ierror)
{
    MPI_Aint here[MPIF_HERE], *at = widen(here, displacements, *count);
    MPI_Datatype types_here[MPIF_HERE], *all = mpif_array(types_here, *count, sizeof *all), made = MPI_DATATYPE_NULL;
    int error;

    for (int i = 0; all && i < *count; i++)
        all[i] = mpif_type(types[i]);
    error = at && all ? PMPI_Type_struct(*count, lengths, at, all, &made) : mpif_no_memory();
    mpif_done(at, here);
    mpif_done(all, types_here);
    give(newtype, made, ierror, error);
}
NAME(mpi_type_struct);

/* ---- error handlers: those of communicators under other names ---- */

extern void pmpi_comm_create_errhandler_(mpif_procedure *function, int *errhandler, int *ierror);

DECLARE(pmpi_errhandler_create_, mpif_procedure *function, int *errhandler, int *ierror)
{
    pmpi_comm_create_errhandler_(function, errhandler, ierror);
}
NAME(mpi_errhandler_create);

DECLARE(pmpi_errhandler_set_, const int *comm, const int *errhandler, int *ierror)
{
    mpif_result(ierror, PMPI_Errhandler_set(mpif_comm(*comm), mpif_errhandler(*errhandler)));
}
NAME(mpi_errhandler_set);

DECLARE(pmpi_errhandler_get_, const int *comm, int *errhandler, int *ierror)
{
    MPI_Errhandler found = MPI_ERRHANDLER_NULL;
    int error = PMPI_Errhandler_get(mpif_comm(*comm), &found);

    if (error == MPI_SUCCESS)
        *errhandler = mpif_errhandler_int(found);
    mpif_result(ierror, error);
}
NAME(mpi_errhandler_get);
