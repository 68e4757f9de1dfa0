/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: the origin's buffers of one-sided operations are not the program's until a call completes these
 * (12.3): flush, unlock, fence, complete, or a wait for their request.
 */
#include "mpi/check/watch.h"
#include "mpi/rma/rma.h"

static void add(const struct mpii_rma_call *c, enum mpii_watch_way way, const char *arg, const void *buf,
                MPI_Count count, struct mpii_type *t)
{
    struct mpii_watch_operation op = {c->w, c->request, c->rank, c->base != NULL, c->name, c->site};

    mpii_watch_one_sided(&op, way, arg, buf, count, t);
}

int mpii_rma_watch(const struct mpii_rma_call *c, unsigned uses, int err)
{
    if (err != MPI_SUCCESS || !c->p || c->bytes == 0)
        return err;
    if (uses & RMA_USES_ORIGIN && !(c->op && c->op->handle == MPI_NO_OP))
        mpii_rma_epoch_put(c);
    if (uses & RMA_USES_ORIGIN && c->otype)
        add(c, MPII_WATCH_READS, "origin_addr", c->origin, c->ocount, c->otype);
    if (uses & RMA_USES_RESULT && c->rtype)
        add(c, MPII_WATCH_WRITES, "result_addr", c->result, c->rcount, c->rtype);
    if (uses & RMA_USES_LANDING && !core_late_on()) /* then it may be written at any time */
        add(c, MPII_WATCH_WRITES, "origin_addr", c->result, c->rcount, c->rtype);
    if (c->request)
        mpii_watch_request(c->request);
    return err;
}
