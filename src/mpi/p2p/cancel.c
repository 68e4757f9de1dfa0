/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cancelling (3.8.4): a receive that has no message yet ends; a send is asked
 * back from the peer, which gives it while nobody has matched it (send.c).
 */
#include "mpi/p2p/p2p.h"

int mpii_Cancel(MPI_Request *request)
{
    struct mpii_request *r;

    MPII_TRY(mpii_request_needed(request, &r, __func__));
    mpii_depends_on_time(); /* is it too late? */
    if ((r->done && !r->ops->query) || !r->active)
        return MPI_SUCCESS; /* it has completed: too late; generalized requests are told, though */
    if (!r->ops->cancel)
        return mpii_error(r->comm, MPI_ERR_REQUEST, __func__, "a %s cannot be cancelled", r->ops->what);
    return r->ops->cancel(r);
}
