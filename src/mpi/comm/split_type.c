/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Comm_split_type (MPI-5.0, 7.4.2): parts that share hardware, or are in a
 * process set. Each type comes down to a color: the lowest rank one shares the
 * resource with.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mpi/comm/comm.h"
#include "mpi/comm/where.h"

/* Names of hardware in info objects (and of MPI_Get_hw_resource_info), each level's own first. */
static const struct {
    const char *name;
    int level;
} resources[] = {
    {"mpt://node", PLACE_NODE},
    {"mpt://numa", PLACE_NUMA},
    {"mpt://cache", PLACE_CACHE},
    {"mpt://core", PLACE_CORE},
    {"mpi_shared_memory", PLACE_NODE},
    {"hwloc://Machine", PLACE_NODE},
    {"hwloc://NUMANode", PLACE_NUMA},
    {"hwloc://Core", PLACE_CORE},
    {"node", PLACE_NODE},
    {"machine", PLACE_NODE},
    {"numanode", PLACE_NUMA},
    {"numa", PLACE_NUMA},
    {"cache", PLACE_CACHE},
    {"core", PLACE_CORE},
};
enum { RESOURCES = sizeof resources / sizeof *resources, RESOURCES_TOLD = 8 };

static int level_of(const char *name)
{
    for (int i = 0; i < RESOURCES; i++)
        if (strcasecmp(name, resources[i].name) == 0)
            return resources[i].level;
    return -1;
}

/* What one process asks for. */
struct wish {
    int type, level; /* level -1: no such resource here */
    const char *pset;
    int color;
};

/* The processes among which colors are ranks: both groups in an order that both sides know. NULL: out of memory. */
static struct mpii_group *everybody(const struct mpii_comm *c)
{
    const struct mpii_group *low = c->inter && !c->first ? c->remote : c->group,
                            *high = c->first ? c->remote : c->group;
    struct mpii_group *g;
    int *procs, n = low->size;

    if (!c->inter)
        return mpii_group_new(low->size, low->procs);
    procs = malloc(((size_t)low->size + (size_t)high->size) * sizeof *procs);
    if (!procs)
        return NULL;
    memcpy(procs, low->procs, (size_t)low->size * sizeof *procs);
    for (int i = 0; i < high->size; i++)
        procs[n++] = high->procs[i];
    g = mpii_group_new(n, procs);
    free(procs);
    return g;
}

static int by_level(const struct mpii_group *all, int level)
{
    struct mpii_place own;

    if (level < 0)
        return MPI_UNDEFINED;
    own = mpii_place_own(all);
    return level < own.known ? own.share[level] : MPI_UNDEFINED;
}

static int by_pset(const struct mpii_group *all, const char *name)
{
    struct mpii_group *g = mpii_pset_group(name);
    int color = MPI_UNDEFINED;

    for (int rank = 0; g && g->rank != MPI_UNDEFINED && rank < all->size && color == MPI_UNDEFINED; rank++)
        if (mpii_group_find(g, all->procs[rank]) != MPI_UNDEFINED)
            color = rank;
    mpii_group_release(g);
    return color;
}

static int choose_color(const struct mpii_comm *c, struct wish *wish)
{
    struct mpii_group *all = everybody(c);

    if (!all)
        return MPI_ERR_NO_MEM;
    wish->color = wish->pset ? by_pset(all, wish->pset) : by_level(all, wish->level);
    mpii_group_release(all);
    return MPI_SUCCESS;
}

/* The coarsest level that divides c (intercommunicators: none). */
static int unguided(struct mpii_comm *c, struct wish *wish)
{
    struct mpii_place *places;
    int err;

    wish->level = -1;
    if (c->inter)
        return MPI_SUCCESS;
    err = mpii_places(c, &places);
    if (err != MPI_SUCCESS)
        return err;
    for (int l = 0; l < PLACE_LEVELS && wish->level < 0; l++)
        for (int rank = 0; rank < c->size; rank++)
            if (l < places[rank].known && places[rank].share[l] != places[0].share[l])
                wish->level = l;
    if (wish->level >= 0 && wish->level < places[c->rank].known)
        wish->color = places[c->rank].share[wish->level];
    free(places);
    return err;
}

static int read_wish(struct mpii_comm *c, int split_type, MPI_Info info, struct wish *wish, const char *call)
{
    const char *resource = info == MPI_INFO_NULL ? NULL : mpii_info_get(info, "mpi_hw_resource_type");

    *wish = (struct wish){split_type, -1, NULL, MPI_UNDEFINED};
    switch (split_type) {
    case MPI_UNDEFINED:
    case MPI_COMM_TYPE_HW_UNGUIDED:
        return MPI_SUCCESS;
    case MPI_COMM_TYPE_SHARED:
        wish->level = PLACE_NODE;
        break;
    case MPI_COMM_TYPE_RESOURCE_GUIDED:
        wish->pset = !resource && info != MPI_INFO_NULL ? mpii_info_get(info, "mpi_pset_name") : NULL;
        __attribute__((fallthrough));
    case MPI_COMM_TYPE_HW_GUIDED:
        wish->level = resource ? level_of(resource) : -1;
        break;
    default:
        return mpii_error(c, MPI_ERR_ARG, call, "split_type is %d, which is none of the standard's", split_type);
    }
    if (choose_color(c, wish) != MPI_SUCCESS)
        return mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for a group");
    return MPI_SUCCESS;
}

/* What the color is of: a resource, or a process set. Nothing says that all must ask for the same one: those who do not
 * get no communicator in common. */
static uint64_t kind_of(const struct wish *wish)
{
    return wish->pset ? mpii_context_meeting(0, wish->pset, strlen(wish->pset)) : (uint64_t)(wish->level + 1);
}

/* All but those who say MPI_UNDEFINED must name the same type. *common: which it is. */
static int compare(struct mpii_comm *c, const struct wish *wish, int err, int *common)
{
    const bool takes_part = err == MPI_SUCCESS && wish->type != MPI_UNDEFINED;
    int64_t v[3], theirs[3];

    v[0] = takes_part ? wish->type : INT64_MIN;
    v[1] = takes_part ? -wish->type : INT64_MIN;
    v[2] = err;
    MPII_TRY(mpii_coll_allreduce(c->inter ? c->local : c, v, 3, MPI_MAX));
    if (c->inter)
        MPII_TRY(mpii_inter_exchange(c, v, theirs, sizeof v));
    for (int i = 0; c->inter && i < 3; i++)
        v[i] = v[i] > theirs[i] ? v[i] : theirs[i];
    *common = v[0] == INT64_MIN ? MPI_UNDEFINED : (int)v[0];
    if (v[2] != MPI_SUCCESS)
        return (int)v[2];
    return v[0] == INT64_MIN || v[0] == -v[1] ? MPI_SUCCESS : MPI_ERR_ARG;
}

int mpii_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    struct mpii_comm *c;
    struct wish wish;
    int err, all, common;

    MPII_TRY(mpii_comm_begin(comm, newcomm, &c, __func__));
    MPII_TRY(mpii_check_together(c, __func__, 0, NULL));
    MPII_TRY(mpii_check_info(c, info, __func__));
    err = read_wish(c, split_type, info, &wish, __func__);
    all = compare(c, &wish, err, &common);
    if (err != MPI_SUCCESS)
        return err;
    if (all != MPI_SUCCESS)
        return mpii_error(c, all, __func__,
                          "split_type is %d here, and not the same on all processes, or not valid on another",
                          split_type);
    if (common == MPI_COMM_TYPE_HW_UNGUIDED) {
        err = unguided(c, &wish);
        if (err != MPI_SUCCESS)
            return mpii_error(c, err, __func__, "the processes could not tell each other where they run");
        if (split_type == MPI_UNDEFINED)
            wish.color = MPI_UNDEFINED;
    }
    MPII_TRY(
        mpii_split(c, wish.color, common == MPI_COMM_TYPE_HW_UNGUIDED ? 0 : kind_of(&wish), key, newcomm, __func__));
    if (common == MPI_COMM_TYPE_HW_UNGUIDED && *newcomm != MPI_COMM_NULL && info != MPI_INFO_NULL)
        mpii_info_put(mpii_info_of(info), "mpi_hw_resource_type", resources[wish.level].name); /* which it was */
    return MPI_SUCCESS;
}

/* Keys are names of resources; the value says whether this process is confined to one of them (11.2.3). */
int mpii_Get_hw_resource_info(MPI_Info *hw_info)
{
    struct mpii_info *info;
    struct mpii_place own = {.known = 1};

    MPII_TRY(mpii_check_pointer(NULL, hw_info, "hw_info", __func__));
    info = mpii_info_copy(NULL);
    if (!info)
        return mpii_error(NULL, MPI_ERR_NO_MEM, __func__, "no memory for an info object");
    if (mpii_state.comm.world)
        own = mpii_place_own(mpii_state.comm.world->group);
    for (int i = 0; i < RESOURCES_TOLD; i++)
        mpii_info_put(info, resources[i].name, resources[i].level < own.known ? "true" : "false");
    *hw_info = mpii_info_handle(info);
    return MPI_SUCCESS;
}
