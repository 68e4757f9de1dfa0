/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Schedules for communicators whose members share several nodes: those of a node
 * meet at its leader, only leaders talk over the network, and each tells its own.
 * A message between nodes costs the processor ten times one within a node, and the
 * members of a node pay for it with the same cores.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/coll.h"

enum { FEW = 4, LONG = 64 << 10 };

/* Ranks of a communicator, of which this process is number `me`. */
struct ranks {
    const int *at;
    int n, me;
};

struct mpii_nodes {
    bool together;     /* several nodes, and some member has company: else the rest is not there */
    bool consecutive;  /* the ranks of each node are */
    int leaders_n, here_n, mine; /* mine: number of this node among the leaders, -1 when this is no leader */
    int own;           /* number of this process in here[] */
    int *number;       /* of each rank's node */
    int *leaders;      /* the lowest rank of each node, in rising order */
    int *here;         /* the members on this node, the same way */
};

static struct mpii_nodes nowhere;

/* The numbers of the members' nodes, in the order in which they come. first: by process, -1. */
static void number_nodes(struct mpii_nodes *n, const struct mpii_comm *c, int *first)
{
    n->consecutive = true;
    for (int i = 0; i < c->size; i++) {
        int *known = &first[core_node_of(c->procs[i])];

        if (*known < 0) {
            n->leaders[n->leaders_n] = i;
            *known = n->leaders_n++;
        } else if (n->number[i - 1] != *known) {
            n->consecutive = false;
        }
        n->number[i] = *known;
    }
}

static struct mpii_nodes *find_nodes(const struct mpii_comm *c)
{
    size_t bytes = (size_t)(3 * c->size + core_size()) * sizeof(int);
    struct mpii_nodes *n = calloc(1, sizeof *n + bytes);
    int *first;

    if (!n)
        core_fatal("out of memory for the nodes of a communicator of %d processes", c->size);
    n->number = (int *)(n + 1);
    n->leaders = n->number + c->size;
    n->here = n->leaders + c->size;
    first = n->here + c->size;
    memset(first, -1, (size_t)core_size() * sizeof *first);
    number_nodes(n, c, first);
    n->mine = n->leaders[n->number[c->rank]] == c->rank ? n->number[c->rank] : -1;
    for (int i = 0; i < c->size; i++)
        if (n->number[i] == n->number[c->rank]) {
            n->own = i == c->rank ? n->here_n : n->own;
            n->here[n->here_n++] = i;
        }
    n->together = n->leaders_n > 1 && n->leaders_n < c->size;
    return n;
}

/* All members find the same: processes of other jobs are for all of them of another job. */
static bool of_one_job(const struct mpii_comm *c)
{
    for (int i = 0; i < c->size; i++)
        if (c->procs[i] >= core_size())
            return false;
    return !c->inter;
}

static const struct mpii_nodes *nodes_of(struct mpii_comm *c)
{
    if (!c->nodes)
        c->nodes = core_net_on && of_one_job(c) ? find_nodes(c) : &nowhere;
    return c->nodes;
}

void mpii_nodes_forget(struct mpii_comm *c)
{
    if (c->nodes != &nowhere)
        free(c->nodes);
    c->nodes = NULL;
}

/* Long data crosses from node to node log2 of their number times, round a ring of all ranks about twice. */
bool mpii_coll_over_nodes(const struct mpii_coll_call *c)
{
    const struct mpii_nodes *n = nodes_of(c->comm);

    return n->together && (n->consecutive || !c->op || c->op->commutes) && (n->leaders_n <= FEW || mpii_coll_even_bytes(c) < LONG);
}

/* ---- pieces: binomial trees rooted at the first of the list, and dissemination ---- */

static struct ranks those_here(const struct mpii_nodes *n)
{
    return (struct ranks){n->here, n->here_n, n->own};
}

/* Until all below this one have come, if any; then this one says so. */
static void come(struct mpii_sched *s, struct ranks r)
{
    struct mpii_part nothing = mpii_part_bytes(NULL, 0);
    int apart = 1;

    for (; apart < r.n && !(r.me & apart); apart *= 2)
        if (r.me + apart < r.n)
            mpii_sched_recv(s, nothing, r.at[r.me + apart]);
    mpii_sched_wait_all(s);
    if (r.me != 0)
        mpii_sched_send(s, nothing, r.at[r.me - apart]);
}

/* From number `root` to all. */
static void spread(struct mpii_sched *s, struct ranks r, struct mpii_part p, int root)
{
    int place = (r.me - root + r.n) % r.n, apart = 1;

    for (; apart < r.n && !(place & apart); apart *= 2)
        ;
    if (place != 0) {
        mpii_sched_recv(s, p, r.at[(r.me - apart + r.n) % r.n]);
        mpii_sched_wait_all(s);
    }
    for (apart /= 2; apart > 0; apart /= 2)
        if (place + apart < r.n)
            mpii_sched_send(s, p, r.at[(r.me + apart) % r.n]);
}

static void disseminate(struct mpii_sched *s, struct ranks r)
{
    struct mpii_part nothing = mpii_part_bytes(NULL, 0);

    for (int apart = 1; apart < r.n; apart *= 2) {
        mpii_sched_recv(s, nothing, r.at[(r.me - apart + r.n) % r.n]);
        mpii_sched_send(s, nothing, r.at[(r.me + apart) % r.n]);
        mpii_sched_wait_all(s);
    }
}

/* ---- builders ---- */

void mpii_build_barrier_nodes(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    const struct mpii_nodes *n = nodes_of(c->comm);

    come(s, those_here(n));
    if (n->mine >= 0)
        disseminate(s, (struct ranks){n->leaders, n->leaders_n, n->mine});
    spread(s, those_here(n), mpii_part_bytes(NULL, 0), 0);
}

/* The root stands for its node. */
static void spread_over_nodes(struct mpii_sched *s, const struct mpii_coll_call *c, const struct mpii_nodes *n, struct mpii_part p)
{
    int from = n->number[c->root], nodes = n->leaders_n, place = (n->number[c->comm->rank] - from + nodes) % nodes, apart = 1;

    for (; apart < nodes && !(place & apart); apart *= 2)
        ;
    if (place != 0) {
        int other = (place - apart + from) % nodes;

        mpii_sched_recv(s, p, other == from ? c->root : n->leaders[other]);
        mpii_sched_wait_all(s);
    }
    for (apart /= 2; apart > 0; apart /= 2)
        if (place + apart < nodes)
            mpii_sched_send(s, p, n->leaders[(place + apart + from) % nodes]);
}

void mpii_build_bcast_nodes(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    const struct mpii_nodes *n = nodes_of(c->comm);
    struct mpii_part p = mpii_coll_whole(&c->recv);
    bool at_home = n->number[c->root] == n->number[c->comm->rank];
    int root = 0;

    if (at_home)
        while (n->here[root] != c->root)
            root++;
    if (n->own == root)
        spread_over_nodes(s, c, n, p);
    spread(s, those_here(n), p, root);
}

void mpii_build_allreduce_nodes(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    const struct mpii_nodes *n = nodes_of(c->comm);
    struct mpii_part result = mpii_coll_whole(&c->recv);

    mpii_build_reduce_among(s, n->here, n->here_n, n->own, c->op, mpii_coll_own(c), result);
    mpii_sched_wait_all(s);
    if (n->mine >= 0)
        mpii_build_doubling_among(s, n->leaders, n->leaders_n, n->mine, c->op, result);
    spread(s, those_here(n), result, 0);
}
