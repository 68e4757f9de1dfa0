/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all process topologies share (MPI-5.0, chapter 8): the object, the test
 * which kind it is, and the neighbours as the neighbour collectives see them.
 */
#include <stdlib.h>

#include "mpi/topo/topo.h"

struct mpii_topo *mpii_topo_new(int kind, size_t n)
{
    struct mpii_topo *t = calloc(1, sizeof *t + n * sizeof *t->memory);

    if (!t)
        return NULL;
    t->refs = 1;
    t->kind = kind;
    return t;
}

struct mpii_topo *mpii_topo_hold(struct mpii_topo *t)
{
    if (t)
        t->refs++;
    return t;
}

void mpii_topo_release(struct mpii_topo *t)
{
    if (t && --t->refs == 0)
        free(t);
}

int mpii_topo_neighbours(const struct mpii_comm *c, struct mpii_neighbours *n)
{
    const struct mpii_topo *t = c->topo;

    if (!t)
        return MPI_ERR_TOPOLOGY;
    *n = (struct mpii_neighbours){t->in, t->out, t->sources, t->destinations};
    return MPI_SUCCESS;
}

static const char *kind_name(const struct mpii_topo *t)
{
    if (!t)
        return "no topology";
    return t->kind == MPI_CART    ? "a Cartesian topology"
           : t->kind == MPI_GRAPH ? "a graph topology"
                                  : "a distributed graph topology";
}

int mpii_topo_check(MPI_Comm comm, int kind, struct mpii_comm **c, const char *call)
{
    MPII_TRY(mpii_check_comm(comm, c, call));
    if ((*c)->topo && (*c)->topo->kind == kind)
        return MPI_SUCCESS;
    return mpii_error(*c, MPI_ERR_TOPOLOGY, call, "comm has %s; expected %s", kind_name((*c)->topo),
                      kind_name(&(struct mpii_topo){.kind = kind}));
}

int mpii_topo_check_intra(struct mpii_comm *c, const char *call)
{
    if (c->inter)
        return mpii_error(c, MPI_ERR_COMM, call, "comm is an intercommunicator, which can have no topology");
    return MPI_SUCCESS;
}

struct mpii_comm *mpii_topo_comm(struct mpii_comm *c, int n, const int *at, int *err)
{
    struct mpii_comm *made;
    uint64_t context;
    int *procs;
    bool member = false;

    *err = mpii_context_agree(c, &context);
    if (*err != MPI_SUCCESS)
        return NULL;
    procs = malloc((size_t)n * sizeof *procs + 1);
    for (int i = 0; procs && i < n; i++) {
        const int rank = at ? at[i] : i;

        procs[i] = c->procs[rank];
        member |= rank == c->rank;
    }
    made = procs && member ? mpii_comm_make(mpii_group_new(n, procs), context) : NULL;
    free(procs);
    if (!procs || (member && !made))
        *err = MPI_ERR_NO_MEM;
    return made;
}

int mpii_topo_give(struct mpii_comm *c, struct mpii_comm *made, struct mpii_topo *t, MPI_Comm *newcomm,
                   const char *call)
{
    if (!made || !t) {
        mpii_comm_release(made);
        mpii_topo_release(t);
        return mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for a communicator with a topology");
    }
    made->topo = t;
    return mpii_comm_give(c, made, newcomm, call);
}

int mpii_Topo_test(MPI_Comm comm, int *status)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_check_comm(comm, &c, __func__));
    MPII_TRY(mpii_check_pointer(c, status, "status", __func__));
    *status = c->topo ? c->topo->kind : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
