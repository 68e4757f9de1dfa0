/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a wait is for, in words, for the report of a deadlock (MPT_CHECK=1): the
 * call, and of a message the other rank, its tag and the communicator.
 */
#include <stdio.h>

#include "mpi/p2p/p2p.h"

static const char *number(char text[12], int value, int any)
{
    if (value == any)
        return "any";
    snprintf(text, 12, "%d", value);
    return text;
}

/* As much of the name as there is room for. */
const char *mpii_p2p_where_message(char text[P2P_WHERE], const char *call, const char *what, int rank, int tag, const struct mpii_comm *c)
{
    char ranks[12], tags[12];

    if (MPT_LIKELY(!core_params.check))
        return call;
    snprintf(text, P2P_WHERE, "%.20s%.10s: rank %s, tag %s, %.20s", call, what, number(ranks, rank, MPI_ANY_SOURCE),
             number(tags, tag, MPI_ANY_TAG), c && c->name[0] ? c->name : "a communicator");
    return text;
}

static const struct mpii_request *first_open(int count, const MPI_Request requests[])
{
    for (int i = 0; i < count; i++) {
        const struct mpii_request *r = mpii_request_of(requests[i]);

        if (mpii_p2p_is_active(r) && !r->done)
            return r;
    }
    return NULL;
}

const char *mpii_p2p_where(char text[P2P_WHERE], const char *call, int count, const MPI_Request requests[])
{
    const struct mpii_request *r = MPT_UNLIKELY(core_params.check) ? first_open(count, requests) : NULL;

    if (MPT_LIKELY(!r))
        return call;
    if (r->ops == &mpii_p2p_recv_ops) {
        const struct mpii_p2p_recv *v = (const struct mpii_p2p_recv *)(const void *)r->own;

        return mpii_p2p_where_message(text, call, count > 1 ? " (receive)" : "", v->node.source, v->node.tag, r->comm);
    }
    if (r->ops == &mpii_p2p_send_ops) {
        const struct mpii_p2p_send *s = (const struct mpii_p2p_send *)(const void *)r->own;

        return mpii_p2p_where_message(text, call, count > 1 ? " (send)" : "", s->dest, r->tag, r->comm);
    }
    snprintf(text, P2P_WHERE, "%.20s: %.30s", call, r->ops->what);
    return text;
}
