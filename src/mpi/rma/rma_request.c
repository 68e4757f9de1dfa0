/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests of one-sided operations (12.3.5): done when all that the call began is
 * over here. What is direct is over at once.
 */
#include "mpi/rma/rma.h"
#include "mpi/rma/rma_race.h"

struct requested {
    int left; /* operations under way, and one for the call itself */
    int error;
    struct mpii_win *w;
};

static const struct mpii_request_ops ops = {.what = "one-sided operation"};

static struct requested *own(struct mpii_request *r)
{
    return (struct requested *)(void *)r->own;
}

int mpii_rma_request_make(struct mpii_rma_call *c, MPI_Request *request)
{
    MPII_TRY(mpii_check_pointer(c->w, request, "request", c->name));
    if (c->p && !c->w->access_all && (c->p->access < RMA_OPEN_SHARED || c->p->access > RMA_OPEN_NOCHECK))
        return mpii_error(c->w, MPI_ERR_RMA_SYNC, c->name, "requests are for passive epochs, and rank %d is not locked",
                          c->rank);
    c->request = mpii_request_new(&ops, c->w->comm);
    if (!c->request)
        return mpii_error(c->w, MPI_ERR_NO_MEM, c->name, "no memory for a request");
    *own(c->request) = (struct requested){.left = 1, .w = c->w};
    return MPI_SUCCESS;
}

void mpii_rma_request_more(struct mpii_request *r)
{
    own(r)->left++;
}

void mpii_rma_request_less(struct mpii_request *r, int error)
{
    if (error)
        own(r)->error = error;
    if (--own(r)->left > 0)
        return;
    if (MPT_UNLIKELY(core_race_on()))
        mpii_rma_race_arrived(own(r)->w);
    mpii_request_done(r, own(r)->error);
}

int mpii_rma_request_give(struct mpii_rma_call *c, MPI_Request *request, int err)
{
    if (MPT_UNLIKELY(err != MPI_SUCCESS)) { /* what has begun goes on, and the call has said that not all has */
        c->request->freed = true;
        mpii_rma_request_less(c->request, err);
        return err;
    }
    *request = mpii_request_handle(c->request);
    if (own(c->request)->left == 1)
        mpii_rma_looked(c->w); /* the wait for what is over at once will not do it */
    mpii_rma_request_less(c->request, MPI_SUCCESS);
    return MPI_SUCCESS;
}
