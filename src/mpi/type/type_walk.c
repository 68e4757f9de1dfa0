/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loop that runs programs of block copies, from any packed offset to any
 * other, and what is done with it: pack, unpack, lists of blocks. From one
 * layout to another: type_copy.c.
 */
#include "mpi/type/type.h"

enum {
    INTERCHANGE_BYTES = 64,  /* blocks no longer than this, on average, are worth it */
    INTERCHANGE_REPS = 8,    /* and at least so many */
    INTERCHANGE_CACHE = 8192, /* packed bytes gone through at a time */
};

static bool run(struct mpii_walk *w, const struct mpii_step *s, uintptr_t at, MPI_Count n);

/* Blocks first .. first + n - 1 of a list. */
static bool run_list(struct mpii_walk *w, const struct mpii_type_program *p, uintptr_t at, MPI_Count first, MPI_Count n)
{
    if (w->gather) {
        w->gather(w, at, p->list + first, p->block, n);
        return true;
    }
    for (MPI_Count i = first; i < first + n; i++)
        if (!w->visit(w, at + (uintptr_t)p->list[i], 0, p->block, 1, NULL))
            return false;
    return true;
}

/* Bytes [from, to) of a list. */
static bool part_of_list(struct mpii_walk *w, const struct mpii_type_program *p, uintptr_t at, MPI_Count from,
                         MPI_Count to)
{
    MPI_Count first = from / p->block, last = to / p->block;

    from -= first * p->block;
    to -= last * p->block;
    if (from > 0) {
        MPI_Count end = first == last ? to : p->block;

        if (!w->visit(w, at + (uintptr_t)(p->list[first] + from), 0, end - from, 1, NULL))
            return false;
        if (first == last)
            return true;
        first++;
    }
    if (!run_list(w, p, at, first, last - first))
        return false;
    return to == 0 || w->visit(w, at + (uintptr_t)p->list[last], 0, to, 1, NULL);
}

static bool run_program(struct mpii_walk *w, const struct mpii_type_program *p, uintptr_t at)
{
    if (p->list)
        return run_list(w, p, at, 0, p->nlist);
    for (MPI_Count i = 0; i < p->nsteps; i++)
        if (!run(w, &p->steps[i], at + (uintptr_t)p->steps[i].at, p->steps[i].n))
            return false;
    return true;
}

/* n repetitions of few small blocks: each block of all repetitions in one strided copy, not all blocks of each. */
static void run_interchanged(struct mpii_walk *w, const struct mpii_step *s, uintptr_t at, MPI_Count n)
{
    const struct mpii_type_program *p = s->body;
    char *packed = w->packed;

    w->apart = s->bytes;
    for (MPI_Count i = 0; i < p->nsteps; i++) {
        const struct mpii_step *b = &p->steps[i];

        for (MPI_Count k = 0; k < b->n; k++) {
            w->packed = packed + b->start + k * b->bytes;
            w->visit(w, at + (uintptr_t)b->at + (uintptr_t)k * (uintptr_t)b->stride, s->stride, b->bytes, n, NULL);
        }
    }
    w->apart = 0;
    w->packed = packed + n * s->bytes;
}

/* n whole repetitions of s, the first with its base at `at`. */
static bool run(struct mpii_walk *w, const struct mpii_step *s, uintptr_t at, MPI_Count n)
{
    if (!s->body)
        return w->visit(w, at, s->stride, s->bytes, n, s->basic);
    if (w->interchange && s->body->nblocks && n >= INTERCHANGE_REPS &&
        s->bytes <= s->body->nblocks * INTERCHANGE_BYTES) {
        MPI_Count most = INTERCHANGE_CACHE / s->bytes + 1;

        for (MPI_Count m; n > 0; n -= m, at += (uintptr_t)m * (uintptr_t)s->stride) {
            m = n < most ? n : most;
            run_interchanged(w, s, at, m);
        }
        return true;
    }
    for (; n > 0; n--, at += (uintptr_t)s->stride)
        if (!run_program(w, s->body, at))
            return false;
    return true;
}

/* The step that holds packed offset `at`. */
static MPI_Count step_at(const struct mpii_type_program *p, MPI_Count at)
{
    MPI_Count low = 0, high = p->nsteps;

    while (high - low > 1) {
        MPI_Count middle = low + (high - low) / 2;

        if (p->steps[middle].start <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Bytes [from, to), not all, of one repetition of s. */
static bool part(struct mpii_walk *w, const struct mpii_step *s, uintptr_t at, MPI_Count from, MPI_Count to)
{
    const struct mpii_type_program *p = s->body;

    if (!p)
        return w->visit(w, at + (uintptr_t)from, 0, to - from, 1, s->basic);
    if (p->list)
        return part_of_list(w, p, at, from, to);
    for (MPI_Count i = step_at(p, from); i < p->nsteps && p->steps[i].start < to; i++) {
        const struct mpii_step *b = &p->steps[i];
        MPI_Count begin = from > b->start ? from - b->start : 0, end = b->bytes * b->n;

        if (!mpii_walk_step(w, b, at, begin, to - b->start < end ? to - b->start : end))
            return false;
    }
    return true;
}

bool mpii_walk_step(struct mpii_walk *w, const struct mpii_step *s, uintptr_t base, MPI_Count from, MPI_Count to)
{
    uintptr_t at = base + (uintptr_t)s->at;
    MPI_Count first, last;

    if (from >= to)
        return true;
    if (from == 0 && to == s->bytes * s->n)
        return run(w, s, at, s->n);
    first = from / s->bytes;
    last = to / s->bytes;
    from -= first * s->bytes;
    to -= last * s->bytes;
    at += (uintptr_t)first * (uintptr_t)s->stride;
    if (first == last)
        return part(w, s, at, from, to);
    if (from > 0) {
        if (!part(w, s, at, from, s->bytes))
            return false;
        first++;
        at += (uintptr_t)s->stride;
    }
    if (first < last && !run(w, s, at, last - first))
        return false;
    at += (uintptr_t)(last - first) * (uintptr_t)s->stride;
    return to == 0 || part(w, s, at, 0, to);
}

/* -------------------------------------------------------------- pack and unpack -- */

static bool visit_pack(struct mpii_walk *w, uintptr_t memory, MPI_Aint stride, MPI_Count bytes, MPI_Count n,
                       const struct mpii_type *basic)
{
    (void)basic;
    if (n == 1)
        core_copy(w->packed, (const void *)memory, (size_t)bytes);
    else
        core_copy_strided(w->packed, w->apart ? w->apart : bytes, (const void *)memory, stride, (size_t)bytes,
                          (size_t)n);
    if (!w->apart)
        w->packed += bytes * n;
    return true;
}

static bool visit_unpack(struct mpii_walk *w, uintptr_t memory, MPI_Aint stride, MPI_Count bytes, MPI_Count n,
                         const struct mpii_type *basic)
{
    (void)basic;
    if (n == 1)
        core_copy((void *)memory, w->packed, (size_t)bytes);
    else
        core_copy_strided((void *)memory, stride, w->packed, w->apart ? w->apart : bytes, (size_t)bytes, (size_t)n);
    if (!w->apart)
        w->packed += bytes * n;
    return true;
}

#define GATHER(type)                                                                                                 \
    static void pack_##type(char *to, uintptr_t base, const MPI_Aint *list, MPI_Count n)                             \
    {                                                                                                                \
        for (MPI_Count i = 0; i < n; i++)                                                                            \
            __builtin_memcpy(to + i * (MPI_Count)sizeof(type), (const void *)(base + (uintptr_t)list[i]),            \
                             sizeof(type));                                                                          \
    }                                                                                                                \
    static void unpack_##type(const char *from, uintptr_t base, const MPI_Aint *list, MPI_Count n)                   \
    {                                                                                                                \
        for (MPI_Count i = 0; i < n; i++)                                                                            \
            __builtin_memcpy((void *)(base + (uintptr_t)list[i]), from + i * (MPI_Count)sizeof(type), sizeof(type)); \
    }

typedef struct {
    uint64_t part[2];
} pair;
GATHER(uint32_t)
GATHER(uint64_t)
GATHER(pair)

static void gather_pack(struct mpii_walk *w, uintptr_t base, const MPI_Aint *list, MPI_Count bytes, MPI_Count n)
{
    switch (bytes) {
    case 4:
        pack_uint32_t(w->packed, base, list, n);
        break;
    case 8:
        pack_uint64_t(w->packed, base, list, n);
        break;
    case 16:
        pack_pair(w->packed, base, list, n);
        break;
    default:
        for (MPI_Count i = 0; i < n; i++)
            core_copy(w->packed + i * bytes, (const void *)(base + (uintptr_t)list[i]), (size_t)bytes);
    }
    w->packed += n * bytes;
}

static void gather_unpack(struct mpii_walk *w, uintptr_t base, const MPI_Aint *list, MPI_Count bytes, MPI_Count n)
{
    switch (bytes) {
    case 4:
        unpack_uint32_t(w->packed, base, list, n);
        break;
    case 8:
        unpack_uint64_t(w->packed, base, list, n);
        break;
    case 16:
        unpack_pair(w->packed, base, list, n);
        break;
    default:
        for (MPI_Count i = 0; i < n; i++)
            core_copy((void *)(base + (uintptr_t)list[i]), w->packed + i * bytes, (size_t)bytes);
    }
    w->packed += n * bytes;
}

void mpii_pack_step(void *to, uintptr_t base, const struct mpii_step *s, MPI_Count from, MPI_Count end)
{
    struct mpii_walk w = {.visit = visit_pack, .gather = gather_pack, .interchange = true, .packed = to};

    mpii_walk_step(&w, s, base, from, end);
}

void mpii_unpack_step(uintptr_t base, const struct mpii_step *s, MPI_Count at, MPI_Count end, const void *from)
{
    struct mpii_walk w = {
        .visit = visit_unpack, .gather = gather_unpack, .interchange = true, .packed = (char *)(uintptr_t)from};

    mpii_walk_step(&w, s, base, at, end);
}

void mpii_pack(void *to, const void *buf, MPI_Count count, const struct mpii_type *t, MPI_Count offset, MPI_Count n)
{
    struct mpii_step step;

    if (n <= 0)
        return;
    if (t->dense) {
        core_copy(to, (const char *)buf + offset, (size_t)n);
        return;
    }
    mpii_program_repeat(t->program, t->extent, count, &step);
    mpii_pack_step(to, (uintptr_t)buf, &step, offset, offset + n);
}

void mpii_unpack(void *buf, MPI_Count count, const struct mpii_type *t, MPI_Count offset, const void *from, MPI_Count n)
{
    struct mpii_step step;

    if (n <= 0)
        return;
    if (t->dense) {
        core_copy((char *)buf + offset, from, (size_t)n);
        return;
    }
    mpii_program_repeat(t->program, t->extent, count, &step);
    mpii_unpack_step((uintptr_t)buf, &step, offset, offset + n, from);
}

/* ------------------------------------------------------------------------ blocks -- */

struct listing {
    struct mpii_walk walk;
    struct mpii_block *blocks;
    int n, max;
    MPI_Count done;
};

static bool visit_list(struct mpii_walk *w, uintptr_t memory, MPI_Aint stride, MPI_Count bytes, MPI_Count n,
                       const struct mpii_type *basic)
{
    struct listing *l = (struct listing *)w;

    (void)basic;
    for (; n > 0; n--, memory += (uintptr_t)stride) {
        if (l->n > 0 && l->blocks[l->n - 1].at + l->blocks[l->n - 1].n == (MPI_Aint)memory) {
            l->blocks[l->n - 1].n += bytes;
        } else {
            if (l->n == l->max)
                return false;
            l->blocks[l->n++] = (struct mpii_block){(MPI_Aint)memory, bytes};
        }
        l->done += bytes;
    }
    return true;
}

int mpii_blocks(MPI_Count count, const struct mpii_type *t, MPI_Count offset, struct mpii_block *blocks, int max,
                MPI_Count *done)
{
    struct listing l = {.walk = {.visit = visit_list}, .blocks = blocks, .max = max};
    struct mpii_step step;

    *done = 0;
    if (count <= 0 || t->size == 0 || offset >= count * t->size)
        return 0;
    mpii_program_repeat(t->program, t->extent, count, &step);
    mpii_walk_step(&l.walk, &step, 0, offset, count * t->size);
    *done = l.done;
    return l.n;
}

void *mpii_span(const void *buf, MPI_Count count, const struct mpii_type *t, MPI_Count *bytes)
{
    MPI_Aint reach = count > 0 ? (count - 1) * t->extent : 0;

    *bytes = count > 0 && t->size > 0 ? t->true_extent + (reach < 0 ? -reach : reach) : 0;
    return (void *)((uintptr_t)buf + (uintptr_t)t->true_lb + (uintptr_t)(reach < 0 ? reach : 0));
}
