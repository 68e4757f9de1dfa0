/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What collectives tell the race checker: who comes after whom (core/check/race.h). Members that get data come after
 * those that give them; where the standard leaves it open, more is taken for ordered.
 */
#include "mpi/collective/coll.h"

static uint64_t key_of(const struct mpii_comm *c)
{
    return c->context * 0x9e3779b97f4a7c15u | 1;
}

uint32_t mpii_coll_race_come(const struct mpii_comm *c)
{
    return core_race_come(key_of(c));
}

static void learn(const struct mpii_comm *c, uint32_t number, int proc)
{
    if (proc != core_me() && proc < core_size())
        core_race_learn(key_of(c), number, proc);
}

void mpii_coll_race_learn_all(const struct mpii_comm *c, uint32_t number)
{
    for (int i = 0; i < c->nprocs; i++)
        learn(c, number, c->procs[i]);
    for (int i = 0; c->inter && i < c->size; i++)
        learn(c, number, c->group->procs[i]);
}

void mpii_coll_race_learn(const struct mpii_coll_call *call, uint32_t number)
{
    const struct mpii_comm *c = call->comm;
    int root = call->data.root;

    switch (c->inter ? COLL_BARRIER : call->data.kind) {
    case COLL_BROADCAST:
    case COLL_SCATTER:
        learn(c, number, c->procs[root]);
        return;
    case COLL_GATHER:
    case COLL_REDUCE:
        if (c->rank == root)
            mpii_coll_race_learn_all(c, number);
        return;
    case COLL_INSCAN:
    case COLL_EXSCAN:
        for (int i = 0; i < c->rank; i++)
            learn(c, number, c->procs[i]);
        return;
    default:
        mpii_coll_race_learn_all(c, number);
    }
}
