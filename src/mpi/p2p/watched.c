/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: the buffers of sends and receives (watched.h).
 */
#include "mpi/p2p/watched.h"

void mpii_p2p_watch_send(const struct mpii_p2p_message *m, const char *call)
{
    if (m->dest == MPI_PROC_NULL)
        return;
    mpii_watch_add(m, call, MPII_WATCH_READS, "buf", m->buf, m->count, m->type);
    mpii_watch_pass(m);
}

void mpii_p2p_watch_recv(struct mpii_request *r, const char *call)
{
    const struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);

    if (v->node.source == MPI_PROC_NULL)
        return;
    mpii_watch_add(r, call, MPII_WATCH_WRITES, "buf", v->buf, v->count, v->type);
    mpii_watch_pass(r);
}

/* What was done at once has a request that all such sends share: not one that knows its buffer. */
struct mpii_request *mpii_p2p_watch_isend(const struct mpii_p2p_message *m, struct mpii_request *r, const char *call)
{
    struct mpii_request *own = r == mpii_state.request.sent ? mpii_p2p_send_new(m) : r;

    if (!own)
        return r;
    if (own != r)
        own->done = true;
    if (m->dest == MPI_PROC_NULL)
        return own;
    mpii_watch_add(own, call, MPII_WATCH_READS, "buf", m->buf, m->count, m->type);
    mpii_watch_request(own);
    mpii_watch_start(own, m->label ? m->label->site : 0);
    return own;
}

void mpii_p2p_watch_irecv(struct mpii_request *r, const char *call)
{
    const struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);

    if (v->node.source == MPI_PROC_NULL)
        return;
    mpii_watch_add(r, call, MPII_WATCH_WRITES, "buf", v->buf, v->count, v->type);
    mpii_watch_request(r);
    mpii_watch_start(r, v->asker.call ? v->asker.site : 0);
}

void mpii_p2p_watch_arrives(struct mpii_request *r)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);

    if (mpii_watch_has(r))
        mpii_watch_arrives(r);
    else if (v->watched)
        mpii_watch_opens(v->watched);
    v->watched = NULL; /* once */
}

static void part_done(struct mpii_request *r)
{
    if (!mpii_p2p_recv_in(r)->watched) /* a message has come */
        mpii_watch_closes(r->then_arg);
}

void mpii_p2p_watch_part(struct mpii_request *r, const void *owner)
{
    mpii_p2p_recv_in(r)->watched = owner;
    r->then = part_done;
    r->then_arg = (void *)(uintptr_t)owner;
}

void mpii_p2p_watch_persistent(struct mpii_request *r, enum mpii_watch_way way, const void *buf, MPI_Count count,
                               struct mpii_type *t, int rank, const char *call)
{
    if (rank == MPI_PROC_NULL)
        return;
    mpii_watch_add(r, call, way, "buf", buf, count, t);
    mpii_watch_request(r);
}
