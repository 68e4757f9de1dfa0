/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The life of a derived type: its recipe, what follows from it (size, bounds,
 * alignment: 5.1.5 to 5.1.8), and its end.
 */
#include <stdlib.h>

#include "mpi/type/type.h"

enum { DEPTH_MAX = 200 };

struct mpii_type *mpii_type_new(int combiner, MPI_Count nints, MPI_Count naddrs, MPI_Count ncounts, MPI_Count ntypes)
{
    size_t bytes = sizeof(struct mpii_type_recipe) + (size_t)ncounts * sizeof(MPI_Count) +
                   (size_t)naddrs * sizeof(MPI_Aint) + (size_t)ntypes * sizeof(void *) + (size_t)nints * sizeof(int);
    struct mpii_type_recipe *r = calloc(1, bytes);
    struct mpii_type *t = r ? mpii_object_new(MPII_TYPE, sizeof *t) : NULL;

    if (!t) {
        free(r);
        return NULL;
    }
    r->combiner = combiner;
    r->nints = nints;
    r->naddrs = naddrs;
    r->ncounts = ncounts;
    r->ntypes = ntypes;
    r->counts = (MPI_Count *)(r + 1);
    r->addrs = (MPI_Aint *)(r->counts + ncounts);
    r->types = (struct mpii_type **)(r->addrs + naddrs);
    r->ints = (int *)(r->types + ntypes);
    t->recipe = r;
    t->handle = (MPI_Datatype)t;
    return t;
}

void mpii_type_adopt(struct mpii_type *t, MPI_Count i, struct mpii_type *child)
{
    t->recipe->types[i] = child;
    mpii_type_hold(child);
}

/* -------------------------------------------------------------------- bounds -- */

typedef __int128 wide_t; /* sums and products of 64 bits: none overflows */

struct bounds {
    wide_t size, low, high, true_low, true_high;
    bool any, any_data;
};

/* Offsets of the first and last of steps 0 .. n - 1 of `stride`. */
static void reach(wide_t stride, wide_t n, wide_t *low, wide_t *high)
{
    wide_t rndv = stride * (n - 1);

    *low += rndv < 0 ? rndv : 0;
    *high += rndv < 0 ? 0 : rndv;
}

static wide_t least(wide_t a, wide_t b)
{
    return a < b ? a : b;
}
static wide_t most(wide_t a, wide_t b)
{
    return a > b ? a : b;
}

static bool in_range(wide_t x)
{
    return x >= INT64_MIN / 2 && x <= INT64_MAX / 2; /* so that differences fit, too */
}

/* Marks win over all that has none (5.1.6). The padding behind a child counts: it has room in arrays of the parent,
 * too. */
static void stretch(struct mpii_type *t, struct bounds *b, const struct mpii_type *child, wide_t low, wide_t high)
{
    wide_t lb = low + child->lb, ub = high + child->lb + child->extent;

    b->low = !b->any || (child->lb_mark && !t->lb_mark) ? lb
             : child->lb_mark == t->lb_mark             ? least(b->low, lb)
                                                        : b->low;
    b->high = !b->any || (child->ub_mark && !t->ub_mark) ? ub
              : child->ub_mark == t->ub_mark             ? most(b->high, ub)
                                                         : b->high;
    b->any = true;
    t->lb_mark |= child->lb_mark;
    t->ub_mark |= child->ub_mark;
    if (child->align > t->align)
        t->align = child->align;
}

static bool measure_term(struct mpii_type *t, struct bounds *b, const struct mpii_term *term)
{
    const struct mpii_type *child = term->type;
    wide_t low = term->at, high = term->at;

    if (child->depth >= t->depth)
        t->depth = child->depth + 1;
    if (term->n == 0 || term->length == 0 || child->empty)
        return true;
    if (term->n > INT64_MAX / term->length)
        return false;
    reach(term->stride, term->n, &low, &high);
    reach(child->extent, term->length, &low, &high);
    stretch(t, b, child, low, high);
    if (child->size > 0) {
        wide_t first = low + child->true_lb, end = high + child->true_lb + child->true_extent;

        t->element = !b->any_data || t->element == child->element ? child->element : NULL;
        b->size += (wide_t)child->size * (term->n * term->length);
        b->true_low = b->any_data ? least(b->true_low, first) : first;
        b->true_high = b->any_data ? most(b->true_high, end) : end;
        b->any_data = true;
    }
    return in_range(b->size) && in_range(low) && in_range(high);
}

/* The padding at the end that makes elements of arrays aligned. */
static wide_t padding(const struct mpii_type *t, wide_t extent)
{
    wide_t over = extent & (((wide_t)1 << t->align) - 1);

    return over && !t->ub_mark ? ((wide_t)1 << t->align) - over : 0;
}

bool mpii_type_measure(struct mpii_type *t)
{
    MPI_Count n = mpii_type_terms(t);
    struct bounds b = {0};
    struct mpii_term term;
    bool fits = true;

    for (MPI_Count i = 0; i < n && fits; i++) {
        mpii_type_term(t, i, &term);
        fits = measure_term(t, &b, &term);
    }
    if (!b.any_data && n > 0) {
        mpii_type_term(t, 0, &term);
        t->element = term.type->element;
    }
    b.high += padding(t, b.high - b.low);
    if (!fits || !in_range(b.low) || !in_range(b.high) || !in_range(b.true_low) || !in_range(b.true_high))
        return false;
    t->empty = !b.any;
    t->size = (MPI_Count)b.size;
    t->lb = (MPI_Count)b.low;
    t->extent = (MPI_Count)(b.high - b.low);
    t->true_lb = (MPI_Count)b.true_low;
    t->true_extent = (MPI_Count)(b.true_high - b.true_low);
    return true;
}

/* Programs are made from those of the types within, recursively: not too deep. */
static bool limit_depth(struct mpii_type *t)
{
    if (t->depth < DEPTH_MAX)
        return true;
    t->depth = 0;
    return mpii_type_compile(t) && mpii_type_typed(t) != NULL;
}

int mpii_type_finish(struct mpii_type *t, MPI_Datatype *newtype, const char *call)
{
    if (!t)
        return mpii_error(NULL, MPI_ERR_NO_MEM, call, "out of memory for a datatype");
    if (!mpii_type_measure(t)) {
        mpii_type_release(t);
        return mpii_error(NULL, MPI_ERR_VALUE_TOO_LARGE, call, "the datatype's size or bounds do not fit 63 bits");
    }
    if (!limit_depth(t)) {
        mpii_type_release(t);
        return mpii_type_finish(NULL, newtype, call);
    }
    t->handles = 1;
    *newtype = t->handle;
    return MPI_SUCCESS;
}

int mpii_type_arg(MPI_Datatype handle, struct mpii_type **t, const char *arg, const char *call)
{
    *t = mpii_type_of(handle);
    return *t ? MPI_SUCCESS : mpii_check_type_slow(NULL, handle, arg, call);
}

struct mpii_type *mpii_type_hvector(MPI_Count n, MPI_Aint stride, struct mpii_type *child)
{
    struct mpii_type *t = mpii_type_new(MPI_COMBINER_HVECTOR, 0, 0, 3, 1);

    if (t) {
        t->recipe->counts[0] = n;
        t->recipe->counts[1] = 1;
        t->recipe->counts[2] = stride;
        mpii_type_adopt(t, 0, child);
        if (!mpii_type_measure(t)) {
            mpii_type_release(t);
            t = NULL;
        }
    }
    mpii_type_release(child);
    return t;
}

/* ----------------------------------------------------------------------- end -- */

static void destroy(struct mpii_type *t)
{
    struct mpii_type_recipe *r = t->recipe;

    for (MPI_Count i = 0; i < r->ntypes; i++)
        if (r->types[i])
            mpii_type_release(r->types[i]);
    if (r->nest)
        mpii_type_release(r->nest);
    mpii_program_release(t->program);
    mpii_program_release(t->typed);
    free(r);
    mpii_object_free(t);
}

/* Types made of types made of ... may be deep: a list, not a recursion. */
void mpii_type_release(struct mpii_type *t)
{
    struct mpii_types_dying *dying = &mpii_state.type.dying;

    if (--t->object.refs > 0)
        return;
    t->attrs = (struct mpii_attr *)dying->first;
    dying->first = t;
    if (dying->busy)
        return;
    dying->busy = true;
    while ((t = dying->first) != NULL) {
        dying->first = (struct mpii_type *)t->attrs;
        destroy(t);
    }
    dying->busy = false;
}
