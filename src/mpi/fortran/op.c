/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions by Fortran procedures (6.9.5): they are told the datatype as an
 * INTEGER, or as mpi_f08's structure of one, which is the same in memory.
 */
#include "fortran.h"
#include "slots.h"

#define DECLARE(name_, ...)              \
    void MPIF_PUBLIC name_(__VA_ARGS__); \
    void name_(__VA_ARGS__)

typedef void user(void *in, void *inout, int *len, int *datatype);
typedef void user_large(void *in, void *inout, MPI_Count *len, int *datatype);

enum { SMALL = 256, LARGE = 64 };
static mpif_procedure *small[SMALL], *large[LARGE];

static void call_small(int slot, void *in, void *inout, int *len, MPI_Datatype *datatype)
{
    int type = mpif_type_int(*datatype);

    ((user *)small[slot])(in, inout, len, &type);
}

static void call_large(int slot, void *in, void *inout, MPI_Count *len, MPI_Datatype *datatype)
{
    int type = mpif_type_int(*datatype);

    ((user_large *)large[slot])(in, inout, len, &type);
}

#define BODY_SMALL(n_)                                                              \
    static void small_##n_(void *in, void *inout, int *len, MPI_Datatype *datatype) \
    {                                                                               \
        call_small(n_, in, inout, len, datatype);                                   \
    }
#define BODY_LARGE(n_)                                                                    \
    static void large_##n_(void *in, void *inout, MPI_Count *len, MPI_Datatype *datatype) \
    {                                                                                     \
        call_large(n_, in, inout, len, datatype);                                         \
    }
#define ENTRY_SMALL(n_) small_##n_,
#define ENTRY_LARGE(n_) large_##n_,

MPIF_SLOTS_256(BODY_SMALL)
MPIF_SLOTS_64(BODY_LARGE)
static MPI_User_function *const small_c[SMALL] = {MPIF_SLOTS_256(ENTRY_SMALL)};
static MPI_User_function_c *const large_c[LARGE] = {MPIF_SLOTS_64(ENTRY_LARGE)};

static void give(MPI_Op made, int error, int *op, int *ierror)
{
    if (error == MPI_SUCCESS)
        *op = mpif_op_int(made);
    mpif_result(ierror, error);
}

DECLARE(pmpi_op_create_, mpif_procedure *function, const int *commute, int *op, int *ierror)
{
    int slot = mpif_slot(small, SMALL, function), error;
    MPI_Op made = MPI_OP_NULL;

    error = slot < 0 ? mpif_no_memory() : PMPI_Op_create(small_c[slot], *commute != 0, &made);
    give(made, error, op, ierror);
}
MPIF_NAMES(mpi_op_create);

DECLARE(pmpi_op_create_c_f08_, mpif_procedure *function, const int *commute, int *op, int *ierror)
{
    int slot = mpif_slot(large, LARGE, function), error;
    MPI_Op made = MPI_OP_NULL;

    error = slot < 0 ? mpif_no_memory() : PMPI_Op_create_c(large_c[slot], *commute != 0, &made);
    give(made, error, op, ierror);
}
MPIF_NAMES_08(mpi_op_create_c);
