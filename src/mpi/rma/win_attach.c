/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory attached to dynamic windows (12.2.4): a table of regions in rising
 * order, in the arena, where peers of the node look an address up themselves.
 * Only the owner changes it; a count that is odd meanwhile tells readers to look
 * again. A table that was too small stays until the window ends: somebody may
 * be reading it.
 */
#include <sched.h>
#include <string.h>

#include "mpi/rma/rma_race.h"
#include "mpi/rma/win.h"

enum { FIRST_ROOM = 32 };

struct region {
    uint64_t at, n, slice_offset;
    uint64_t ghost; /* core_slice_offset of what stands for it for the race checker; or 0 */
};

struct mpii_rma_table {
    uint64_t seq;
    uint64_t n, room;
    struct mpii_rma_table *older;
    struct region region[];
};

/* ------------------------------------------------------------------ reading -- */

static uint64_t read_word(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/* The last region that begins at or before `at`; may be nonsense while the table changes. */
static struct region look_up(const struct mpii_rma_table *t, uint64_t at)
{
    uint64_t lo = 0, hi = read_word(&t->n);
    const struct region *r;

    if (hi > t->room)
        hi = t->room;
    while (lo < hi) {
        uint64_t middle = lo + (hi - lo) / 2;

        if (read_word(&t->region[middle].at) <= at)
            lo = middle + 1;
        else
            hi = middle;
    }
    while (lo > 1 && read_word(&t->region[lo - 1].n) == 0) /* nothing may be attached inside something */
        lo--;
    if (lo == 0)
        return (struct region){.at = UINT64_MAX};
    r = &t->region[lo - 1];
    return (struct region){read_word(&r->at), read_word(&r->n), read_word(&r->slice_offset), read_word(&r->ghost)};
}

static struct region look_up_safely(const struct mpii_rma_table *t, uint64_t at)
{
    for (;; sched_yield()) {
        /* model: seqlock.read */
        uint64_t seq = __atomic_load_n(&t->seq, __ATOMIC_ACQUIRE);
        struct region r = look_up(t, at);

        /* model: seqlock.again */
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (seq % 2 == 0 && read_word(&t->seq) == seq)
            return r;
    }
}

bool mpii_rma_attached(int pe, const struct mpii_rma_ctrl *c, uint64_t at, uint64_t n, uint64_t *slice_offset)
{
    uint64_t offset = __atomic_load_n(&c->table, __ATOMIC_ACQUIRE), end = at + n;
    const struct mpii_rma_table *t;
    struct region r;

    if (!offset || end < at)
        return false;
    t = core_arena_at(pe, offset);
    r = look_up_safely(t, at);
    if (at < r.at || at - r.at >= r.n)
        return false;
    *slice_offset = r.slice_offset == RMA_PRIVATE ? RMA_PRIVATE : r.slice_offset + (at - r.at);
    while (end - r.at > r.n) { /* it may go on in a region beside it */
        struct region next = look_up_safely(t, r.at + r.n);

        if (next.at != r.at + r.n || next.n == 0)
            return false;
        if (*slice_offset != RMA_PRIVATE && next.slice_offset != r.slice_offset + r.n)
            *slice_offset = RMA_PRIVATE;
        r = next;
    }
    return true;
}

const char *mpii_rma_attached_ghost(int pe, const struct mpii_rma_ctrl *c, uint64_t at, uint64_t n)
{
    uint64_t offset = __atomic_load_n(&c->table, __ATOMIC_ACQUIRE);
    struct region r;

    if (!offset)
        return NULL;
    r = look_up_safely(core_arena_at(pe, offset), at);
    if (!r.ghost || at < r.at || at - r.at >= r.n || n > r.n - (at - r.at))
        return NULL;
    return core_slice_at(pe, r.ghost + (at - r.at));
}

/* ----------------------------------------------------------------- changing -- */

static void begin_change(struct mpii_rma_table *t)
{
    __atomic_store_n(&t->seq, t->seq + 1, __ATOMIC_RELAXED);
    /* model: seqlock.begin */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void end_change(struct mpii_rma_table *t)
{
    /* model: seqlock.end */
    __atomic_store_n(&t->seq, t->seq + 1, __ATOMIC_RELEASE);
}

static void write_region(struct region *to, struct region r)
{
    __atomic_store_n(&to->at, r.at, __ATOMIC_RELAXED);
    __atomic_store_n(&to->n, r.n, __ATOMIC_RELAXED);
    __atomic_store_n(&to->slice_offset, r.slice_offset, __ATOMIC_RELAXED);
    __atomic_store_n(&to->ghost, r.ghost, __ATOMIC_RELAXED);
}

static bool make_room(struct mpii_win *w)
{
    struct mpii_rma_table *old = w->table, *t;
    uint64_t room = old ? 2 * old->room : FIRST_ROOM;

    if (old && old->n < old->room)
        return true;
    t = core_arena_alloc(sizeof *t + room * sizeof *t->region, 0);
    if (!t)
        return false;
    *t = (struct mpii_rma_table){.n = old ? old->n : 0, .room = room, .older = old};
    if (old)
        memcpy(t->region, old->region, old->n * sizeof *old->region);
    w->table = t;
    __atomic_store_n(&w->ctrl->table, core_arena_offset(t), __ATOMIC_RELEASE);
    return true;
}

/* Index of the first region that begins behind `at`. */
static uint64_t place_behind(const struct mpii_rma_table *t, uint64_t at)
{
    uint64_t i = t ? t->n : 0;

    while (i > 0 && t->region[i - 1].at > at)
        i--;
    return i;
}

static void insert(struct mpii_rma_table *t, struct region r)
{
    uint64_t i = place_behind(t, r.at);

    begin_change(t);
    for (uint64_t k = t->n; k > i; k--)
        write_region(&t->region[k], t->region[k - 1]);
    write_region(&t->region[i], r);
    __atomic_store_n(&t->n, t->n + 1, __ATOMIC_RELAXED);
    end_change(t);
}

/* A region as the race checker knows it from now on, and no longer. */
static void join_races(struct region *r)
{
    if (r->n == 0)
        return;
    if (r->slice_offset == RMA_PRIVATE)
        r->ghost = mpii_rma_race_ghost((const void *)(uintptr_t)r->at, (size_t)r->n);
    core_race_look_at((const void *)(uintptr_t)r->at, (size_t)r->n);
}

static void part_races(const struct region *r)
{
    if (r->n == 0)
        return;
    core_race_settle();
    core_race_look_away((const void *)(uintptr_t)r->at, (size_t)r->n);
    if (r->ghost)
        mpii_rma_race_ghost_free((const void *)(uintptr_t)r->at, (size_t)r->n, r->ghost);
}

/* False: no region begins there. */
static bool remove_at(struct mpii_rma_table *t, uint64_t at)
{
    uint64_t i = place_behind(t, at);

    if (i == 0 || t->region[i - 1].at != at)
        return false;
    if (MPT_UNLIKELY(core_race_on()))
        part_races(&t->region[i - 1]);
    begin_change(t);
    for (uint64_t k = i; k < t->n; k++)
        write_region(&t->region[k - 1], t->region[k]);
    __atomic_store_n(&t->n, t->n - 1, __ATOMIC_RELAXED);
    end_change(t);
    return true;
}

void mpii_rma_tables_free(struct mpii_win *w)
{
    for (uint64_t i = 0; MPT_UNLIKELY(core_race_on()) && w->table && i < w->table->n; i++)
        part_races(&w->table->region[i]);
    while (w->table) {
        struct mpii_rma_table *t = w->table;

        w->table = t->older;
        core_arena_free(t);
    }
}

/* ---------------------------------------------------------------- the calls -- */

static bool overlaps(const struct mpii_rma_table *t, uint64_t at, uint64_t n)
{
    uint64_t i = place_behind(t, at);

    return (i > 0 && t->region[i - 1].at + t->region[i - 1].n > at) || (t && i < t->n && t->region[i].at < at + n);
}

static int check_dynamic(struct mpii_win *w, const char *call)
{
    if (w->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return MPI_SUCCESS;
    return mpii_error(w, MPI_ERR_RMA_FLAVOR, call, "win was not made by MPI_Win_create_dynamic");
}

int mpii_Win_attach(MPI_Win win, void *base, MPI_Aint size)
{
    struct region r = {(uintptr_t)base, (uint64_t)size, RMA_PRIVATE, 0};
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    MPII_TRY(check_dynamic(w, __func__));
    if (size < 0)
        return mpii_error(w, MPI_ERR_SIZE, __func__, "size is %lld, less than 0", (long long)size);
    if (!base && size > 0)
        return mpii_error(w, MPI_ERR_RMA_ATTACH, __func__, "base is NULL, but size is %lld", (long long)size);
    if (size > 0 && overlaps(w->table, r.at, r.n))
        return mpii_error(w, MPI_ERR_RMA_ATTACH, __func__, "some of the %lld bytes at %p are attached already",
                          (long long)size, base);
    if (!make_room(w))
        return mpii_error(w, MPI_ERR_RMA_ATTACH, __func__, "no memory for another region (MPT_ARENA_MAX)");
    if (!core_slice_offset(base, (size_t)size, &r.slice_offset))
        r.slice_offset = RMA_PRIVATE;
    if (MPT_UNLIKELY(core_race_on()))
        join_races(&r);
    insert(w->table, r);
    return MPI_SUCCESS;
}

int mpii_Win_detach(MPI_Win win, const void *base)
{
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    MPII_TRY(check_dynamic(w, __func__));
    if (!w->table || !remove_at(w->table, (uintptr_t)base))
        return mpii_error(w, MPI_ERR_RMA_ATTACH, __func__, "base is %p, where nothing is attached", base);
    return MPI_SUCCESS;
}
