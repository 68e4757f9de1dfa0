/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective calls that do not belong together, on one node. Most meet: what is
 * posted says of which kind of call it is. Where a rank waits for what the others
 * never post, it looks, once it has waited long, at what they did post, whether
 * they have gone on, and what those who wait long, too, say of themselves:
 *
 *     doing   epochs and meetings 32 | kind of call 16 | root 16    where it is
 *     order   collectives 32 | tags of messages 32    so many it has begun, and taken
 *
 * Members of right programs begin the same in the same order, so of two orders, of
 * any two moments, one is ahead of the other in both numbers, or equal.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "mpi/collective/coll_node.h"
#include "mpi/ft/ft.h"

enum { LOOK_MS = 100 };

#define STRANGER                                                                                    \
    "a collective call that does not belong to this one, on the same communicator, window or file " \
    "(MPT_CHECK=1 compares calls, roots and data)"

static const char *prefix(const char **where)
{
    if (strncmp(*where, "mpii_", 5) != 0)
        return "";
    *where += 5;
    return "MPI_";
}

static void __attribute__((noreturn, cold, format(printf, 1, 2))) end_strange(const char *fmt, ...)
{
    char text[400];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (!core_params.check)
        core_fatal("%s", text);
    core_finding_of_call(CORE_FINDING_COLLECTIVE, "MPI-5.0, 6.14", "%s", text);
    core_job_abort(CORE_FINDING_STATUS);
}

/* What is posted must not be taken for something else: the job ends, for the members would never agree again. */
void mpii_node_strange(int member, int what, const char *where)
{
    static const char *const names[COLL_KINDS] = {[COLL_BARRIER] = "MPI_Barrier",
                                                  [COLL_BROADCAST] = "MPI_Bcast",
                                                  [COLL_GATHER] = "MPI_Gather",
                                                  [COLL_SCATTER] = "MPI_Scatter",
                                                  [COLL_ALLGATHER] = "MPI_Allgather",
                                                  [COLL_ALLTOALL] = "MPI_Alltoall",
                                                  [COLL_REDUCE] = "MPI_Reduce",
                                                  [COLL_ALLREDUCE] = "MPI_Allreduce",
                                                  [COLL_REDUCE_SCATTER] = "MPI_Reduce_scatter",
                                                  [COLL_INSCAN] = "MPI_Scan",
                                                  [COLL_EXSCAN] = "MPI_Exscan"};
    bool own = what >= MPII_WHAT_OWN && what < MPII_WHAT_READ, users = what > 0 && what < MPII_WHAT_OWN;
    const char *i = users && what & MPII_WHAT_NONBLOCKING ? "a nonblocking " : "";
    int kind = ((what & ~MPII_WHAT_NONBLOCKING) - 1) / 2;
    bool known = users && kind < COLL_KINDS && names[kind];
    const char *pre = prefix(&where);

    end_strange("%s%s: rank %d is in %s%s%s%s, " STRANGER, pre, where, member, i,
                known ? names[kind]
                : own ? "MPI_Comm_dup or another call that makes something"
                      : "another call",
                known && !(what & 1) ? " with counts" : "", known ? " or the like" : "");
}

void mpii_node_strangers(const struct coll_block *n, uint64_t e)
{
    const char *where = n->call->where, *pre;

    for (int i = 0; i < n->size; i++) {
        const struct coll_post *p = &n->shared->member[i].post[e % COLL_BLOCK_POSTS];

        if (__atomic_load_n(&p->epoch, __ATOMIC_ACQUIRE) == e && p->said >> 56 != n->what)
            mpii_node_strange(i, (int)(p->said >> 56), where);
    }
    pre = prefix(&where);
    end_strange("%s%s: another rank is in " STRANGER, pre, where);
}

void mpii_coll_other_amount(int member, const char *where)
{
    const char *pre = prefix(&where);

    core_fatal("%s%s: rank %d, or who sent it its data, has another amount of data in this call than this rank "
               "(MPT_CHECK=1 compares calls, roots and data)",
               pre, where, member);
}

/* ---- after a long wait ---- */

bool mpii_coll_look_due(uint64_t *next)
{
    uint64_t now = core_clock_ms();

    if (now < *next)
        return false;
    *next = now + LOOK_MS;
    return true;
}

/* Where a communicator is crowded members may count themselves in instead of posting. */
static bool released(const struct coll_block *n)
{
    return __atomic_load_n(&n->shared->meet[n->epoch % COLL_BLOCK_POSTS].released, __ATOMIC_ACQUIRE) == n->epoch;
}

/* What it posted, or that it has begun the next epoch without a post: all posts of an epoch come before that. */
static void look_at_posts(const struct coll_block *n, int i, bool awaited, const char *where)
{
    const struct coll_member *m = &n->shared->member[i];
    const struct coll_post *p = &m->post[n->epoch % COLL_BLOCK_POSTS];
    uint64_t at = __atomic_load_n(&m->at, __ATOMIC_ACQUIRE);
    bool posted = __atomic_load_n(&p->epoch, __ATOMIC_ACQUIRE) == n->epoch;
    const char *pre;

    if (posted && p->said >> 56 != n->what)
        mpii_node_strange(i, (int)(p->said >> 56), where);
    if (posted || !awaited || at <= n->epoch || released(n))
        return;
    pre = prefix(&where);
    end_strange("%s%s: rank %d has gone on without its part in this: it was in another kind of call or named another "
                "root, " STRANGER,
                pre, where, i);
}

static void look_at_doing(const struct coll_block *n, int i, uint64_t own, const char *where)
{
    uint64_t other = __atomic_load_n(&n->shared->member[i].doing, __ATOMIC_RELAXED);
    const char *pre;

    if (other >> 32 != own >> 32 || other == own)
        return;
    if ((other ^ own) >> 16 != 0)
        mpii_node_strange(i, (int)(other >> 16 & 0xffff), where);
    pre = prefix(&where);
    end_strange("%s%s: root is %d here but %d on rank %d, " STRANGER, pre, where, (int)(own & 0xffff),
                (int)(other & 0xffff), i);
}

/* What a member leaves stays there: the number of its epoch tells others whether it is still in that. Meetings have no
 * epoch and count, too. */
static uint64_t doing(uint64_t epoch, const struct mpii_comm *c, unsigned what, int root)
{
    return (epoch + c->meetings) << 32 | (uint64_t)what << 16 | (uint16_t)root;
}

void mpii_node_look(struct coll_block *n, int member, const char *where)
{
    uint64_t own = doing(n->epoch, mpii_coll_call_of(n->call)->comm, n->what, n->call->root);

    if (mpii_state.ft.on || n->broken || !mpii_coll_look_due(&n->look_at))
        return;
    __atomic_store_n(&n->shared->member[n->rank].doing, own, __ATOMIC_RELAXED);
    for (int i = 0; i < n->size; i++) {
        if (i == n->rank)
            continue;
        look_at_posts(n, i, member == i || member == COLL_BLOCK_ALL, where);
        look_at_doing(n, i, own, where);
    }
}

void mpii_node_look_met(struct coll_block *n, const struct mpii_coll_call *c)
{
    uint64_t own = doing(n->epoch, c->comm, mpii_coll_what(c), 0);

    if (!n->shared || n->broken || !mpii_coll_look_due(&n->look_at))
        return;
    __atomic_store_n(&n->shared->member[n->rank].doing, own, __ATOMIC_RELAXED);
    for (int i = 0; i < n->size; i++)
        if (i != n->rank)
            look_at_doing(n, i, own, c->data.where);
}

static int compare(uint64_t a, uint64_t b)
{
    int32_t ahead = (int32_t)((uint32_t)a - (uint32_t)b);

    return (ahead > 0) - (ahead < 0);
}

static void look_at_orders(const struct mpii_comm *c, const struct coll_block *n, const char *where)
{
    uint64_t own = (uint64_t)c->coll_calls << 32 | c->coll_count;
    const char *pre;

    __atomic_store_n(&n->shared->member[n->rank].order, own, __ATOMIC_RELAXED);
    for (int i = 0; i < n->size; i++) {
        uint64_t other = __atomic_load_n(&n->shared->member[i].order, __ATOMIC_RELAXED);

        if (other == 0 || compare(own >> 32, other >> 32) * compare(own, other) >= 0)
            continue;
        pre = prefix(&where);
        end_strange(
            "%s%s: rank %d has begun collectives in another order (blocking ones beside nonblocking, persistent "
            "or long ones): "
            "one is " STRANGER,
            pre, where, i);
    }
}

/* Not of windows and files, where calls of different names may meet. */
void mpii_coll_look(const char *where)
{
    static uint64_t next;
    const struct mpii_pool *pool = &mpii_state.rt.pools[MPII_COMM];

    if (mpii_state.ft.on || !mpii_coll_look_due(&next))
        return;
    for (size_t at = 0; at < pool->used; at += pool->slot) {
        const struct mpii_comm *c = (const void *)(pool->base + at);
        struct coll_block *n = c->anchor.object.kind == MPII_COMM ? c->coll : NULL;

        if (!n || !n->shared || n->broken || c->within)
            continue;
        look_at_orders(c, n, where);
        if (c->later)
            mpii_node_look(n, COLL_BLOCK_NONE, n->call->where);
    }
}
