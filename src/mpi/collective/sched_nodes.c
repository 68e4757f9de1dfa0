/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Schedules for communicators whose members share several nodes: those of a node
 * meet at its leader, only leaders talk over the network, and each tells its own.
 * A message between nodes costs the processor ten times one within a node, and the
 * members of a node pay for it with the same cores.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/collective/sched_nodes.h"

enum {
    FEW = 4,
    LONG = 64 << 10,
    PIECE = 128 << 10, /* of a broadcast: those of a node get one while the next crosses */
    PIECES = 16        /* ... at most */
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

const struct mpii_nodes *mpii_nodes_of(struct mpii_comm *c)
{
    if (!c->nodes)
        c->nodes = core_has_network() && of_one_job(c) ? find_nodes(c) : &nowhere;
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
    const struct mpii_nodes *n = mpii_nodes_of(c->comm);

    return n->together && (n->consecutive || !c->op || c->op->commutes) &&
           (n->leaders_n <= FEW || mpii_coll_even_bytes(c) < LONG);
}

/* ---- pieces: binomial trees rooted at the first of the list, and dissemination ---- */

/* Until all below this one have come, if any; then this one says so. */
static void come(struct mpii_sched *s, struct mpii_ranks r)
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
void mpii_nodes_spread(struct mpii_sched *s, struct mpii_ranks r, struct mpii_part p, int root)
{
    int relative = (r.me - root + r.n) % r.n, apart = 1;

    for (; apart < r.n && !(relative & apart); apart *= 2)
        ;
    if (relative != 0) {
        mpii_sched_recv(s, p, r.at[(r.me - apart + r.n) % r.n]);
        mpii_sched_wait_all(s);
    }
    for (apart /= 2; apart > 0; apart /= 2)
        if (relative + apart < r.n)
            mpii_sched_send(s, p, r.at[(r.me + apart) % r.n]);
}

static void disseminate(struct mpii_sched *s, struct mpii_ranks r)
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
    const struct mpii_nodes *n = mpii_nodes_of(c->comm);

    come(s, mpii_nodes_here(n));
    if (n->mine >= 0)
        disseminate(s, (struct mpii_ranks){n->leaders, n->leaders_n, n->mine});
    mpii_nodes_spread(s, mpii_nodes_here(n), mpii_part_bytes(NULL, 0), 0);
}

/* The root stands for its node. */
static void spread_over_nodes(struct mpii_sched *s, const struct mpii_coll_call *c, const struct mpii_nodes *n,
                              struct mpii_part p)
{
    int from = n->number[c->data.root], nodes = n->leaders_n,
        relative = (n->number[c->comm->rank] - from + nodes) % nodes, apart = 1;

    for (; apart < nodes && !(relative & apart); apart *= 2)
        ;
    if (relative != 0) {
        int other = (relative - apart + from) % nodes;

        mpii_sched_recv(s, p, other == from ? c->data.root : n->leaders[other]);
        mpii_sched_wait_all(s);
    }
    for (apart /= 2; apart > 0; apart /= 2)
        if (relative + apart < nodes)
            mpii_sched_send(s, p, n->leaders[(relative + apart + from) % nodes]);
}

/* The root's number among those of its node; elsewhere the leader's. */
static int first_here(const struct mpii_nodes *n, const struct mpii_coll_call *c)
{
    int first = 0;

    if (n->number[c->data.root] == n->number[c->comm->rank])
        while (n->here[first] != c->data.root)
            first++;
    return first;
}

static void bcast_piece(struct mpii_sched *s, const struct mpii_coll_call *c, const struct mpii_nodes *n,
                        struct mpii_part p)
{
    int first = first_here(n, c);

    if (n->own == first)
        spread_over_nodes(s, c, n, p);
    mpii_nodes_spread(s, mpii_nodes_here(n), p, first);
}

/* In pieces of as many bytes, which all ranks find the same, of whatever type their data are. */
void mpii_build_bcast_nodes(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    const struct mpii_nodes *n = mpii_nodes_of(c->comm);
    struct mpii_part data = mpii_coll_whole(&c->data.recv), whole;
    MPI_Count bytes = mpii_part_size(data), each = bytes / PIECES > PIECE ? bytes / PIECES : PIECE;
    bool dense = data.type->dense, root = c->comm->rank == c->data.root;

    mpii_sched_in_parts(s, bytes >= 2 * PIECE, c->data.where);
    if (bytes < 2 * PIECE) {
        bcast_piece(s, c, n, data);
        return;
    }
    whole = mpii_part_bytes(dense ? (char *)data.at + data.type->true_lb : mpii_sched_bytes(s, bytes), bytes);
    if (!dense && root)
        mpii_sched_copy(s, whole, data);
    for (MPI_Count at = 0; at < bytes; at += each)
        bcast_piece(s, c, n, mpii_part_of(whole, at, each < bytes - at ? each : bytes - at));
    if (!dense && !root)
        mpii_sched_copy(s, data, whole);
}

/* The same ranks, from number `first` on; to be freed. */
static int *turned(const int *at, int n, int first)
{
    int *all = malloc((size_t)n * sizeof *all);

    if (!all)
        core_fatal("out of memory for a reduction over %d ranks", n);
    for (int i = 0; i < n; i++)
        all[i] = at[(first + i) % n];
    return all;
}

/* Each node to its leader, for whom the root stands on its own, and the leaders to the root. */
void mpii_build_reduce_nodes(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    const struct mpii_nodes *n = mpii_nodes_of(c->comm);
    int first = first_here(n, c), me = (n->own - first + n->here_n) % n->here_n, home = n->number[c->data.root],
        nodes = n->leaders_n;
    int *here = turned(n->here, n->here_n, first), *leaders = turned(n->leaders, nodes, home);
    struct mpii_part own = mpii_coll_own(c), acc;

    leaders[0] = c->data.root;
    if (me % 2 == 1) { /* a leaf of the tree */
        mpii_sched_send(s, own, here[me - 1]);
    } else {
        acc = c->comm->rank == c->data.root ? mpii_coll_whole(&c->data.recv) : mpii_sched_room(s, own.count, own.type);
        mpii_build_reduce_among(s, here, n->here_n, me, c->op, own, acc);
        mpii_sched_wait_all(s);
        if (me == 0)
            mpii_build_reduce_among(s, leaders, nodes, (n->number[c->comm->rank] - home + nodes) % nodes, c->op, acc,
                                    acc);
    }
    free(here);
    free(leaders);
}

void mpii_build_allreduce_nodes(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    const struct mpii_nodes *n = mpii_nodes_of(c->comm);
    struct mpii_part result = mpii_coll_whole(&c->data.recv);

    mpii_build_reduce_among(s, n->here, n->here_n, n->own, c->op, mpii_coll_own(c), result);
    mpii_sched_wait_all(s);
    if (n->mine >= 0)
        mpii_build_doubling_among(s, n->leaders, n->leaders_n, n->mine, c->op, result);
    mpii_nodes_spread(s, mpii_nodes_here(n), result, 0);
}
