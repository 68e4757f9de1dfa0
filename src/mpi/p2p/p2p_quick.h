/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The way of most messages: short, of a predefined type, between processes of one
 * node that have one thread each. They leave and arrive without a request, and the
 * receiver takes them from the line they came in. Whatever is not as usual is left
 * to the general way, untouched: false.
 */
#ifndef MPI_P2P_QUICK_H
#define MPI_P2P_QUICK_H

#include "core/channel/quick.h"
#include "mpi/p2p/p2p.h"

_Static_assert(sizeof(struct core_quick_head) == P2P_SHORT && offsetof(struct mpii_p2p_head, tag) == 8 &&
                   offsetof(struct mpii_p2p_head, source) == 12, "a short head is two words");

/* Head of messages of this context. Written as words, since it will be read as such. */
static inline struct core_quick_head mpii_p2p_quick_head(uint64_t context, int tag, int source)
{
    const uint64_t low = (uint32_t)tag, high = (uint32_t)source;

    return (struct core_quick_head){{context, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? high << 32 | low : low << 32 | high}};
}

/* The bytes of (buf, count, datatype): dense ones of a predefined type; -1: something else, or nothing usual. */
static inline __attribute__((always_inline)) long mpii_p2p_quick_bytes(const void *buf, MPI_Count count, MPI_Datatype datatype)
{
    const struct mpii_type *t = &mpii_basic_types[(uintptr_t)datatype & 0xff];

    if (MPT_UNLIKELY(((uintptr_t)datatype & ~(uintptr_t)0xff) != 0x200 || !t->basic || !t->dense ||
                     (uint64_t)count > CORE_SEND_MAX || (uintptr_t)buf < MPII_PREDEFINED_MAX))
        return -1;
    return (long)count * t->size;
}

static inline __attribute__((always_inline)) bool mpii_p2p_quick_send(const void *buf, MPI_Count count, MPI_Datatype datatype,
                                                                int dest, int tag, MPI_Comm comm)
{
    const struct mpii_comm *c = mpii_comm_of(comm);
    long n = mpii_p2p_quick_bytes(buf, count, datatype);
    struct core_quick_head head;
    struct core_peer *peer;

    if (MPT_UNLIKELY(!c || (unsigned)dest >= (unsigned)c->quick || (unsigned)tag > MPII_TAG_UB ||
                     (unsigned long)n > CORE_SEND_MAX - P2P_SHORT || mpii_p2p_not_quick != 0))
        return false;
    peer = core_quick_to(c->procs[dest]);
    head = mpii_p2p_quick_head(c->context + MPII_LANE_USER, tag, c->rank);
    if (MPT_UNLIKELY(!peer || !core_quick_send(peer, MPII_CHANNEL_MESSAGE, head, buf, (size_t)n)))
        return false;
    mpii_counters.sends++;
    mpii_counters.send_bytes += (uint64_t)n;
    return true;
}

/* Nothing has arrived before, nothing else waits, and nobody else needs a turn. */
static inline bool mpii_p2p_quick_alone(const struct mpii_p2p_context *q)
{
    static unsigned turns;

    if (MPT_UNLIKELY(++turns % 32 == 0))
        mpii_progress();
    return q && q->q.arrived.n == 0 && q->q.posted.n == 0 && !q->q.posted.order.first && !mpii_tasks &&
           !__atomic_load_n(&mpii_p2p_inbox_news, __ATOMIC_RELAXED);
}

static inline __attribute__((always_inline)) bool mpii_p2p_quick_recv(void *buf, MPI_Count count, MPI_Datatype datatype, int source,
                                                                int tag, MPI_Comm comm, MPI_Status *status)
{
    struct mpii_comm *c = mpii_comm_of(comm);
    long room = mpii_p2p_quick_bytes(buf, count, datatype);
    struct core_quick_head head;
    struct core_quick_mail m;
    enum core_quick_look found;
    struct core_peer *peer;

    if (MPT_UNLIKELY(!c || (unsigned)source >= (unsigned)c->quick || (unsigned)tag > MPII_TAG_UB || room < 0 ||
                     !mpii_p2p_quick_alone(mpii_p2p_context_of(c, MPII_LANE_USER))))
        return false;
    peer = core_quick_from(c->procs[source]);
    if (MPT_UNLIKELY(!peer))
        return false;
    head = mpii_p2p_quick_head(c->context + MPII_LANE_USER, tag, source);
    for (unsigned looks = 0; (found = core_quick_look(peer, MPII_CHANNEL_MESSAGE, &m)) == CORE_QUICK_NONE; core_relax()) {
        mpii_counters.waits += looks == 0;
        if (looks++ >= core_wait_tight / 4) /* a pause is longer than a look; soon others have their turn */
            return false;
    }
    if (MPT_UNLIKELY(found == CORE_QUICK_OTHER || m.head.word[0] != head.word[0] || m.head.word[1] != head.word[1] ||
                     m.n > (size_t)room))
        return false;
    core_copy(buf, m.body, m.n);
    core_quick_took(peer, &m);
    mpii_counters.receives++;
    mpii_counters.receive_bytes += m.n;
    mpii_status_set(status, source, tag, (MPI_Count)m.n, false);
    return true;
}

#endif
