/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The life of a request, whoever made it.
 */
#include "mpi/request/request.h"

#include <string.h>

#include "mpi/check/watch.h"

/* ------------------------------------------------------------ the object -- */

static struct mpii_request *set_up(struct mpii_request *r, const struct mpii_request_ops *ops, struct mpii_comm *c)
{
    if (MPT_UNLIKELY(!r))
        return NULL;
    r->ops = ops;
    r->comm = c;
    if (c)
        c->anchor.object.refs++;
    r->active = true;
    r->source = MPI_ANY_SOURCE;
    r->tag = MPI_ANY_TAG;
    return r;
}

struct mpii_request *mpii_request_new(const struct mpii_request_ops *ops, struct mpii_comm *comm)
{
    return set_up(mpii_object_new(MPII_REQUEST, sizeof(struct mpii_request)), ops, comm);
}

struct mpii_request *mpii_request_new_unset(const struct mpii_request_ops *ops, struct mpii_comm *c)
{
    enum { HEAD = offsetof(struct mpii_request, own) };
    struct mpii_request *r = mpii_object_reuse(MPII_REQUEST);

    if (MPT_LIKELY(r != NULL))
        memset((char *)r + sizeof r->object, 0, HEAD - sizeof r->object);
    else
        r = mpii_object_new(MPII_REQUEST, HEAD);
    return set_up(r, ops, c);
}

void mpii_request_free(struct mpii_request *r)
{
    struct mpii_comm *c = r->comm;

    if (r == mpii_state.request.sent || r == mpii_state.request.ended)
        return;
    if (MPT_UNLIKELY(mpii_state.rt.forgets != NULL))
        mpii_state.rt.forgets(r);
    if (r->ops->free)
        r->ops->free(r);
    if (mpii_watch_has(r))
        mpii_watch_drop(r);
    mpii_object_free(r);
    if (!c)
        return;
    if (MPT_LIKELY(c->anchor.object.refs > 1))
        c->anchor.object.refs--;
    else
        mpii_comm_release(c);
}

void mpii_request_done(struct mpii_request *r, int error)
{
    r->error = error;
    r->done = true;
    if (MPT_UNLIKELY(!core_process_single()))
        core_wake(core_me()); /* another thread may sleep for it */
    if (MPT_UNLIKELY(r->then != NULL))
        r->then(r);
    if (MPT_UNLIKELY(r->freed)) {
        r->object.kind = MPII_REQUEST;
        mpii_request_free(r);
    }
}

struct mpii_request *mpii_request_of(MPI_Request handle)
{
    return (uintptr_t)handle < MPII_PREDEFINED_MAX ? NULL : mpii_object_of(handle, MPII_REQUEST);
}

static bool exists(const struct mpii_request *r)
{
    return r->object.kind == MPII_REQUEST || r->object.kind == MPII_FREED;
}

struct mpii_request *mpii_request_named(uintptr_t id)
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[MPII_REQUEST];
    struct mpii_request *r = (struct mpii_request *)id;

    return id - pool->base < pool->used && ((id - pool->base) & (pool->slot - 1)) == 0 && exists(r) ? r : NULL;
}

struct mpii_request *mpii_request_next(const struct mpii_request *after)
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[MPII_REQUEST];

    for (size_t at = after ? (uintptr_t)after - pool->base + pool->slot : 0; at < pool->used; at += pool->slot) {
        struct mpii_request *r = (void *)(pool->base + at);

        if (exists(r))
            return r;
    }
    return NULL;
}

int mpii_request_end(struct mpii_request *r)
{
    int error = r->error;

    mpii_request_free(r);
    return error;
}

int mpii_request_wait(struct mpii_request *r, MPI_Count *bytes)
{
    mpii_request_await(r, "MPI (a message of the library)");
    if (bytes)
        *bytes = r->bytes;
    return mpii_request_end(r);
}

int mpii_Request_free(MPI_Request *request)
{
    struct mpii_request *r;

    MPII_TRY(mpii_request_needed(request, &r, __func__));
    if (r->active && r->ops->shared)
        return mpii_error(r->comm, MPI_ERR_REQUEST, __func__,
                          "request is of a collective or partitioned operation (%s) that has been started and not "
                          "completed: such a request cannot be freed (4.2.1, 6.12)",
                          r->ops->what);
    *request = MPI_REQUEST_NULL;
    if (r->active)
        mpii_depends_on_time(); /* nobody will say when it has been completed */
    if (MPT_UNLIKELY(r->error == MPIX_ERR_PROC_FAILED_PENDING))
        r->done = false; /* it is posted still */
    if (mpii_watch_has(r))
        mpii_watch_drop(r); /* nobody will say when the program may have them back */
    if (r->done || !r->active) {
        mpii_request_free(r);
    } else {
        r->freed = true; /* goes away when done ... */
        r->object.kind = MPII_FREED; /* ... and copies of the handle are found out */
    }
    return MPI_SUCCESS;
}
