/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Datatypes as they lie in a file (14.5): the same construction over bytes, with
 * the representation's extents for the predefined types. What was given in
 * elements counts elements of the file, what was given in bytes stays.
 */
#include <stdlib.h>

#include "mpi/io/io.h"
#include "mpi/type/type.h"

enum { WIDE = 1 };

struct layout {
    const struct mpii_io_rep *rep;
    int error; /* the first class */
};

static MPI_Datatype in_file(struct layout *l, struct mpii_type *t);

static void drop(MPI_Datatype *t)
{
    if (*t != MPI_DATATYPE_NULL)
        mpii_Type_free(t);
}

static MPI_Datatype made(struct layout *l, int error, MPI_Datatype t)
{
    if (error == MPI_SUCCESS)
        return t;
    if (l->error == MPI_SUCCESS)
        l->error = error;
    return MPI_DATATYPE_NULL;
}

static MPI_Datatype bytes_of(struct layout *l, struct mpii_type *basic)
{
    MPI_Datatype t = MPI_DATATYPE_NULL;
    MPI_Aint extent = 0;
    int error = mpii_io_rep_extent(l->rep, basic->handle, &extent);

    if (error == MPI_SUCCESS)
        error = mpii_Type_contiguous(extent, MPI_BYTE, &t, WIDE);
    return made(l, error, t);
}

static MPI_Count extent_of(MPI_Datatype t)
{
    return mpii_type_of(t)->extent;
}

/* A distance that was given in elements of `old`, in those of `new`. */
static MPI_Aint rescale(MPI_Aint bytes, const struct mpii_type *old, MPI_Datatype new)
{
    return old->extent == 0 ? 0 : bytes / old->extent * extent_of(new);
}

static bool in_elements(int combiner)
{
    return combiner == MPI_COMBINER_VECTOR || combiner == MPI_COMBINER_INDEXED ||
           combiner == MPI_COMBINER_INDEXED_BLOCK;
}

/* ------------------------------------------------- blocks, lists, structures -- */

static MPI_Datatype strided(struct layout *l, struct mpii_type *t)
{
    MPI_Datatype child, new = MPI_DATATYPE_NULL;
    struct mpii_term term;
    int error;

    mpii_type_term(t, 0, &term);
    child = in_file(l, term.type);
    if (child == MPI_DATATYPE_NULL)
        return child;
    if (in_elements(t->recipe->combiner))
        term.stride = rescale(term.stride, term.type, child);
    error = mpii_Type_create_hvector(term.n, term.length, term.stride, child, &new, WIDE);
    drop(&child);
    return made(l, error, new);
}

struct list {
    MPI_Count n, *lengths, *displs;
    MPI_Datatype *types;
};

static bool list_new(struct list *list, MPI_Count n)
{
    list->n = n;
    list->lengths = malloc((size_t)(n + 1) * sizeof *list->lengths);
    list->displs = malloc((size_t)(n + 1) * sizeof *list->displs);
    list->types = calloc((size_t)(n + 1), sizeof *list->types);
    return list->lengths && list->displs && list->types;
}

static void list_free(struct list *list)
{
    free(list->lengths);
    free(list->displs);
    free(list->types);
}

static MPI_Datatype listed(struct layout *l, struct mpii_type *t)
{
    MPI_Datatype child = MPI_DATATYPE_NULL, new = MPI_DATATYPE_NULL;
    bool several = t->recipe->combiner == MPI_COMBINER_STRUCT;
    int error = MPI_SUCCESS;
    struct mpii_term term;
    struct list list;

    if (!list_new(&list, mpii_type_terms(t)))
        error = MPI_ERR_NO_MEM;
    for (MPI_Count i = 0; i < list.n && error == MPI_SUCCESS; i++) {
        mpii_type_term(t, i, &term);
        if (several || i == 0)
            child = list.types[i] = in_file(l, term.type);
        if (child == MPI_DATATYPE_NULL)
            error = l->error;
        else if (in_elements(t->recipe->combiner))
            term.at = rescale(term.at, term.type, child);
        list.lengths[i] = term.length;
        list.displs[i] = term.at;
    }
    if (error == MPI_SUCCESS && list.n == 0)
        error = mpii_Type_contiguous(0, MPI_BYTE, &new, WIDE);
    else if (error == MPI_SUCCESS)
        error = several ? mpii_Type_create_struct(list.n, list.lengths, list.displs, list.types, &new, WIDE)
                        : mpii_Type_create_hindexed(list.n, list.lengths, list.displs, child, &new, WIDE);
    for (MPI_Count i = 0; list.types && i < (several ? list.n : 1); i++)
        if (list.types[i])
            drop(&list.types[i]);
    list_free(&list);
    return made(l, error, new);
}

/* -------------------------------------------------------------------- arrays -- */

/* The hidden nest of hvectors and structs over `old`, all of whose distances are multiples of old's extent. */
static MPI_Datatype nested(struct layout *l, struct mpii_type *nest, const struct mpii_type *old, MPI_Datatype file)
{
    MPI_Datatype new = MPI_DATATYPE_NULL, child[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    MPI_Count ones[2] = {1, 1}, displs[2] = {0, 0}, n = nest == old ? 0 : mpii_type_terms(nest);
    struct mpii_term term;
    int error = MPI_SUCCESS;

    if (nest == old) {
        error = mpii_Type_dup(file, &new);
        return made(l, error, new);
    }
    for (MPI_Count i = 0; i < n && i < 2; i++) {
        mpii_type_term(nest, i, &term);
        child[i] = nested(l, term.type, old, file);
        displs[i] = rescale(term.at, old, file);
        if (child[i] == MPI_DATATYPE_NULL)
            error = l->error;
    }
    if (error == MPI_SUCCESS)
        error = n == 2 ? mpii_Type_create_struct(2, ones, displs, child, &new, WIDE)
                       : mpii_Type_create_hvector(term.n, term.length, rescale(term.stride, old, file), child[0], &new,
                                                  WIDE);
    drop(&child[0]);
    drop(&child[1]);
    return made(l, error, new);
}

static MPI_Datatype array(struct layout *l, struct mpii_type *t)
{
    MPI_Datatype new = MPI_DATATYPE_NULL, nest, placed = MPI_DATATYPE_NULL, child = in_file(l, t->recipe->types[0]);
    struct mpii_type *old = t->recipe->types[0];
    int error;

    if (child == MPI_DATATYPE_NULL)
        return child;
    nest = nested(l, t->recipe->nest, old, child);
    error = nest == MPI_DATATYPE_NULL
                ? l->error
                : mpii_Type_create_hindexed(1, &(MPI_Count){1}, &(MPI_Count){rescale(t->recipe->at, old, child)}, nest,
                                            &placed, WIDE);
    if (error == MPI_SUCCESS)
        error = mpii_Type_create_resized(placed, 0, rescale(t->extent, old, child), &new, WIDE);
    drop(&placed);
    drop(&nest);
    drop(&child);
    return made(l, error, new);
}

static MPI_Datatype resized(struct layout *l, struct mpii_type *t)
{
    MPI_Datatype new = MPI_DATATYPE_NULL, child = in_file(l, t->recipe->types[0]);
    int error;

    if (child == MPI_DATATYPE_NULL)
        return child;
    error = mpii_Type_create_resized(child, t->lb, t->extent, &new, WIDE);
    drop(&child);
    return made(l, error, new);
}

static MPI_Datatype in_file(struct layout *l, struct mpii_type *t)
{
    if (mpii_type_is_predefined(t))
        return bytes_of(l, t);
    switch (t->recipe->combiner) {
    case MPI_COMBINER_DUP:
        return in_file(l, t->recipe->types[0]);
    case MPI_COMBINER_RESIZED:
        return resized(l, t);
    case MPI_COMBINER_CONTIGUOUS:
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
        return strided(l, t);
    case MPI_COMBINER_SUBARRAY:
    case MPI_COMBINER_DARRAY:
        return array(l, t);
    default:
        return listed(l, t);
    }
}

struct mpii_type *mpii_io_type_in_file(const struct mpii_io_rep *rep, struct mpii_type *t, int *error)
{
    struct layout l = {rep, MPI_SUCCESS};
    MPI_Datatype handle;
    struct mpii_type *new;

    if (rep->kind == IO_NATIVE) {
        mpii_type_hold(t);
        return t;
    }
    handle = in_file(&l, t);
    if (handle != MPI_DATATYPE_NULL && (*error = mpii_Type_commit(&handle)) == MPI_SUCCESS) {
        new = mpii_type_of(handle);
        mpii_type_hold(new);
        drop(&handle);
        return new;
    }
    drop(&handle);
    if (l.error != MPI_SUCCESS)
        *error = l.error;
    return NULL;
}

/* ------------------------------------------------------------------- prefixes -- */

static MPI_Count file_size(const struct mpii_io_rep *rep, struct mpii_type *t)
{
    MPI_Count size = 0;
    struct mpii_term term;
    MPI_Aint extent = 0;

    if (mpii_type_is_predefined(t)) {
        mpii_io_rep_extent(rep, t->handle, &extent);
        return extent;
    }
    for (MPI_Count i = 0; i < mpii_type_terms(t); i++) {
        mpii_type_term(t, i, &term);
        if (term.type->size > 0)
            size += term.n * term.length * file_size(rep, term.type);
    }
    return size;
}

static void count(struct mpii_io_prefix *p, const struct mpii_type *t, MPI_Count n)
{
    p->elements += n * mpii_elements(t, t->size);
    p->memory += n * t->size;
}

/* Adds what the first n bytes of t hold. */
static void prefix(struct mpii_io_prefix *p, const struct mpii_io_rep *rep, struct mpii_type *t, MPI_Count n)
{
    struct mpii_term term;

    if (mpii_type_is_predefined(t))
        return; /* a part of an element counts nothing */
    for (MPI_Count i = 0; i < mpii_type_terms(t) && n > 0; i++) {
        MPI_Count each, whole;

        mpii_type_term(t, i, &term);
        each = term.type->size > 0 ? file_size(rep, term.type) : 0;
        if (each == 0)
            continue;
        whole = n / each < term.n * term.length ? n / each : term.n * term.length;
        count(p, term.type, whole);
        n -= whole * each;
        if (whole < term.n * term.length) {
            prefix(p, rep, term.type, n);
            return;
        }
    }
}

struct mpii_io_prefix mpii_io_type_prefix(const struct mpii_io_rep *rep, struct mpii_type *t, MPI_Count n)
{
    MPI_Count size = t->size > 0 ? file_size(rep, t) : 0;
    struct mpii_io_prefix p = {0, 0};

    if (size == 0)
        return p;
    count(&p, t, n / size);
    prefix(&p, rep, t, n % size);
    return p;
}
