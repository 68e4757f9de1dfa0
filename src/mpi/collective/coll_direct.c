/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Long data on one node without a copy in between: members post where their
 * buffers are, and read and write each other's, by loads and stores where they
 * are shared, else by system calls. Who would only wait takes a part of the work.
 * Where something cannot be reached the slots or messages serve.
 */
#include <sys/uio.h>
#include <time.h>

#include "mpi/collective/coll_node.h"
#include "mpi/ft/ft.h"

/* ---- reaching ---- */

static uint64_t *word_of(const struct mpii_node *n, int member, uint64_t e)
{
    return (uint64_t *)(void *)n->shared->member[member].post[e % NODE_POSTS].data;
}

/* All post a word. */
static uint64_t exchange(struct mpii_node *n, uint64_t word, const char *where)
{
    uint64_t e = mpii_node_enter(n, 0, where);

    *word_of(n, n->rank, e) = word;
    mpii_node_post(n, e, 0, MPII_NODE_ALL);
    mpii_node_wait_all(n, e, where);
    return e;
}

/* Found out once: only if all may read all is private memory read. */
static bool all_reach_all(struct mpii_node *n, const char *where)
{
    bool ok = true;
    uint64_t e;

    if (MPT_LIKELY(n->reach >= 0))
        return n->reach;
    e = exchange(n, core_reach_key(), where);
    for (int i = 0; i < n->size; i++)
        ok = ok && (i == n->rank || core_reach_may(n->comm->procs[i], *word_of(n, i, e)));
    e = exchange(n, ok, where);
    for (int i = 0; i < n->size; i++)
        ok = ok && *word_of(n, i, e);
    n->reach = ok;
    return ok;
}

static struct node_spot spot_of(const struct mpii_node *n, const struct mpii_part *p, bool *all)
{
    struct node_spot s = {NODE_SPOT_NONE, 0};

    if (!p)
        return s;
    if (p->type->dense && core_place_of(p->at, (size_t)mpii_part_size(*p), &s.at))
        s.kind = NODE_SPOT_SHARED;
    else if (p->type->dense && n->reach)
        s = (struct node_spot){NODE_SPOT_PRIVATE, (uintptr_t)p->at};
    *all = *all && s.kind != NODE_SPOT_NONE;
    return s;
}

bool mpii_direct_begin(struct mpii_node *n, const struct mpii_coll_call *c, const struct mpii_part *in, const struct mpii_part *out,
                       MPI_Count total, uint64_t *e)
{
    struct node_spots mine;
    bool ok = true;

    all_reach_all(n, c->call);
    mine = (struct node_spots){spot_of(n, in, &ok), spot_of(n, out, &ok)};
    *e = mpii_node_enter(n, 0, c->call);
    *(struct node_spots *)(void *)word_of(n, n->rank, *e) = mine;
    total |= NODE_SPOTS;
    mpii_node_post(n, *e, ok ? total : NODE_SPOTS, MPII_NODE_ALL); /* no total: no member's data is that short here */
    mpii_node_wait_all(n, *e, c->call);
    for (int i = 0; i < n->size; i++)
        ok = ok && mpii_node_total(n, i, *e) == total;
    return ok && !n->broken;
}

/* Has everybody who lives done with the others' buffers? Who has left the block moves nothing. */
static bool all_out(const struct mpii_node *n, uint64_t e)
{
    for (int i = 0; i < n->size; i++) {
        const struct node_member *m = &n->shared->member[i];

        if (__atomic_load_n(&m->post[e % NODE_POSTS].epoch, __ATOMIC_ACQUIRE) != e &&
            __atomic_load_n(&m->at, __ATOMIC_ACQUIRE) != NODE_LEFT && !mpii_ft_is_dead(n->comm->procs[i]))
            return false;
    }
    return true;
}

/* A buffer that others may be reading or writing is not given back, whoever has died. */
static void end_among_survivors(struct mpii_node *n, uint64_t e, const char *where)
{
    struct core_waiter w;

    mpii_wait_begin(&w, where);
    while (!all_out(n, e))
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
    for (int i = 0; i < n->size; i++)
        if (__atomic_load_n(&n->shared->member[i].post[e % NODE_POSTS].epoch, __ATOMIC_ACQUIRE) != e) {
            mpii_node_break(n);
            return;
        }
}

void mpii_direct_end(struct mpii_node *n, const struct mpii_coll_call *c)
{
    uint64_t e = mpii_node_enter(n, 0, c->call);

    mpii_node_post(n, e, 0, MPII_NODE_ALL);
    if (MPT_UNLIKELY(mpii_ft_on))
        end_among_survivors(n, e, c->call);
    else
        mpii_node_wait_all(n, e, c->call);
}

/* Its memory is gone before anybody is told of its death. */
static int unreachable(const struct mpii_node *n, int member)
{
    enum { SECONDS = 5 };
    struct core_waiter w;
    struct timespec begin, now;

    if (!mpii_ft_on)
        return MPI_ERR_BUFFER;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    mpii_wait_begin(&w, "a collective: a member's memory cannot be reached");
    do {
        mpii_wait_pause(&w);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (!mpii_ft_is_dead(n->comm->procs[member]) && now.tv_sec - begin.tv_sec < SECONDS);
    mpii_wait_end(&w);
    return mpii_ft_is_dead(n->comm->procs[member]) ? MPIX_ERR_PROC_FAILED : MPI_ERR_BUFFER;
}

int mpii_direct_pull(const struct mpii_node *n, int member, struct node_spot spot, MPI_Count from, void *here, MPI_Count b, MPI_Count all)
{
    int pe = n->comm->procs[member];

    if (b <= 0)
        return MPI_SUCCESS;
    if (spot.kind == NODE_SPOT_PRIVATE)
        return core_reach_read(pe, here, spot.at + (uint64_t)from, (size_t)b) ? MPI_SUCCESS : unreachable(n, member);
    core_copy_part(here, (char *)core_place_at(pe, spot.at) + from, (size_t)b, (size_t)all);
    return MPI_SUCCESS;
}

int mpii_direct_push(const struct mpii_node *n, int member, struct node_spot spot, MPI_Count from, const void *here, MPI_Count b)
{
    struct iovec there = {(void *)(uintptr_t)(spot.at + (uint64_t)from), (size_t)b};
    int pe = n->comm->procs[member];

    if (b <= 0)
        return MPI_SUCCESS;
    if (spot.kind == NODE_SPOT_PRIVATE)
        return core_reach_writev(pe, &there, 1, here) ? MPI_SUCCESS : unreachable(n, member);
    core_copy((char *)core_place_at(pe, spot.at) + from, here, (size_t)b);
    return MPI_SUCCESS;
}

/* ---- one root ---- */

/* What is first moved by each of the others at its own cost; the root, which would only wait, moves the rest for all of them. */
static MPI_Count cut_of(const struct mpii_node *n, MPI_Count total)
{
    return n->few_cores ? total : total / n->size * (n->size - 1) & ~(MPI_Count)4095;
}

static void note(int *err, int new)
{
    if (MPT_UNLIKELY(new != MPI_SUCCESS))
        *err = new;
}

/* p: the root's parts, one after the other (bcast: the same for all), or what another has. total: bytes of a part. */
struct rooted {
    struct mpii_part p;
    MPI_Count total;
    bool parts, inward;
};

static int move_one(const struct mpii_node *n, const struct mpii_coll_call *c, const struct rooted *x, uint64_t e, int with)
{
    bool root = n->rank == c->root;
    MPI_Count cut = cut_of(n, x->total), at = x->parts ? x->total * (root ? with : n->rank) : 0;
    MPI_Count there = root ? cut : at, b = root ? x->total - cut : cut;
    char *here = (char *)x->p.at + (root ? at + cut : 0);

    if (x->inward == root)
        return mpii_direct_pull(n, with, mpii_direct_spots(n, with, e)->in, there, here, b, b);
    return mpii_direct_push(n, with, mpii_direct_spots(n, with, e)->in, there, here, b);
}

static bool move_rooted(struct mpii_node *n, const struct mpii_coll_call *c, const struct rooted *x, int *err)
{
    uint64_t e;

    if (!mpii_direct_begin(n, c, &x->p, NULL, x->total, &e))
        return false;
    *err = MPI_SUCCESS;
    if (n->rank != c->root)
        note(err, move_one(n, c, x, e, c->root));
    for (int i = 0; n->rank == c->root && i < n->size; i++)
        if (i != n->rank)
            note(err, move_one(n, c, x, e, i));
    mpii_direct_end(n, c);
    return true;
}

bool mpii_direct_bcast(struct mpii_node *n, const struct mpii_coll_call *c, int *err)
{
    struct mpii_part p = mpii_coll_whole(&c->recv);

    if (n->rank == c->root)
        mpii_node_post(n, mpii_node_enter(n, 0, c->call), NODE_DIRECT, MPII_NODE_OTHERS);
    return move_rooted(n, c, &(struct rooted){p, mpii_part_size(p), false, false}, err);
}

/* The whole of a side's parts, which lie one after the other. */
static struct mpii_part all_parts(const struct mpii_node *n, const struct mpii_side *side)
{
    return (struct mpii_part){side->buf, side->count * n->size, side->type};
}

bool mpii_direct_gather(struct mpii_node *n, const struct mpii_coll_call *c, int *err)
{
    bool root = n->rank == c->root;
    struct mpii_part p = root ? all_parts(n, &c->recv) : mpii_coll_whole(&c->send);

    if (!move_rooted(n, c, &(struct rooted){p, mpii_part_size(p) / (root ? n->size : 1), true, true}, err))
        return false;
    if (root && !c->in_place)
        note(err, mpii_node_keep(mpii_coll_part(c, &c->recv, n->rank), mpii_coll_whole(&c->send)) ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    return true;
}

bool mpii_direct_scatter(struct mpii_node *n, const struct mpii_coll_call *c, int *err)
{
    bool root = n->rank == c->root;
    struct mpii_part p = root ? all_parts(n, &c->send) : mpii_coll_whole(&c->recv);

    if (!move_rooted(n, c, &(struct rooted){p, mpii_part_size(p) / (root ? n->size : 1), true, false}, err))
        return false;
    if (root && !c->in_place)
        note(err, mpii_node_keep(mpii_coll_whole(&c->recv), mpii_coll_part(c, &c->send, n->rank)) ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    return true;
}

/* ---- all from all ---- */

enum { STRETCH = 262144 };

/* A rank takes `total` bytes from each, from byte `from` of what each gives; k counts ranks from the own one on. */
struct takes {
    struct mpii_part given;
    MPI_Count from, total;
};

static int take(const struct mpii_node *n, const struct mpii_coll_call *c, const struct takes *x, uint64_t e, int k, MPI_Count at)
{
    int i = (n->rank + k) % n->size;
    struct node_spot spot = mpii_direct_spots(n, i, e)->in;
    char *to = (char *)mpii_coll_part(c, &c->recv, i).at + at, *own = (char *)x->given.at + x->from + at;
    MPI_Count b = x->total - at < STRETCH ? x->total - at : STRETCH;

    if (k > 0)
        return mpii_direct_pull(n, i, spot, x->from + at, to, b, x->total * n->size);
    if (own != to)
        core_copy_part(to, own, (size_t)b, (size_t)(spot.kind == NODE_SPOT_SHARED ? x->total * n->size : b));
    return MPI_SUCCESS;
}

/* Every other call begins where the last one ended: that is still in the cache. */
static bool take_all(struct mpii_node *n, const struct mpii_coll_call *c, const struct takes *x, int *err)
{
    MPI_Count pieces = (x->total + STRETCH - 1) / STRETCH, all = pieces * n->size;
    bool fits = x->total == c->recv.count * c->recv.type->size && c->recv.type->dense && x->given.type->dense; /* else the slots serve */
    uint64_t e;

    if (!mpii_direct_begin(n, c, fits ? &x->given : NULL, NULL, fits ? x->total : 0, &e) || !fits)
        return false;
    *err = MPI_SUCCESS;
    for (MPI_Count j = 0; j < all; j++) {
        MPI_Count i = n->backwards ? all - 1 - j : j;

        note(err, take(n, c, x, e, (int)(i / pieces), i % pieces * STRETCH));
    }
    n->backwards = !n->backwards;
    mpii_direct_end(n, c);
    return true;
}

bool mpii_direct_allgather(struct mpii_node *n, const struct mpii_coll_call *c, int *err)
{
    struct mpii_part own = c->in_place ? mpii_coll_part(c, &c->recv, n->rank) : mpii_coll_whole(&c->send);

    return take_all(n, c, &(struct takes){own, 0, mpii_part_size(own)}, err);
}

/* In place a part would be overwritten before its reader has come. */
bool mpii_direct_alltoall(struct mpii_node *n, const struct mpii_coll_call *c, int *err)
{
    struct mpii_part given = all_parts(n, c->in_place ? &c->recv : &c->send);
    MPI_Count total = mpii_part_size(given) / n->size;

    return take_all(n, c, &(struct takes){given, n->rank * total, c->in_place ? -1 : total}, err);
}
