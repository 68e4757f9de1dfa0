/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Comm_split (MPI-5.0, 7.4.2) of intra- and intercommunicators. One exchange:
 * everybody says color and key, rank 0 the context with which all parts, being
 * disjoint, can do.
 */
#include <limits.h>
#include <stdlib.h>

#include "mpi/comm/comm.h"

struct choice {
    int color, key;
    uint64_t kind; /* of the color: those of different kinds have nothing in common */
    uint64_t context; /* of rank 0 */
};

struct member {
    int key, rank;
};

static int by_key(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->rank < y->rank ? -1 : 1;
}

static bool alike(const struct choice *a, const struct choice *b)
{
    return a->color == b->color && a->kind == b->kind;
}

/* The processes of own's color in order of key and rank; NULL: out of memory. */
static struct mpii_group *part(const struct choice *choices, int n, const int *procs, const struct choice *own)
{
    struct member *members = malloc((size_t)n * sizeof *members + 1);
    struct mpii_group *g;
    int count = 0, *list;

    for (int i = 0; members && i < n; i++)
        if (alike(&choices[i], own))
            members[count++] = (struct member){choices[i].key, i};
    list = malloc((size_t)count * sizeof *list + 1);
    if (!members || !list) {
        free(members);
        free(list);
        return NULL;
    }
    qsort(members, (size_t)count, sizeof *members, by_key);
    for (int i = 0; i < count; i++)
        list[i] = procs[members[i].rank];
    g = mpii_group_new(count, list);
    free(members);
    free(list);
    return g;
}

/* The first rank whose color is not allowed, or -1. */
static int find_bad(const struct choice *choices, int n)
{
    for (int i = 0; i < n; i++)
        if (choices[i].color < 0 && choices[i].color != MPI_UNDEFINED)
            return i;
    return -1;
}

/* The other side's choices, malloc'ed; choices are this side's. */
static int other_side(struct mpii_comm *c, const struct choice *choices, struct choice **theirs)
{
    const int tag = mpii_setup_tag(c);
    const size_t n = (size_t)c->remote->size * sizeof *choices;
    int err = MPI_SUCCESS;

    *theirs = malloc(n);
    if (!*theirs)
        return MPI_ERR_NO_MEM;
    if (c->rank == 0)
        err = mpii_swap(c, 0, tag, choices, (size_t)c->size * sizeof *choices, *theirs, n);
    return err == MPI_SUCCESS ? mpii_coll_bcast(c->local, *theirs, n, 0) : err;
}

static struct mpii_comm *make_part(struct mpii_comm *c, const struct choice *mine, const struct choice *theirs,
                                   const struct choice *own)
{
    struct mpii_group *group = part(mine, c->size, c->group->procs, own), *remote;

    if (!c->inter)
        return mpii_comm_make(group, mine->context);
    remote = part(theirs, c->remote->size, c->remote->procs, own);
    return mpii_intercomm_make(group, remote, c->first ? mine->context : theirs->context, c->first);
}

static bool anybody(const struct choice *choices, int n, const struct choice *own)
{
    for (int i = 0; i < n; i++)
        if (alike(&choices[i], own))
            return true;
    return false;
}

static int divide(struct mpii_comm *c, struct choice own, struct choice *mine, struct choice **theirs,
                  MPI_Comm *newcomm, const char *call)
{
    int err = mpii_coll_allgather(c->inter ? c->local : c, &own, sizeof own, mine), bad, other_bad = -1;

    if (err == MPI_SUCCESS && c->inter)
        err = other_side(c, mine, theirs);
    if (err != MPI_SUCCESS)
        return mpii_error(c, err, call, "the processes could not agree on a communicator");
    bad = find_bad(mine, c->size);
    if (c->inter)
        other_bad = find_bad(*theirs, c->remote->size);
    if (bad >= 0 || other_bad >= 0)
        return mpii_error(c, MPI_ERR_ARG, call, "color is %d on rank %d%s; expected 0 or more, or MPI_UNDEFINED",
                          bad >= 0 ? mine[bad].color : (*theirs)[other_bad].color, bad >= 0 ? bad : other_bad,
                          bad >= 0 ? "" : " of the remote group");
    if (own.color == MPI_UNDEFINED || (c->inter && !anybody(*theirs, c->remote->size, &own)))
        return MPI_SUCCESS;
    return mpii_comm_give(c, make_part(c, mine, *theirs, &own), newcomm, call);
}

int mpii_split(struct mpii_comm *c, int color, uint64_t kind, int key, MPI_Comm *newcomm, const char *call)
{
    struct choice *mine = malloc((size_t)c->size * sizeof *mine), *theirs = NULL;
    int err;

    if (!mine)
        return mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for a table of %d processes", c->size);
    err = divide(c, (struct choice){color, key, kind, c->rank == 0 ? mpii_context_new() : 0}, mine, &theirs, newcomm,
                 call);
    free(mine);
    free(theirs);
    return err;
}

int mpii_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_comm_begin(comm, newcomm, &c, __func__));
    MPII_TRY(mpii_check_together(c, __func__, 0, NULL));
    return mpii_split(c, color, 0, key, newcomm, __func__);
}
