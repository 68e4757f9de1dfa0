/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a datatype was made: envelope and contents (5.1.13). Types from large
 * constructors hold large counts, which the small forms cannot give: an error.
 */
#include <string.h>

#include "mpi/type/type.h"

static int check_small(const struct mpii_type *t, int wide, const char *call)
{
    if (wide || !t->recipe || t->recipe->ncounts == 0)
        return MPI_SUCCESS;
    return mpii_error(NULL, MPI_ERR_TYPE, call, "datatype was made with large counts: use %s_c", call);
}

int mpii_Type_get_envelope(MPI_Datatype datatype, void *num_integers, void *num_addresses, void *num_large_counts,
                           void *num_datatypes, int *combiner, int wide)
{
    static const struct mpii_type_recipe named = {.combiner = MPI_COMBINER_NAMED};
    const struct mpii_type_recipe *r;
    struct mpii_type *t;

    MPII_TRY(mpii_type_arg(datatype, &t, "datatype", __func__));
    MPII_TRY(mpii_check_pointer(NULL, num_integers, "num_integers", __func__));
    MPII_TRY(mpii_check_pointer(NULL, num_addresses, "num_addresses", __func__));
    if (wide)
        MPII_TRY(mpii_check_pointer(NULL, num_large_counts, "num_large_counts", __func__));
    MPII_TRY(mpii_check_pointer(NULL, num_datatypes, "num_datatypes", __func__));
    MPII_TRY(mpii_check_pointer(NULL, combiner, "combiner", __func__));
    MPII_TRY(check_small(t, wide, "MPI_Type_get_envelope"));
    r = t->recipe ? t->recipe : &named;
    mpii_int_out(num_integers, r->nints, wide);
    mpii_int_out(num_addresses, r->naddrs, wide);
    if (wide)
        mpii_int_out(num_large_counts, r->ncounts, wide);
    mpii_int_out(num_datatypes, r->ntypes, wide);
    *combiner = r->combiner;
    return MPI_SUCCESS;
}

static int check_room(MPI_Count room, MPI_Count needed, const void *array, const char *what, const char *call)
{
    if (room < needed)
        return mpii_error(NULL, MPI_ERR_ARG, call, "max_%s is %lld, but the datatype has %lld", what, (long long)room,
                          (long long)needed);
    if (needed > 0 && !array)
        return mpii_error(NULL, MPI_ERR_ARG, call, "array_of_%s is NULL", what);
    return MPI_SUCCESS;
}

static void copy_out(void *to, const void *from, MPI_Count n, size_t size)
{
    if (n > 0)
        memcpy(to, from, (size_t)n * size);
}

int mpii_Type_get_contents(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
                           MPI_Count max_large_counts, MPI_Count max_datatypes, int array_of_integers[],
                           MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[],
                           MPI_Datatype array_of_datatypes[], int wide)
{
    const struct mpii_type_recipe *r;
    struct mpii_type *t;

    MPII_TRY(mpii_type_arg(datatype, &t, "datatype", __func__));
    r = t->recipe;
    if (!r)
        return mpii_error(NULL, MPI_ERR_TYPE, __func__, "datatype is %s, which is predefined: it has no contents",
                          t->name);
    MPII_TRY(check_small(t, wide, "MPI_Type_get_contents"));
    MPII_TRY(check_room(max_integers, r->nints, array_of_integers, "integers", __func__));
    MPII_TRY(check_room(max_addresses, r->naddrs, array_of_addresses, "addresses", __func__));
    if (wide)
        MPII_TRY(check_room(max_large_counts, r->ncounts, array_of_large_counts, "large_counts", __func__));
    MPII_TRY(check_room(max_datatypes, r->ntypes, array_of_datatypes, "datatypes", __func__));
    copy_out(array_of_integers, r->ints, r->nints, sizeof *r->ints);
    copy_out(array_of_addresses, r->addrs, r->naddrs, sizeof *r->addrs);
    if (wide)
        copy_out(array_of_large_counts, r->counts, r->ncounts, sizeof *r->counts);
    for (MPI_Count i = 0; i < r->ntypes; i++) {
        array_of_datatypes[i] = r->types[i]->handle;
        if (!mpii_type_is_predefined(r->types[i])) { /* the user frees it */
            mpii_type_hold(r->types[i]);
            r->types[i]->handles++;
        }
    }
    return MPI_SUCCESS;
}
