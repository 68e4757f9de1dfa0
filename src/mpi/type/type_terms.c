/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A derived type as a sequence of terms, read from its recipe: the one place
 * that knows what each constructor's arguments mean (5.1.2 to 5.1.4).
 */
#include "mpi/type/type.h"

/* Integer argument i: an int of the small form, a count of the large one. */
static MPI_Count number(const struct mpii_type_recipe *r, MPI_Count i)
{
    return r->ncounts ? r->counts[i] : r->ints[i];
}

/* Address argument i, which in the large form follows `before` counts. */
static MPI_Count address(const struct mpii_type_recipe *r, MPI_Count before, MPI_Count i)
{
    return r->ncounts ? r->counts[before + i] : r->addrs[i];
}

MPI_Count mpii_type_terms(const struct mpii_type *t)
{
    const struct mpii_type_recipe *r = t->recipe;

    if (!r)
        return 0;
    switch (r->combiner) {
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
    case MPI_COMBINER_STRUCT:
        return number(r, 0);
    default:
        return 1;
    }
}

/* The members that are not set are those of one element at 0. */
static void of_list(const struct mpii_type_recipe *r, MPI_Count i, struct mpii_term *term)
{
    MPI_Count n = number(r, 0);

    switch (r->combiner) {
    case MPI_COMBINER_INDEXED:
        term->length = number(r, 1 + i);
        term->at = number(r, 1 + n + i) * term->type->extent;
        break;
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_STRUCT:
        term->length = number(r, 1 + i);
        term->at = address(r, 1 + n, i);
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
        term->length = number(r, 1);
        term->at = number(r, 2 + i) * term->type->extent;
        break;
    default: /* hindexed_block */
        term->length = number(r, 1);
        term->at = address(r, 2, i);
        break;
    }
}

void mpii_type_term(const struct mpii_type *t, MPI_Count i, struct mpii_term *term)
{
    const struct mpii_type_recipe *r = t->recipe;
    struct mpii_type *child = r->ntypes ? r->types[r->combiner == MPI_COMBINER_STRUCT ? i : 0] : t->element;

    *term = (struct mpii_term){.n = 1, .length = 1, .type = child};
    switch (r->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        term->length = number(r, 0);
        break;
    case MPI_COMBINER_VECTOR:
        term->n = number(r, 0);
        term->length = number(r, 1);
        term->stride = number(r, 2) * child->extent;
        break;
    case MPI_COMBINER_HVECTOR:
        term->n = number(r, 0);
        term->length = number(r, 1);
        term->stride = address(r, 2, 0);
        break;
    case MPI_COMBINER_SUBARRAY:
    case MPI_COMBINER_DARRAY:
        term->type = r->nest;
        term->at = r->at;
        break;
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
    case MPI_COMBINER_STRUCT:
        of_list(r, i, term);
        break;
    default: /* dup, resized and Fortran's: the child as it is */
        break;
    }
}
