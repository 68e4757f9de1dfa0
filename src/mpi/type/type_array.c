/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parts of multidimensional arrays (5.1.3, 5.1.4): subarray, and darray, which
 * is what one process has of an array that is distributed as in HPF. Both
 * become nests of strided types, one or two for each dimension.
 */
#include <string.h>

#include "mpi/type/type.h"

/* What has been built of a nest, from the dimension whose elements are closest. */
struct nest {
    struct mpii_type *type; /* a reference; NULL: failed */
    MPI_Aint at;            /* of its first element */
    MPI_Aint stride;        /* bytes between elements of the next dimension */
    bool fits;
};

static void nest_begin(struct nest *nest, struct mpii_type *old)
{
    mpii_type_hold(old);
    *nest = (struct nest){.type = old, .stride = old->extent, .fits = true};
}

static void nest_move(struct nest *nest, MPI_Count elements)
{
    MPI_Count bytes;

    if (__builtin_mul_overflow(elements, nest->stride, &bytes) || __builtin_add_overflow(nest->at, bytes, &nest->at))
        nest->fits = false;
}

/* The dimension has `size` elements in all; go on with the next. */
static void nest_next(struct nest *nest, MPI_Count size)
{
    if (__builtin_mul_overflow(size, nest->stride, &nest->stride))
        nest->fits = false;
}

/* n pieces `apart` elements from each other. */
static struct mpii_type *spread(struct nest *nest, MPI_Count n, MPI_Count apart, struct mpii_type *type)
{
    MPI_Aint stride;

    if (type && !__builtin_mul_overflow(apart, nest->stride, &stride))
        return mpii_type_hvector(n, stride, type);
    if (type)
        mpii_type_release(type);
    return NULL;
}

static void nest_block(struct nest *nest, MPI_Count start, MPI_Count n)
{
    nest_move(nest, start);
    nest->type = spread(nest, n, 1, nest->type);
}

/* Both parts, the second `at` bytes behind the first. Consumes the references. */
static struct mpii_type *both(struct mpii_type *a, struct mpii_type *b, MPI_Aint at)
{
    struct mpii_type *t = a && b ? mpii_type_new(MPI_COMBINER_STRUCT, 0, 0, 5, 2) : NULL;

    if (t) {
        memcpy(t->recipe->counts, (MPI_Count[]){2, 1, 1, 0, at}, 5 * sizeof(MPI_Count));
        mpii_type_adopt(t, 0, a);
        mpii_type_adopt(t, 1, b);
        if (!mpii_type_measure(t)) {
            mpii_type_release(t);
            t = NULL;
        }
    }
    if (a)
        mpii_type_release(a);
    if (b)
        mpii_type_release(b);
    return t;
}

/* Blocks of k elements are dealt out to `procs` processes in turn. */
static void nest_cyclic(struct nest *nest, MPI_Count size, MPI_Count k, MPI_Count procs, MPI_Count mine)
{
    MPI_Count first = mine <= size / k && mine * k < size ? mine * k : size, left = size - first;
    MPI_Count round = k > size / procs ? size + 1 : k * procs; /* beyond the array: there is one round only */
    MPI_Count full = left / round + (left % round >= k), tail = left % round < k ? left % round : 0;
    struct mpii_type *element = nest->type, *blocks, *rest;
    MPI_Aint behind;

    nest_move(nest, left > 0 ? first : 0);
    if (tail > 0 && full == 0) {
        nest->type = spread(nest, tail, 1, element);
    } else if (tail == 0) {
        nest->type = spread(nest, full, round, spread(nest, k < size ? k : size, 1, element));
    } else if (__builtin_mul_overflow(full * round, nest->stride, &behind)) {
        nest->fits = false;
    } else {
        mpii_type_hold(element);
        blocks = spread(nest, full, round, spread(nest, k, 1, element));
        rest = spread(nest, tail, 1, element);
        nest->type = both(blocks, rest, behind);
    }
}

/* The result: bounds are those of the whole array. Consumes t and the nest. */
static int nest_end(struct nest *nest, struct mpii_type *t, MPI_Datatype *newtype, const char *call)
{
    if (!t || !nest->type || !nest->fits) {
        if (nest->type)
            mpii_type_release(nest->type);
        if (t)
            mpii_type_release(t);
        return t && !nest->fits
                   ? mpii_error(NULL, MPI_ERR_VALUE_TOO_LARGE, call, "the array's size in bytes does not fit 63 bits")
                   : mpii_type_finish(NULL, newtype, call);
    }
    t->recipe->nest = nest->type;
    t->recipe->at = nest->at;
    MPII_TRY(mpii_type_finish(t, newtype, call));
    t->lb = 0;
    t->extent = nest->stride;
    t->lb_mark = t->ub_mark = true;
    t->empty = false;
    return MPI_SUCCESS;
}

static int check_order(int order, const char *call)
{
    return order == MPI_ORDER_C || order == MPI_ORDER_FORTRAN
               ? MPI_SUCCESS
               : mpii_error(NULL, MPI_ERR_ARG, call, "order is %d; expected MPI_ORDER_C or MPI_ORDER_FORTRAN", order);
}

static int check_ndims(int ndims, const char *call)
{
    return ndims > 0 ? MPI_SUCCESS : mpii_error(NULL, MPI_ERR_ARG, call, "ndims is %d; expected 1 or more", ndims);
}

/* ------------------------------------------------------------------- subarray -- */

static int check_part(int d, MPI_Count size, MPI_Count part, MPI_Count start, const char *call)
{
    if (size < 1)
        return mpii_error(NULL, MPI_ERR_ARG, call, "array_of_sizes[%d] is %lld; expected 1 or more", d,
                          (long long)size);
    if (part < 1 || part > size)
        return mpii_error(NULL, MPI_ERR_ARG, call, "array_of_subsizes[%d] is %lld; expected 1 to %lld", d,
                          (long long)part, (long long)size);
    if (start < 0 || start > size - part)
        return mpii_error(NULL, MPI_ERR_ARG, call, "array_of_starts[%d] is %lld; expected 0 to %lld", d,
                          (long long)start, (long long)(size - part));
    return MPI_SUCCESS;
}

/* Appends an array of the user's to the recipe's integers. */
static void keep(struct mpii_type_recipe *r, MPI_Count at, const void *array, int n, int wide)
{
    if (wide)
        memcpy(r->counts + at, array, (size_t)n * sizeof(MPI_Count));
    else
        memcpy(r->ints + at, array, (size_t)n * sizeof(int));
}

static struct mpii_type *subarray(int ndims, const void *sizes, const void *subsizes, const void *starts, int order,
                                  int wide)
{
    MPI_Count n = 3 * (MPI_Count)ndims;
    struct mpii_type *t = mpii_type_new(MPI_COMBINER_SUBARRAY, wide ? 2 : n + 2, 0, wide ? n : 0, 1);

    if (!t)
        return NULL;
    keep(t->recipe, wide ? 0 : 1, sizes, ndims, wide);
    keep(t->recipe, (wide ? 0 : 1) + ndims, subsizes, ndims, wide);
    keep(t->recipe, (wide ? 0 : 1) + 2 * (MPI_Count)ndims, starts, ndims, wide);
    t->recipe->ints[0] = ndims;
    t->recipe->ints[wide ? 1 : n + 1] = order;
    return t;
}

int mpii_Type_create_subarray(int ndims, const void *array_of_sizes, const void *array_of_subsizes,
                              const void *array_of_starts, int order, MPI_Datatype oldtype, MPI_Datatype *newtype,
                              int wide)
{
    struct mpii_type *old, *t;
    struct nest nest;

    MPII_TRY(mpii_type_arg(oldtype, &old, "oldtype", __func__));
    MPII_TRY(check_ndims(ndims, __func__));
    MPII_TRY(mpii_check_pointer(NULL, array_of_sizes, "array_of_sizes", __func__));
    MPII_TRY(mpii_check_pointer(NULL, array_of_subsizes, "array_of_subsizes", __func__));
    MPII_TRY(mpii_check_pointer(NULL, array_of_starts, "array_of_starts", __func__));
    MPII_TRY(check_order(order, __func__));
    MPII_TRY(mpii_check_pointer(NULL, newtype, "newtype", __func__));
    for (int d = 0; d < ndims; d++)
        MPII_TRY(check_part(d, mpii_int_at(array_of_sizes, d, wide), mpii_int_at(array_of_subsizes, d, wide),
                            mpii_int_at(array_of_starts, d, wide), __func__));
    nest_begin(&nest, old);
    for (int i = 0; i < ndims && nest.type && nest.fits; i++) {
        int d = order == MPI_ORDER_FORTRAN ? i : ndims - 1 - i;

        nest_block(&nest, mpii_int_at(array_of_starts, d, wide), mpii_int_at(array_of_subsizes, d, wide));
        nest_next(&nest, mpii_int_at(array_of_sizes, d, wide));
    }
    t = subarray(ndims, array_of_sizes, array_of_subsizes, array_of_starts, order, wide);
    if (t)
        mpii_type_adopt(t, 0, old);
    return nest_end(&nest, t, newtype, __func__);
}

/* --------------------------------------------------------------------- darray -- */

struct dimension {
    MPI_Count size;
    int distrib, darg, procs, mine;
};

static struct dimension dimension(int i, const void *gsizes, const int *distribs, const int *dargs, const int *psizes,
                                  int wide)
{
    return (struct dimension){mpii_int_at(gsizes, i, wide), distribs[i], dargs[i], psizes[i], 0};
}

/* How many elements in a block; 0: the arguments don't fit each other. */
static MPI_Count block_of(const struct dimension *d)
{
    MPI_Count block = (d->size + d->procs - 1) / d->procs;

    switch (d->distrib) {
    case MPI_DISTRIBUTE_NONE:
        return d->procs == 1 ? d->size : 0;
    case MPI_DISTRIBUTE_BLOCK:
        if (d->darg == MPI_DISTRIBUTE_DFLT_DARG)
            return block;
        return d->darg >= block ? d->darg : 0;
    case MPI_DISTRIBUTE_CYCLIC:
        if (d->darg == MPI_DISTRIBUTE_DFLT_DARG)
            return 1;
        return d->darg > 0 ? d->darg : 0;
    default:
        return 0;
    }
}

static int check_dimension(int i, const struct dimension *d, const char *call)
{
    if (d->size < 1)
        return mpii_error(NULL, MPI_ERR_ARG, call, "array_of_gsizes[%d] is %lld; expected 1 or more", i,
                          (long long)d->size);
    if (d->procs < 1)
        return mpii_error(NULL, MPI_ERR_ARG, call, "array_of_psizes[%d] is %d; expected 1 or more", i, d->procs);
    if (block_of(d) == 0)
        return mpii_error(
            NULL, MPI_ERR_ARG, call,
            "array_of_distribs[%d] is %d and array_of_dargs[%d] %d, which do not fit %lld elements on %d processes", i,
            d->distrib, i, d->darg, (long long)d->size, d->procs);
    return MPI_SUCCESS;
}

static void nest_dimension(struct nest *nest, const struct dimension *d)
{
    MPI_Count block = block_of(d), start;

    if (d->distrib == MPI_DISTRIBUTE_CYCLIC) {
        nest_cyclic(nest, d->size, block, d->procs, d->mine);
    } else if (d->mine > 0 && block > d->size / d->mine) {
        nest_block(nest, 0, 0);
    } else {
        start = d->mine * block;
        nest_block(nest, start < d->size ? start : 0,
                   start >= d->size          ? 0
                   : block < d->size - start ? block
                                             : d->size - start);
    }
    nest_next(nest, d->size);
}

static struct mpii_type *darray(const int head[3], const void *gsizes, const int *distribs, const int *dargs,
                                const int *psizes, int order, int wide)
{
    int ndims = head[2];
    MPI_Count n = (wide ? 3 : 4) * (MPI_Count)ndims + 4, at = 3;
    struct mpii_type *t = mpii_type_new(MPI_COMBINER_DARRAY, n, 0, wide ? ndims : 0, 1);

    if (!t)
        return NULL;
    keep(t->recipe, 0, head, 3, 0);
    keep(t->recipe, wide ? 0 : at, gsizes, ndims, wide);
    at += wide ? 0 : ndims;
    keep(t->recipe, at, distribs, ndims, 0);
    keep(t->recipe, at + ndims, dargs, ndims, 0);
    keep(t->recipe, at + 2 * (MPI_Count)ndims, psizes, ndims, 0);
    t->recipe->ints[n - 1] = order;
    return t;
}

static int check_grid(int size, int rank, int ndims, const int psizes[], const char *call)
{
    MPI_Count procs = 1;

    if (size < 1)
        return mpii_error(NULL, MPI_ERR_ARG, call, "size is %d; expected 1 or more", size);
    if (rank < 0 || rank >= size)
        return mpii_error(NULL, MPI_ERR_RANK, call, "rank is %d; expected 0 to %d", rank, size - 1);
    for (int i = 0; i < ndims && procs <= size; i++)
        procs *= psizes[i];
    if (procs != size)
        return mpii_error(NULL, MPI_ERR_ARG, call, "the product of array_of_psizes is not size, which is %d", size);
    return MPI_SUCCESS;
}

/* Lays the dimensions out, the closest first; the grid of processes is always in C's order. */
static void nest_darray(struct nest *nest, const int head[3], const void *gsizes, const int *distribs, const int *dargs,
                        const int *psizes, int order, int wide)
{
    int ndims = head[2], procs = head[0], left = head[1];

    for (int i = 0; i < ndims && nest->type && nest->fits; i++) {
        int at = order == MPI_ORDER_FORTRAN ? i : ndims - 1 - i;
        struct dimension d = dimension(at, gsizes, distribs, dargs, psizes, wide);

        if (order == MPI_ORDER_FORTRAN) {
            procs /= d.procs;
            d.mine = left / procs;
            left %= procs;
        } else {
            d.mine = left % d.procs;
            left /= d.procs;
        }
        nest_dimension(nest, &d);
    }
}

int mpii_Type_create_darray(int size, int rank, int ndims, const void *array_of_gsizes, const int array_of_distribs[],
                            const int array_of_dargs[], const int array_of_psizes[], int order, MPI_Datatype oldtype,
                            MPI_Datatype *newtype, int wide)
{
    struct mpii_type *old, *t;
    const int head[3] = {size, rank, ndims};
    struct nest nest;

    MPII_TRY(mpii_type_arg(oldtype, &old, "oldtype", __func__));
    MPII_TRY(check_ndims(ndims, __func__));
    MPII_TRY(mpii_check_pointer(NULL, array_of_gsizes, "array_of_gsizes", __func__));
    MPII_TRY(mpii_check_pointer(NULL, array_of_distribs, "array_of_distribs", __func__));
    MPII_TRY(mpii_check_pointer(NULL, array_of_dargs, "array_of_dargs", __func__));
    MPII_TRY(mpii_check_pointer(NULL, array_of_psizes, "array_of_psizes", __func__));
    MPII_TRY(check_order(order, __func__));
    MPII_TRY(mpii_check_pointer(NULL, newtype, "newtype", __func__));
    for (int i = 0; i < ndims; i++) {
        struct dimension d = dimension(i, array_of_gsizes, array_of_distribs, array_of_dargs, array_of_psizes, wide);

        MPII_TRY(check_dimension(i, &d, __func__));
    }
    MPII_TRY(check_grid(size, rank, ndims, array_of_psizes, __func__));
    nest_begin(&nest, old);
    nest_darray(&nest, head, array_of_gsizes, array_of_distribs, array_of_dargs, array_of_psizes, order, wide);
    t = darray(head, array_of_gsizes, array_of_distribs, array_of_dargs, array_of_psizes, order, wide);
    if (t)
        mpii_type_adopt(t, 0, old);
    return nest_end(&nest, t, newtype, __func__);
}
