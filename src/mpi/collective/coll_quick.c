/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that PEs of a process share (coll_quick.h). The functions that are shared read no variables but those that q
 * leads to, and constants: those of the copy in which they run are another PE's.
 */
#include "coll/meet.h"
#include "mpi/collective/coll_node.h"
#include "mpi/collective/coll_quick.h"
#include "mpi/type/op_rows.h"

/* As the usual way begins; false: it must serve. A thread that a PE has started is no task. */
static bool begin(struct mpii_quick *q)
{
    struct mpii_comm *w = q->world;

    if (MPT_UNLIKELY(w->trouble != 0 || w->later != NULL || !core_meet_by_task()))
        return false;
    w->coll_calls++;
    w->meetings++;
    return true;
}

/* The usual way counts again, and must not meet again. */
static void leave(struct mpii_quick *q, bool elsewhere)
{
    q->world->coll_calls--;
    q->elsewhere = elsewhere;
}

static bool barrier(struct mpii_quick *q)
{
    if (!begin(q))
        return false;
    if (MPT_LIKELY(core_meet(CORE_MEET_MPI, &q->barrier_hooks, "MPI_Barrier")))
        return true;
    leave(q, false);
    return false;
}

/* A predefined operation's. */
static bool has_loops(MPI_Op op)
{
    return ((uintptr_t)op & ~(uintptr_t)0x1f) == 0x20;
}

/* False: the arguments are for the usual way. */
static bool vector(struct coll_meet_vector *v, const void *sendbuf, void *recvbuf, MPI_Count count,
                   MPI_Datatype datatype, MPI_Op op)
{
    size_t size = mpii_op_element_size(datatype);

    if (size == 0 || !has_loops(op) || count <= 0 || count > COLL_MEET_MOST || !sendbuf || !recvbuf ||
        sendbuf == recvbuf || recvbuf == MPI_IN_PLACE)
        return false;
    *v = (struct coll_meet_vector){.from = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf,
                                   .to = recvbuf,
                                   .count = count,
                                   .bytes = count * (MPI_Count)size,
                                   .loop = mpii_op_loop_of(op, datatype)};
    return v->loop != NULL;
}

static bool allreduce(struct mpii_quick *q, const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                      MPI_Op op)
{
    struct coll_meet_vector v;
    enum coll_met met;

    if (!vector(&v, sendbuf, recvbuf, count, datatype, op) || !begin(q))
        return false;
    met = coll_meet_allreduce(q->room, &q->allreduce_hooks, &v, "MPI_Allreduce");
    if (MPT_LIKELY(met == COLL_MET))
        return true;
    leave(q, met == COLL_MET_ELSEWHERE);
    return false;
}

void mpii_quick_begin(void)
{
    struct mpii_quick *q = &mpii_state.collective.quick;

    if (!mpii_state.comm.world->meets || !core_meet_by_task())
        return;
    q->world = mpii_state.comm.world;
    q->room = coll_meet_room();
    q->barrier_hooks = mpii_meet_hooks(COLL_BARRIER);
    q->allreduce_hooks = mpii_meet_hooks(COLL_ALLREDUCE);
    q->barrier = core_meet_text(barrier);
    q->allreduce = core_meet_text(allreduce);
}

void mpii_quick_end(void)
{
    mpii_state.collective.quick.barrier = NULL;
    mpii_state.collective.quick.allreduce = NULL;
}
