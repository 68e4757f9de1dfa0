/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one-sided communication tells the race checker (core/check/race.h; MPI-5.0, 12.7): operations as accesses to the
 * target's memory, complete when they are flushed, and what the synchronisation of windows orders. Two operations of
 * one process on the same memory are not ordered until the first is complete, unless both are accumulates.
 */
#include <string.h>

#include "core/base/site.h"
#include "mpi/rma/rma.h"

enum { RUNS = 16 };
static const unsigned pending = CORE_RACE_PENDING | CORE_RACE_NBI | CORE_RACE_EPOCH;

/* The program's name of the call: a constant, by which sites are told apart. */
static const char *name_of(const char *body)
{
    static const char *const names[] = {"MPI_Put",
                                        "MPI_Get",
                                        "MPI_Rput",
                                        "MPI_Rget",
                                        "MPI_Accumulate",
                                        "MPI_Raccumulate",
                                        "MPI_Get_accumulate",
                                        "MPI_Rget_accumulate",
                                        "MPI_Fetch_and_op",
                                        "MPI_Compare_and_swap"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(strchr(body, '_'), strchr(names[i], '_')) == 0)
            return names[i];
    return "MPI (one-sided)";
}

/* Where the target's memory is for the checker; NULL: nowhere. */
static const char *place_of(const struct mpii_rma_call *c)
{
    return c->p->ghost ? c->p->ghost : c->base;
}

static void target_side(const struct mpii_rma_call *c, unsigned how, const char *name)
{
    struct mpii_rma_cursor cursor = {.type = c->ttype, .count = c->tcount, .end = c->bytes, .at = c->at};
    const char *place = place_of(c);
    struct mpii_rma_run runs[RUNS];

    if (c->bytes <= (MPI_Count)sizeof(uint64_t))
        how |= CORE_RACE_WORD;
    for (int n; (n = mpii_rma_runs(&cursor, runs, RUNS)) > 0;)
        for (int i = 0; i < n; i++)
            for (int64_t k = 0; k < runs[i].count; k++)
                core_race_access(place + runs[i].at + k * runs[i].stride, (size_t)runs[i].n, how, name);
}

static void own_side(const void *at, MPI_Count count, const struct mpii_type *type, unsigned how, const char *name)
{
    if (type && at && count * type->size > 0 && type->dense)
        core_race_own(at, (size_t)(count * type->size), how | pending | CORE_RACE_BUFFER, name);
}

void mpii_rma_race_begin(const struct mpii_rma_call *c, unsigned how)
{
    const char *name = name_of(c->name);

    core_race_enter((const void *)core_site());
    if (!c->p || c->bytes == 0 || !place_of(c))
        return;
    own_side(c->origin, c->otype == c->rtype && c->result ? 0 : c->ocount, c->otype, CORE_RACE_READ, name);
    own_side(c->result, c->rcount, c->rtype, CORE_RACE_WRITE, name);
    /* The end of a request that brings data says that they have been read. */
    target_side(c, how | (c->request && c->result ? 0 : pending), name);
}

/* It has returned what others have written. */
void mpii_rma_race_fetched(const struct mpii_rma_call *c)
{
    if (c->p && c->bytes > 0 && place_of(c))
        core_race_acquire(place_of(c) + c->at, (size_t)c->bytes);
}

/* ---- completion ---- */

static struct core_flow all_under_way(void)
{
    return (struct core_flow){.unquiet = true, .unfenced = true};
}

void mpii_rma_race_flushed(const struct mpii_win *w, int from, int to, bool remote)
{
    struct core_flow flow = all_under_way();

    core_race_quiet_at(&flow, core_me()); /* buffers */
    for (int i = from; remote && i < to; i++)
        if (w->peers[i].pe < core_size())
            core_race_quiet_at(&flow, w->peers[i].pe);
}

/* ---- locks: two words of the target's control block stand for what their holders have done ---- */

static const char *word_of(const struct mpii_rma_peer *p, bool exclusive)
{
    return (const char *)&p->ctrl->lock + (exclusive ? 0 : sizeof(uint32_t));
}

/* Who comes in alone comes after all, others after those who were alone. */
void mpii_rma_race_locked(const struct mpii_rma_peer *p, bool exclusive)
{
    if (!p->ctrl)
        return;
    core_race_acquire(word_of(p, true), sizeof(uint32_t));
    if (exclusive)
        core_race_acquire(word_of(p, false), sizeof(uint32_t));
}

void mpii_rma_race_unlocks(const struct mpii_rma_peer *p, bool exclusive)
{
    core_race_enter((const void *)core_site());
    if (p->ctrl)
        core_race_access(word_of(p, exclusive), sizeof(uint32_t), CORE_RACE_WRITE | CORE_RACE_ATOMIC, "MPI_Win_unlock");
}

/* ---- memory ---- */

/* Memory that has no place in the job: unused memory that has one stands for it, with the same bytes in a line. */
void mpii_rma_race_place(struct mpii_win *w, struct mpii_rma_card *card)
{
    enum { LINE = 64 };
    char *ghost;

    if (card->error || card->placed || !w->base || w->bytes <= 0 || w->flavor != MPI_WIN_FLAVOR_CREATE)
        return;
    w->ghost = core_arena_alloc((size_t)w->bytes + LINE, LINE);
    if (!w->ghost)
        return;
    ghost = w->ghost + (uintptr_t)w->base % LINE;
    if (core_slice_offset(ghost, (size_t)w->bytes, &card->ghost))
        core_race_stand_for(w->base, (size_t)w->bytes, ghost);
}

/* Other processes' memory in shared windows is used by means that are not seen: locks of threads, for instance. */
static bool is_looked_at(const struct mpii_win *w)
{
    return w->base && w->bytes > 0 && (w->flavor == MPI_WIN_FLAVOR_CREATE || w->flavor == MPI_WIN_FLAVOR_ALLOCATE);
}

void mpii_rma_race_join(const struct mpii_win *w)
{
    if (is_looked_at(w))
        core_race_look_at(w->base, (size_t)w->bytes);
}

void mpii_rma_race_part(struct mpii_win *w)
{
    core_race_settle();
    if (is_looked_at(w))
        core_race_look_away(w->base, (size_t)w->bytes);
    if (w->ghost)
        core_race_stand_for(w->base, (size_t)w->bytes, NULL);
    core_arena_free(w->ghost);
    w->ghost = NULL;
}
