/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The one place from which one-sided messages leave: within the job by core's
 * channel, to another job over a bridge. Bridges belong to whoever holds MPI's lock.
 */
#include <errno.h>

#include "mpi/dyn/bridge.h"
#include "mpi/ft/ft.h"
#include "mpi/rma/rma.h"

static void failed(int err, int proc)
{
    char name[DYN_NAME];

    if (mpii_dyn_is_foreign(proc))
        core_fatal("a one-sided message cannot be sent to %s: %s",
                   mpii_dyn_name(&mpii_dyn_peer_at(proc)->at, name, sizeof name), strerror(-err));
    core_fatal("a one-sided message cannot be sent to PE %d on host %s: %s", proc, core_host(proc), strerror(-err));
}

/* A process that has ended needs no answer any more. */
static void look_at(int err, int proc, const struct mpii_rma_head *h)
{
    if (MPT_UNLIKELY(err != 0) && !(err == -EPIPE && (h->kind >= RMA_REPLY || mpii_state.ft.on)))
        failed(err, proc);
}

void mpii_rma_wire_send(int proc, const struct mpii_rma_head *h, size_t head_n, const void *body, size_t n)
{
    look_at(mpii_dyn_is_foreign(proc) ? mpii_bridge_send(proc, MPII_CHANNEL_RMA, h, head_n, body, n)
                                      : core_send(proc, MPII_CHANNEL_RMA, h, head_n, body, n),
            proc, h);
}

void mpii_rma_wire_rndv(int proc, const struct mpii_rma_head *h, size_t head_n, const void *body, size_t n,
                        struct core_sending *s)
{
    int err;

    if (!mpii_dyn_is_foreign(proc))
        err = core_send_rndv(proc, MPII_CHANNEL_RMA, h, head_n, body, n, s);
    else if (head_n + n <= CORE_SEND_MAX)
        err = mpii_bridge_send(proc, MPII_CHANNEL_RMA, h, head_n, body, n);
    else
        err = mpii_bridge_rndv(proc, MPII_CHANNEL_RMA, h, head_n, body, n, s, NULL);
    look_at(err, proc, h);
}

void mpii_rma_wire_room(int proc, const char *call)
{
    struct core_waiter w;

    if (!mpii_dyn_is_foreign(proc) || !mpii_bridge_full(mpii_dyn_peer_at(proc)))
        return;
    mpii_wait_begin(&w, call);
    while (mpii_bridge_full(mpii_dyn_peer_at(proc)) && !mpii_ft_dead(proc))
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
}
