/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What libmpi.so.12 offers beyond today's standard: handles and statuses as Fortran has them, data symbols, and the
 * questions of MPICH's own that programs ask before they use an extension.
 */
#include "mpi/front_mpich/calls.h"

#define EXPORT(Type_, Name_, ...) Type_ mpich_##Name_(__VA_ARGS__) __asm__("PMPI_" #Name_)

/* -------------------------------------------------------------- symbols -- */

int mpich_unweighted[1], mpich_weights_empty[1], mpich_all_handles[1];

extern int *const mpich_unweighted_symbol __asm__("MPI_UNWEIGHTED");
extern int *const mpich_weights_empty_symbol __asm__("MPI_WEIGHTS_EMPTY");
extern int *const mpich_all_handles_symbol __asm__("MPI_T_PVAR_ALL_HANDLES");
int *const mpich_unweighted_symbol = mpich_unweighted;
int *const mpich_weights_empty_symbol = mpich_weights_empty;
int *const mpich_all_handles_symbol = mpich_all_handles;

/* What Fortran's MPI_STATUS_IGNORE is; a Fortran library sets the first two. */
int *mpich_f_status_ignore __asm__("MPI_F_STATUS_IGNORE");
int *mpich_f_statuses_ignore __asm__("MPI_F_STATUSES_IGNORE");
struct mpich_status MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];
struct mpich_status *mpich_f08_status_ignore __asm__("MPI_F08_STATUS_IGNORE") = &MPIR_F08_MPI_STATUS_IGNORE_OBJ;
struct mpich_status *mpich_f08_statuses_ignore __asm__("MPI_F08_STATUSES_IGNORE") = MPIR_F08_MPI_STATUSES_IGNORE_OBJ;

/* -------------------------------------------------------------- Fortran -- */

/* Handles are integers in both languages: MPI_Comm_c2f, MPI_Comm_f2c, MPI_Type_c2f, MPI_Request_f2c, ... */
#define SAME(Kind_)                       \
    EXPORT(int, Kind_##_c2f, int handle); \
    EXPORT(int, Kind_##_f2c, int handle); \
    int mpich_##Kind_##_c2f(int handle)   \
    {                                     \
        return handle;                    \
    }                                     \
    int mpich_##Kind_##_f2c(int handle)   \
    {                                     \
        return handle;                    \
    }                                     \
    MPICH_NAMES(Kind_##_c2f)              \
    MPICH_NAMES(Kind_##_f2c)

SAME(Comm)
SAME(Errhandler)
SAME(Group)
SAME(Info)
SAME(Message)
SAME(Op)
SAME(Request)
SAME(Session)
SAME(Type)
SAME(Win)

EXPORT(int, File_c2f, MPI_File file);
EXPORT(MPI_File, File_f2c, int file);

int mpich_File_c2f(MPI_File file)
{
    return mpich_File_toint(file);
}
MPICH_NAMES(File_c2f)

MPI_File mpich_File_f2c(int file)
{
    return mpich_File_fromint(file);
}
MPICH_NAMES(File_f2c)

/* All three forms of a status have the same five integers. */
static int copy_status(const void *from, void *to)
{
    if (mpich_status_ignored(from) || !to || from == mpich_f_status_ignore || from == mpich_f08_status_ignore)
        return mpich_code_out(MPI_ERR_ARG);
    memmove(to, from, sizeof(struct mpich_status));
    return MPI_SUCCESS;
}

/* MPI_Status_c2f, MPI_Status_f2c, MPI_Status_c2f08, MPI_Status_f082c, MPI_Status_f2f08, MPI_Status_f082f */
#define STATUS(Name_)                               \
    EXPORT(int, Name_, const void *from, void *to); \
    int mpich_##Name_(const void *from, void *to)   \
    {                                               \
        return copy_status(from, to);               \
    }                                               \
    MPICH_NAMES(Name_)

STATUS(Status_c2f)
STATUS(Status_f2c)
STATUS(Status_c2f08)
STATUS(Status_f082c)
STATUS(Status_f2f08)
STATUS(Status_f082f)

/* ----------------------------------------------------------------- MPI-1 -- */

EXPORT(int, Errhandler_create, MPII_Function *function, int *errhandler);

int mpich_Errhandler_create(MPII_Function *function, int *errhandler)
{
    return mpich_Comm_create_errhandler(function, errhandler);
}
MPICH_NAMES(Errhandler_create)

/* ------------------------------------------------------- MPICH's own -- */

/* Memory of accelerators: not here. MPIX_Query_cuda_support, MPIX_Query_hip_support, MPIX_Query_ze_support */
#define NO(Name_)                                                                 \
    int mpichx_##Name_(void) __asm__("PMPIX_" #Name_);                            \
    int mpichx_##Name_(void)                                                      \
    {                                                                             \
        return 0;                                                                 \
    }                                                                             \
    extern __typeof__(mpichx_##Name_) mpichx_weak_##Name_ __asm__("MPIX_" #Name_) \
        __attribute__((weak, alias("PMPIX_" #Name_)));

NO(Query_cuda_support)
NO(Query_hip_support)
NO(Query_ze_support)

int mpichx_GPU_query_support(int type, int *is_supported) __asm__("PMPIX_GPU_query_support");
int mpichx_GPU_query_support(int type, int *is_supported)
{
    if (type < 0 || type > 2 || !is_supported)
        return mpich_code_out(MPI_ERR_ARG);
    *is_supported = 0;
    return MPI_SUCCESS;
}
extern __typeof__(mpichx_GPU_query_support) mpichx_weak_GPU_query_support __asm__("MPIX_GPU_query_support")
    __attribute__((weak, alias("PMPIX_GPU_query_support")));
