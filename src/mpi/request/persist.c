/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Persistent requests begin again (3.9), whatever kind they are of.
 */
#include "mpi/check/watch.h"
#include "mpi/request/request.h"
#include "mpi/rt/ledger.h"

static int check(MPI_Request handle, struct mpii_request **r, const char *call)
{
    MPII_TRY(mpii_request_check(handle, r, call));
    if (!*r)
        return mpii_error(NULL, MPI_ERR_REQUEST, call, "request is MPI_REQUEST_NULL");
    if (!(*r)->persistent || !(*r)->ops->start)
        return mpii_error((*r)->comm, MPI_ERR_REQUEST, call,
                          "request is of a %s that cannot be started: it is not persistent", (*r)->ops->what);
    if ((*r)->active)
        return mpii_error((*r)->comm, MPI_ERR_REQUEST, call,
                          "request is of a %s that has been started and not completed", (*r)->ops->what);
    return MPI_SUCCESS;
}

static int start(struct mpii_request *r, const char *call)
{
    const uintptr_t site = MPT_UNLIKELY(core_params.check) ? mpii_ledger_started(r) : 0;
    int error;

    r->active = true;
    r->done = false;
    r->cancelled = false;
    r->error = MPI_SUCCESS;
    if (r->ops->prepare)
        r->ops->prepare(r);
    if (mpii_watch_has(r))
        mpii_watch_start(r, site);
    error = r->ops->start(r);
    if (error == MPI_SUCCESS)
        return MPI_SUCCESS;
    r->active = false;
    r->done = true;
    return mpii_error(r->comm, error, call, "a %s could not be started", r->ops->what);
}

int mpii_Start(MPI_Request *request)
{
    struct mpii_request *r;

    MPII_TRY(mpii_check_pointer(NULL, request, "request", __func__));
    MPII_TRY(check(*request, &r, __func__));
    return start(r, __func__);
}

int mpii_Startall(int count, MPI_Request array_of_requests[])
{
    struct mpii_request *r;

    MPII_TRY(mpii_check_count(NULL, count, "count", __func__));
    if (count > 0)
        MPII_TRY(mpii_check_pointer(NULL, array_of_requests, "array_of_requests", __func__));
    for (int i = 0; i < count; i++)
        MPII_TRY(check(array_of_requests[i], &r, __func__));
    for (int i = 0; i < count; i++)
        MPII_TRY(start(mpii_request_of(array_of_requests[i]), __func__));
    return MPI_SUCCESS;
}
