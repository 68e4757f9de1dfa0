/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two groups that have only their roots' meeting in common become an
 * intercommunicator: each root learns the other's group and tells its own. What
 * travels are addresses; each process makes its own numbers of them.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/dyn/dyn.h"

/* What the root tells its group. */
struct news {
    int err, n;
    uint64_t context;
};

static struct mpii_group *group_of(const struct mpii_dyn_address *all, int n)
{
    int *procs = malloc((size_t)n * sizeof *procs);
    struct mpii_group *g;

    for (int i = 0; procs && i < n; i++)
        if ((procs[i] = mpii_dyn_number_of(&all[i])) < 0) {
            free(procs);
            return NULL;
        }
    g = procs ? mpii_group_new(n, procs) : NULL;
    free(procs);
    return g;
}

/* All members learn the other group. An error class, the same on all. */
static int tell(struct mpii_comm *c, int root, struct news *news, const struct mpii_dyn_group *theirs,
                struct mpii_group **remote)
{
    struct mpii_dyn_address *all;
    int err = mpii_coll_bcast(c, news, sizeof *news, root);

    if (err != MPI_SUCCESS || news->err != MPI_SUCCESS)
        return err != MPI_SUCCESS ? err : news->err;
    all = malloc((size_t)news->n * sizeof *all);
    if (!all)
        return MPI_ERR_NO_MEM;
    if (c->rank == root)
        memcpy(all, theirs->all, (size_t)news->n * sizeof *all);
    err = mpii_coll_bcast(c, all, (size_t)news->n * sizeof *all, root);
    if (err == MPI_SUCCESS && !(*remote = group_of(all, news->n)))
        err = MPI_ERR_NO_MEM;
    free(all);
    return err;
}

/* Everybody listens before anybody is told of. On the root: whether all do. */
static int gather(struct mpii_comm *c, int root, struct mpii_dyn_group *own)
{
    int opened = mpii_dyn_open();
    struct mpii_dyn_address mine = opened == MPI_SUCCESS ? *mpii_dyn_own() : (struct mpii_dyn_address){0};

    *own = (struct mpii_dyn_group){.n = c->size, .context = mpii_context_new()};
    own->all = c->rank == root ? malloc((size_t)c->size * sizeof *own->all) : NULL;
    if (c->rank == root && !own->all)
        core_fatal("out of memory for the addresses of %d processes", c->size);
    MPII_TRY(mpii_coll_gather(c, &mine, sizeof mine, own->all, root));
    for (int i = 0; own->all && i < c->size; i++)
        if (own->all[i].job == 0)
            opened = MPI_ERR_OTHER;
    return opened;
}

struct mpii_comm *mpii_dyn_meet(struct mpii_comm *c, int root, bool first, mpii_dyn_greet *greet, void *arg, int *err,
                                const char *call)
{
    struct mpii_dyn_group own, theirs = {0};
    struct news news = {0};
    struct mpii_group *remote = NULL;
    struct mpii_comm *made = NULL;
    int raised = MPI_SUCCESS, opened = gather(c, root, &own);

    if (c->rank == root) {
        if (opened == MPI_SUCCESS)
            raised = greet(arg, c, &own, &theirs, call);
        news = (struct news){opened != MPI_SUCCESS ? opened : raised, theirs.n, first ? own.context : theirs.context};
    }
    *err = tell(c, root, &news, &theirs, &remote);
    free(own.all);
    free(theirs.all);
    if (raised != MPI_SUCCESS) {
        *err = raised;
        return NULL;
    }
    if (*err == MPI_SUCCESS && mpii_group_disjoint(c->group, remote) != MPI_SUCCESS) {
        mpii_group_release(remote);
        *err = mpii_error(c, MPI_ERR_COMM, call, "the groups of both sides have a process in common");
        return NULL;
    }
    if (*err != MPI_SUCCESS) {
        *err = mpii_error(c, *err, call, "the root, rank %d, could not make the connection", root);
        return NULL;
    }
    c->group->object.refs++;
    made = mpii_intercomm_make(c->group, remote, news.context, first);
    if (!made)
        *err = mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for a communicator");
    else
        mpii_comm_set_handler(made, c->anchor.errhandler);
    return made;
}
