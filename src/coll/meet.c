/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An allreduce of some words in one meeting: each PE leaves its vector in a line of PE 0's memory, the last to come
 * combines all, and all read the result in one more line. A PE whose vector does not fit says so in its line.
 */
#include "coll/meet.h"
#include "coll/internal.h"

enum { ROOM = 56, NOT_HERE = -1 };

struct deposit {
    int64_t bytes; /* or NOT_HERE */
    char data[ROOM];
} __attribute__((aligned(64)));

enum { MOST = sizeof((struct coll_sync *)0)->exchange / sizeof(struct deposit) - 1 }; /* the result's is the last */

void coll_look_who_left(unsigned kind, const char *where)
{
    core_meet_look(where);
    if (!core_anyone_left())
        return;
    for (int pe = 0; pe < core_size() && core_left_for_good(); pe++)
        if (core_pe_left(pe) && !core_meet_has(kind, pe))
            coll_is_left_by(pe, where);
}

/* On several nodes it is used otherwise; here all PEs are on one. */
static struct deposit *deposits(void)
{
    return (struct deposit *)(void *)coll_sync_of(COLL_WORLD, 0)->exchange;
}

/* The ranks in the order in which the block's bodies combine them. */
static void combine(const void *arg)
{
    const struct coll_block_call *c = arg;
    struct deposit *all = deposits(), *result = &all[MOST];
    int last = core_size() - 1;

    *result = all[last];
    for (int r = last; r-- > 0 && result->bytes != NOT_HERE;) {
        if (all[r].bytes != result->bytes)
            result->bytes = NOT_HERE; /* the other algorithm finds out, too, and says it */
        else
            c->loop(all[r].data, result->data, result->data, (size_t)c->recv.count);
    }
}

enum coll_met coll_meet_allreduce(const struct core_meet_hooks *hooks, const struct coll_block_call *c)
{
    struct core_meet_hooks with_last = {hooks->progress, hooks->look, combine, c};
    struct deposit *all = deposits(), *own = &all[core_me()];
    int64_t bytes = c->recv.count * c->recv.layout->size;

    if (core_size() > MOST)
        return COLL_MET_ELSEWHERE;
    own->bytes = NOT_HERE;
    if (c->loop && c->recv.layout->dense && bytes > 0 && bytes <= ROOM) {
        own->bytes = bytes;
        core_copy(own->data, c->in_place ? c->recv.buf : c->send.buf, (size_t)bytes);
    }
    if (!core_meet(CORE_MEET_MPI, &with_last, c->where))
        return COLL_MET_IN_VAIN;
    if (all[MOST].bytes == NOT_HERE)
        return COLL_MET_ELSEWHERE;
    core_copy(c->recv.buf, all[MOST].data, (size_t)bytes);
    return COLL_MET;
}
