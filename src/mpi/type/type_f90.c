/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Datatypes found by a property: Fortran's numbers of some precision and range
 * (19.1.5), of some size, and pairs of a value and an index (6.9.4). Equal
 * arguments give the same type, which is never freed.
 */
#include <float.h>
#include <stdlib.h>

#include "mpi/type/type.h"

struct kind {
    int precision, range; /* decimal digits, exponent, as Fortran's intrinsics report them */
    MPI_Datatype real, complex;
};

/* What gfortran's selected_real_kind chooses from, the smallest first. */
static const struct kind reals[] = {
    {6, 37, MPI_REAL4, MPI_COMPLEX8},
    {15, 307, MPI_REAL8, MPI_COMPLEX16},
#if LDBL_MANT_DIG == 64
    {18, 4931, MPI_LONG_DOUBLE, MPI_C_LONG_DOUBLE_COMPLEX}, /* kind 10 */
#endif
    {33, 4931, MPI_REAL16, MPI_COMPLEX32},
};

static const struct kind integers[] = {
    {0, 2, MPI_INTEGER1, MPI_DATATYPE_NULL},   {0, 4, MPI_INTEGER2, MPI_DATATYPE_NULL},
    {0, 9, MPI_INTEGER4, MPI_DATATYPE_NULL},   {0, 18, MPI_INTEGER8, MPI_DATATYPE_NULL},
    {0, 38, MPI_INTEGER16, MPI_DATATYPE_NULL},
};

static const struct kind *choose(const struct kind *kinds, size_t n, int p, int r)
{
    for (size_t i = 0; i < n; i++)
        if ((p == MPI_UNDEFINED || p <= kinds[i].precision) && (r == MPI_UNDEFINED || r <= kinds[i].range))
            return &kinds[i];
    return NULL;
}

/* --------------------------------------------------------------- made before? -- */

struct mpii_type_f90 {
    struct mpii_type_f90 *next;
    struct mpii_type *type;
};

static struct mpii_type *find(int combiner, const int *ints, int nints, struct mpii_type_f90 **bucket)
{
    for (struct mpii_type_f90 *m = *bucket; m; m = m->next) {
        const struct mpii_type_recipe *r = m->type->recipe;

        if (r->combiner == combiner && r->ints[0] == ints[0] && r->ints[nints - 1] == ints[nints - 1])
            return m->type;
    }
    return NULL;
}

static int give(int combiner, const int *ints, int nints, MPI_Datatype basic, MPI_Datatype *newtype, const char *call)
{
    struct mpii_type_f90 **
        bucket = &mpii_state.type
                      .f90[((unsigned)ints[0] * 7 + (unsigned)ints[nints - 1] + (unsigned)combiner) % TYPE_F90_BUCKETS],
      *m;
    struct mpii_type *t = find(combiner, ints, nints, bucket);

    if (t) {
        *newtype = t->handle;
        return MPI_SUCCESS;
    }
    m = malloc(sizeof *m);
    t = m ? mpii_type_new(combiner, nints, 0, 0, 0) : NULL;
    if (t) {
        for (int i = 0; i < nints; i++)
            t->recipe->ints[i] = ints[i];
        t->element = mpii_type_of(basic);
    }
    if (!t || !mpii_type_measure(t) || !mpii_type_compile(t)) {
        if (t)
            mpii_type_release(t);
        free(m);
        return mpii_error(NULL, MPI_ERR_NO_MEM, call, "out of memory for a datatype");
    }
    t->committed = true;
    t->handles = 1;
    *m = (struct mpii_type_f90){*bucket, t};
    *bucket = m;
    *newtype = t->handle;
    return MPI_SUCCESS;
}

static int give_real(int combiner, int p, int r, MPI_Datatype *newtype, const char *call)
{
    const struct kind *kind;

    MPII_TRY(mpii_check_started(call));
    MPII_TRY(mpii_check_pointer(NULL, newtype, "newtype", call));
    if (p == MPI_UNDEFINED && r == MPI_UNDEFINED)
        return mpii_error(NULL, MPI_ERR_ARG, call, "p and r are both MPI_UNDEFINED");
    kind = choose(reals, sizeof reals / sizeof *reals, p, r);
    if (!kind)
        return mpii_error(NULL, MPI_ERR_ARG, call, "no kind of real has precision %d and range %d", p, r);
    return give(combiner, (int[]){p, r}, 2, combiner == MPI_COMBINER_F90_REAL ? kind->real : kind->complex, newtype,
                call);
}

int mpii_Type_create_f90_real(int p, int r, MPI_Datatype *newtype)
{
    return give_real(MPI_COMBINER_F90_REAL, p, r, newtype, __func__);
}

int mpii_Type_create_f90_complex(int p, int r, MPI_Datatype *newtype)
{
    return give_real(MPI_COMBINER_F90_COMPLEX, p, r, newtype, __func__);
}

int mpii_Type_create_f90_integer(int r, MPI_Datatype *newtype)
{
    const struct kind *kind = choose(integers, sizeof integers / sizeof *integers, MPI_UNDEFINED, r);

    MPII_TRY(mpii_check_started(__func__));
    MPII_TRY(mpii_check_pointer(NULL, newtype, "newtype", __func__));
    if (!kind || r == MPI_UNDEFINED)
        return mpii_error(NULL, MPI_ERR_ARG, __func__, "no kind of integer has range %d", r);
    return give(MPI_COMBINER_F90_INTEGER, &r, 1, kind->real, newtype, __func__);
}

/* ---------------------------------------------------------------------- by size -- */

static const struct {
    int class, size;
    MPI_Datatype type;
} sizes[] = {
    {MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},   {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2},
    {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},   {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8},
    {MPI_TYPECLASS_INTEGER, 16, MPI_INTEGER16}, {MPI_TYPECLASS_REAL, 2, MPI_REAL2},
    {MPI_TYPECLASS_REAL, 4, MPI_REAL4},         {MPI_TYPECLASS_REAL, 8, MPI_REAL8},
    {MPI_TYPECLASS_REAL, 16, MPI_REAL16},       {MPI_TYPECLASS_COMPLEX, 4, MPI_COMPLEX4},
    {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8},   {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16},
    {MPI_TYPECLASS_COMPLEX, 32, MPI_COMPLEX32},
};

int mpii_Type_match_size(int typeclass, int size, MPI_Datatype *datatype)
{
    MPII_TRY(mpii_check_started(__func__));
    MPII_TRY(mpii_check_pointer(NULL, datatype, "datatype", __func__));
    if (typeclass < MPI_TYPECLASS_INTEGER || typeclass > MPI_TYPECLASS_COMPLEX)
        return mpii_error(NULL, MPI_ERR_ARG, __func__, "typeclass is %d, which is no class of types", typeclass);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i].class == typeclass && sizes[i].size == size) {
            *datatype = sizes[i].type;
            return MPI_SUCCESS;
        }
    }
    return mpii_error(NULL, MPI_ERR_ARG, __func__, "size is %d: no type of this class has that", size);
}

/* ------------------------------------------------------------------------ pairs -- */

int mpii_Type_get_value_index(MPI_Datatype value_type, MPI_Datatype index_type, MPI_Datatype *pair_type)
{
    struct mpii_type *value, *index, *pair;

    MPII_TRY(mpii_type_arg(value_type, &value, "value_type", __func__));
    MPII_TRY(mpii_type_arg(index_type, &index, "index_type", __func__));
    MPII_TRY(mpii_check_pointer(NULL, pair_type, "pair_type", __func__));
    pair = mpii_type_pair_of(value, index);
    *pair_type = pair ? pair->handle : MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}
