/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Constructors of regular types: contiguous, vector, hvector, resized, dup
 * (5.1.2, 5.1.7, 5.1.10); and commit and free (5.1.9).
 */
#include "mpi/type/type.h"

/* The single integers of a constructor, as ints or as counts. */
static void put_numbers(struct mpii_type *t, const MPI_Count *numbers, int n, int wide)
{
    for (int i = 0; i < n; i++) {
        if (wide)
            t->recipe->counts[i] = numbers[i];
        else
            t->recipe->ints[i] = (int)numbers[i];
    }
}

static int check_length(MPI_Count length, const char *arg, const char *call)
{
    return MPT_LIKELY(length >= 0)
               ? MPI_SUCCESS
               : mpii_error(NULL, MPI_ERR_ARG, call, "%s is %lld, less than 0", arg, (long long)length);
}

/* Is stride x extent of the old type an address? */
static int check_stride(MPI_Count stride, const struct mpii_type *old, const char *call)
{
    MPI_Count bytes;

    return MPT_LIKELY(!__builtin_mul_overflow(stride, old->extent, &bytes))
               ? MPI_SUCCESS
               : mpii_error(NULL, MPI_ERR_VALUE_TOO_LARGE, call, "stride is %lld: in bytes that does not fit 63 bits",
                            (long long)stride);
}

int mpii_Type_contiguous(MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype, int wide)
{
    struct mpii_type *old, *t;

    MPII_TRY(mpii_type_arg(oldtype, &old, "oldtype", __func__));
    MPII_TRY(mpii_check_count(NULL, count, "count", __func__));
    MPII_TRY(mpii_check_pointer(NULL, newtype, "newtype", __func__));
    t = mpii_type_new(MPI_COMBINER_CONTIGUOUS, !wide, 0, wide, 1);
    if (t) {
        put_numbers(t, &count, 1, wide);
        mpii_type_adopt(t, 0, old);
    }
    return mpii_type_finish(t, newtype, __func__);
}

int mpii_Type_vector(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                     MPI_Datatype *newtype, int wide)
{
    struct mpii_type *old, *t;

    MPII_TRY(mpii_type_arg(oldtype, &old, "oldtype", __func__));
    MPII_TRY(mpii_check_count(NULL, count, "count", __func__));
    MPII_TRY(check_length(blocklength, "blocklength", __func__));
    MPII_TRY(check_stride(stride, old, __func__));
    MPII_TRY(mpii_check_pointer(NULL, newtype, "newtype", __func__));
    t = mpii_type_new(MPI_COMBINER_VECTOR, wide ? 0 : 3, 0, wide ? 3 : 0, 1);
    if (t) {
        put_numbers(t, (MPI_Count[]){count, blocklength, stride}, 3, wide);
        mpii_type_adopt(t, 0, old);
    }
    return mpii_type_finish(t, newtype, __func__);
}

static int make_hvector(const char *call, MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                        MPI_Datatype oldtype, MPI_Datatype *newtype, int wide)
{
    struct mpii_type *old, *t;

    MPII_TRY(mpii_type_arg(oldtype, &old, "oldtype", call));
    MPII_TRY(mpii_check_count(NULL, count, "count", call));
    MPII_TRY(check_length(blocklength, "blocklength", call));
    MPII_TRY(mpii_check_pointer(NULL, newtype, "newtype", call));
    t = mpii_type_new(MPI_COMBINER_HVECTOR, wide ? 0 : 2, wide ? 0 : 1, wide ? 3 : 0, 1);
    if (t) {
        put_numbers(t, (MPI_Count[]){count, blocklength, stride}, wide ? 3 : 2, wide);
        if (!wide)
            t->recipe->addrs[0] = stride;
        mpii_type_adopt(t, 0, old);
    }
    return mpii_type_finish(t, newtype, call);
}

int mpii_Type_create_hvector(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                             MPI_Datatype *newtype, int wide)
{
    return make_hvector(__func__, count, blocklength, stride, oldtype, newtype, wide);
}

int mpii_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return make_hvector(__func__, count, blocklength, stride, oldtype, newtype, 0);
}

int mpii_Type_create_resized(MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype *newtype, int wide)
{
    struct mpii_type *old, *t;
    MPI_Count ub;

    MPII_TRY(mpii_type_arg(oldtype, &old, "oldtype", __func__));
    MPII_TRY(mpii_check_pointer(NULL, newtype, "newtype", __func__));
    if (__builtin_add_overflow(lb, extent, &ub))
        return mpii_error(NULL, MPI_ERR_VALUE_TOO_LARGE, __func__, "lb + extent (%lld + %lld) does not fit 63 bits",
                          (long long)lb, (long long)extent);
    t = mpii_type_new(MPI_COMBINER_RESIZED, 0, wide ? 0 : 2, wide ? 2 : 0, 1);
    if (t) {
        MPI_Count *to = wide ? t->recipe->counts : (MPI_Count *)t->recipe->addrs;

        to[0] = lb;
        to[1] = extent;
        mpii_type_adopt(t, 0, old);
    }
    MPII_TRY(mpii_type_finish(t, newtype, __func__));
    t->lb = lb;
    t->extent = extent;
    t->lb_mark = t->ub_mark = true;
    t->empty = false;
    return MPI_SUCCESS;
}

int mpii_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct mpii_type *old, *t;
    int err;

    MPII_TRY(mpii_type_arg(oldtype, &old, "oldtype", __func__));
    MPII_TRY(mpii_check_pointer(NULL, newtype, "newtype", __func__));
    t = mpii_type_new(MPI_COMBINER_DUP, 0, 0, 0, 1);
    if (t)
        mpii_type_adopt(t, 0, old);
    MPII_TRY(mpii_type_finish(t, newtype, __func__));
    t->lb = old->lb;
    t->extent = old->extent; /* without new padding */
    t->lb_mark = old->lb_mark;
    t->ub_mark = old->ub_mark;
    err = mpii_attrs_copy(MPII_TYPE, oldtype, old->attrs, &t->attrs);
    if (err == MPI_SUCCESS && old->committed)
        err = mpii_Type_commit(newtype);
    if (err == MPI_SUCCESS)
        return MPI_SUCCESS;
    *newtype = MPI_DATATYPE_NULL;
    mpii_type_release(t);
    return mpii_error(NULL, err, __func__, "a copy function of the datatype's attributes failed with %d", err);
}

int mpii_Type_commit(MPI_Datatype *datatype)
{
    struct mpii_type *t;

    MPII_TRY(mpii_check_pointer(NULL, datatype, "datatype", __func__));
    MPII_TRY(mpii_type_arg(*datatype, &t, "datatype", __func__));
    if (t->committed)
        return MPI_SUCCESS;
    if (!mpii_type_compile(t))
        return mpii_error(NULL, MPI_ERR_NO_MEM, __func__, "out of memory for the datatype's layout");
    t->committed = true;
    return MPI_SUCCESS;
}

int mpii_Type_free(MPI_Datatype *datatype)
{
    struct mpii_type *t;

    MPII_TRY(mpii_check_pointer(NULL, datatype, "datatype", __func__));
    MPII_TRY(mpii_type_arg(*datatype, &t, "datatype", __func__));
    if (mpii_type_is_predefined(t))
        return mpii_error(NULL, MPI_ERR_TYPE, __func__, "datatype is %s, which is predefined", t->name);
    if (t->handles == 0)
        return mpii_error(NULL, MPI_ERR_TYPE, __func__, "datatype is %p, which has been freed already",
                          (void *)*datatype);
    if (t->handles == 1 && t->attrs) {
        int err = mpii_attrs_delete(MPII_TYPE, t->handle, &t->attrs);

        if (err != MPI_SUCCESS)
            return mpii_error(NULL, err, __func__, "a delete function of the datatype's attributes failed with %d",
                              err);
    }
    t->handles--;
    *datatype = MPI_DATATYPE_NULL;
    mpii_type_release(t);
    return MPI_SUCCESS;
}
