/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Constructors from lists of blocks (5.1.2): indexed, hindexed, indexed_block,
 * hindexed_block, struct. The recipe keeps the user's lists in the width they
 * came in; ints and counts in that order: count, lengths, displacements.
 */
#include <string.h>

#include "mpi/type/type.h"

struct list {
    const char *call;
    MPI_Count count;
    const void *lengths; /* NULL: all are `length` */
    MPI_Count length;
    const void *displacements;
    bool bytes;          /* displacements are bytes (64 bits), not extents */
    int wide;
};

static int check_array(const struct list *l, const void *array, const char *arg)
{
    return array || l->count == 0 ? MPI_SUCCESS : mpii_error(NULL, MPI_ERR_ARG, l->call, "%s is NULL", arg);
}

static int check_lengths(const struct list *l)
{
    if (!l->lengths)
        return l->length >= 0
                   ? MPI_SUCCESS
                   : mpii_error(NULL, MPI_ERR_ARG, l->call, "blocklength is %lld, less than 0", (long long)l->length);
    for (MPI_Count i = 0; i < l->count; i++) {
        MPI_Count length = mpii_int_at(l->lengths, i, l->wide);

        if (length < 0)
            return mpii_error(NULL, MPI_ERR_ARG, l->call, "array_of_blocklengths[%lld] is %lld, less than 0",
                              (long long)i, (long long)length);
    }
    return MPI_SUCCESS;
}

static int check_displacements(const struct list *l, const struct mpii_type *old)
{
    for (MPI_Count i = 0; i < l->count && !l->bytes; i++) {
        MPI_Count at = mpii_int_at(l->displacements, i, l->wide), bytes;

        if (__builtin_mul_overflow(at, old->extent, &bytes))
            return mpii_error(NULL, MPI_ERR_VALUE_TOO_LARGE, l->call,
                              "array_of_displacements[%lld] is %lld: in bytes that does not fit 63 bits", (long long)i,
                              (long long)at);
    }
    return MPI_SUCCESS;
}

/* count, then the lengths (or the one), then displacements unless they are addresses of the small form */
static void keep(struct mpii_type *t, const struct list *l, bool many)
{
    size_t n = (size_t)l->count, width = l->wide ? sizeof(MPI_Count) : sizeof(int);
    MPI_Count lengths = many ? l->count : 1;
    char *to = l->wide ? (char *)t->recipe->counts : (char *)t->recipe->ints;

    if (l->wide)
        t->recipe->counts[0] = l->count;
    else
        t->recipe->ints[0] = (int)l->count;
    if (!many && l->wide)
        t->recipe->counts[1] = l->length;
    else if (!many)
        t->recipe->ints[1] = (int)l->length;
    if (n == 0)
        return;
    if (many)
        memcpy(to + width, l->lengths, n * width);
    to += width * (size_t)(1 + lengths);
    if (l->bytes)
        memcpy(l->wide ? to : (char *)t->recipe->addrs, l->displacements, n * sizeof(MPI_Aint));
    else
        memcpy(to, l->displacements, n * width);
}

static struct mpii_type *make(int combiner, const struct list *l, bool many)
{
    MPI_Count numbers = 1 + (many ? l->count : 1), addresses = l->count,
              types = combiner == MPI_COMBINER_STRUCT ? l->count : 1;

    if (l->count > INT64_MAX / 64)
        return NULL;
    if (l->wide || !l->bytes) {
        numbers += addresses;
        addresses = 0;
    }
    return mpii_type_new(combiner, l->wide ? 0 : numbers, addresses, l->wide ? numbers : 0, types);
}

/* All that have one old type. */
static int make_list(int combiner, const struct list *l, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    bool many = combiner == MPI_COMBINER_INDEXED || combiner == MPI_COMBINER_HINDEXED;
    struct mpii_type *old, *t;

    MPII_TRY(mpii_type_arg(oldtype, &old, "oldtype", l->call));
    MPII_TRY(mpii_check_count(NULL, l->count, "count", l->call));
    if (many)
        MPII_TRY(check_array(l, l->lengths, "array_of_blocklengths"));
    MPII_TRY(check_array(l, l->displacements, "array_of_displacements"));
    MPII_TRY(check_lengths(l));
    MPII_TRY(check_displacements(l, old));
    MPII_TRY(mpii_check_pointer(NULL, newtype, "newtype", l->call));
    t = make(combiner, l, many);
    if (t) {
        keep(t, l, many);
        mpii_type_adopt(t, 0, old);
    }
    return mpii_type_finish(t, newtype, l->call);
}

int mpii_Type_indexed(MPI_Count count, const void *array_of_blocklengths, const void *array_of_displacements,
                      MPI_Datatype oldtype, MPI_Datatype *newtype, int wide)
{
    const struct list l = {__func__, count, array_of_blocklengths, 0, array_of_displacements, false, wide};

    return make_list(MPI_COMBINER_INDEXED, &l, oldtype, newtype);
}

int mpii_Type_create_hindexed(MPI_Count count, const void *array_of_blocklengths, const void *array_of_displacements,
                              MPI_Datatype oldtype, MPI_Datatype *newtype, int wide)
{
    const struct list l = {__func__, count, array_of_blocklengths, 0, array_of_displacements, true, wide};

    return make_list(MPI_COMBINER_HINDEXED, &l, oldtype, newtype);
}

int mpii_Type_create_indexed_block(MPI_Count count, MPI_Count blocklength, const void *array_of_displacements,
                                   MPI_Datatype oldtype, MPI_Datatype *newtype, int wide)
{
    const struct list l = {__func__, count, NULL, blocklength, array_of_displacements, false, wide};

    return make_list(MPI_COMBINER_INDEXED_BLOCK, &l, oldtype, newtype);
}

int mpii_Type_create_hindexed_block(MPI_Count count, MPI_Count blocklength, const void *array_of_displacements,
                                    MPI_Datatype oldtype, MPI_Datatype *newtype, int wide)
{
    const struct list l = {__func__, count, NULL, blocklength, array_of_displacements, true, wide};

    return make_list(MPI_COMBINER_HINDEXED_BLOCK, &l, oldtype, newtype);
}

static int make_struct(const struct list *l, const MPI_Datatype types[], MPI_Datatype *newtype)
{
    struct mpii_type *t, *child;

    MPII_TRY(mpii_check_started(l->call));
    MPII_TRY(mpii_check_count(NULL, l->count, "count", l->call));
    MPII_TRY(check_array(l, l->lengths, "array_of_blocklengths"));
    MPII_TRY(check_array(l, l->displacements, "array_of_displacements"));
    MPII_TRY(check_array(l, types, "array_of_types"));
    MPII_TRY(check_lengths(l));
    MPII_TRY(mpii_check_pointer(NULL, newtype, "newtype", l->call));
    for (MPI_Count i = 0; i < l->count; i++)
        MPII_TRY(mpii_type_arg(types[i], &child, "an element of array_of_types", l->call));
    t = make(MPI_COMBINER_STRUCT, l, true);
    if (t) {
        keep(t, l, true);
        for (MPI_Count i = 0; i < l->count; i++)
            mpii_type_adopt(t, i, mpii_type_of(types[i]));
    }
    return mpii_type_finish(t, newtype, l->call);
}

int mpii_Type_create_struct(MPI_Count count, const void *array_of_blocklengths, const void *array_of_displacements,
                            const MPI_Datatype array_of_types[], MPI_Datatype *newtype, int wide)
{
    const struct list l = {__func__, count, array_of_blocklengths, 0, array_of_displacements, true, wide};

    return make_struct(&l, array_of_types, newtype);
}

/* MPI-1's names. */

int mpii_Type_hindexed(int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[],
                       MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    const struct list l = {__func__, count, array_of_blocklengths, 0, array_of_displacements, true, 0};

    return make_list(MPI_COMBINER_HINDEXED, &l, oldtype, newtype);
}

int mpii_Type_struct(int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[],
                     const MPI_Datatype array_of_types[], MPI_Datatype *newtype)
{
    const struct list l = {__func__, count, array_of_blocklengths, 0, array_of_displacements, true, 0};

    return make_struct(&l, array_of_types, newtype);
}
