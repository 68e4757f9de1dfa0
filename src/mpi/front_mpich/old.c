/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What libmpi.so.12 offers beyond today's standard: functions that MPI-3 removed,
 * handles and statuses as Fortran has them, data symbols, and the questions of
 * MPICH's own that programs ask before they use an extension.
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

EXPORT(int, Address, const void *location, MPI_Aint *address);
EXPORT(int, Type_extent, int datatype, MPI_Aint *extent);
EXPORT(int, Type_lb, int datatype, MPI_Aint *displacement);
EXPORT(int, Type_ub, int datatype, MPI_Aint *displacement);
EXPORT(int, Type_hvector, int count, int blocklength, MPI_Aint stride, int oldtype, int *newtype);
EXPORT(int, Type_hindexed, int count, const int blocklengths[], const MPI_Aint displacements[], int oldtype,
       int *newtype);
EXPORT(int, Type_struct, int count, const int blocklengths[], const MPI_Aint displacements[], const int types[],
       int *newtype);
EXPORT(int, Errhandler_create, MPII_Function *function, int *errhandler);
EXPORT(int, Errhandler_get, int comm, int *errhandler);
EXPORT(int, Errhandler_set, int comm, int errhandler);

int mpich_Address(const void *location, MPI_Aint *address)
{
    return mpich_Get_address(location, address);
}
MPICH_NAMES(Address)

static int bounds(int datatype, const void *result, MPI_Aint *lb, MPI_Aint *extent)
{
    return result ? mpich_Type_get_extent(datatype, lb, extent) : mpich_code_out(MPI_ERR_ARG);
}

int mpich_Type_extent(int datatype, MPI_Aint *extent)
{
    MPI_Aint lb, all;
    int err = bounds(datatype, extent, &lb, &all);

    if (err == MPI_SUCCESS)
        *extent = all;
    return err;
}
MPICH_NAMES(Type_extent)

int mpich_Type_lb(int datatype, MPI_Aint *displacement)
{
    MPI_Aint lb, all;
    int err = bounds(datatype, displacement, &lb, &all);

    if (err == MPI_SUCCESS)
        *displacement = lb;
    return err;
}
MPICH_NAMES(Type_lb)

int mpich_Type_ub(int datatype, MPI_Aint *displacement)
{
    MPI_Aint lb, all;
    int err = bounds(datatype, displacement, &lb, &all);

    if (err == MPI_SUCCESS)
        *displacement = lb + all;
    return err;
}
MPICH_NAMES(Type_ub)

int mpich_Type_hvector(int count, int blocklength, MPI_Aint stride, int oldtype, int *newtype)
{
    return mpich_Type_create_hvector(count, blocklength, stride, oldtype, newtype);
}
MPICH_NAMES(Type_hvector)

int mpich_Type_hindexed(int count, const int blocklengths[], const MPI_Aint displacements[], int oldtype, int *newtype)
{
    return mpich_Type_create_hindexed(count, blocklengths, displacements, oldtype, newtype);
}
MPICH_NAMES(Type_hindexed)

/* Entries of the types MPI_LB and MPI_UB take no space but set the bounds: what MPI_Type_create_resized does now. */
enum { MARK_LB = 0x4c000010, MARK_UB = 0x4c000011 };

struct marks {
    bool lb, ub;
    MPI_Aint lb_at, ub_at;
};

static int set_bounds(const struct marks *m, int *type)
{
    MPI_Aint lb, extent;
    int resized, err = mpich_Type_get_extent(*type, &lb, &extent);

    if (err != MPI_SUCCESS)
        return err;
    extent += lb;
    lb = m->lb ? m->lb_at : lb;
    extent = (m->ub ? m->ub_at : extent) - lb;
    err = mpich_Type_create_resized(*type, lb, extent, &resized);
    mpich_Type_free(type);
    if (err == MPI_SUCCESS)
        *type = resized;
    return err;
}

int mpich_Type_struct(int count, const int blocklengths[], const MPI_Aint displacements[], const int types[],
                      int *newtype)
{
    bool all = blocklengths && displacements && types;
    struct marks m = {0};
    int n = 0, err;

    MPICH_ARRAY(int, blocks, all ? count : 0)
    MPICH_ARRAY(MPI_Aint, at, all ? count : 0)
    MPICH_ARRAY(int, kinds, all ? count : 0)
    for (int i = 0; all && i < count; i++) {
        bool lb = types[i] == MARK_LB, ub = types[i] == MARK_UB;

        if (lb && (!m.lb || displacements[i] < m.lb_at))
            m.lb_at = displacements[i];
        if (ub && (!m.ub || displacements[i] > m.ub_at))
            m.ub_at = displacements[i];
        m.lb |= lb;
        m.ub |= ub;
        if (lb || ub)
            continue;
        blocks[n] = blocklengths[i];
        at[n] = displacements[i];
        kinds[n++] = types[i];
    }
    if (!m.lb && !m.ub)
        return mpich_Type_create_struct(count, blocklengths, displacements, types, newtype);
    err = mpich_Type_create_struct(n, blocks, at, kinds, newtype);
    return err == MPI_SUCCESS ? set_bounds(&m, newtype) : err;
}
MPICH_NAMES(Type_struct)

int mpich_Errhandler_create(MPII_Function *function, int *errhandler)
{
    return mpich_Comm_create_errhandler(function, errhandler);
}
MPICH_NAMES(Errhandler_create)

int mpich_Errhandler_get(int comm, int *errhandler)
{
    return mpich_Comm_get_errhandler(comm, errhandler);
}
MPICH_NAMES(Errhandler_get)

int mpich_Errhandler_set(int comm, int errhandler)
{
    return mpich_Comm_set_errhandler(comm, errhandler);
}
MPICH_NAMES(Errhandler_set)

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
