/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one-sided communication tells the race checker (core/check/race.h; MPI-5.0, 12.7): operations as accesses to the
 * target's memory, complete when they are flushed, and what the synchronisation of windows orders. Two operations of
 * one process on the same memory are not ordered until the first is complete, unless both are accumulates.
 */
#include <string.h>

#include "core/base/site.h"
#include "mpi/rma/rma.h"
#include "mpi/rma/rma_race.h"

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

    if (body[0] == 'M')
        return body;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(strchr(body, '_'), strchr(names[i], '_')) == 0)
            return names[i];
    return "MPI (one-sided)";
}

/* Memory that is attached to a dynamic window and lies in no slice. */
static const char *attached(const struct mpii_rma_call *c)
{
    uint64_t at = c->base ? (uintptr_t)(c->base + c->at) : (uint64_t)c->at;

    return c->p->ctrl ? mpii_rma_attached_ghost(c->p->pe, c->p->ctrl, at, (uint64_t)c->bytes) : NULL;
}

/* Where the target's bytes are for the checker; NULL: nowhere. */
static const char *memory_of(const struct mpii_rma_call *c)
{
    uint64_t offset;

    if (c->p->ghost)
        return c->p->ghost + c->at;
    if (c->base && c->rank != c->w->rank)
        return c->base + c->at;
    if (c->base && core_slice_offset(c->base + c->at, (size_t)c->bytes, &offset))
        return core_slice_at(core_me(), offset);
    return c->w->flavor == MPI_WIN_FLAVOR_DYNAMIC ? attached(c) : NULL;
}

static void target_side(const struct mpii_rma_call *c, unsigned how, const char *name)
{
    struct mpii_rma_cursor cursor = {.type = c->ttype, .count = c->tcount, .end = c->bytes, .at = c->at};
    const char *memory = memory_of(c);
    struct mpii_rma_run runs[RUNS];

    if (c->bytes <= (MPI_Count)sizeof(uint64_t))
        how |= CORE_RACE_WORD;
    if (MPT_LIKELY(c->ttype->dense)) {
        core_race_access(memory, (size_t)c->bytes, how, name);
        return;
    }
    for (int n; (n = mpii_rma_runs(&cursor, runs, RUNS)) > 0;)
        for (int i = 0; i < n; i++)
            for (int64_t k = 0; k < runs[i].count; k++)
                core_race_access(memory + (runs[i].at - c->at) + k * runs[i].stride, (size_t)runs[i].n, how, name);
}

/* Buffers of this side are others' matter (check/watch.h). */
void mpii_rma_race_begin(const struct mpii_rma_call *c, unsigned how)
{
    core_race_enter((const void *)c->site, c->name);
    if (c->p && c->bytes > 0 && memory_of(c))
        target_side(c, how | pending, name_of(c->name));
}

/* What messages have brought by now; of which memory is not known: what all have written. */
void mpii_rma_race_arrived(struct mpii_win *w)
{
    for (unsigned i = 0; i < w->n_fetching; i++)
        if (w->fetching[i])
            core_race_acquire(w->fetching[i], sizeof(uint64_t));
        else
            for (int k = 0; k < w->size; k++)
                mpii_rma_race_heard(w->peers[k].pe);
    w->n_fetching = 0;
}

/* It returns what others have written: now, or, by a message, at the latest when a call completes it. */
void mpii_rma_race_fetched(const struct mpii_rma_call *c, bool now)
{
    enum { MOST = sizeof c->w->fetching / sizeof *c->w->fetching };
    const char *memory = memory_of(c);

    if (now && memory) {
        core_race_acquire(memory, (size_t)c->bytes);
        return;
    }
    if (c->w->n_fetching == MOST)
        c->w->fetching[MOST - 1] = NULL;
    else
        c->w->fetching[c->w->n_fetching++] = memory;
    if (now)
        mpii_rma_race_arrived(c->w);
}

/* ---- completion ---- */

/* Memory that is attached may lie anywhere. */
void mpii_rma_race_flushed(const struct mpii_win *w, int from, int to)
{
    struct core_flow flow = {.unquiet = true, .unfenced = true};

    if (w->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        core_race_quiet(&flow);
    for (int i = from; i < to && w->flavor != MPI_WIN_FLAVOR_DYNAMIC; i++)
        if (w->peers[i].home < core_size())
            core_race_quiet_at(&flow, w->peers[i].home);
}

/* ---- posts: what the target does after its post, and before the origin looks for it, is not ordered ---- */

static uint64_t pair_of(const struct mpii_win *w, int target, int origin)
{
    uint64_t pair = (uint64_t)(unsigned)target << 32 | (unsigned)origin;

    return (w->comm->context * 0x9e3779b97f4a7c15u ^ (pair + 1) * 0xbf58476d1ce4e5b9u) | 1;
}

void mpii_rma_race_posts(const struct mpii_win *w, int rank, uint64_t n)
{
    core_race_come_as(pair_of(w, w->rank, rank), (uint32_t)n);
}

/* The same of what the origin does after MPI_Win_complete, and before the target waits for it. */
static uint64_t end_of(uint64_t pair)
{
    return (pair * 0x9e3779b97f4a7c15u) | 1;
}

void mpii_rma_race_completes(const struct mpii_win *w, int rank, uint64_t n)
{
    core_race_come_as(end_of(pair_of(w, rank, w->rank)), (uint32_t)n);
}

void mpii_rma_race_completed(const struct mpii_win *w, int rank, uint64_t n)
{
    if (!w->ctrl || !w->peers[rank].ctrl)
        mpii_rma_race_heard(w->peers[rank].pe);
    else if (w->peers[rank].pe < core_size())
        core_race_learn(end_of(pair_of(w, w->rank, rank)), (uint32_t)n, w->peers[rank].pe);
}

void mpii_rma_race_posted(const struct mpii_win *w, int rank, uint64_t n)
{
    if (w->peers[rank].pe < core_size())
        core_race_learn(pair_of(w, rank, w->rank), (uint32_t)n, w->peers[rank].pe);
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
    core_race_enter((const void *)core_site(), __func__);
    if (p->ctrl)
        core_race_access(word_of(p, exclusive), sizeof(uint32_t), CORE_RACE_WRITE | CORE_RACE_ATOMIC, "MPI_Win_unlock");
}

/* ---- memory ---- */

/* Memory that is not in a slice: unused memory of one stands for it, with the same bytes in a line. */
enum { LINE = 64 };

uint64_t mpii_rma_race_ghost(const void *at, size_t n)
{
    char *made = core_arena_alloc(n + LINE, LINE), *ghost = made + (uintptr_t)at % LINE;
    uint64_t offset = 0;

    if (!made)
        return 0;
    if (!core_slice_offset(ghost, n, &offset)) {
        core_arena_free(made);
        return 0;
    }
    core_race_stand_for(at, n, ghost);
    return offset;
}

void mpii_rma_race_ghost_free(const void *at, size_t n, uint64_t ghost)
{
    core_race_stand_for(at, n, NULL);
    core_arena_free((char *)core_slice_at(core_me(), ghost) - (uintptr_t)at % LINE);
}

void mpii_rma_race_place(struct mpii_win *w, struct mpii_rma_card *card)
{
    if (card->error || card->in_slice || !w->base || w->bytes <= 0 || w->flavor != MPI_WIN_FLAVOR_CREATE)
        return;
    card->ghost = w->ghost = mpii_rma_race_ghost(w->base, (size_t)w->bytes);
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
        mpii_rma_race_ghost_free(w->base, (size_t)w->bytes, w->ghost);
    w->ghost = 0;
}
