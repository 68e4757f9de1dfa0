/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a wait for a message is for, in words, for the report of a deadlock
 * (MPT_CHECK=1): the call, the other rank, the tag and the communicator.
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
const char *mpii_p2p_where(char text[MPII_WHERE], const char *call, const char *what, int rank, int tag,
                           const struct mpii_comm *c)
{
    char ranks[12], tags[12];

    if (MPT_LIKELY(!core_params.check))
        return call;
    snprintf(text, MPII_WHERE, "%.20s%.10s: rank %s, tag %s, %.20s", call, what, number(ranks, rank, MPI_ANY_SOURCE),
             number(tags, tag, MPI_ANY_TAG), c && c->name[0] ? c->name : "a communicator");
    return text;
}
