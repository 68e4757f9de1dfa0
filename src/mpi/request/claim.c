/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With --check: two threads that complete one request (11.6.2). One would find it gone while it waits.
 */
#include "mpi/request/request.h"

int mpii_requests_claim(int count, const MPI_Request requests[], const void *wait, const char *call)
{
    const uint32_t own = wait ? (uint32_t)((uintptr_t)wait >> 3) | 1 : 0;

    for (int i = 0; i < count; i++) {
        struct mpii_request *r = mpii_request_in(requests[i]);

        if (!mpii_request_is_active(r))
            continue;
        if (r->claim && r->claim != own) {
            mpii_requests_unclaim(i, requests);
            return mpii_error_blame(&(struct mpii_blame){.kind = CORE_FINDING_REQUEST_USE, .rule = "MPI-5.0, 11.6.2"},
                                    r->comm, MPI_ERR_REQUEST, call,
                                    "another thread waits for the same request, which is of a %s", r->ops->what);
        }
        r->claim = own;
    }
    return MPI_SUCCESS;
}

void mpii_requests_unclaim(int count, const MPI_Request requests[])
{
    for (int i = 0; i < count; i++) {
        struct mpii_request *r = mpii_request_in(requests[i]);

        if (r)
            r->claim = 0;
    }
}
