/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starting MPI from Fortran, and procedures that do nearly nothing: clocks,
 * address sums, profiling control, MPI_F_SYNC_REG.
 */
#include <pthread.h>

#include "fortran.h"

/* In a static program libgfortran uses all of these if it finds some, by weak references that pull none in. */
static void *const wanted[] __attribute__((used)) = {
    (void *)pthread_mutex_init,    (void *)pthread_mutex_destroy, (void *)pthread_mutex_lock,
    (void *)pthread_mutex_trylock, (void *)pthread_mutex_unlock,  (void *)pthread_cond_init,
    (void *)pthread_cond_destroy,  (void *)pthread_cond_wait,     (void *)pthread_cond_broadcast,
    (void *)pthread_create,        (void *)pthread_join,          (void *)pthread_self,
    (void *)pthread_key_create,    (void *)pthread_key_delete,    (void *)pthread_getspecific,
    (void *)pthread_setspecific,
};

#define DECLARE(name_, ...)              \
    void MPIF_PUBLIC name_(__VA_ARGS__); \
    void name_(__VA_ARGS__)

DECLARE(pmpi_init_, int *ierror)
{
    mpif_start();
    mpif_result(ierror, PMPI_Init(NULL, NULL));
}
MPIF_NAMES(mpi_init);

DECLARE(pmpi_init_thread_, const int *required, int *provided, int *ierror)
{
    mpif_start();
    mpif_result(ierror, PMPI_Init_thread(NULL, NULL, *required, provided));
}
MPIF_NAMES(mpi_init_thread);

DECLARE(pmpi_session_init_, const int *info, const int *errhandler, int *session, int *ierror)
{
    MPI_Session session_c = MPI_SESSION_NULL;
    int error;

    mpif_start();
    error = PMPI_Session_init(mpif_info(*info), mpif_errhandler(*errhandler), &session_c);
    if (error == MPI_SUCCESS)
        *session = mpif_session_int(session_c);
    mpif_result(ierror, error);
}
MPIF_NAMES(mpi_session_init);

DECLARE(pmpi_pcontrol_, const int *level)
{
    PMPI_Pcontrol(*level);
}
MPIF_NAMES(mpi_pcontrol);

/* A call the compiler cannot look into: what it keeps in registers goes to memory (19.1.17). */
DECLARE(pmpi_f_sync_reg_, void *buf)
{
    (void)buf;
}
MPIF_NAMES(mpi_f_sync_reg);
MPIF_ALIAS(pmpi_f_sync_reg_, pmpi_f_sync_reg_f08ts_);
MPIF_WEAK(pmpi_f_sync_reg_, mpi_f_sync_reg_f08ts_);

double MPIF_PUBLIC pmpi_wtime_(void);
double pmpi_wtime_(void)
{
    return PMPI_Wtime();
}
MPIF_NAMES(mpi_wtime);

double MPIF_PUBLIC pmpi_wtick_(void);
double pmpi_wtick_(void)
{
    return PMPI_Wtick();
}
MPIF_NAMES(mpi_wtick);

MPI_Aint MPIF_PUBLIC pmpi_aint_add_(const MPI_Aint *base, const MPI_Aint *disp);
MPI_Aint pmpi_aint_add_(const MPI_Aint *base, const MPI_Aint *disp)
{
    return PMPI_Aint_add(*base, *disp);
}
MPIF_NAMES(mpi_aint_add);

MPI_Aint MPIF_PUBLIC pmpi_aint_diff_(const MPI_Aint *addr1, const MPI_Aint *addr2);
MPI_Aint pmpi_aint_diff_(const MPI_Aint *addr1, const MPI_Aint *addr2)
{
    return PMPI_Aint_diff(*addr1, *addr2);
}
MPIF_NAMES(mpi_aint_diff);
