/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nonblocking duplicates (MPI-5.0, 7.4.2). The object is made at once, with the
 * attributes of this moment; its context comes down a binomial tree from rank 0,
 * each step taken when messages of the one before have arrived (a progress hook).
 */
#include <stdlib.h>

#include "mpi/comm/comm.h"
#include "mpi/ft/ft.h"

enum { MESSAGES = 34 }; /* at most to each child of a binomial tree, and to the other side */

struct idup {
    struct mpii_hook hook;
    struct mpii_request
        *request; /* NULL: an attribute could not be copied; the others get their context all the same */
    struct mpii_comm *old, *made; /* both held */
    struct mpii_comm *tree;       /* old, or its local intracommunicator */
    uint64_t context;
    int tag, error;
    enum { MEET, DOWN, SPREAD, END } next;
    int n;
    struct mpii_request *messages[MESSAGES];
};

static void note(struct idup *d, int err)
{
    if (d->error == MPI_SUCCESS)
        d->error = err;
}

static void message(struct idup *d, struct mpii_comm *c, int rank, bool out)
{
    struct mpii_request **r = &d->messages[d->n];
    struct mpii_type *bytes = mpii_type_of(MPI_BYTE);
    int err =
        out ? mpii_isend(&d->context, sizeof d->context, bytes, rank, d->tag, c, MPII_LANE_SETUP, MPII_STANDARD, r)
            : mpii_irecv(&d->context, sizeof d->context, bytes, rank, d->tag, c, MPII_LANE_SETUP, r);

    if (err == MPI_SUCCESS)
        d->n++;
    note(d, err);
}

/* Rank 0 of one side of an intercommunicator makes the context, of the other side gets it. */
static void meet(struct idup *d)
{
    if (d->tree->rank != 0)
        return;
    if (!d->old->inter || d->old->first)
        d->context = mpii_context_new();
    if (d->old->inter)
        message(d, d->old, 0, d->old->first);
}

static void spread(struct idup *d)
{
    const int rank = d->tree->rank, size = d->tree->size;

    for (int child = 1; child < size && !(rank & child); child *= 2)
        if (rank + child < size)
            message(d, d->tree, rank + child, true);
}

static void end(struct idup *d)
{
    mpii_hook_remove(&d->hook);
    d->made->context = d->context;
    if (d->made->local)
        d->made->local->context = mpii_context_local(d->context);
    if (MPT_UNLIKELY(mpii_state.ft.on))
        mpii_ft_made(d->made);
    mpii_comm_release(d->made);
    mpii_comm_release(d->old);
    if (d->request)
        mpii_request_done(d->request, d->error); /* free_idup frees d */
    else
        free(d);
}

static void step(struct mpii_hook *hook)
{
    struct idup *d = (struct idup *)hook;

    if (MPT_UNLIKELY(d->old->trouble != 0)) /* its messages end, too (send.c, recv.c) */
        note(d, mpii_ft_error(d->old));
    for (int i = 0; i < d->n; i++)
        if (!d->messages[i]->done)
            return;
    for (; d->n > 0; d->n--)
        note(d, mpii_request_end(d->messages[d->n - 1]));
    if (MPT_UNLIKELY(d->error != MPI_SUCCESS)) /* nobody is told what is not known */
        d->next = END;
    switch (d->next++) {
    case MEET:
        meet(d);
        break;
    case DOWN:
        if (d->tree->rank != 0)
            message(d, d->tree, d->tree->rank & (d->tree->rank - 1), false);
        break;
    case SPREAD:
        spread(d);
        break;
    case END:
        end(d);
        break;
    }
}

/* The program has been told that it is complete. */
static void told(struct mpii_request *r)
{
    struct idup *d = *(struct idup **)(void *)r->own;

    if (d && d->made->anchor.object.kind == MPII_UNBORN)
        d->made->anchor.object.kind = MPII_COMM;
}

static void free_idup(struct mpii_request *r)
{
    told(r);
    free(*(struct idup **)(void *)r->own);
}

static const struct mpii_request_ops idup_ops = {
    .what = "duplication of a communicator", .shared = true, .told = told, .free = free_idup};

static struct idup *prepare(struct mpii_comm *c)
{
    struct idup *d = calloc(1, sizeof *d);

    if (!d)
        return NULL;
    d->old = c;
    d->tree = c->inter ? c->local : c;
    d->made = mpii_comm_like(c, 0);
    d->request = d->made ? mpii_request_new(&idup_ops, c) : NULL;
    if (!d->request) {
        mpii_comm_release(d->made);
        free(d);
        return NULL;
    }
    *(struct idup **)(void *)d->request->own = d;
    d->hook.step = step;
    d->tag = mpii_setup_tag(c);
    mpii_comm_hold(c);
    return d;
}

/* The communicator's user is told by an error; nobody will see the request. */
static void disown(struct idup *d)
{
    struct mpii_request *r = d->request;

    d->request = NULL;
    *(struct idup **)(void *)r->own = NULL;
    r->internal = true;
    mpii_request_done(r, MPI_SUCCESS);
    mpii_request_end(r);
}

static int begin(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request, const char *call)
{
    struct mpii_comm *c;
    struct idup *d;
    int err = MPI_SUCCESS;

    MPII_TRY(mpii_comm_begin(comm, newcomm, &c, call));
    MPII_TRY(mpii_check_pointer(c, request, "request", call));
    MPII_TRY(mpii_check_info(c, info, call));
    *request = MPI_REQUEST_NULL;
    if (MPT_UNLIKELY(core_params.check))
        MPII_TRY(mpii_coll_check_begun(c, call));
    d = prepare(c);
    if (!d)
        return mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for a communicator");
    if (c->attrs)
        err = mpii_attrs_copy(MPII_COMM, MPII_HANDLE(c), c->attrs, &d->made->attrs);
    if (err == MPI_SUCCESS)
        err = mpii_comm_hints(d->made, info, call);
    if (err == MPI_SUCCESS) {
        mpii_comm_hold(d->made);
        *newcomm = MPII_HANDLE(d->made);
        *request = mpii_request_handle(d->request);
        if (MPT_UNLIKELY(core_params.check))
            d->made->anchor.object.kind =
                MPII_UNBORN; /* it is no communicator yet, whatever this library knows of it */
    } else {
        disown(d);
    }
    mpii_hook_add(&d->hook);
    return err == MPI_SUCCESS ? err : mpii_error(c, err, call, "a copy callback of an attribute gave the code %d", err);
}

int mpii_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
    return begin(comm, MPI_INFO_NULL, newcomm, request, __func__);
}

int mpii_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request)
{
    return begin(comm, info, newcomm, request, __func__);
}
