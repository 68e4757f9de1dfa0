/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Generalized requests (13.2): the user's functions behind an ordinary request.
 * They run without the lock. Any thread may complete one, so it rings for those
 * that wait.
 */
#include "mpi/mpii.h"

struct greq {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *extra;
};

static struct greq *in(struct mpii_request *r)
{
    return (struct greq *)(void *)r->own;
}

static int query(struct mpii_request *r, MPI_Status *status)
{
    struct greq g = *in(r);
    unsigned had;
    int err;

    mpii_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
    if (!g.query)
        return MPI_SUCCESS;
    had = mpii_unlock_all();
    err = g.query(g.extra, status);
    mpii_lock_again(had);
    return err;
}

static int cancel(struct mpii_request *r)
{
    struct greq g = *in(r);
    unsigned had;
    int err;

    if (!g.cancel)
        return MPI_SUCCESS;
    had = mpii_unlock_all();
    err = g.cancel(g.extra, r->done);
    mpii_lock_again(had);
    return err == MPI_SUCCESS ? err : mpii_error(NULL, err, "mpii_Cancel", "the cancel function returned %d", err);
}

int mpii_greq_free(struct mpii_request *r)
{
    struct greq g = *in(r);
    unsigned had;
    int err;

    in(r)->free = NULL;
    if (!g.free)
        return MPI_SUCCESS;
    had = mpii_unlock_all();
    err = g.free(g.extra);
    mpii_lock_again(had);
    return err;
}

/* Freed by MPI_Request_free: nobody asks for an error code. */
static void release(struct mpii_request *r)
{
    mpii_greq_free(r);
}

static const struct mpii_request_ops ops = {
    .what = "generalized request", .cancel = cancel, .query = query, .free = release};

int mpii_Grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
                        MPI_Grequest_cancel_function *cancel_fn, void *extra_state, MPI_Request *request)
{
    struct mpii_request *r;

    MPII_TRY(mpii_check_started(__func__));
    MPII_TRY(mpii_check_pointer(NULL, request, "request", __func__));
    r = mpii_request_new(&ops, NULL);
    if (!r)
        return mpii_error(NULL, MPI_ERR_NO_MEM, __func__, "no memory for a request");
    *in(r) = (struct greq){query_fn, free_fn, cancel_fn, extra_state};
    r->source = MPI_ANY_SOURCE;
    r->tag = MPI_ANY_TAG;
    *request = mpii_request_handle(r);
    return MPI_SUCCESS;
}

/* The handle that the user's part kept: MPI_Request_free may have come first (13.2). */
int mpii_Grequest_complete(MPI_Request request)
{
    struct mpii_request *r = (uintptr_t)request < MPII_PREDEFINED_MAX ? NULL : mpii_request_named((uintptr_t)request);

    MPII_TRY(mpii_check_started(__func__));
    if (!r)
        return mpii_error(NULL, MPI_ERR_REQUEST, __func__, "request is %s%p, which is not a request",
                          request == MPI_REQUEST_NULL ? "MPI_REQUEST_NULL, " : "", (void *)request);
    if (r->ops != &ops && r->freed)
        return mpii_error(NULL, MPI_ERR_REQUEST, __func__,
                          "request is %p, a %s that has been freed, not a generalized request", (void *)request,
                          r->ops->what);
    if (r->ops != &ops)
        return mpii_error(NULL, MPI_ERR_REQUEST, __func__, "request is a %s, not a generalized request", r->ops->what);
    if (r->done)
        return mpii_error(NULL, MPI_ERR_REQUEST, __func__, "request is complete already");
    mpii_request_done(r, MPI_SUCCESS);
    core_wake(core_me());
    return MPI_SUCCESS;
}
