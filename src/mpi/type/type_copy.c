/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From one layout to another, without a packed form in between where both are
 * loops around equal blocks; else through a buffer that stays in the first level
 * cache. A regular layout also as plain data, which another process can follow.
 */
#include "mpi/type/type.h"

enum { SCRATCH = 16384 };

/* The only step of what is repeated; NULL: there are more, or a list. */
static const struct mpii_step *inside(const struct mpii_step *s)
{
    return s->body && s->body->nsteps == 1 && !s->body->list ? &s->body->steps[0] : NULL;
}

/* Are both the same loops, as far as blocks go? */
static bool alike(const struct mpii_step *t, const struct mpii_step *f)
{
    for (; t && f && t->bytes == f->bytes; t = inside(t), f = inside(f))
        if (!t->body && !f->body)
            return true;
        else if (t->body && f->body && inside(t) && inside(f) && inside(t)->n != inside(f)->n)
            return false;
    return false;
}

/* n repetitions of both. */
static void copy_loops(uintptr_t to, const struct mpii_step *t, uintptr_t from, const struct mpii_step *f, MPI_Count n)
{
    if (!t->body) {
        core_copy_strided((void *)to, t->stride, (const void *)from, f->stride, (size_t)t->bytes, (size_t)n);
        return;
    }
    for (; n > 0; n--, to += (uintptr_t)t->stride, from += (uintptr_t)f->stride)
        copy_loops(to + (uintptr_t)inside(t)->at, inside(t), from + (uintptr_t)inside(f)->at, inside(f), inside(t)->n);
}

static bool is_block(const struct mpii_step *s)
{
    return !s->body && s->n == 1;
}

/* Packed bytes [at, end) of both. */
static void copy_steps(uintptr_t to, const struct mpii_step *t, uintptr_t from, const struct mpii_step *f, MPI_Count at,
                       MPI_Count end)
{
    _Alignas(64) char scratch[SCRATCH];

    if (is_block(t)) {
        mpii_pack_step((char *)to + t->at + at, from, f, at, end);
    } else if (is_block(f)) {
        mpii_unpack_step(to, t, at, end, (const char *)from + f->at + at);
    } else if (at % t->bytes == 0 && end % t->bytes == 0 && alike(t, f)) {
        MPI_Count first = at / t->bytes;

        copy_loops(to + (uintptr_t)t->at + (uintptr_t)(first * t->stride), t,
                   from + (uintptr_t)f->at + (uintptr_t)(first * f->stride), f, end / t->bytes - first);
    } else {
        for (MPI_Count m; at < end; at += m) {
            m = end - at < SCRATCH ? end - at : SCRATCH;
            mpii_pack_step(scratch, from, f, at, at + m);
            mpii_unpack_step(to, t, at, at + m, scratch);
        }
    }
}

void mpii_copy(void *to, MPI_Count tcount, const struct mpii_type *tt, const void *from, MPI_Count fcount,
               const struct mpii_type *ft)
{
    MPI_Count room = tcount * tt->size, n = fcount * ft->size;
    struct mpii_step t, f;

    if (room < n)
        n = room;
    if (n == 0)
        return;
    mpii_program_repeat(tt->program, tt->extent, tcount, &t);
    mpii_program_repeat(ft->program, ft->extent, fcount, &f);
    copy_steps((uintptr_t)to, &t, (uintptr_t)from, &f, 0, n);
}

/* ------------------------------------------------------------ regular layouts -- */

bool mpii_regular_of(MPI_Count count, const struct mpii_type *t, struct mpii_regular *r, MPI_Aint *at)
{
    struct mpii_step first;
    const struct mpii_step *s = &first;

    mpii_program_repeat(t->program, t->extent, count, &first);
    *at = 0;
    r->levels = 0;
    for (; s; s = inside(s)) {
        *at += s->at;
        if (r->levels == MPII_LEVELS)
            return false;
        r->level[r->levels].n = s->n;
        r->level[r->levels++].stride = s->n > 1 ? s->stride : 0;
        r->bytes = s->bytes;
        if (!s->body)
            return true;
    }
    return false;
}

void mpii_copy_regular(void *buf, MPI_Count count, const struct mpii_type *t, const void *first,
                       const struct mpii_regular *r, MPI_Count from, MPI_Count end)
{
    _Alignas(16) char room[MPII_LEVELS][sizeof(struct mpii_type_program) + sizeof(struct mpii_step)];
    struct mpii_step there, here;
    MPI_Count bytes = r->bytes;

    for (int i = r->levels; i-- > 0;) {
        struct mpii_type_program *p = (struct mpii_type_program *)(void *)room[i];

        there = (struct mpii_step){.n = r->level[i].n, .stride = r->level[i].stride, .bytes = bytes};
        there.body = i + 1 < r->levels ? (struct mpii_type_program *)(void *)room[i + 1] : NULL;
        bytes *= there.n;
        *p = (struct mpii_type_program){
            .size = bytes, .nsteps = 1, .nblocks = !there.body && there.n <= MPII_FEW_BLOCKS ? (int)there.n : 0};
        p->steps[0] = there;
    }
    mpii_program_repeat(t->program, t->extent, count, &here);
    copy_steps((uintptr_t)buf, &here, (uintptr_t)first, &there, from, end);
}
