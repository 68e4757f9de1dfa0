/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The block that members on one node share: making it, hand-overs through it,
 * giving it back (block.h).
 */
#include <stdlib.h>
#include <string.h>

#include "coll/block_half.h"
#include "coll/blocked.h"
#include "core/wait/wake_set.h"

/* ---- making and forgetting ---- */

/* The dead can't say that they have forgotten it. */
static bool forgotten_by_all(const struct coll_block *n)
{
    /* acquire: all members' last stores to the block are done */
    if (__atomic_load_n(&n->shared->gone, __ATOMIC_ACQUIRE) >= (uint64_t)n->size)
        return true;
    if (!*n->face->may_die || !n->kept)
        return false;
    for (int i = 0; i < n->size; i++)
        if (!__atomic_load_n(&n->shared->member[i].forgot, __ATOMIC_ACQUIRE) && !n->face->is_dead(n->kept[i]))
            return false;
    return true;
}

static void sweep(void)
{
    pthread_mutex_lock(&coll_state.blocks.lock);
    for (struct coll_block **at = &coll_state.blocks.dying, *n; (n = *at) != NULL;) {
        if (!forgotten_by_all(n)) {
            at = &n->next;
            continue;
        }
        *at = n->next;
        core_arena_free(n->shared);
        free(n->kept);
        free(n);
    }
    pthread_mutex_unlock(&coll_state.blocks.lock);
}

static size_t block_bytes(int size)
{
    return sizeof(struct coll_shared) + (size_t)size * sizeof(struct coll_member);
}

/* Flags are zero at first; slots need not be. */
static struct coll_shared *new_block(int size)
{
    struct coll_shared *s;

    sweep();
    s = core_arena_alloc(block_bytes(size), 4096);
    if (!s)
        return NULL;
    memset(s, 0, sizeof *s);
    for (int i = 0; i < size; i++)
        memset(&s->member[i], 0, offsetof(struct coll_member, data));
    return s;
}

static int pe_of(const void *pes, int i)
{
    return ((const int *)pes)[i];
}

/* Rank 0 makes the block and tells where it is; and whether cores are few, which changes when processes die. */
struct coll_block *coll_block_make(const struct coll_block_call *c, const struct coll_face *face, int rank, int size,
                                   const int *pes, const uint8_t *trouble)
{
    struct coll_block *n = calloc(1, sizeof *n);
    struct coll_shared *block = rank == 0 ? new_block(size) : NULL;
    struct {
        uint64_t offset;
        int there, oversubscribed;
    } word = {block ? core_arena_offset(block) : 0, block != NULL, core_oversubscribed()};

    if (!n)
        core_fatal("%s: out of memory", c->where);
    if (!face->tell(c, &word, sizeof word) || !word.there) {
        free(n); /* others may have learnt of a block, and use it: it is not given back */
        return NULL;
    }
    *n = (struct coll_block){.shared = rank == 0 ? block : core_arena_at(pes[0], word.offset),
                             .face = face,
                             .pes = pes,
                             .trouble = trouble,
                             .rank = rank,
                             .size = size,
                             .oversubscribed = word.oversubscribed,
                             .crowded = word.oversubscribed || size > 16,
                             .cma = -1};
    n->others = core_wake_set_make(size, pe_of, pes);
    return n;
}

static bool keep_members(struct coll_block *n)
{
    n->kept = malloc((size_t)n->size * sizeof *n->kept);
    if (n->kept)
        memcpy(n->kept, n->pes, (size_t)n->size * sizeof *n->kept);
    return n->kept != NULL;
}

void coll_block_forget(struct coll_block *n)
{
    if (!n)
        return;
    core_wake_set_free(n->others);
    n->others = NULL;
    if (n->broken) {
        free(n->shared);
        n->shared = n->real;
    }
    /* the flag comes after the count: who sees that all have the flag or are dead may free the block */
    __atomic_add_fetch(&n->shared->gone, 1, __ATOMIC_ACQ_REL);
    __atomic_store_n(&n->shared->member[n->rank].forgot, true, __ATOMIC_RELEASE);
    if (n->rank != 0) {
        free(n);
        return;
    }
    if (*n->face->may_die && !keep_members(n))
        return; /* the block stays */
    pthread_mutex_lock(&coll_state.blocks.lock);
    n->next = coll_state.blocks.dying;
    coll_state.blocks.dying = n;
    pthread_mutex_unlock(&coll_state.blocks.lock);
    sweep();
}

/* ---- hand-overs ---- */

static void wake(const struct coll_block *n, int member)
{
    if (member != n->rank)
        core_wake(n->pes[member]);
}

static void wake_all(const struct coll_block *n)
{
    if (n->others) {
        core_wake_set(n->others);
        return;
    }
    for (int i = 0; i < n->size; i++)
        wake(n, i);
}

/* A condition that holds when this process has learnt of the trouble counts. Who has waited long looks what is to come
 * of `member` (or all). */
#define WAIT_UNTIL(n, condition, member, where)                       \
    do {                                                              \
        struct core_waiter w_;                                        \
        if ((condition) || MPT_UNLIKELY((n)->broken))                 \
            break;                                                    \
        core_wait_begin(&w_, where);                                  \
        struct core_blocked_by by_;                                   \
        if (MPT_UNLIKELY(core_params.check))                          \
            core_wait_by(&w_, coll_blocked_block(&by_, n));           \
        do {                                                          \
            (n)->face->pause(&w_);                                    \
            if (MPT_UNLIKELY(core_wait_is_long(&w_)) && !(condition)) \
                (n)->face->look(n, member, where);                    \
        } while (!(condition) && MPT_LIKELY(*(n)->trouble == 0));     \
        core_wait_end(&w_);                                           \
        if (MPT_UNLIKELY(*(n)->trouble) && !(condition))              \
            coll_block_break(n);                                      \
    } while (0)

void coll_block_break(struct coll_block *n)
{
    struct coll_member *own = &n->shared->member[n->rank];

    if (n->broken)
        return;
    n->broken = true;
    n->real = n->shared;
    /* Only what is touched takes memory. */
    if (posix_memalign((void **)&n->shared, 4096, block_bytes(n->size)) != 0)
        core_fatal("out of memory for a collective that a dead process has left");
    memset(n->shared, 0, sizeof *n->shared);
    for (int i = 0; i < n->size; i++)
        memset(&n->shared->member[i], 0, offsetof(struct coll_member, data));
    __atomic_store_n(&own->at, COLL_BLOCK_LEFT, __ATOMIC_RELEASE);
    for (int i = 0; i < n->size; i++)
        if (i != n->rank)
            core_wake(n->pes[i]);
}

static bool all_begun(struct coll_block *n, uint64_t e)
{
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < n->size; i++) {
        /* model: block.begun */
        uint64_t at = __atomic_load_n(&n->shared->member[i].at, __ATOMIC_ACQUIRE);

        least = at < least ? at : least;
    }
    n->seen = least;
    return least >= e;
}

/* `blocked` and `at` are each stored by one side and read by the other; the fence
 * that every running thread passes when somebody goes to sleep (core/wait/wait.c)
 * makes sure that one of both sees the other's store. (Tasks pass one of their own.) */
static __attribute__((noinline)) void wait_begun(struct coll_block *n, uint64_t e, const char *where)
{
    uint64_t *blocked;

    if (all_begun(n, e))
        return;
    blocked = &n->shared->blocked;
    /* model: begun.blocked */
    __atomic_add_fetch(blocked, 1, __ATOMIC_ACQ_REL);
    WAIT_UNTIL(n, all_begun(n, e), COLL_BLOCK_NONE, where);
    __atomic_sub_fetch(blocked, 1, __ATOMIC_ACQ_REL);
}

/* Slots for `room` bytes: a power of two of them at a multiple of their number, so that two epochs' never overlap.
 * Returns the last epoch of which a reader must have finished. */
static uint64_t take_slots(struct coll_block *n, uint64_t e, int64_t room)
{
    unsigned width = 1;
    uint64_t before = 0;

    while (width * COLL_BLOCK_SLOT < room)
        width *= 2;
    n->cursor = (n->cursor + width - 1) & (COLL_BLOCK_SLOTS - width);
    n->slot[e % COLL_BLOCK_POSTS] = (uint8_t)n->cursor;
    for (unsigned i = n->cursor; i < n->cursor + width; i++) {
        before = n->used[i] > before ? n->used[i] : before;
        n->used[i] = e;
    }
    n->cursor += width;
    return before;
}

uint64_t coll_block_reserve(struct coll_block *n, int64_t room, const char *where)
{
    uint64_t e = ++n->epoch, before = e > COLL_BLOCK_POSTS ? e - COLL_BLOCK_POSTS : 0;

    if (room > COLL_BLOCK_INLINE) {
        uint64_t slots = take_slots(n, e, room);

        before = slots > before ? slots : before;
    }
    if (MPT_UNLIKELY(before > 0 && n->seen <= before))
        wait_begun(n, before + 1, where);
    return e;
}

bool coll_block_may_enter(struct coll_block *n)
{
    uint64_t e = n->epoch + 1;

    if (MPT_UNLIKELY(n->broken))
        return false;
    return e <= COLL_BLOCK_POSTS || MPT_LIKELY(n->seen > e - COLL_BLOCK_POSTS) ||
           all_begun(n, e - COLL_BLOCK_POSTS + 1);
}

void coll_block_begin(struct coll_block *n, uint64_t e)
{
    /* model: block.begin */
    __atomic_store_n(&n->shared->member[n->rank].at, e, __ATOMIC_RELEASE);
    core_waiters_fence();
    if (MPT_UNLIKELY(__atomic_load_n(&n->shared->blocked, __ATOMIC_RELAXED) != 0))
        wake_all(n);
}

uint64_t coll_block_enter(struct coll_block *n, int64_t room, const char *where)
{
    coll_block_begin(n, n->epoch + 1); /* first: others may wait for that, while this one waits for them */
    return coll_block_reserve(n, room, where);
}

/* Counts this member in. The last one resets the count: nobody counts here again before all have begun a later epoch.
 */
static bool is_last(struct coll_block *n, uint64_t e)
{
    struct coll_meeting *m = &n->shared->meet[e % COLL_BLOCK_POSTS];

    /* model: block.arrive */
    uint64_t arrived = __atomic_add_fetch(&m->arrived, 1 | (uint64_t)n->what << 32, __ATOMIC_ACQ_REL);

    if ((uint32_t)arrived != (uint32_t)n->size)
        return false;
    if (MPT_UNLIKELY(arrived >> 32 != (uint64_t)n->what * (uint64_t)n->size))
        n->face->strangers(n, e);
    m->arrived = 0;
    return true;
}

static bool arrive_last(struct coll_block *n, uint64_t e)
{
    if (!is_last(n, e))
        return false;
    /* model: block.release */
    __atomic_store_n(&n->shared->meet[e % COLL_BLOCK_POSTS].released, e, __ATOMIC_RELEASE);
    return true;
}

static void post(struct coll_block *n, uint64_t e, int64_t total)
{
    struct coll_post *p = &n->shared->member[n->rank].post[e % COLL_BLOCK_POSTS];

    p->said = (uint64_t)n->what << 56 | (uint64_t)total << 8 | n->slot[e % COLL_BLOCK_POSTS];
    /* model: block.post */
    __atomic_store_n(&p->epoch, e, __ATOMIC_RELEASE);
    coll_block_own_line((char *)&n->shared->member[n->rank]
                            .post[(e + 1) % COLL_BLOCK_POSTS]); /* so that the next post is seen at once */
}

void coll_block_post(struct coll_block *n, uint64_t e, int64_t total, int to)
{
    post(n, e, total);
    if (n->crowded && to != COLL_BLOCK_OTHERS && !arrive_last(n, e))
        return;
    if (to >= 0)
        wake(n, to);
    else
        wake_all(n);
}

bool coll_block_post_last(struct coll_block *n, uint64_t e, int64_t total)
{
    post(n, e, total);
    return is_last(n, e);
}

void coll_block_release(struct coll_block *n, uint64_t e)
{
    /* model: block.release */
    __atomic_store_n(&n->shared->meet[e % COLL_BLOCK_POSTS].released, e, __ATOMIC_RELEASE);
    wake_all(n);
}

void coll_block_arrive(struct coll_block *n, uint64_t e)
{
    if (n->crowded)
        arrive_last(n, e);
}

/* Looks without the ceremony of waiting: the peer is often just about to post. They cost less than one yield. (Where
 * PEs outnumber cores, it may be waiting for this one's core.) */
static inline bool soon(const struct coll_block *n, const uint64_t *word, uint64_t e)
{
    for (int i = n->oversubscribed ? 31 : 0; i < 32; i++)
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == e)
            return true;
    return false;
}

void coll_block_wait(struct coll_block *n, int member, uint64_t e, const char *where)
{
    const struct coll_post *posts = n->shared->member[member].post;
    const uint64_t *word = &posts[e % COLL_BLOCK_POSTS].epoch;

    __builtin_prefetch(&posts[(e + 1) % COLL_BLOCK_POSTS]); /* it may be ahead */
    if (!soon(n, word, e))
        /* model: block.wait */
        WAIT_UNTIL(n, __atomic_load_n(word, __ATOMIC_ACQUIRE) == e, e == n->epoch ? member : COLL_BLOCK_NONE, where);
    coll_block_check_call(n, member, e, where);
}

void coll_block_wait_all(struct coll_block *n, uint64_t e, const char *where)
{
    const uint64_t *word = &n->shared->meet[e % COLL_BLOCK_POSTS].released;

    if (n->crowded) {
        if (soon(n, word, e))
            return;
        /* model: block.released */
        WAIT_UNTIL(n, __atomic_load_n(word, __ATOMIC_ACQUIRE) == e, e == n->epoch ? COLL_BLOCK_ALL : COLL_BLOCK_NONE,
                   where);
        return;
    }
    for (int i = 0; i < n->size; i++)
        if (i != n->rank)
            coll_block_wait(n, i, e, where);
}
