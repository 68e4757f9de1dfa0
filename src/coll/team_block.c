/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of teams on the block that their members share (block.h): where that is
 * quicker than steps on symmetric memory. A team's block is made by the first such
 * call. All is dense and of one size, and nobody goes on after a death, so little
 * of a face is needed.
 */
#include <stdlib.h>

#include "coll/internal.h"

/* A team's call as the bodies see it. */
struct team_call {
    struct coll_block_call data; /* first */
    struct coll_team *team;
    struct coll_layout layout;
};

static const struct coll_block nothing; /* of teams that have none; nobody writes to it */
static const uint8_t no_trouble;
static const bool never;

static void pause_step(struct core_waiter *w)
{
    core_wait_pause(w);
}

static bool tell(const struct coll_block_call *data, void *word, size_t n)
{
    struct coll_call c = {.kind = COLL_BROADCAST,
                          .team = ((const struct team_call *)(const void *)data)->team,
                          .where = data->where,
                          .dest = word, /* so little goes through the team's own lines: it need not be symmetric */
                          .source = word,
                          .n = n};

    coll_start(&c);
    coll_wait(&c);
    return true;
}

static void strange(int member, int what, const char *where)
{
    (void)what;
    core_fatal("%s: PE %d of the team is in another collective call on it", where, member);
}

static void strangers(const struct coll_block *b, uint64_t e)
{
    (void)e;
    core_fatal("%s: another PE of the team is in another collective call on it", b->call->where);
}

/* A member that has left without beginning this hand-over never will. */
static void look(struct coll_block *b, int member, const char *where)
{
    (void)member;
    if (!core_anyone_left())
        return;
    for (int r = 0; r < b->size && core_left_for_good(); r++)
        if (core_pe_left(b->pes[r]) && __atomic_load_n(&b->shared->member[r].at, __ATOMIC_ACQUIRE) < b->epoch)
            coll_is_left_by(b->pes[r], where);
}

static const struct coll_face face = {
    .pause = pause_step, .may_die = &never, .tell = tell, .strange = strange, .strangers = strangers, .look = look};

static struct coll_block *make(const struct team_call *c)
{
    const struct coll_team *t = c->team;
    struct coll_block *b = NULL;
    int *pes;

    if (t->size < 2 || t->size > COLL_BLOCK_MEMBERS)
        return (struct coll_block *)(uintptr_t)&nothing;
    pes = malloc((size_t)t->size * sizeof *pes);
    if (!pes)
        core_fatal("%s: out of private memory", c->data.where); /* the others would wait for ever */
    for (int r = 0; r < t->size; r++)
        pes[r] = coll_team_pe(t, r);
    b = coll_block_make(&c->data, &face, t->rank, t->size, pes, &no_trouble);
    if (!b)
        free(pes);
    return b ? b : (struct coll_block *)(uintptr_t)&nothing;
}

void coll_team_forget_block(struct coll_team *t)
{
    struct coll_block *b = t->block;
    int *pes;

    t->block = NULL;
    if (!b || !b->shared)
        return;
    pes = (int *)(uintptr_t)b->pes;
    coll_block_forget(b);
    free(pes);
}

/* Does this PE's part of the result lie where it comes from? */
static bool in_place(const struct coll_call *c)
{
    return c->source == (c->kind == COLL_ALLGATHER ? (char *)c->dest + (size_t)c->team->rank * c->n : c->dest);
}

static void fill(struct team_call *x, const struct coll_call *c)
{
    int64_t size = c->kind == COLL_ALLREDUCE ? (int64_t)(c->n / c->nelems) : 1;
    int64_t count = (int64_t)c->n / size * (c->kind == COLL_ALLTOALL ? (int64_t)c->nelems : 1);
    void *source = (void *)(uintptr_t)c->source;
    bool gives = c->kind == COLL_BROADCAST && c->team->rank == c->root;

    x->team = c->team;
    x->layout = (struct coll_layout){.size = size, .extent = size, .true_extent = size, .dense = true};
    x->data = (struct coll_block_call){.kind = c->kind,
                                       .where = c->where,
                                       .send = {.buf = source, .count = count, .layout = &x->layout},
                                       .recv = {.buf = gives ? source : c->dest, .count = count, .layout = &x->layout},
                                       .in_place = in_place(c),
                                       .root = c->root,
                                       .loop = c->kind == COLL_ALLREDUCE ? coll_op_find(c->op, c->type) : NULL};
}

bool coll_team_block_run(struct coll_call *c, coll_block_body *body)
{
    struct team_call x;
    struct coll_block *b;

    fill(&x, c);
    if (MPT_UNLIKELY(!c->team->block))
        c->team->block = make(&x);
    b = c->team->block;
    if (!b->shared)
        return false;
    b->what = (uint8_t)(c->kind + 1);
    b->call = &x.data;
    if (MPT_UNLIKELY(body(b, &x.data) != 0))
        core_fatal("%s: PEs of the team give different amounts", c->where);
    if (c->kind == COLL_BROADCAST && c->team->rank == c->root && !c->root_keeps && c->dest != c->source)
        core_copy(c->dest, c->source, c->n);
    return true;
}
