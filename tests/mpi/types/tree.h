/* SPDX-License-Identifier: BSD-3-Clause */
/* Random datatypes, each beside its type map as the standard defines it (5.1): a plain list of displacements of basic
 * elements and bound marks, made by copying lists. Slow, and with nothing in common with how a library does it. */
#ifndef TESTS_MPI_TYPES_TREE_H
#define TESTS_MPI_TYPES_TREE_H

#include "mcheck.h"

enum { LB_MARK = -1, UB_MARK = -2, MAP_MAX = 4000 };

static const struct basic {
    MPI_Datatype type;
    int size, align;
} basics[] = {
    {MPI_CHAR, 1, 1},
    {MPI_SHORT, sizeof(short), _Alignof(short)},
    {MPI_INT, sizeof(int), _Alignof(int)},
    {MPI_DOUBLE, sizeof(double), _Alignof(double)},
    {MPI_FLOAT, sizeof(float), _Alignof(float)},
    {MPI_C_DOUBLE_COMPLEX, 2 * sizeof(double), _Alignof(double)},
    {MPI_UINT64_T, sizeof(uint64_t), _Alignof(uint64_t)},
};
enum { NBASICS = sizeof basics / sizeof *basics };

struct entry {
    MPI_Aint at;
    int what; /* index of basics, or a mark */
};
struct map {
    int n;
    struct entry *entries; /* room for MAP_MAX */
    bool padded;
    MPI_Aint end;          /* if padded: of the last child with its padding */
    bool cut;              /* there should be more */
};
struct tree {
    MPI_Datatype type;
    struct map map;
    char text[240]; /* how it was made: for messages */
};

static inline MPI_Aint map_lb(const struct map *m)
{
    bool marked = false, any = false;
    MPI_Aint lb = 0;

    for (int i = 0; i < m->n; i++)
        marked |= m->entries[i].what == LB_MARK;
    for (int i = 0; i < m->n; i++) {
        const struct entry *e = &m->entries[i];

        if (marked ? e->what != LB_MARK : e->what < 0)
            continue;
        lb = !any || e->at < lb ? e->at : lb;
        any = true;
    }
    return lb;
}

static inline MPI_Aint map_ub(const struct map *m)
{
    bool marked = false, any = false;
    MPI_Aint ub = 0;
    int align = 1;

    for (int i = 0; i < m->n; i++)
        marked |= m->entries[i].what == UB_MARK;
    for (int i = 0; i < m->n; i++) {
        const struct entry *e = &m->entries[i];
        MPI_Aint end = e->at + (e->what >= 0 ? basics[e->what].size : 0);

        if (marked ? e->what != UB_MARK : e->what < 0)
            continue;
        ub = !any || end > ub ? end : ub;
        any = true;
        if (!marked && basics[e->what].align > align)
            align = basics[e->what].align;
    }
    if (!marked && any) {
        MPI_Aint extent;

        ub = m->padded && m->end > ub ? m->end : ub;
        extent = ub - map_lb(m);

        ub += ((-extent % align) + align) % align;
    }
    return ub;
}

static inline MPI_Aint map_extent(const struct map *m)
{
    return map_ub(m) - map_lb(m);
}

static inline MPI_Count map_size(const struct map *m)
{
    MPI_Count size = 0;

    for (int i = 0; i < m->n; i++)
        size += m->entries[i].what >= 0 ? basics[m->entries[i].what].size : 0;
    return size;
}

static inline long map_elements(const struct map *m)
{
    long n = 0;

    for (int i = 0; i < m->n; i++)
        n += m->entries[i].what >= 0;
    return n;
}

/* First byte and end of the data; both 0 when there is none. */
static inline void map_true(const struct map *m, MPI_Aint *low, MPI_Aint *high)
{
    bool any = false;

    *low = *high = 0;
    for (int i = 0; i < m->n; i++) {
        const struct entry *e = &m->entries[i];

        if (e->what < 0)
            continue;
        *low = !any || e->at < *low ? e->at : *low;
        *high = !any || e->at + basics[e->what].size > *high ? e->at + basics[e->what].size : *high;
        any = true;
    }
}

static inline void map_add(struct map *m, MPI_Aint at, int what)
{
    if (m->n == MAP_MAX)
        m->cut = true;
    else
        m->entries[m->n++] = (struct entry){at, what};
}

static inline void map_append(struct map *m, const struct map *child, MPI_Aint at)
{
    for (int i = 0; i < child->n; i++)
        map_add(m, child->entries[i].at + at, child->entries[i].what);
    if (map_elements(child) == 0 || (m->padded && m->end >= at + map_ub(child)))
        return;
    m->padded = true;
    m->end = at + map_ub(child);
}

/* Without its marks. */
static inline void map_append_data(struct map *m, const struct map *child, MPI_Aint at)
{
    for (int i = 0; i < child->n; i++)
        if (child->entries[i].what >= 0)
            map_add(m, child->entries[i].at + at, child->entries[i].what);
}

static inline void map_block(struct map *m, const struct map *child, MPI_Aint at, MPI_Aint n)
{
    MPI_Aint extent = map_extent(child);

    for (MPI_Aint i = 0; i < n; i++)
        map_append(m, child, at + i * extent);
}

/* The packed form of count elements at `base`. */
static inline size_t map_pack(const struct map *m, const char *base, long count, char *to)
{
    MPI_Aint extent = map_extent(m);
    char *at = to;

    for (long k = 0; k < count; k++) {
        for (int i = 0; i < m->n; i++) {
            const struct entry *e = &m->entries[i];

            if (e->what < 0)
                continue;
            memcpy(at, base + k * extent + e->at, (size_t)basics[e->what].size);
            at += basics[e->what].size;
        }
    }
    return (size_t)(at - to);
}

static inline void map_unpack(const struct map *m, char *base, long count, const char *from)
{
    MPI_Aint extent = map_extent(m);

    for (long k = 0; k < count; k++) {
        for (int i = 0; i < m->n; i++) {
            const struct entry *e = &m->entries[i];

            if (e->what < 0)
                continue;
            memcpy(base + k * extent + e->at, from, (size_t)basics[e->what].size);
            from += basics[e->what].size;
        }
    }
}

/* Memory that count elements touch: from `low` up to `high`, relative to the buffer's address. */
static inline void map_span(const struct map *m, long count, MPI_Aint *low, MPI_Aint *high)
{
    MPI_Aint far = (count - 1) * map_extent(m);

    map_true(m, low, high);
    if (*low == *high)
        far = 0;
    *low += far < 0 ? far : 0;
    *high += far > 0 ? far : 0;
}

/* Does a byte occur twice? Then one must not receive into it. */
static inline bool map_overlaps(const struct map *m, long count)
{
    MPI_Aint low, high, extent = map_extent(m);
    bool twice = false;
    char *seen;

    map_span(m, count, &low, &high);
    seen = calloc((size_t)(high - low) + 1, 1);
    for (long k = 0; k < count; k++)
        for (int i = 0; i < m->n; i++)
            for (int b = 0; m->entries[i].what >= 0 && b < basics[m->entries[i].what].size; b++)
                twice |= seen[m->entries[i].at + k * extent - low + b]++ != 0;
    free(seen);
    return twice;
}

/* ------------------------------------------------------------------- random trees -- */

static inline struct tree tree_new(const char *how)
{
    struct tree t = {.type = MPI_DATATYPE_NULL, .map = {.entries = malloc(MAP_MAX * sizeof(struct entry))}};

    snprintf(t.text, sizeof t.text, "%s", how);
    return t;
}

static inline void tree_free(struct tree *t)
{
    int combiner = MPI_COMBINER_NAMED;
    MPI_Count bi, ba, bc, bd;

    MPI_Type_get_envelope_c(t->type, &bi, &ba, &bc, &bd, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        MPI_Type_free(&t->type);
    free(t->map.entries);
}

static inline int below(uint64_t *rng, int n)
{
    return (int)check_random_below(rng, (uint64_t)n);
}
static inline int between(uint64_t *rng, int low, int high)
{
    return low + below(rng, high - low + 1);
}

static inline struct tree tree_leaf(uint64_t *rng)
{
    int k = below(rng, NBASICS);
    struct tree t = tree_new("basic");

    snprintf(t.text, sizeof t.text, "%d", basics[k].size);
    t.type = basics[k].type;
    map_add(&t.map, 0, k);
    return t;
}

/* Lists of up to LIST entries, in all the widths that constructors take them. */
enum { LIST = 6 };
struct list {
    int n, lengths[LIST], at[LIST];
    MPI_Count lengths_c[LIST], at_c[LIST];
    MPI_Aint at_a[LIST];
};

static inline struct list list_random(uint64_t *rng, int reach, bool bytes)
{
    struct list l = {.n = below(rng, LIST)};

    for (int i = 0; i < l.n; i++) {
        l.lengths[i] = below(rng, 4);
        l.at[i] = between(rng, -reach / 3, reach);
        if (!bytes && below(rng, 3) == 0)
            l.at[i] = i ? l.at[i - 1] + l.lengths[i - 1] : 0; /* adjacent */
        l.lengths_c[i] = l.lengths[i];
        l.at_c[i] = l.at_a[i] = l.at[i];
    }
    return l;
}

typedef void tree_maker(struct tree *t, const struct tree *child, uint64_t *rng, bool wide);

static inline void make_contiguous(struct tree *t, const struct tree *c, uint64_t *rng, bool wide)
{
    int n = below(rng, 5);

    map_block(&t->map, &c->map, 0, n);
    OK(wide ? MPI_Type_contiguous_c(n, c->type, &t->type) : MPI_Type_contiguous(n, c->type, &t->type));
}

static inline void make_vector(struct tree *t, const struct tree *c, uint64_t *rng, bool wide)
{
    int n = below(rng, 5), length = below(rng, 4), stride = between(rng, -5, 7);

    for (int i = 0; i < n; i++)
        map_block(&t->map, &c->map, i * stride * map_extent(&c->map), length);
    OK(wide ? MPI_Type_vector_c(n, length, stride, c->type, &t->type)
            : MPI_Type_vector(n, length, stride, c->type, &t->type));
}

static inline void make_hvector(struct tree *t, const struct tree *c, uint64_t *rng, bool wide)
{
    int n = below(rng, 5), length = below(rng, 4), stride = between(rng, -70, 90);

    for (int i = 0; i < n; i++)
        map_block(&t->map, &c->map, i * stride, length);
    OK(wide ? MPI_Type_create_hvector_c(n, length, stride, c->type, &t->type)
            : MPI_Type_create_hvector(n, length, stride, c->type, &t->type));
}

static inline void make_indexed(struct tree *t, const struct tree *c, uint64_t *rng, bool wide)
{
    struct list l = list_random(rng, 9, false);

    for (int i = 0; i < l.n; i++)
        map_block(&t->map, &c->map, l.at[i] * map_extent(&c->map), l.lengths[i]);
    OK(wide ? MPI_Type_indexed_c(l.n, l.lengths_c, l.at_c, c->type, &t->type)
            : MPI_Type_indexed(l.n, l.lengths, l.at, c->type, &t->type));
}

static inline void make_hindexed(struct tree *t, const struct tree *c, uint64_t *rng, bool wide)
{
    struct list l = list_random(rng, 120, true);

    for (int i = 0; i < l.n; i++)
        map_block(&t->map, &c->map, l.at[i], l.lengths[i]);
    OK(wide ? MPI_Type_create_hindexed_c(l.n, l.lengths_c, l.at_c, c->type, &t->type)
            : MPI_Type_create_hindexed(l.n, l.lengths, l.at_a, c->type, &t->type));
}

static inline void make_indexed_block(struct tree *t, const struct tree *c, uint64_t *rng, bool wide)
{
    struct list l = list_random(rng, 9, false);
    int length = below(rng, 4);

    for (int i = 0; i < l.n; i++)
        map_block(&t->map, &c->map, l.at[i] * map_extent(&c->map), length);
    OK(wide ? MPI_Type_create_indexed_block_c(l.n, length, l.at_c, c->type, &t->type)
            : MPI_Type_create_indexed_block(l.n, length, l.at, c->type, &t->type));
}

static inline void make_hindexed_block(struct tree *t, const struct tree *c, uint64_t *rng, bool wide)
{
    struct list l = list_random(rng, 120, true);
    int length = below(rng, 4);

    for (int i = 0; i < l.n; i++)
        map_block(&t->map, &c->map, l.at[i], length);
    OK(wide ? MPI_Type_create_hindexed_block_c(l.n, length, l.at_c, c->type, &t->type)
            : MPI_Type_create_hindexed_block(l.n, length, l.at_a, c->type, &t->type));
}

static inline void make_struct(struct tree *t, const struct tree *c, uint64_t *rng, bool wide)
{
    struct list l = list_random(rng, 120, true);
    MPI_Datatype types[LIST];

    for (int i = 0; i < l.n; i++) {
        struct tree leaf = tree_leaf(rng);
        const struct tree *from = below(rng, 2) ? c : &leaf;

        types[i] = from->type;
        map_block(&t->map, &from->map, l.at[i], l.lengths[i]);
        free(leaf.map.entries);
    }
    OK(wide ? MPI_Type_create_struct_c(l.n, l.lengths_c, l.at_c, types, &t->type)
            : MPI_Type_create_struct(l.n, l.lengths, l.at_a, types, &t->type));
}

static inline void make_subarray(struct tree *t, const struct tree *c, uint64_t *rng, bool wide)
{
    int nd = between(rng, 1, 3), size[3] = {1, 1, 1}, part[3] = {1, 1, 1}, start[3] = {0, 0, 0},
        order[2] = {MPI_ORDER_C, MPI_ORDER_FORTRAN};
    MPI_Count size_c[3], part_c[3], start_c[3];
    MPI_Aint e = map_extent(&c->map);
    bool fortran = below(rng, 2);

    for (int d = 0; d < nd; d++) {
        size_c[d] = size[d] = between(rng, 1, 4);
        part_c[d] = part[d] = between(rng, 1, size[d]);
        start_c[d] = start[d] = between(rng, 0, size[d] - part[d]);
    }
    map_add(&t->map, 0, LB_MARK);
    for (int i = 0; i < part[fortran ? 2 : 0]; i++)
        for (int j = 0; j < part[1]; j++)
            for (int k = 0; k < part[fortran ? 0 : 2]; k++) {
                int at[3] = {fortran ? k : i, j, fortran ? i : k}, offset = 0;

                for (int d = fortran ? nd - 1 : 0; fortran ? d >= 0 : d < nd; d += fortran ? -1 : 1)
                    offset = offset * size[d] + start[d] + at[d];
                map_append_data(&t->map, &c->map, offset * e);
            }
    map_add(&t->map, size[0] * size[1] * size[2] * e, UB_MARK);
    OK(wide ? MPI_Type_create_subarray_c(nd, size_c, part_c, start_c, order[fortran], c->type, &t->type)
            : MPI_Type_create_subarray(nd, size, part, start, order[fortran], c->type, &t->type));
}

static inline void make_resized(struct tree *t, const struct tree *c, uint64_t *rng, bool wide)
{
    MPI_Aint lb = between(rng, -20, 20), extent = between(rng, below(rng, 4) ? 0 : -60, 90);

    map_append_data(&t->map, &c->map, 0);
    map_add(&t->map, lb, LB_MARK);
    map_add(&t->map, lb + extent, UB_MARK);
    OK(wide ? MPI_Type_create_resized_c(c->type, lb, extent, &t->type)
            : MPI_Type_create_resized(c->type, lb, extent, &t->type));
}

static inline void make_dup(struct tree *t, const struct tree *c, uint64_t *rng, bool wide)
{
    (void)rng, (void)wide;
    map_append(&t->map, &c->map, 0);
    OK(MPI_Type_dup(c->type, &t->type));
}

static const struct {
    const char *name;
    tree_maker *make;
} makers[] = {
    {"contiguous", make_contiguous},
    {"vector", make_vector},
    {"hvector", make_hvector},
    {"indexed", make_indexed},
    {"hindexed", make_hindexed},
    {"indexed_block", make_indexed_block},
    {"hindexed_block", make_hindexed_block},
    {"struct", make_struct},
    {"subarray", make_subarray},
    {"resized", make_resized},
    {"dup", make_dup},
};
enum { NMAKERS = sizeof makers / sizeof *makers };

/* A type of up to `depth` constructors, not committed; its map may be cut off. */
static inline struct tree tree_random(uint64_t *rng, int depth)
{
    struct tree child, t;
    int k;

    if (depth == 0)
        return tree_leaf(rng);
    child = tree_random(rng, depth - 1);
    k = below(rng, NMAKERS);
    t = tree_new("");
    snprintf(t.text, sizeof t.text, "%s(%.200s)", makers[k].name, child.text);
    makers[k].make(&t, &child, rng, below(rng, 2));
    t.map.cut |= child.map.cut;
    tree_free(&child); /* the new type keeps what it needs */
    return t;
}

#endif
