/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Datatypes for array sections (sections.h). Where a type has no gaps, and each
 * element of the section holds whole ones of what it is made of, nested vectors
 * say it all; else the type map is laid over the section basic element by basic
 * element.
 */
#include <stdlib.h>

#include "mpi/collective/coll.h"
#include "mpi/front/sections.h"
#include "mpi/rt/lock.h"
#include "mpi/type/type.h"

/* ------------------------------------------------------------- nested vectors -- */

/* Frees both; *made: `first`, and `second` `at` bytes behind its origin. */
static int join(MPI_Datatype first, MPI_Datatype second, MPI_Count at, MPI_Datatype *made)
{
    int error =
        mpii_Type_create_struct(2, (MPI_Count[]){1, 1}, (MPI_Count[]){0, at}, (MPI_Datatype[]){first, second}, made, 1);

    mpii_Type_free(&first);
    mpii_Type_free(&second);
    return error;
}

/* The first n (>= 1) elements of the section's first `dims` (>= 1) dimensions, each of them `each` of t. */
static int elements(const struct mpt_section *s, int dims, MPI_Count n, MPI_Datatype t, MPI_Count each,
                    MPI_Datatype *made)
{
    MPI_Count inner = 1, stride = s->dim[dims - 1].stride;
    MPI_Datatype row, tail;
    int error;

    if (dims == 1)
        return mpii_Type_create_hvector(n, each, stride, t, made, 1);
    for (int i = 0; i < dims - 1; i++)
        inner *= s->dim[i].extent;
    if (n <= inner)
        return elements(s, dims - 1, n, t, each, made);
    MPII_TRY(elements(s, dims - 1, inner, t, each, &row));
    error = mpii_Type_create_hvector(n / inner, 1, stride, row, made, 1);
    mpii_Type_free(&row);
    if (error != MPI_SUCCESS || n % inner == 0)
        return error;
    error = elements(s, dims - 1, n % inner, t, each, &tail);
    if (error != MPI_SUCCESS) {
        mpii_Type_free(made);
        return error;
    }
    return join(*made, tail, n / inner * stride, made);
}

/* Where element e lies from the first. */
static MPI_Aint disp_of(const struct mpt_section *s, MPI_Count e)
{
    MPI_Aint at = 0;

    for (int i = 0; i < s->rank; i++) {
        at += e % s->dim[i].extent * s->dim[i].stride;
        e /= s->dim[i].extent;
    }
    return at;
}

/* count of t, which has no gaps; an element of the section holds `each` of them. */
static int regular(const struct mpt_section *s, MPI_Count count, const struct mpii_type *t, MPI_Count each,
                   MPI_Datatype *made)
{
    MPI_Count n = count / each, rest = count % each;
    MPI_Datatype tail;
    int error;

    if (n > 0) {
        error = elements(s, s->rank, n, t->handle, each, made);
        if (error != MPI_SUCCESS || rest == 0)
            return error;
    }
    error = mpii_Type_contiguous(rest, t->handle, &tail, 1);
    if (n == 0) {
        *made = tail;
        return error;
    }
    if (error != MPI_SUCCESS) {
        mpii_Type_free(made);
        return error;
    }
    return join(*made, tail, disp_of(s, n), made);
}

/* --------------------------------------------------------------- lists of pieces -- */

struct pieces {
    struct mpii_walk walk; /* first */
    const struct mpt_section *s;
    MPI_Count run, n, room;
    MPI_Count *at, *length; /* length: bytes, then elements */
    const struct mpii_type **types;
};

static void *larger(void *list, MPI_Count room, size_t each, bool *good)
{
    void *p = realloc(list, (size_t)room * each);

    *good &= p != NULL;
    return p ? p : list;
}

static bool make_room(struct pieces *p)
{
    MPI_Count room = p->room ? 2 * p->room : 64;
    bool good = true;

    if (p->n < p->room)
        return true;
    p->at = larger(p->at, room, sizeof *p->at, &good);
    p->length = larger(p->length, room, sizeof *p->length, &good);
    p->types = larger(p->types, room, sizeof *p->types, &good);
    if (good)
        p->room = room;
    return good;
}

/* Of basic elements that lie together. */
static bool put(struct pieces *p, MPI_Aint at, MPI_Count bytes, const struct mpii_type *basic)
{
    if (p->n > 0 && p->types[p->n - 1] == basic && p->at[p->n - 1] + p->length[p->n - 1] == at) {
        p->length[p->n - 1] += bytes;
        return true;
    }
    if (!make_room(p))
        return false;
    p->at[p->n] = at;
    p->length[p->n] = bytes;
    p->types[p->n++] = basic;
    return true;
}

/* Bytes from `from` on of the buffer. An element that lies in several pieces of memory is described by its bytes; as
 * MPI_PACKED, which says that nobody knows what they are parts of. */
static bool map(struct pieces *p, MPI_Count from, MPI_Count bytes, const struct mpii_type *basic)
{
    for (MPI_Count n; bytes > 0; bytes -= n, from += n) {
        MPI_Count in = from % p->run, left = p->run - in;
        MPI_Aint at = disp_of(p->s, (from - in) / p->s->element) + in;

        n = bytes < left ? bytes : left - left % basic->size;
        if (n > 0 ? !put(p, at, n, basic) : !map(p, from, n = basic->size, mpii_type_of(MPI_PACKED)))
            return false;
    }
    return true;
}

static bool visit(struct mpii_walk *w, uintptr_t memory, MPI_Aint stride, MPI_Count bytes, MPI_Count n,
                  const struct mpii_type *basic)
{
    struct pieces *p = (struct pieces *)(void *)w;

    for (MPI_Count i = 0; i < n; i++)
        if (!map(p, (MPI_Count)(intptr_t)memory + i * stride, bytes, basic))
            return false;
    return true;
}

static int make_list(struct pieces *p, MPI_Datatype *made)
{
    bool same = true;
    MPI_Datatype *types = calloc((size_t)p->n, sizeof *types);
    int error = MPI_ERR_NO_MEM;

    for (MPI_Count i = 0; types && i < p->n; i++) {
        same &= p->types[i] == p->types[0];
        p->length[i] /= p->types[i]->size;
        types[i] = p->types[i]->handle;
    }
    if (types && same)
        error = mpii_Type_create_hindexed(p->n, p->length, p->at, types[0], made, 1);
    else if (types)
        error = mpii_Type_create_struct(p->n, p->length, p->at, types, made, 1);
    free(types);
    return error;
}

static int irregular(const struct mpt_section *s, MPI_Count count, const struct mpii_type *t, MPI_Datatype *made)
{
    struct pieces p = {.walk.visit = visit, .s = s, .run = mpt_section_run(s)};
    struct mpii_type_program *typed = (struct mpii_type_program *)(uintptr_t)mpii_type_typed(t);
    int error = MPI_ERR_NO_MEM;
    struct mpii_step all;

    if (typed) {
        mpii_program_repeat(typed, t->extent, count, &all);
        if (mpii_walk_step(&p.walk, &all, 0, 0, all.bytes * all.n))
            error = make_list(&p, made);
    }
    free(p.at);
    free(p.length);
    free(p.types);
    return error;
}

/* ------------------------------------------------------------------- the calls -- */

/* Bytes of the buffer that count elements of t touch. */
static bool span(MPI_Count count, const struct mpii_type *t, MPI_Count *low, MPI_Count *high)
{
    MPI_Count rndv;

    if (__builtin_mul_overflow(t->extent, count - 1, &rndv) ||
        __builtin_add_overflow(rndv, t->true_lb + t->true_extent, high) ||
        __builtin_add_overflow(rndv, t->true_lb, low))
        return false;
    if (rndv >= 0)
        *low = t->true_lb;
    else
        *high = t->true_lb + t->true_extent;
    return true;
}

static int type_for(const struct mpt_section *s, MPI_Count count, MPI_Datatype datatype, MPI_Datatype *newtype,
                    const char *call, const char *arg)
{
    const struct mpii_type *t = mpii_type_of(datatype), *one;
    MPI_Count low, high, bytes = mpt_section_bytes(s);
    int error;

    *newtype = MPI_DATATYPE_NULL;
    if (count <= 0 || !t || !t->committed || t->size == 0)
        return MPI_SUCCESS;
    if (!span(count, t, &low, &high) || low < 0 || high > bytes)
        return mpii_error(NULL, MPI_ERR_BUFFER, call,
                          "%lld elements of datatype do not fit into %s, an array section of %lld bytes",
                          (long long)count, arg, (long long)bytes);
    if (high <= mpt_section_run(s))
        return MPI_SUCCESS;
    one = t->element ? t->element : t;
    if (t->dense && s->element % one->size == 0)
        error = regular(s, count * (t->size / one->size), one, s->element / one->size, newtype);
    else
        error = irregular(s, count, t, newtype);
    if (error == MPI_SUCCESS)
        error = mpii_Type_commit(newtype);
    if (error == MPI_ERR_NO_MEM)
        return mpii_error(NULL, error, call, "no memory to describe %s, an array section", arg);
    if (error == MPI_SUCCESS)
        mpii_type_of(*newtype)->section = true;
    return error;
}

static int together(const struct mpt_section *s, MPI_Count n, const char *call, const char *arg)
{
    if ((n < 0 ? mpt_section_bytes(s) : n) <= mpt_section_run(s))
        return MPI_SUCCESS;
    return mpii_error(
        NULL, MPI_ERR_BUFFER, call, "%s is an array section of which %lld bytes lie together; this call needs %s", arg,
        (long long)mpt_section_run(s), n < 0 ? "contiguous memory" : "an element of datatype in one piece");
}

static int type_locked(const struct mpt_section *s, MPI_Count count, MPI_Datatype datatype, MPI_Datatype *newtype,
                       const char *call, const char *arg)
{
    int error;

    if (core_process_single())
        return type_for(s, count, datatype, newtype, call, arg);
    mpii_lock();
    error = type_for(s, count, datatype, newtype, call, arg);
    mpii_unlock();
    return error;
}

static int follow_locked(MPI_Request request, const struct mpt_hooks *hooks, void *arg)
{
    int error;

    if (core_process_single())
        return mpii_coll_follow(request, hooks, arg);
    mpii_lock();
    error = mpii_coll_follow(request, hooks, arg);
    mpii_unlock();
    return error;
}

const struct mpt_sections mpt_mpi_sections = {type_locked, together, follow_locked};
