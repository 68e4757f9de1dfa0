/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fast path, of most messages: short, of a predefined type, between processes of one
 * node that have one thread each. They leave and arrive without a request, and the
 * receiver takes them from the cache line they came in. Whatever is unusual is left
 * to the slow path, untouched: false.
 */
#ifndef MPI_P2P_FASTPATH_H
#define MPI_P2P_FASTPATH_H

#include "core/channel/fastpath.h"
#include "mpi/p2p/p2p.h"
#include "mpi/rt/inbox.h"

_Static_assert(sizeof(struct core_fast_head) == P2P_SHORT && offsetof(struct mpii_p2p_head, tag) == 8 &&
                   offsetof(struct mpii_p2p_head, source) == 12,
               "a short head is two words");

/* Head of messages of this context. Written as words, since it will be read as such. */
static inline struct core_fast_head mpii_p2p_fast_head(uint64_t context, int tag, int source)
{
    const uint64_t low = (uint32_t)tag, high = (uint32_t)source;

    return (struct core_fast_head){
        {context, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? high << 32 | low : low << 32 | high}};
}

/* The bytes of (buf, count, datatype): dense ones of a predefined type; -1: something else, or nothing usual. */
static inline __attribute__((always_inline)) long mpii_p2p_fast_bytes(const void *buf, MPI_Count count,
                                                                      MPI_Datatype datatype)
{
    const struct mpii_type *t = &mpii_basic_types[(uintptr_t)datatype & 0xff];

    if (MPT_UNLIKELY(((uintptr_t)datatype & ~(uintptr_t)0xff) != 0x200 || !t->basic || !t->dense ||
                     (uint64_t)count > CORE_SEND_MAX || (uintptr_t)buf < MPII_PREDEFINED_MAX))
        return -1;
    return (long)count * t->size;
}

static inline __attribute__((always_inline)) bool
mpii_p2p_fast_send(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    const struct mpii_comm *c = mpii_comm_of(comm);
    long n = mpii_p2p_fast_bytes(buf, count, datatype);
    struct core_fast_head head;
    struct core_peer *peer;

    if (MPT_UNLIKELY(!c || (unsigned)dest >= (unsigned)c->fast || (unsigned)tag > MPII_TAG_UB ||
                     (unsigned long)n > CORE_SEND_MAX - P2P_SHORT || mpii_state.p2p.not_fast != 0))
        return false;
    peer = core_fast_to(c->procs[dest]);
    head = mpii_p2p_fast_head(c->context + MPII_LANE_USER, tag, c->rank);
    if (MPT_UNLIKELY(!peer || !core_fast_send(peer, MPII_CHANNEL_MESSAGE, head, buf, (size_t)n)))
        return false;
    mpii_state.counters.sends++;
    mpii_state.counters.send_bytes += (uint64_t)n;
    return true;
}

/* Looks on, for less time than a pause takes: soon others have their turn. A task has them run at once, and looks once
 * more when something has come, unless what is queued to be sent needs progress. */
static inline __attribute__((always_inline)) enum core_fast_look mpii_p2p_fast_wait(struct core_peer *peer,
                                                                                    struct core_fast_mail *m)
{
    enum core_fast_look found;

    mpii_state.counters.waits++;
    for (unsigned looks = core_wait_tight_looks() / 4; looks > 0; looks--) {
        core_relax();
        if ((found = core_fast_look(peer, MPII_CHANNEL_MESSAGE, m)) != CORE_FAST_NONE)
            return found;
    }
    return mpii_state.p2p.not_fast == 0 && core_fast_await(peer, "MPI_Recv")
               ? core_fast_look(peer, MPII_CHANNEL_MESSAGE, m)
               : CORE_FAST_NONE;
}

/* Nothing has arrived before, nothing else waits, and nobody else needs a turn. */
static inline bool mpii_p2p_fast_alone(const struct mpii_p2p_context *q)
{
    if (MPT_UNLIKELY(++mpii_state.p2p.fast_receives % 32 == 0))
        mpii_progress();
    return q && q->q.arrived.n == 0 && q->q.posted.n == 0 && !q->q.posted.order.first && !mpii_state.rt.hooks &&
           !mpii_inbox_has_news();
}

static inline __attribute__((always_inline)) bool mpii_p2p_fast_recv(void *buf, MPI_Count count, MPI_Datatype datatype,
                                                                     int source, int tag, MPI_Comm comm,
                                                                     MPI_Status *status)
{
    struct mpii_comm *c = mpii_comm_of(comm);
    long room = mpii_p2p_fast_bytes(buf, count, datatype);
    struct core_fast_head head;
    struct core_fast_mail m;
    enum core_fast_look found;
    struct core_peer *peer;

    if (MPT_UNLIKELY(!c || (unsigned)source >= (unsigned)c->fast || (unsigned)tag > MPII_TAG_UB || room < 0 ||
                     !mpii_p2p_fast_alone(mpii_p2p_context_of(c, MPII_LANE_USER))))
        return false;
    peer = core_fast_from(c->procs[source]);
    if (MPT_UNLIKELY(!peer))
        return false;
    head = mpii_p2p_fast_head(c->context + MPII_LANE_USER, tag, source);
    found = core_fast_look(peer, MPII_CHANNEL_MESSAGE, &m);
    if (found == CORE_FAST_NONE && (found = mpii_p2p_fast_wait(peer, &m)) == CORE_FAST_NONE)
        return false;
    if (MPT_UNLIKELY(found == CORE_FAST_OTHER || m.head.word[0] != head.word[0] || m.head.word[1] != head.word[1] ||
                     m.n > (size_t)room))
        return false;
    core_copy(buf, m.body, m.n);
    core_fast_took(peer, &m);
    mpii_state.counters.receives++;
    mpii_state.counters.receive_bytes += m.n;
    mpii_status_set(status, source, tag, (MPI_Count)m.n, false);
    return true;
}

#endif
