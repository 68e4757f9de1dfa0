/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Questions about datatypes: size, bounds (5.1.5 to 5.1.8), names (7.8).
 */
#include "mpi/type/type.h"

static int put_size(MPI_Datatype datatype, void *size, int wide, const char *call)
{
    struct mpii_type *t;

    MPII_TRY(mpii_type_arg(datatype, &t, "datatype", call));
    MPII_TRY(mpii_check_pointer(NULL, size, "size", call));
    mpii_int_out(size, t->size, wide);
    return MPI_SUCCESS;
}

int mpii_Type_size(MPI_Datatype datatype, void *size, int wide)
{
    return put_size(datatype, size, wide, __func__);
}

int mpii_Type_size_x(MPI_Datatype datatype, MPI_Count *size)
{
    return put_size(datatype, size, 1, __func__);
}

static int put_bounds(MPI_Datatype datatype, bool true_ones, MPI_Count *lb, MPI_Count *extent, const char *call)
{
    struct mpii_type *t;

    MPII_TRY(mpii_type_arg(datatype, &t, "datatype", call));
    MPII_TRY(mpii_check_pointer(NULL, lb, true_ones ? "true_lb" : "lb", call));
    MPII_TRY(mpii_check_pointer(NULL, extent, true_ones ? "true_extent" : "extent", call));
    *lb = true_ones ? t->true_lb : t->lb;
    *extent = true_ones ? t->true_extent : t->extent;
    return MPI_SUCCESS;
}

/* MPI_Aint of the small forms has as many bits as MPI_Count: all fits. */
_Static_assert(sizeof(MPI_Aint) == sizeof(MPI_Count), "bounds are stored the same in both forms");

int mpii_Type_get_extent(MPI_Datatype datatype, void *lb, void *extent, int wide)
{
    (void)wide;
    return put_bounds(datatype, false, lb, extent, __func__);
}

int mpii_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    return put_bounds(datatype, false, lb, extent, __func__);
}

int mpii_Type_get_true_extent(MPI_Datatype datatype, void *true_lb, void *true_extent, int wide)
{
    (void)wide;
    return put_bounds(datatype, true, true_lb, true_extent, __func__);
}

int mpii_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent)
{
    return put_bounds(datatype, true, true_lb, true_extent, __func__);
}

/* MPI-1's names. */
static int bound(MPI_Datatype datatype, MPI_Aint *to, const char *arg, const char *call, const struct mpii_type **t)
{
    struct mpii_type *found;

    MPII_TRY(mpii_type_arg(datatype, &found, "datatype", call));
    MPII_TRY(mpii_check_pointer(NULL, to, arg, call));
    *t = found;
    return MPI_SUCCESS;
}

int mpii_Type_extent(MPI_Datatype datatype, MPI_Aint *extent)
{
    const struct mpii_type *t;

    MPII_TRY(bound(datatype, extent, "extent", __func__, &t));
    *extent = t->extent;
    return MPI_SUCCESS;
}

int mpii_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement)
{
    const struct mpii_type *t;

    MPII_TRY(bound(datatype, displacement, "displacement", __func__, &t));
    *displacement = t->lb;
    return MPI_SUCCESS;
}

int mpii_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement)
{
    const struct mpii_type *t;

    MPII_TRY(bound(datatype, displacement, "displacement", __func__, &t));
    *displacement = t->lb + t->extent;
    return MPI_SUCCESS;
}

/* ------------------------------------------------------------------------ names -- */

int mpii_Type_set_name(MPI_Datatype datatype, const char *type_name)
{
    struct mpii_type *t;

    MPII_TRY(mpii_type_arg(datatype, &t, "datatype", __func__));
    MPII_TRY(mpii_check_pointer(NULL, type_name, "type_name", __func__));
    mpii_name_keep(t->name, type_name);
    return MPI_SUCCESS;
}

int mpii_Type_get_name(MPI_Datatype datatype, char *type_name, int *resultlen)
{
    struct mpii_type *t = NULL;

    if (datatype != MPI_DATATYPE_NULL)
        MPII_TRY(mpii_type_arg(datatype, &t, "datatype", __func__));
    return mpii_name_give(NULL, t ? t->name : "MPI_DATATYPE_NULL", type_name, "type_name", resultlen, __func__);
}
