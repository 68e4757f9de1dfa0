/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With MPT_CHECK=1: do all ranks call the same collective, with the same root and
 * operation and data of one signature? Each rank tells all others what it calls:
 * if two differ, each rank finds one that differs from it, so the call fails on
 * all of them and nobody is left waiting in it.
 */
#include <string.h>

#include "mpi/collective/coll.h"

/* What a rank says of its call. */
struct saying {
    char call[40];
    int root;
    int op; /* predefined ones; of the user's: does it commute */
    uint64_t signature; /* 0: only some ranks know */
    uint64_t given; /* of what it sends to all, which is to be the same; 0: nothing to compare */
};

struct check {
    const struct mpii_comm *comm;
    int size;
    struct saying mine, theirs[]; /* of all ranks */
};

static uint64_t signature_of(struct mpii_part p)
{
    return p.type ? mpii_signature(p.type, p.count) : 0;
}

static uint64_t data_of(const struct mpii_coll_call *c)
{
    bool root = c->comm->rank == c->data.root;

    if (c->data.uneven || c->data.kind == COLL_BARRIER || c->data.kind == COLL_NEIGHBOR_ALLGATHER ||
        c->data.kind == COLL_NEIGHBOR_ALLTOALL)
        return 0;
    if (c->data.kind == COLL_GATHER ? !root : c->data.kind == COLL_SCATTER && root)
        return signature_of(mpii_coll_whole(&c->data.send));
    return signature_of(mpii_coll_whole(&c->data.recv));
}

static uint64_t given_of(const struct mpii_coll_call *c)
{
    bool all_to_all = c->data.kind == COLL_ALLGATHER || c->data.kind == COLL_ALLTOALL;

    return all_to_all && !c->data.uneven && !c->data.in_place && !c->comm->inter
               ? signature_of(mpii_coll_whole(&c->data.send))
               : 0;
}

static struct saying saying_of(const struct mpii_coll_call *c)
{
    struct saying s = {.root = c->data.root, .signature = data_of(c), .given = given_of(c)};

    strncpy(s.call, c->data.where, sizeof s.call - 1);
    if (c->op)
        s.op = c->op->function ? c->op->commutes : (int)(uintptr_t)c->op->handle;
    return s;
}

/* Of what a rank says of its operation. */
static const char *op_name(int op)
{
    return op > 1 ? mpii_op_name((MPI_Op)(uintptr_t)op)
           : op   ? "a commutative one of the program's"
                  : "one of the program's that does not commute";
}

static int differs(const struct check *k, int from)
{
    const struct saying *a = &k->mine, *b = &k->theirs[from];
    void *on = (void *)(uintptr_t)k->comm;

    if (strcmp(a->call, b->call) != 0)
        return mpii_error(on, MPI_ERR_OTHER, a->call,
                          "rank %d calls this while rank %d calls %s on the same communicator", k->comm->rank, from,
                          b->call);
    if (a->root != b->root)
        return mpii_error(on, MPI_ERR_ROOT, a->call, "root is %d on rank %d but %d on rank %d", a->root, k->comm->rank,
                          b->root, from);
    if (a->op != b->op)
        return mpii_error(on, MPI_ERR_OP, a->call, "op is %s on rank %d but %s on rank %d", op_name(a->op),
                          k->comm->rank, op_name(b->op), from);
    if (a->signature && b->signature && a->signature != b->signature)
        return mpii_error(on, MPI_ERR_TYPE, a->call,
                          "count and datatype on rank %d do not describe the same data as on rank %d", k->comm->rank,
                          from);
    return MPI_SUCCESS;
}

static int compare(void *arg)
{
    const struct check *k = arg;

    for (int i = 0; i < k->size; i++)
        if (i != k->comm->rank)
            MPII_TRY(differs(k, i));
    if (k->mine.given && k->mine.signature && k->mine.given != k->mine.signature)
        return mpii_error(
            (void *)(uintptr_t)k->comm, MPI_ERR_TYPE, k->mine.call,
            "sendcount and sendtype do not describe the data that recvcount and recvtype of each rank do");
    return MPI_SUCCESS;
}

void mpii_coll_check_steps(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    int size = c->comm->size, rank = c->comm->rank;
    struct check *k;

    if (c->comm->inter || size < 2)
        return;
    k = mpii_sched_bytes(s, sizeof *k + (size_t)size * sizeof k->theirs[0]);
    if (!k)
        return;
    k->comm = c->comm;
    k->size = size;
    k->mine = saying_of(c);
    for (int i = 1; i < size; i++) {
        mpii_sched_recv(s, mpii_part_bytes(&k->theirs[(rank + size - i) % size], sizeof k->mine),
                        (rank + size - i) % size);
        mpii_sched_send(s, mpii_part_bytes(&k->mine, sizeof k->mine), (rank + i) % size);
    }
    mpii_sched_wait_all(s);
    mpii_sched_call(s, compare, k);
}

int mpii_coll_check_now(const struct mpii_coll_call *c)
{
    struct mpii_sched *s = mpii_sched_new(c->comm, mpii_coll_tag(c->comm, false));
    int err;

    if (!s)
        return mpii_error(c->comm, MPI_ERR_NO_MEM, c->data.where, "out of memory");
    mpii_coll_check_steps(s, c);
    err = mpii_sched_run(s, c->data.where);
    mpii_sched_free(s);
    return err;
}
