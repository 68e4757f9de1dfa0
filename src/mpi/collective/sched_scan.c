/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Schedules of scan and exscan: in round k a rank hands what it has combined so
 * far to the rank 2^k further, so that after log2(P) rounds it has all before it.
 */
#include "mpi/collective/coll.h"

/* A round: acc to the rank `apart` further, and from the one as far before. Is there one before? */
static bool hand_on(struct mpii_sched *s, const struct mpii_coll_call *c, struct mpii_part acc, struct mpii_part came,
                    int apart)
{
    int rank = c->comm->rank;

    if (rank >= apart)
        mpii_sched_recv(s, came, rank - apart);
    if (rank + apart < c->comm->size)
        mpii_sched_send(s, acc, rank + apart);
    mpii_sched_wait_all(s);
    return rank >= apart;
}

void mpii_build_scan(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    struct mpii_part acc = mpii_coll_whole(&c->data.recv), came = mpii_sched_room(s, acc.count, acc.type);

    mpii_sched_copy(s, acc, mpii_coll_own(c));
    for (int apart = 1; apart < c->comm->size; apart *= 2)
        if (hand_on(s, c, acc, came, apart))
            mpii_sched_reduce(s, c->op, came.at, acc);
}

/* The result is what came, without the own contribution; rank 0's is left as it is. */
void mpii_build_exscan(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    struct mpii_part result = mpii_coll_whole(&c->data.recv), acc = mpii_sched_room(s, result.count, result.type);
    struct mpii_part came = mpii_sched_room(s, result.count, result.type);

    mpii_sched_copy(s, acc, mpii_coll_own(c));
    for (int apart = 1; apart < c->comm->size; apart *= 2) {
        if (!hand_on(s, c, acc, came, apart))
            continue;
        mpii_sched_reduce(s, c->op, came.at, acc);
        if (apart == 1)
            mpii_sched_copy(s, result, came);
        else
            mpii_sched_reduce(s, c->op, came.at, result);
    }
}
