/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls that receive. A message received becomes the current receive buffer;
 * the one before is freed, also when none is found. pvm_precv leaves it alone.
 */
#include <limits.h>

#include "pvm/msg/message.h"
#include "pvm/trace.h"
#include "pvm/pack/buffer.h"
#include "pvm/msg/system_tag.h"

/* 0 or a code, reported. Hosts are senders of notifications. A function of the program gets what the call was given. */
static int wanted(struct pvmi_wanted *want, int tid, int tag, bool take)
{
    int slot;

    *want = (struct pvmi_wanted){.tid = tid,
                                 .tag = tag,
                                 .context = pvmi.context,
                                 .slot = -1,
                                 .take = take,
                                 .by_program = pvmi.msg.matcher != NULL};
    if (want->by_program)
        return 0;
    if (tag < -1 && !pvmi_is_system_tag(tag))
        return pvmi_fail(PvmBadParam, "tag %d: expected 0 or more, or -1", tag);
    if (tid == -1 || ((uint32_t)tid & PVMI_PVMD && (tid & 0x3ffff) == 0 && (uint32_t)tid < PVMI_PVMD + (1u << 30)))
        return 0;
    slot = pvmi_slot_of(tid);
    if (slot < 0)
        return pvmi_fail(PvmBadParam, "tid %d (%#x) is no task's", tid, (unsigned)tid);
    want->slot = slot;
    want->tid = pvmi_tid_of(slot);
    return 0;
}

void pvmi_forget_received(void)
{
    struct pvmi_msg *old = pvmi_msg_of(pvmi.rbuf);

    pvmi.rbuf = 0;
    if (old && !old->spot) /* one that is still in the queue (pvm_setrbuf of a probed one) stays there */
        pvmi_msg_free(old);
}

/* What is at other nodes comes here, what a sender of this node offers is to be copied by it. 0 or PvmNoMem. */
static int fetch(struct pvmi_chunk *c)
{
    int rc = 0;

    for (; c && rc == 0; c = c->next) {
        if (MPT_UNLIKELY(c->offered))
            pvmi_offer_refuse(c);
        else if (MPT_UNLIKELY(c->rndv.n))
            rc = pvmi_chunk_load(c);
    }
    return rc;
}

int pvmi_accept(struct pvmi_msg *m)
{
    int id = pvmi_msg_id(m);

    if (id < 0 || fetch(m->first) < 0) {
        size_t n = m->length;

        pvmi_msg_free(m);
        return pvmi_fail(PvmNoMem, "a message of %zu bytes", n);
    }
    m->at = NULL;
    m->at_byte = 0;
    return pvmi.rbuf = id;
}

/* The end of each receive. */
static int result(const struct pvmi_wanted *want, struct pvmi_msg *m)
{
    if (MPT_UNLIKELY(!m && want->failed))
        return pvmi_fail(want->failed, "the function of pvm_recvf says so");
    if (!m || m->id != pvmi.rbuf || !m->id)
        pvmi_forget_received();
    if (MPT_UNLIKELY(core_trace_on()))
        pvmi_trace_received(m);
    return m ? pvmi_accept(m) : 0;
}

int pvm_recv(int tid, int tag)
{
    struct pvmi_wanted want;
    int rc = pvmi_begin("pvm_recv");

    PVMI_TRACE(t);
    if (rc < 0 || (rc = wanted(&want, tid, tag, true)) < 0)
        return rc;
    return result(&want, pvmi_wait_wanted(&want, NULL, "pvm_recv"));
}

int pvm_nrecv(int tid, int tag)
{
    struct pvmi_wanted want;
    struct pvmi_msg *m;
    int rc = pvmi_begin("pvm_nrecv");

    if (rc < 0 || (rc = wanted(&want, tid, tag, true)) < 0)
        return rc;
    m = pvmi_look_now(&want, "pvm_nrecv");
    if (MPT_LIKELY(!m || !core_trace_on()))
        return result(&want, m);
    PVMI_TRACE(t); /* those that find nothing leave no records */
    return result(&want, m);
}

/* Without a limit as pvm_recv, with none left as pvm_nrecv. */
int pvm_trecv(int tid, int tag, struct timeval *limit)
{
    struct pvmi_wanted want;
    int rc = pvmi_begin("pvm_trecv");
    bool now = limit && (limit->tv_sec < 0 || (limit->tv_sec == 0 && limit->tv_usec <= 0));

    PVMI_TRACE(t);
    if (rc < 0 || (rc = wanted(&want, tid, tag, true)) < 0)
        return rc;
    return result(&want, now ? pvmi_look_now(&want, "pvm_trecv") : pvmi_wait_wanted(&want, limit, "pvm_trecv"));
}

int pvm_probe(int tid, int tag)
{
    struct pvmi_wanted want;
    struct pvmi_msg *m;
    int rc = pvmi_begin("pvm_probe");

    if (rc < 0 || (rc = wanted(&want, tid, tag, false)) < 0)
        return rc;
    m = pvmi_look_now(&want, "pvm_probe");
    if (!m && want.failed)
        return pvmi_fail(want.failed, "the function of pvm_recvf says so");
    rc = m ? pvmi_msg_id(m) : 0;
    return rc < 0 ? pvmi_fail(rc, "a bufid for a message of %zu bytes", m->length) : rc;
}

/* -------------------------------------------------------------------- precv -- */

int64_t pvmi_bytes_of(const void *p, int count, int type)
{
    size_t size = pvmi_size_of(type);

    if (type == PVM_STR)
        return pvmi_fail(PvmNotImpl, "type PVM_STR");
    if (size == 0)
        return pvmi_fail(PvmBadParam, "%d is no type", type);
    if (count < 0 || (!p && count > 0))
        return pvmi_fail(PvmBadParam, "%d items at %p", count, p);
    return (int64_t)count * (int64_t)size;
}

static void tell(int *where, int value)
{
    if (where)
        *where = value;
}

/* The first n bytes. What the sender offers is copied from where it lies. */
static int take_body(struct pvmi_msg *m, char *p, size_t n)
{
    int rc = 0;

    for (struct pvmi_chunk *c = m->first; c && n > 0 && rc == 0; c = c->next) {
        size_t k = c->used < n ? c->used : n;

        if (!c->offered || !pvmi_offer_take(c, p, k)) {
            m->at = c;
            m->at_byte = 0;
            rc = pvmi_msg_take(m, p, k);
        }
        p += k;
        n -= k;
    }
    return rc;
}

/* Who sends meanwhile may leave the copy to us. */
static void say_taking(bool on, int tag)
{
    __atomic_store_n(pvmi_own_word(PVMI_WORD_TAKES), on ? 1ull << 32 | (uint32_t)tag : 0, __ATOMIC_RELEASE);
}

/* What does not fit is lost; *rcount is the whole message's length. */
int pvm_precv(int tid, int tag, void *p, int count, int type, int *rtid, int *rtag, int *rcount)
{
    struct pvmi_wanted want;
    struct pvmi_msg *m;
    int64_t n;
    int rc = pvmi_begin("pvm_precv");
    PVMI_TRACE(t);

    if (rc < 0 || (n = pvmi_bytes_of(p, count, type)) < 0)
        return rc < 0 ? rc : (int)n;
    if ((rc = wanted(&want, tid, tag, true)) < 0)
        return rc;
    if (n >= PVMI_OFFER_MIN)
        say_taking(true, tag);
    m = pvmi_wait_wanted(&want, NULL, "pvm_precv");
    if (n >= PVMI_OFFER_MIN)
        say_taking(false, tag);
    if (!m)
        return pvmi_fail(want.failed, "the function of pvm_recvf says so");
    if (MPT_UNLIKELY(core_trace_on()))
        pvmi_trace_received(m);
    if (MPT_UNLIKELY(m->packed) && type >= PVM_BYTE && type <= PVM_ULONG)
        pvmi_packed_took(m, type, (uint64_t)n < m->length ? (size_t)count : m->length / pvmi_size_of(type));
    rc = take_body(m, p, (uint64_t)n < m->length ? (size_t)n : m->length);
    tell(rtid, m->src);
    tell(rtag, m->tag);
    tell(rcount, m->length > INT_MAX ? INT_MAX : (int)m->length);
    n = (int64_t)m->length;
    pvmi_msg_free(m);
    return rc < 0 ? pvmi_fail(rc, "a message of %lld bytes", (long long)n) : 0;
}
