/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From types to programs of block copies. Steps are put in normal form as they
 * come: adjacent blocks become one, equal blocks at equal distances one strided
 * step, loops in loops one loop where they go on regularly; nothing of no
 * length is left. A typed program is the same, but joins equal elements only.
 */
#include <stdlib.h>

#include "mpi/type/type.h"

enum {
    INLINE_STEPS = 64, /* longer programs are called, not copied: else a type of 2 of 2 of 2 ... grows without bound */
    LIST_STEPS = 4, /* so many steps of equal blocks in a row become a list */
    LIST_REPS = 8, /* unless they repeat as often as this */
    LIST_UNITS = 3, /* or are so many times as long as the shortest */
};

struct builder {
    struct mpii_type_program *p;
    MPI_Count room;
    struct mpii_step block; /* the last block, which the next may join; bytes == 0: none */
    bool typed, failed;
};

static struct mpii_type_program *program_new(MPI_Count room)
{
    struct mpii_type_program *p = calloc(1, sizeof *p + (size_t)room * sizeof *p->steps);

    if (p)
        p->refs = 1;
    return p;
}

void mpii_program_release(struct mpii_type_program *p)
{
    if (!p || --p->refs > 0)
        return;
    for (MPI_Count i = 0; i < p->nsteps; i++)
        mpii_program_release(p->steps[i].body);
    free(p->list);
    free(p);
}

static MPI_Aint times(MPI_Aint a, MPI_Count n)
{
    return (MPI_Aint)((uint64_t)a * (uint64_t)n);
}

/* Make step happen n times; false: that takes a loop around it. */
static bool again(struct mpii_step *step, MPI_Count n, MPI_Aint stride)
{
    if (n == 1)
        return true;
    if (step->n == 1) {
        step->n = n;
        step->stride = stride;
    } else if (times(step->stride, step->n) == stride) {
        step->n *= n;
    } else {
        return false;
    }
    if (!step->body && step->stride == step->bytes) {
        step->bytes *= step->n;
        step->n = 1;
    }
    return true;
}

void mpii_program_repeat(struct mpii_type_program *p, MPI_Aint extent, MPI_Count count, struct mpii_step *step)
{
    if (p->nsteps == 1) {
        *step = p->steps[0];
        if (again(step, count, extent))
            return;
    }
    *step = (struct mpii_step){.n = count, .stride = extent, .bytes = p->size, .body = p};
}

/* ------------------------------------------------------------------- building -- */

static bool make_room(struct builder *b)
{
    MPI_Count room = b->room ? b->room * 2 : 4;
    struct mpii_type_program *p;

    if (b->p && b->p->nsteps < b->room)
        return true;
    p = b->p ? realloc(b->p, sizeof *p + (size_t)room * sizeof *p->steps) : program_new(room);
    if (!p) {
        b->failed = true;
        return false;
    }
    b->p = p;
    b->room = room;
    return true;
}

/* Does the last step go on with s? */
static bool join_last(struct builder *b, const struct mpii_step *s)
{
    struct mpii_step *last = b->p && b->p->nsteps ? &b->p->steps[b->p->nsteps - 1] : NULL;
    MPI_Aint stride;

    if (!last || last->body || s->body || last->bytes != s->bytes || last->basic != s->basic)
        return false;
    stride = last->n > 1 ? last->stride : s->n > 1 ? s->stride : s->at - last->at;
    if ((s->n > 1 && s->stride != stride) || s->at != last->at + times(stride, last->n))
        return false;
    last->stride = stride;
    last->n += s->n;
    return true;
}

static void push(struct builder *b, const struct mpii_step *s)
{
    if (join_last(b, s) || !make_room(b))
        return;
    b->p->steps[b->p->nsteps++] = *s;
    if (s->body)
        s->body->refs++;
}

static void push_block(struct builder *b)
{
    if (b->block.bytes)
        push(b, &b->block);
    b->block.bytes = 0;
}

static void append(struct builder *b, const struct mpii_step *s)
{
    if (s->body || s->n > 1) {
        push_block(b);
        push(b, s);
    } else if (b->block.bytes && b->block.at + b->block.bytes == s->at && b->block.basic == s->basic) {
        b->block.bytes += s->bytes;
    } else {
        push_block(b);
        b->block = *s;
    }
}

static void append_program(struct builder *b, const struct mpii_type_program *p, MPI_Aint at)
{
    for (MPI_Count i = 0; i < p->nsteps; i++) {
        struct mpii_step s = p->steps[i];

        s.at += at;
        append(b, &s);
    }
}

/* ---------------------------------------------------------------------- lists -- */

/* How many steps from `first` on may become one list of blocks of `unit` bytes. */
static MPI_Count listable(const struct mpii_type_program *p, MPI_Count first, MPI_Count *unit)
{
    MPI_Count i = first;

    *unit = p->steps[first].bytes;
    if (first + 1 < p->nsteps && p->steps[first + 1].bytes < *unit) /* a few blocks that touch are among them */
        *unit = p->steps[first + 1].bytes;
    for (; i < p->nsteps; i++) {
        const struct mpii_step *s = &p->steps[i];

        if (s->body || s->n >= LIST_REPS || s->bytes % *unit || s->bytes > LIST_UNITS * *unit)
            break;
    }
    return i - first;
}

static struct mpii_type_program *list_of(const struct mpii_step *s, MPI_Count n, MPI_Count unit)
{
    struct mpii_type_program *p = program_new(0);
    MPI_Count blocks = 0;

    for (MPI_Count i = 0; i < n; i++)
        blocks += s[i].n * (s[i].bytes / unit);
    if (p)
        p->list = malloc((size_t)blocks * sizeof *p->list);
    if (!p || !p->list) {
        free(p);
        return NULL;
    }
    p->block = unit;
    p->size = blocks * unit;
    for (MPI_Count i = 0; i < n; i++)
        for (MPI_Count k = 0; k < s[i].n; k++)
            for (MPI_Count at = 0; at < s[i].bytes; at += unit)
                p->list[p->nlist++] = s[i].at + k * s[i].stride + at;
    return p;
}

/* Equal blocks at irregular displacements: 8 bytes for each instead of a step. */
static bool make_lists(struct mpii_type_program *p)
{
    MPI_Count to = 0;

    for (MPI_Count i = 0, n, unit; i < p->nsteps; i += n) {
        struct mpii_type_program *list;

        n = listable(p, i, &unit);
        if (n < LIST_STEPS) {
            n = 1;
            p->steps[to++] = p->steps[i];
            continue;
        }
        list = list_of(&p->steps[i], n, unit);
        if (!list) { /* what is left moves down: the program stays whole */
            for (n = p->nsteps; i < n; i++)
                p->steps[to++] = p->steps[i];
            p->nsteps = to;
            return false;
        }
        p->steps[to++] = (struct mpii_step){.n = 1, .bytes = list->size, .body = list};
    }
    p->nsteps = to;
    return true;
}

/* What runs, and checks of partial elements, look at. */
static void sum_up(struct mpii_type_program *p, bool typed)
{
    MPI_Count start = 0, blocks = 0;

    for (MPI_Count i = 0; i < p->nsteps; i++) {
        struct mpii_step *s = &p->steps[i];

        s->start = start;
        start += s->bytes * s->n;
        blocks = s->body || blocks + s->n > MPII_FEW_BLOCKS ? MPII_FEW_BLOCKS + 1 : blocks + s->n;
    }
    p->size = start;
    p->nblocks = blocks > MPII_FEW_BLOCKS ? 0 : (int)blocks;
    if (typed)
        mpii_program_sign(p);
}

static struct mpii_type_program *build_end(struct builder *b)
{
    push_block(b);
    if (b->failed || (!b->p && !make_room(b)) || (!b->typed && !make_lists(b->p))) {
        mpii_program_release(b->p);
        return NULL;
    }
    if (b->p->nsteps < b->room / 2) {
        struct mpii_type_program *p = realloc(b->p, sizeof *p + (size_t)b->p->nsteps * sizeof *p->steps);

        b->p = p ? p : b->p;
    }
    sum_up(b->p, b->typed);
    return b->p;
}

/* ---------------------------------------------------------------- from types -- */

static struct mpii_type_program *program_of(struct mpii_type *t, bool typed);

static struct mpii_type_program *loop_body(const struct mpii_step *s, bool typed)
{
    struct builder b = {.typed = typed};

    append(&b, s);
    return build_end(&b);
}

static void append_term(struct builder *b, const struct mpii_term *term, MPI_Count nterms)
{
    struct mpii_type_program *p, *body = NULL;
    struct mpii_step s;

    if (term->n == 0 || term->length == 0 || term->type->size == 0)
        return;
    p = program_of(term->type, b->typed);
    if (!p) {
        b->failed = true;
        return;
    }
    mpii_program_repeat(p, term->type->extent, term->length, &s);
    if (!again(&s, term->n, term->stride)) {
        body = loop_body(&s, b->typed);
        if (!body) {
            b->failed = true;
            return;
        }
        s = (struct mpii_step){.n = term->n, .stride = term->stride, .bytes = body->size, .body = body};
    }
    s.at += term->at;
    if (s.body && s.n == 1 && !s.body->list && (nterms == 1 || s.body->nsteps <= INLINE_STEPS))
        append_program(b, s.body, s.at);
    else
        append(b, &s);
    mpii_program_release(body);
}

static void append_basic(struct builder *b, const struct mpii_type *t, MPI_Aint at)
{
    append(b, &(struct mpii_step){.at = at, .n = 1, .bytes = t->size, .basic = b->typed ? t : NULL});
}

static struct mpii_type_program *compile(struct mpii_type *t, bool typed)
{
    struct builder b = {.typed = typed};
    struct mpii_type *value, *index;
    MPI_Count n = mpii_type_terms(t);
    struct mpii_term term;

    if (t->basic) {
        append_basic(&b, t, 0);
    } else if (mpii_type_pair(t, &value, &index)) {
        append_basic(&b, value, 0);
        append_basic(&b, index, t->true_extent - index->size);
    }
    for (MPI_Count i = 0; i < n && !b.failed; i++) {
        mpii_type_term(t, i, &term);
        append_term(&b, &term, n);
    }
    return build_end(&b);
}

static bool is_dense(const struct mpii_type *t)
{
    const struct mpii_step *s = t->program->steps;

    if (t->lb != 0 || t->size != t->extent)
        return false;
    return t->size == 0 || (t->program->nsteps == 1 && !s->body && s->n == 1 && s->at == 0);
}

static struct mpii_type_program *program_of(struct mpii_type *t, bool typed)
{
    struct mpii_type_program **p = typed ? &t->typed : &t->program;

    if (!*p)
        *p = compile(t, typed);
    return *p;
}

bool mpii_type_compile(struct mpii_type *t)
{
    if (!program_of(t, false))
        return false;
    t->dense = is_dense(t);
    return true;
}

const struct mpii_type_program *mpii_type_typed(const struct mpii_type *t)
{
    return program_of((struct mpii_type *)(uintptr_t)t, true);
}
