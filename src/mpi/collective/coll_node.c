/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The shared block of a communicator on one node: making it, hand-overs through
 * it, giving it back; and which collectives it serves (coll_node.h).
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/collective/coll_node.h"
#include "mpi/ft/ft.h"

/* ---- making and forgetting ---- */

static struct mpii_node nothing; /* of communicators that messages serve */
static struct mpii_node *dying;  /* this process is rank 0; others may still read */

/* The dead can't say that they have forgotten it. */
static bool forgotten_by_all(const struct mpii_node *n)
{
    /* acquire: all members' last stores to the block are done */
    if (__atomic_load_n(&n->shared->gone, __ATOMIC_ACQUIRE) >= (uint64_t)n->size)
        return true;
    if (!mpii_ft_on || !n->procs)
        return false;
    for (int i = 0; i < n->size; i++)
        if (!__atomic_load_n(&n->shared->member[i].forgot, __ATOMIC_ACQUIRE) && !mpii_ft_is_dead(n->procs[i]))
            return false;
    return true;
}

static void sweep(void)
{
    for (struct mpii_node **at = &dying, *n; (n = *at) != NULL;) {
        if (!forgotten_by_all(n)) {
            at = &n->next;
            continue;
        }
        *at = n->next;
        core_arena_free(n->shared);
        free(n->procs);
        free(n);
    }
}

static size_t block_bytes(int size)
{
    return sizeof(struct node_shared) + (size_t)size * sizeof(struct node_member);
}

/* Flags are zero at first; slots need not be. */
static struct node_shared *new_block(int size)
{
    struct node_shared *s;

    sweep();
    s = core_arena_alloc(block_bytes(size), 4096);
    if (!s)
        return NULL;
    memset(s, 0, sizeof *s);
    for (int i = 0; i < size; i++)
        memset(&s->member[i], 0, offsetof(struct node_member, data));
    return s;
}

/* Collective over c: rank 0 makes the block and tells where it is; and whether cores are few, which changes when processes
 * die. */
static struct mpii_node *make(struct mpii_comm *c, const char *where)
{
    struct mpii_node *n = calloc(1, sizeof *n);
    struct node_shared *block = c->rank == 0 ? new_block(c->size) : NULL;
    struct { uint64_t offset; int there, few_cores; } word = {block ? core_arena_offset(block) : 0, block != NULL, core_oversubscribed()};
    struct mpii_part p = mpii_part_bytes(&word, sizeof word);
    struct mpii_sched *s = mpii_sched_new(c, mpii_coll_tag(c, false));
    int err;

    if (!n || !s)
        core_fatal("out of memory");
    mpii_build_bcast_over(s, c, p, 0);
    err = mpii_sched_run(s, where);
    mpii_sched_free(s);
    if (err != MPI_SUCCESS || !word.there) { /* others may have learnt of a block, and use it: it is not given back */
        free(n);
        return &nothing;
    }
    *n = (struct mpii_node){.shared = c->rank == 0 ? block : core_arena_at(c->procs[0], word.offset),
                            .comm = c,
                            .rank = c->rank,
                            .size = c->size,
                            .few_cores = word.few_cores,
                            .crowded = word.few_cores || c->size > 16,
                            .reach = -1};
    return n;
}

struct mpii_node *mpii_node_of(struct mpii_comm *c, const char *where)
{
    struct mpii_node *n = c->coll;

    if (MPT_UNLIKELY(!n))
        c->coll = n = c->size > 1 && c->size <= NODE_MEMBERS && mpii_comm_on_node(c) ? make(c, where) : &nothing;
    return MPT_LIKELY(n->shared != NULL) ? n : NULL;
}

static bool keep_members(struct mpii_node *n, const struct mpii_comm *c)
{
    n->procs = malloc((size_t)n->size * sizeof *n->procs);
    if (n->procs)
        memcpy(n->procs, c->procs, (size_t)n->size * sizeof *n->procs);
    return n->procs != NULL;
}

void mpii_coll_forget(struct mpii_comm *c)
{
    struct mpii_node *n = c->coll;

    c->coll = NULL;
    if (!n || !n->shared)
        return;
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
    if (mpii_ft_on && !keep_members(n, c))
        return; /* the block stays */
    n->next = dying;
    dying = n;
    sweep();
}

/* ---- hand-overs ---- */

static void wake(const struct mpii_node *n, int member)
{
    if (member != n->rank)
        core_wake(n->comm->procs[member]);
}

static void wake_all(const struct mpii_node *n)
{
    for (int i = 0; i < n->size; i++)
        wake(n, i);
}

/* A condition that holds when this process has learnt of the trouble counts. Who has waited long looks what is to come of
 * `member` (or all). */
#define WAIT_UNTIL(n, condition, member, where)                              \
    do {                                                                     \
        struct core_waiter w_;                                               \
        if ((condition) || MPT_UNLIKELY((n)->broken))                        \
            break;                                                           \
        mpii_wait_begin(&w_, where);                                         \
        do {                                                                 \
            mpii_wait_pause(&w_);                                            \
            if (MPT_UNLIKELY(w_.waited_long) && !(condition))                \
                mpii_node_look(n, member, where);                            \
        } while (!(condition) && MPT_LIKELY((n)->comm->trouble == 0));       \
        mpii_wait_end(&w_);                                                  \
        if (MPT_UNLIKELY((n)->comm->trouble) && !(condition))                \
            mpii_node_break(n);                                              \
    } while (0)

void mpii_node_break(struct mpii_node *n)
{
    struct node_member *own = &n->shared->member[n->rank];

    if (n->broken)
        return;
    n->broken = true;
    n->real = n->shared;
    /* Only what is touched takes memory. */
    if (posix_memalign((void **)&n->shared, 4096, block_bytes(n->size)) != 0)
        core_fatal("out of memory for a collective that a dead process has left");
    memset(n->shared, 0, sizeof *n->shared);
    for (int i = 0; i < n->size; i++)
        memset(&n->shared->member[i], 0, offsetof(struct node_member, data));
    __atomic_store_n(&own->at, NODE_LEFT, __ATOMIC_RELEASE);
    for (int i = 0; i < n->size; i++)
        if (i != n->rank)
            core_wake(n->comm->procs[i]);
}

static bool all_begun(struct mpii_node *n, uint64_t e)
{
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < n->size; i++) {
        uint64_t at = __atomic_load_n(&n->shared->member[i].at, __ATOMIC_ACQUIRE);

        least = at < least ? at : least;
    }
    n->seen = least;
    return least >= e;
}

/* `blocked` and `at` are each stored by one side and read by the other; the fence
 * that every running thread passes when somebody goes to sleep (core/wait/wait.c)
 * makes sure that one of both sees the other's store. */
static __attribute__((noinline)) void wait_begun(struct mpii_node *n, uint64_t e, const char *where)
{
    uint64_t *blocked;

    if (all_begun(n, e))
        return;
    blocked = &n->shared->blocked;
    __atomic_add_fetch(blocked, 1, __ATOMIC_ACQ_REL);
    WAIT_UNTIL(n, all_begun(n, e), MPII_NODE_NONE, where);
    __atomic_sub_fetch(blocked, 1, __ATOMIC_ACQ_REL);
}

/* Slots for `room` bytes: a power of two of them at a multiple of their number, so that two epochs' never overlap. Returns
 * the last epoch of which a reader must have finished. */
static uint64_t take_slots(struct mpii_node *n, uint64_t e, MPI_Count room)
{
    unsigned width = 1;
    uint64_t before = 0;

    while (width * NODE_SLOT < room)
        width *= 2;
    n->cursor = (n->cursor + width - 1) & (NODE_SLOTS - width);
    n->slot[e % NODE_POSTS] = (uint8_t)n->cursor;
    for (unsigned i = n->cursor; i < n->cursor + width; i++) {
        before = n->used[i] > before ? n->used[i] : before;
        n->used[i] = e;
    }
    n->cursor += width;
    return before;
}

uint64_t mpii_node_reserve(struct mpii_node *n, MPI_Count room, const char *where)
{
    uint64_t e = ++n->epoch, before = e > NODE_POSTS ? e - NODE_POSTS : 0;

    if (room > NODE_INLINE) {
        uint64_t slots = take_slots(n, e, room);

        before = slots > before ? slots : before;
    }
    if (MPT_UNLIKELY(before > 0 && n->seen <= before))
        wait_begun(n, before + 1, where);
    return e;
}

void mpii_node_begin(struct mpii_node *n, uint64_t e)
{
    __atomic_store_n(&n->shared->member[n->rank].at, e, __ATOMIC_RELEASE);
    if (MPT_UNLIKELY(__atomic_load_n(&n->shared->blocked, __ATOMIC_RELAXED) != 0))
        wake_all(n);
}

uint64_t mpii_node_enter(struct mpii_node *n, MPI_Count room, const char *where)
{
    mpii_node_begin(n, n->epoch + 1); /* first: others may wait for that, while this one waits for them */
    return mpii_node_reserve(n, room, where);
}

/* Counts this member in. The last one resets the count: nobody counts here again before all have begun a later epoch. */
static bool is_last(struct mpii_node *n, uint64_t e)
{
    struct node_meet *m = &n->shared->meet[e % NODE_POSTS];

    uint64_t arrived = __atomic_add_fetch(&m->arrived, 1 | (uint64_t)n->what << 32, __ATOMIC_ACQ_REL);

    if ((uint32_t)arrived != (uint32_t)n->size)
        return false;
    if (MPT_UNLIKELY(arrived >> 32 != (uint64_t)n->what * (uint64_t)n->size))
        mpii_node_strangers(n, e);
    m->arrived = 0;
    return true;
}

static bool arrive_last(struct mpii_node *n, uint64_t e)
{
    if (!is_last(n, e))
        return false;
    __atomic_store_n(&n->shared->meet[e % NODE_POSTS].released, e, __ATOMIC_RELEASE);
    return true;
}

static void post(struct mpii_node *n, uint64_t e, MPI_Count total)
{
    struct node_post *p = &n->shared->member[n->rank].post[e % NODE_POSTS];

    p->said = (uint64_t)n->what << 56 | (uint64_t)total << 8 | n->slot[e % NODE_POSTS];
    __atomic_store_n(&p->epoch, e, __ATOMIC_RELEASE);
    mpii_node_own_line((char *)&n->shared->member[n->rank].post[(e + 1) % NODE_POSTS]); /* so that the next post is seen at once */
}

void mpii_node_post(struct mpii_node *n, uint64_t e, MPI_Count total, int to)
{
    post(n, e, total);
    if (n->crowded && to != MPII_NODE_OTHERS && !arrive_last(n, e))
        return;
    if (to >= 0)
        wake(n, to);
    else
        wake_all(n);
}

bool mpii_node_post_last(struct mpii_node *n, uint64_t e, MPI_Count total)
{
    post(n, e, total);
    return is_last(n, e);
}

void mpii_node_release(struct mpii_node *n, uint64_t e)
{
    __atomic_store_n(&n->shared->meet[e % NODE_POSTS].released, e, __ATOMIC_RELEASE);
    wake_all(n);
}

void mpii_node_arrive(struct mpii_node *n, uint64_t e)
{
    if (n->crowded)
        arrive_last(n, e);
}

/* Looks without the ceremony of waiting: the peer is often just about to post. They cost less than one yield. (Where PEs
 * outnumber cores, it may be waiting for this one's core.) */
static inline bool soon(const struct mpii_node *n, const uint64_t *word, uint64_t e)
{
    for (int i = n->few_cores ? 31 : 0; i < 32; i++)
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == e)
            return true;
    return false;
}

void mpii_node_wait(struct mpii_node *n, int member, uint64_t e, const char *where)
{
    const struct node_post *posts = n->shared->member[member].post;
    const uint64_t *word = &posts[e % NODE_POSTS].epoch;

    __builtin_prefetch(&posts[(e + 1) % NODE_POSTS]); /* it may be ahead */
    if (!soon(n, word, e))
        WAIT_UNTIL(n, __atomic_load_n(word, __ATOMIC_ACQUIRE) == e, e == n->epoch ? member : MPII_NODE_NONE, where);
    if (MPT_UNLIKELY(posts[e % NODE_POSTS].said >> 56 != n->what && !n->broken))
        mpii_node_strange(member, (int)(posts[e % NODE_POSTS].said >> 56), where);
}

void mpii_node_wait_all(struct mpii_node *n, uint64_t e, const char *where)
{
    const uint64_t *word = &n->shared->meet[e % NODE_POSTS].released;

    if (n->crowded) {
        if (soon(n, word, e))
            return;
        WAIT_UNTIL(n, __atomic_load_n(word, __ATOMIC_ACQUIRE) == e, e == n->epoch ? MPII_NODE_ALL : MPII_NODE_NONE, where);
        return;
    }
    for (int i = 0; i < n->size; i++)
        if (i != n->rank)
            mpii_node_wait(n, i, e, where);
}

/* ---- which body serves what ---- */

/* Long data is copied once, straight from where it is: by members (direct) or by messages. `direct`: from how many bytes of a
 * part or vector. most: up to which the slots are quicker than messages. (Measured on 2 cores, by 2 and by 4 ranks.) */
#define ALWAYS INT64_MAX
static const struct {
    mpii_node_body *even, *uneven; /* uneven: parts of different size, which only those concerned know */
    mpii_direct_body *direct;
    MPI_Count least_direct_of_two, least_direct, most;
    bool moves_copies; /* uneven: not in place */
} bodies[MPII_COLL_KINDS] = {
    [MPII_BARRIER] = {mpii_node_barrier, NULL, NULL, 0, 0, ALWAYS, false},
    [MPII_BCAST] = {mpii_node_bcast, NULL, mpii_direct_bcast, 32768, 65536, ALWAYS, false},
    [MPII_GATHER] = {mpii_node_gather, mpii_node_gatherv, mpii_direct_gather, 65537, 65537, 65536, false},
    [MPII_SCATTER] = {mpii_node_scatter, mpii_node_scatterv, mpii_direct_scatter, 65537, 65537, 65536, false},
    [MPII_ALLGATHER] = {mpii_node_allgather, mpii_node_allgather, mpii_direct_allgather, 32768, 65537, ALWAYS, false},
    [MPII_ALLTOALL] = {mpii_node_alltoall, mpii_node_alltoallv, mpii_direct_alltoall, 32768, 65537, 65536, true},
    [MPII_REDUCE] = {mpii_node_reduce, NULL, mpii_direct_reduce, 65536, 131072, ALWAYS, false},
    [MPII_ALLREDUCE] = {mpii_node_allreduce, NULL, mpii_direct_allreduce, 65536, 131072, ALWAYS, false},
    [MPII_REDUCE_SCATTER] = {mpii_node_reduce_scatter, mpii_node_reduce_scatter, NULL, 0, 0, ALWAYS, false},
    [MPII_SCAN] = {mpii_node_scan, NULL, NULL, 0, 0, ALWAYS, false},
    [MPII_EXSCAN] = {mpii_node_scan, NULL, NULL, 0, 0, ALWAYS, false},
};
#undef ALWAYS

static bool run_direct(struct mpii_node *n, const struct mpii_coll_call *c, MPI_Count bytes, int *err)
{
    MPI_Count least = n->size == 2 ? bodies[c->kind].least_direct_of_two : bodies[c->kind].least_direct;

    if (c->kind == MPII_BCAST && n->rank != c->root)
        return false; /* the root tells */
    return bodies[c->kind].direct && bytes >= least && bodies[c->kind].direct(n, c, err);
}

bool mpii_node_run(const struct mpii_coll_call *c, int *err)
{
    mpii_node_body *body = c->uneven ? bodies[c->kind].uneven : bodies[c->kind].even;
    MPI_Count bytes;
    struct mpii_node *n;

    if (!body || c->comm->inter || (c->op && c->recv.type->size > NODE_CHUNK))
        return false;
    if (c->uneven && c->in_place && bodies[c->kind].moves_copies)
        return false;
    n = mpii_node_of(c->comm, c->call);
    if (!n)
        return false;
    n->what = mpii_coll_what(c);
    n->call = c;
    bytes = mpii_coll_even_bytes(c);
    if (run_direct(n, c, bytes, err) && MPT_LIKELY(!n->broken))
        return true;
    if (MPT_UNLIKELY(n->broken)) {
        *err = mpii_ft_error(c->comm);
        return true;
    }
    if (bytes > bodies[c->kind].most)
        return false;
    *err = body(n, c);
    if (MPT_UNLIKELY(n->broken))
        *err = mpii_ft_error(c->comm);
    return true;
}
