/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls that send: pvm_send, pvm_mcast and pvm_psend. What could be a task's tid
 * but is nobody's gets nothing, and that is no error; what can be none is one.
 */
#include <limits.h>
#include <stdlib.h>

#include "core/base/number.h"
#include "pvm/msg/message.h"
#include "pvm/msg/system_tag.h"
#include "pvm/trace.h"

/* *slot -1: nobody has that tid. With PvmResvTids hosts may be named too; they take nothing. */
static int receiver(int tid, int *slot)
{
    *slot = pvmi_slot_of(tid);
    if (*slot >= 0)
        return 0;
    if (tid > 0 && !(tid & 1 << 30) && (tid & 0x3ffff) != 0)
        return 0;
    if (pvmi.opt[PvmResvTids] && tid != -1)
        return 0;
    return pvmi_fail(PvmBadParam, "tid %d (%#x) is no task's", tid, (unsigned)tid);
}

static int check_tag(int tag)
{
    if (tag >= 0 || pvmi.opt[PvmResvTids])
        return 0;
    return pvmi_fail(PvmBadParam, "tag %d is negative", tag);
}

static int failed(int code, size_t n)
{
    return code == 0 ? 0 : pvmi_fail(code, "a message of %zu bytes", n);
}

int pvm_send(int tid, int tag)
{
    struct pvmi_msg *m;
    int slot, rc = pvmi_begin("pvm_send");
    PVMI_TRACE(t);

    if (rc < 0 || (rc = check_tag(tag)) < 0 || (rc = receiver(tid, &slot)) < 0)
        return rc;
    m = pvmi_msg_of(pvmi.sbuf);
    if (!m)
        return pvmi_fail(PvmNoBuf, "nothing was packed (pvm_initsend)");
    if (MPT_UNLIKELY(slot < 0 && (uint32_t)tid == PVMI_PVMD && pvmi_is_system_tag(tag)))
        return pvmi_system_takes(m, tag);
    if (MPT_UNLIKELY(m->packed))
        pvmi_label_send(m->packed, slot, tag, pvmi.context);
    return failed(pvmi_send(m, slot, tag, pvmi.context), m->length);
}

/* -------------------------------------------------------------------- mcast -- */

static int check_receivers(const int *tids, int count)
{
    int slot, rc = 0;

    if (count < 0 || (!tids && count > 0))
        return pvmi_fail(PvmBadParam, "%d tids at %p", count, (const void *)tids);
    for (int i = 0; i < count && rc == 0; i++)
        rc = receiver(tids[i], &slot);
    return rc;
}

int pvmi_mcast(struct pvmi_msg *m, const int *slots, int count, int tag, int context)
{
    struct pvmi_letter l = {.later = false};
    int rc = pvmi_letter_open(&l, m, pvmi.tid, tag, context);

    if (rc != 0)
        return rc;
    for (int i = 0; i < count && rc == 0; i++)
        rc = pvmi_letter_post(&l, slots[i]);
    pvmi_letter_close(&l);
    return rc;
}

/* Each task once, this one not. NULL: no memory. */
static int *receivers(const int *tids, int count, int *n)
{
    int *slots = malloc(((size_t)count + 1) * sizeof *slots);
    bool *named = calloc((size_t)core_size(), sizeof *named);

    *n = 0;
    for (int i = 0; slots && named && i < count; i++) {
        int slot = pvmi_slot_of(tids[i]);

        if (slot < 0 || slot == pvmi.me || named[slot])
            continue;
        named[slot] = true;
        slots[(*n)++] = slot;
    }
    if (!named) {
        free(slots);
        slots = NULL;
    }
    free(named);
    return slots;
}

int pvm_mcast(int *tids, int count, int tag)
{
    struct pvmi_msg *m;
    int rc = pvmi_begin("pvm_mcast"), n;
    int *slots;
    PVMI_TRACE(t);

    if (rc < 0 || (rc = check_tag(tag)) < 0 || (rc = check_receivers(tids, count)) < 0)
        return rc;
    m = pvmi_msg_of(pvmi.sbuf);
    if (!m)
        return pvmi_fail(PvmNoBuf, "nothing was packed (pvm_initsend)");
    if (!(slots = receivers(tids, count, &n)))
        return pvmi_fail(PvmNoMem, "a list of %d tids", count);
    for (int i = 0; MPT_UNLIKELY(m->packed) && i < n; i++)
        pvmi_label_send(m->packed, slots[i], tag, pvmi.context);
    rc = pvmi_mcast(m, slots, n, tag, pvmi.context);
    free(slots);
    return failed(rc, m->length);
}

/* -------------------------------------------------------------------- psend -- */

/* The user's bytes in pieces of the arena, copied now or by pvmi_offer_... NULL: no memory. */
static struct pvmi_chunk *copy_of(const unsigned char *p, size_t n, bool later)
{
    struct pvmi_chunk *first = NULL, **last = &first;

    while (n > 0) {
        size_t piece = core_min(n, PVMI_PIECE);
        struct pvmi_chunk *c = pvmi_chunk_new(piece, true);

        if (!c) {
            pvmi_chain_drop(first);
            return NULL;
        }
        if (later)
            c->source = p;
        else
            core_copy(c->data, p, piece);
        c->used = piece;
        *last = c;
        last = &c->next;
        p += piece;
        n -= piece;
    }
    return first;
}

/* Raw bytes. A few travel from where they lie. */
int pvm_psend(int tid, int tag, void *p, int count, int type)
{
    int slot, rc = pvmi_begin("pvm_psend");
    struct pvmi_chunk here = {.data = p};
    struct pvmi_letter l = {.body = NULL};
    bool waits = false;
    int64_t n;
    PVMI_TRACE(t);

    if (rc < 0 || (rc = check_tag(tag)) < 0 || (rc = receiver(tid, &slot)) < 0)
        return rc;
    if ((n = pvmi_bytes_of(p, count, type)) < 0)
        return (int)n;
    if (MPT_UNLIKELY(core_params.check))
        pvmi_label_psend(type, count, slot, tag);
    if (slot < 0 || (n <= PVMI_SHORT_MAX &&
                     pvmi_send_short(slot, &(struct pvmi_short){tag, pvmi.context, 0, PvmDataRaw}, p, (size_t)n)))
        return 0;
    here.used = (size_t)n;
    l.later = n >= PVMI_OFFER_MIN && pvmi_offer_may(slot);
    if (n > PVMI_INLINE && !(l.body = copy_of(p, (size_t)n, l.later)))
        return pvmi_fail(PvmNoMem, "a message of %lld bytes", (long long)n);
    l.fresh = l.body != NULL;
    if (n <= PVMI_INLINE)
        l.body = &here;
    l.head = (struct pvmi_head){
        .src = pvmi.tid, .tag = tag, .context = pvmi.context, .length = (uint64_t)n, .encoding = PvmDataRaw};
    if (l.later)
        waits = pvmi_offer_begin(l.body, slot, tag, true);
    rc = pvmi_letter_post(&l, slot);
    if (l.later)
        pvmi_offer_settle(l.body, slot, waits);
    pvmi_letter_close(&l);
    return failed(rc, (size_t)n);
}
