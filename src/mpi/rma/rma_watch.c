/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: the origin's buffers of one-sided operations are not the program's until a call completes these
 * (12.3): flush, unlock, fence, complete, or a wait for their request.
 */
#include <string.h>

#include "mpi/check/watch.h"
#include "mpi/rma/rma.h"

static void add(const struct mpii_rma_call *c, enum mpii_watch_way way, const char *arg, const void *buf,
                MPI_Count count, struct mpii_type *t)
{
    struct mpii_watch_operation op = {c->w, c->request, c->rank, c->base != NULL, c->name, c->site};

    mpii_watch_one_sided(&op, way, arg, buf, count, t);
}

/* Data move as by a send and a receive (12.3), so both sides are of the same types. */
static void compare_types(const struct mpii_rma_call *c, const struct mpii_type *own, MPI_Count count)
{
    uint64_t here = own && !c->op && own != c->ttype ? mpii_signature(own, count) : 0, there;
    struct core_finding f;

    if (here == 0 || count * own->size != c->bytes)
        return;
    there = mpii_signature(c->ttype, c->tcount);
    if (there == 0 || here == there)
        return;
    core_finding_begin(&f, CORE_FINDING_TYPE, "MPI-5.0, 12.3 and 3.3.1",
                       "MPI_%s: the types of origin_datatype are not those of target_datatype",
                       strchr(c->name, '_') + 1);
    core_finding_at(&f, core_me(), c->site, "this call, with %lld bytes to or from rank %d", (long long)c->bytes,
                    c->rank);
    core_finding_advise(&f, "give both sides datatypes of the same signature");
    core_finding_end(&f);
}

int mpii_rma_watch(const struct mpii_rma_call *c, unsigned uses, int err)
{
    if (err != MPI_SUCCESS || !c->p || c->bytes == 0)
        return err;
    if (uses & RMA_USES_ORIGIN && !(c->op && c->op->handle == MPI_NO_OP))
        mpii_rma_epoch_put(c);
    compare_types(c,
                  uses & RMA_USES_ORIGIN    ? c->otype
                  : uses & RMA_USES_LANDING ? c->rtype
                                            : NULL,
                  uses & RMA_USES_ORIGIN ? c->ocount : c->rcount);
    if (uses & RMA_USES_ORIGIN && c->otype)
        add(c, MPII_WATCH_READS, "origin_addr", c->origin, c->ocount, c->otype);
    if (uses & RMA_USES_RESULT && c->rtype)
        add(c, MPII_WATCH_WRITES, "result_addr", c->result, c->rcount, c->rtype);
    if (uses & RMA_USES_LANDING && (!core_late_on() || c->request)) /* else it may be written at any time */
        add(c, MPII_WATCH_WRITES, "origin_addr", c->result, c->rcount, c->rtype);
    if (c->request)
        mpii_watch_request(c->request);
    return err;
}
