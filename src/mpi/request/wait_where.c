/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a wait is for, in words, for the report of a deadlock (MPT_CHECK=1).
 */
#include <stdio.h>

#include "mpi/request/request.h"

static const struct mpii_request *first_open(int count, const MPI_Request requests[])
{
    for (int i = 0; i < count; i++) {
        const struct mpii_request *r = mpii_request_of(requests[i]);

        if (mpii_request_is_active(r) && !r->done)
            return r;
    }
    return NULL;
}

const char *mpii_request_where(char text[MPII_WHERE], const char *call, int count, const MPI_Request requests[])
{
    const struct mpii_request *r = MPT_UNLIKELY(core_params.check) ? first_open(count, requests) : NULL;

    if (MPT_LIKELY(!r))
        return call;
    if (r->ops->where)
        return r->ops->where(r, text, call, count > 1);
    snprintf(text, MPII_WHERE, "%.20s: %.30s", call, r->ops->what);
    return text;
}
