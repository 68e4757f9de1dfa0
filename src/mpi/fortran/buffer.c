/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Detaching buffers: mpi_f08 gives the address back, mpif.h and `use mpi` do not
 * (their buffer_addr is a choice argument that is not written, 3.6). And statuses,
 * which have one form in memory for C, mpi and mpi_f08.
 */
#include "fortran.h"

#define DECLARE(name_, ...)              \
    void MPIF_PUBLIC name_(__VA_ARGS__); \
    void name_(__VA_ARGS__)

/* keep_: mpi_f08; type_: of the size. */
#define BODY(call_, keep_)                   \
    {                                        \
        void *address = NULL;                \
        int error = call_;                   \
                                             \
        if ((keep_) && error == MPI_SUCCESS) \
            *(void **)buffer_addr = address; \
        mpif_result(ierror, error);          \
    }
#define DETACH(name_, Call_)                                                                           \
    DECLARE(pmpi_##name_##_, const int *handle, void *buffer_addr, int *size, int *ierror)             \
    BODY(P##Call_(FROM(handle), &address, size), ((void)buffer_addr, false))                           \
    DECLARE(pmpi_##name_##_f08_, const int *handle, void *buffer_addr, int *size, int *ierror)         \
    BODY(P##Call_(FROM(handle), &address, size), true)                                                 \
    DECLARE(pmpi_##name_##_c_f08_, const int *handle, void *buffer_addr, MPI_Count *size, int *ierror) \
    BODY(P##Call_##_c(FROM(handle), &address, size), true)                                             \
    MPIF_NAMES_77(mpi_##name_);                                                                        \
    MPIF_NAMES_08(mpi_##name_);                                                                        \
    MPIF_NAMES_08(mpi_##name_##_c);

#define FROM(h_) mpif_comm(*(h_))
DETACH(comm_detach_buffer, MPI_Comm_detach_buffer)
#undef FROM
#define FROM(h_) mpif_session(*(h_))
DETACH(session_detach_buffer, MPI_Session_detach_buffer)

DECLARE(pmpi_buffer_detach_, void *buffer_addr, int *size, int *ierror)
BODY(PMPI_Buffer_detach(&address, size), ((void)buffer_addr, false))
DECLARE(pmpi_buffer_detach_f08_, void *buffer_addr, int *size, int *ierror)
BODY(PMPI_Buffer_detach(&address, size), true)
DECLARE(pmpi_buffer_detach_c_f08_, void *buffer_addr, MPI_Count *size, int *ierror)
BODY(PMPI_Buffer_detach_c(&address, size), true) MPIF_NAMES_77(mpi_buffer_detach);
MPIF_NAMES_08(mpi_buffer_detach);
MPIF_NAMES_08(mpi_buffer_detach_c);

DECLARE(pmpi_status_f2f08_, const int *from, int *to, int *ierror)
{
    memcpy(to, from, sizeof(MPI_Status));
    mpif_result(ierror, MPI_SUCCESS);
}
MPIF_NAMES(mpi_status_f2f08);

DECLARE(pmpi_status_f082f_, const int *from, int *to, int *ierror)
{
    memcpy(to, from, sizeof(MPI_Status));
    mpif_result(ierror, MPI_SUCCESS);
}
MPIF_NAMES(mpi_status_f082f);
