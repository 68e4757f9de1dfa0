/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Long data on one node without a copy in between: members post where their
 * buffers are, and read and write each other's, by loads and stores where they
 * are shared, else by system calls. Who would only wait takes a part of the work.
 * Where something cannot be reached the slots or messages serve.
 */
#include <sys/uio.h>

#include "coll/block.h"
#include "core/base/clock.h"

/* ---- reaching ---- */

static uint64_t *word_of(const struct coll_block *n, int member, uint64_t e)
{
    return (uint64_t *)(void *)n->shared->member[member].post[e % COLL_BLOCK_POSTS].data;
}

/* All post a word. */
static uint64_t exchange(struct coll_block *n, uint64_t word, const char *where)
{
    uint64_t e = coll_block_enter(n, 0, where);

    *word_of(n, n->rank, e) = word;
    coll_block_post(n, e, 0, COLL_BLOCK_ALL);
    coll_block_wait_all(n, e, where);
    return e;
}

/* Found out once: only if all may read all is private memory read. */
static bool cma_among_all(struct coll_block *n, const char *where)
{
    bool ok = true;
    uint64_t e;

    if (MPT_LIKELY(n->cma >= 0))
        return n->cma;
    e = exchange(n, core_cma_key(), where);
    for (int i = 0; i < n->size; i++)
        ok = ok && (i == n->rank || core_cma_may(n->pes[i], *word_of(n, i, e)));
    e = exchange(n, ok, where);
    for (int i = 0; i < n->size; i++)
        ok = ok && *word_of(n, i, e);
    n->cma = ok;
    return ok;
}

static struct coll_spot spot_of(const struct coll_block *n, const struct coll_part *p, bool *all)
{
    struct coll_spot s = {COLL_SPOT_NONE, 0};

    if (!p)
        return s;
    if (p->layout->dense && core_slice_offset(p->at, (size_t)coll_part_size(*p), &s.at))
        s.kind = COLL_SPOT_SHARED;
    else if (p->layout->dense && n->cma)
        s = (struct coll_spot){COLL_SPOT_PRIVATE, (uintptr_t)p->at};
    *all = *all && s.kind != COLL_SPOT_NONE;
    return s;
}

bool coll_direct_begin(struct coll_block *n, const struct coll_block_call *c, const struct coll_part *in,
                       const struct coll_part *out, int64_t total, uint64_t *e)
{
    struct coll_spots mine;
    bool ok = true;

    cma_among_all(n, c->where);
    mine = (struct coll_spots){spot_of(n, in, &ok), spot_of(n, out, &ok)};
    *e = coll_block_enter(n, 0, c->where);
    *(struct coll_spots *)(void *)word_of(n, n->rank, *e) = mine;
    total |= COLL_BLOCK_SPOTS;
    coll_block_post(n, *e, ok ? total : COLL_BLOCK_SPOTS,
                    COLL_BLOCK_ALL); /* no total: no member's data is that short here */
    coll_block_wait_all(n, *e, c->where);
    for (int i = 0; i < n->size; i++)
        ok = ok && coll_block_total(n, i, *e) == total;
    return ok && !n->broken;
}

/* Has everybody who lives done with the others' buffers? Who has left the block moves nothing. */
static bool all_out(const struct coll_block *n, uint64_t e)
{
    for (int i = 0; i < n->size; i++) {
        const struct coll_member *m = &n->shared->member[i];

        if (__atomic_load_n(&m->post[e % COLL_BLOCK_POSTS].epoch, __ATOMIC_ACQUIRE) != e &&
            __atomic_load_n(&m->at, __ATOMIC_ACQUIRE) != COLL_BLOCK_LEFT && !n->face->is_dead(n->pes[i]))
            return false;
    }
    return true;
}

/* A buffer that others may be reading or writing is not given back, whoever has died. */
static void end_among_survivors(struct coll_block *n, uint64_t e, const char *where)
{
    struct core_waiter w;

    core_wait_begin(&w, where);
    while (!all_out(n, e))
        n->face->pause(&w);
    core_wait_end(&w);
    for (int i = 0; i < n->size; i++)
        /* model: block.wait */
        if (__atomic_load_n(&n->shared->member[i].post[e % COLL_BLOCK_POSTS].epoch, __ATOMIC_ACQUIRE) != e) {
            coll_block_break(n);
            return;
        }
}

/* What went wrong for a member, in its last post. */
enum { ALL_WELL, READ_THE_DEAD, READ_NOTHING };

static void note(int *err, int new)
{
    if (MPT_UNLIKELY(new != 0))
        *err = new;
}

/* A member that could not read another's data has nothing to give to the others, who wait for it all the same. */
void coll_direct_end(struct coll_block *n, const struct coll_block_call *c, int *err)
{
    uint64_t e = coll_block_enter(n, 0, c->where);

    coll_block_post(n, e,
                    MPT_LIKELY(*err == 0) ? ALL_WELL
                    : *err == COLL_DEAD   ? READ_THE_DEAD
                                          : READ_NOTHING,
                    COLL_BLOCK_ALL);
    if (MPT_UNLIKELY(*n->face->may_die))
        end_among_survivors(n, e, c->where);
    else
        coll_block_wait_all(n, e, c->where);
    for (int i = 0; MPT_LIKELY(*err == 0 && !n->broken) && i < n->size; i++) {
        int64_t said = coll_block_total(n, i, e);

        note(err, said == ALL_WELL ? 0 : said == READ_THE_DEAD ? COLL_DEAD : COLL_UNREACHED);
    }
}

/* Its memory is gone before anybody is told of its death. */
static int unreachable(const struct coll_block *n, int member)
{
    enum { SECONDS = 5 };
    struct core_waiter w;
    uint64_t begin = core_clock_ns();

    if (!*n->face->may_die)
        return COLL_UNREACHED;
    core_wait_begin(&w, "a collective: a member's memory cannot be reached");
    do {
        n->face->pause(&w);
    } while (!n->face->is_dead(n->pes[member]) && core_clock_ns() - begin < SECONDS * (uint64_t)CORE_CLOCK_S);
    core_wait_end(&w);
    return n->face->is_dead(n->pes[member]) ? COLL_DEAD : COLL_UNREACHED;
}

int coll_direct_pull(const struct coll_block *n, int member, struct coll_spot spot, int64_t from, void *here, int64_t b,
                     int64_t all)
{
    int pe = n->pes[member];

    if (b <= 0)
        return 0;
    if (spot.kind == COLL_SPOT_PRIVATE)
        return core_cma_read(pe, here, spot.at + (uint64_t)from, (size_t)b) ? 0 : unreachable(n, member);
    core_copy_part(here, (char *)core_slice_at(pe, spot.at) + from, (size_t)b, (size_t)all);
    return 0;
}

int coll_direct_push(const struct coll_block *n, int member, struct coll_spot spot, int64_t from, const void *here,
                     int64_t b)
{
    struct iovec there = {(void *)(uintptr_t)(spot.at + (uint64_t)from), (size_t)b};
    int pe = n->pes[member];

    if (b <= 0)
        return 0;
    if (spot.kind == COLL_SPOT_PRIVATE)
        return core_cma_writev(pe, &there, 1, here) ? 0 : unreachable(n, member);
    core_copy((char *)core_slice_at(pe, spot.at) + from, here, (size_t)b);
    return 0;
}

/* ---- one root ---- */

/* What is first moved by each of the others at its own cost; the root, which would only wait, moves the rest for all of
 * them. */
static int64_t cut_of(const struct coll_block *n, int64_t total)
{
    return n->oversubscribed ? total : total / n->size * (n->size - 1) & ~(int64_t)4095;
}

/* p: the root's parts, one after the other (bcast: the same for all), or what another has. total: bytes of a part. */
struct rooted {
    struct coll_part p;
    int64_t total;
    bool parts, inward;
};

static int move_one(const struct coll_block *n, const struct coll_block_call *c, const struct rooted *x, uint64_t e,
                    int with)
{
    bool root = n->rank == c->root;
    int64_t cut = cut_of(n, x->total), at = x->parts ? x->total * (root ? with : n->rank) : 0;
    int64_t there = root ? cut : at, b = root ? x->total - cut : cut;
    char *here = (char *)x->p.at + (root ? at + cut : 0);

    if (x->inward == root)
        return coll_direct_pull(n, with, coll_direct_spots(n, with, e)->in, there, here, b, b);
    return coll_direct_push(n, with, coll_direct_spots(n, with, e)->in, there, here, b);
}

static bool move_rooted(struct coll_block *n, const struct coll_block_call *c, const struct rooted *x, int *err)
{
    uint64_t e;

    if (!coll_direct_begin(n, c, &x->p, NULL, x->total, &e))
        return false;
    *err = 0;
    if (n->rank != c->root)
        note(err, move_one(n, c, x, e, c->root));
    for (int i = 0; n->rank == c->root && i < n->size; i++)
        if (i != n->rank)
            note(err, move_one(n, c, x, e, i));
    coll_direct_end(n, c, err);
    return true;
}

bool coll_direct_bcast(struct coll_block *n, const struct coll_block_call *c, int *err)
{
    struct coll_part p = coll_whole(&c->recv);

    if (n->rank == c->root)
        coll_block_post(n, coll_block_enter(n, 0, c->where), COLL_BLOCK_DIRECT, COLL_BLOCK_OTHERS);
    return move_rooted(n, c, &(struct rooted){p, coll_part_size(p), false, false}, err);
}

/* The whole of a side's parts, which lie one after the other. */
static struct coll_part all_parts(const struct coll_block *n, const struct coll_side *side)
{
    return (struct coll_part){side->buf, side->count * n->size, side->layout};
}

bool coll_direct_gather(struct coll_block *n, const struct coll_block_call *c, int *err)
{
    bool root = n->rank == c->root;
    struct coll_part p = root ? all_parts(n, &c->recv) : coll_whole(&c->send);

    if (!move_rooted(n, c, &(struct rooted){p, coll_part_size(p) / (root ? n->size : 1), true, true}, err))
        return false;
    if (root && !c->in_place)
        note(err,
             coll_block_keep(n, coll_block_part(n, c, &c->recv, n->rank), coll_whole(&c->send)) ? COLL_TRUNCATED : 0);
    return true;
}

bool coll_direct_scatter(struct coll_block *n, const struct coll_block_call *c, int *err)
{
    bool root = n->rank == c->root;
    struct coll_part p = root ? all_parts(n, &c->send) : coll_whole(&c->recv);

    if (!move_rooted(n, c, &(struct rooted){p, coll_part_size(p) / (root ? n->size : 1), true, false}, err))
        return false;
    if (root && !c->in_place)
        note(err,
             coll_block_keep(n, coll_whole(&c->recv), coll_block_part(n, c, &c->send, n->rank)) ? COLL_TRUNCATED : 0);
    return true;
}

/* ---- all from all ---- */

enum { STRETCH = 262144 };

/* A rank takes `total` bytes from each, from byte `from` of what each gives; k counts ranks from the own one on. */
struct takes {
    struct coll_part given;
    int64_t from, total;
};

static int take(const struct coll_block *n, const struct coll_block_call *c, const struct takes *x, uint64_t e, int k,
                int64_t at)
{
    int i = (n->rank + k) % n->size;
    struct coll_spot spot = coll_direct_spots(n, i, e)->in;
    char *to = (char *)coll_block_part(n, c, &c->recv, i).at + at, *own = (char *)x->given.at + x->from + at;
    int64_t b = x->total - at < STRETCH ? x->total - at : STRETCH;

    if (k > 0)
        return coll_direct_pull(n, i, spot, x->from + at, to, b, x->total * n->size);
    if (own != to)
        core_copy_part(to, own, (size_t)b, (size_t)(spot.kind == COLL_SPOT_SHARED ? x->total * n->size : b));
    return 0;
}

/* Every other call begins where the last one ended: that is still in the cache. */
static bool take_all(struct coll_block *n, const struct coll_block_call *c, const struct takes *x, int *err)
{
    int64_t pieces = (x->total + STRETCH - 1) / STRETCH, all = pieces * n->size;
    bool fits = x->total == c->recv.count * c->recv.layout->size && c->recv.layout->dense &&
                x->given.layout->dense; /* else the slots serve */
    uint64_t e;

    if (!coll_direct_begin(n, c, fits ? &x->given : NULL, NULL, fits ? x->total : 0, &e) || !fits)
        return false;
    *err = 0;
    for (int64_t j = 0; j < all; j++) {
        int64_t i = n->backwards ? all - 1 - j : j;

        note(err, take(n, c, x, e, (int)(i / pieces), i % pieces * STRETCH));
    }
    n->backwards = !n->backwards;
    coll_direct_end(n, c, err);
    return true;
}

bool coll_direct_allgather(struct coll_block *n, const struct coll_block_call *c, int *err)
{
    struct coll_part own = c->in_place ? coll_block_part(n, c, &c->recv, n->rank) : coll_whole(&c->send);

    return take_all(n, c, &(struct takes){own, 0, coll_part_size(own)}, err);
}

/* In place a part would be overwritten before its reader has come. */
bool coll_direct_alltoall(struct coll_block *n, const struct coll_block_call *c, int *err)
{
    struct coll_part given = all_parts(n, c->in_place ? &c->recv : &c->send);
    int64_t total = coll_part_size(given) / n->size;

    return take_all(n, c, &(struct takes){given, n->rank * total, c->in_place ? -1 : total}, err);
}
