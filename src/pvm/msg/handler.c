/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Message handlers: functions of the program that get messages as they come, at the
 * next call that receives. No two of them may want the same message, so at most one
 * does. While one runs others wait, so that a handler may receive itself.
 */
#include <stdio.h>
#include <stdlib.h>

#include "pvm/msg/message.h"
#include "pvm/msg/system_tag.h"

enum { HANDLERS_MAX = 1 << 16 };

struct pvmi_handler {
    int tid, tag, context; /* -1: any */
    int (*function)(int bufid); /* NULL: this number is free */
};

static bool meet(int a, int b)
{
    return a == b || a == -1 || b == -1;
}

static const struct pvmi_handler *handler_of(int tid, int tag, int context)
{
    for (int i = 0; i < pvmi.msg.handler.numbers; i++) {
        const struct pvmi_handler *h = &pvmi.msg.handler.table[i];

        if (h->function && meet(h->tid, tid) && meet(h->tag, tag) && meet(h->context, context))
            return h;
    }
    return NULL;
}

/* ------------------------------------------------------------------ table -- */

static int free_number(void)
{
    int i = 0;
    struct pvmi_handler *more;

    while (i < pvmi.msg.handler.numbers && pvmi.msg.handler.table[i].function)
        i++;
    if (i < pvmi.msg.handler.numbers)
        return i;
    if (pvmi.msg.handler.numbers == HANDLERS_MAX)
        return PvmOutOfRes;
    more = realloc(pvmi.msg.handler.table, (size_t)(pvmi.msg.handler.numbers + 1) * sizeof *more);
    if (!more)
        return PvmNoMem;
    pvmi.msg.handler.table = more;
    return pvmi.msg.handler.numbers++;
}

int pvm_addmhf(int tid, int tag, int context, int (*function)(int bufid))
{
    int rc = pvmi_begin("pvm_addmhf"), slot = tid == -1 ? -1 : pvmi_slot_of(tid);

    if (rc < 0)
        return rc;
    if (!function || (tag < -1 && !pvmi_is_system_tag(tag)) || context < -1 || context >= PVMI_CONTEXT_SYSTEM)
        return pvmi_fail(PvmBadParam, "tag %d, context %d, function %s", tag, context, function ? "given" : "NULL");
    if (slot >= 0)
        tid = pvmi_tid_of(slot);
    if (handler_of(tid, tag, context))
        return pvmi_fail(PvmExists, "tid %#x, tag %d, context %d", (unsigned)tid, tag, context);
    rc = free_number();
    if (rc < 0)
        return pvmi_fail(rc, "%d handlers", pvmi.msg.handler.numbers);
    pvmi.msg.handler.table[rc] = (struct pvmi_handler){tid, tag, context, function};
    pvmi.msg.set_handlers++;
    return rc;
}

int pvm_delmhf(int mhid)
{
    int rc = pvmi_begin("pvm_delmhf");

    if (rc < 0)
        return rc;
    if (mhid < 0)
        return pvmi_fail(PvmBadParam, "%d", mhid);
    if (mhid >= pvmi.msg.handler.numbers || !pvmi.msg.handler.table[mhid].function)
        return pvmi_fail(PvmNotFound, "no handler has number %d", mhid);
    pvmi.msg.handler.table[mhid].function = NULL;
    pvmi.msg.set_handlers--;
    return 0;
}

/* As the library of old: a line of the caller's, then the handlers. */
int pvmdisplaymhfinfo(const char *who, const char *text, int tid)
{
    int rc = pvmi_begin("pvmdisplaymhfinfo");

    if (rc < 0)
        return rc;
    printf("\n%s t%x: %s\n", who ? who : "", (unsigned)tid, text ? text : "");
    printf("message handlers of t%x: %u\n", (unsigned)pvmi.tid, pvmi.msg.set_handlers);
    for (int i = 0; i < pvmi.msg.handler.numbers; i++)
        if (pvmi.msg.handler.table[i].function)
            printf("mhid %d  src %#x  tag %d  context %d\n", i, (unsigned)pvmi.msg.handler.table[i].tid,
                   pvmi.msg.handler.table[i].tag, pvmi.msg.handler.table[i].context);
    fflush(stdout);
    return 0;
}

/* --------------------------------------------------------------- messages -- */

bool pvmi_handler_takes(struct pvmi_msg *m)
{
    if (m->context >= PVMI_CONTEXT_SYSTEM || !handler_of(m->src, m->tag, m->context))
        return false;
    m->next = NULL;
    *pvmi.msg.handler.last = m;
    pvmi.msg.handler.last = &m->next;
    pvmi.msg.due = true;
    return true;
}

static int still(int bufid)
{
    return pvmi_msg_of(bufid) ? bufid : 0;
}

/* With the message as receive buffer, no send buffer and the message's context. */
static void run(const struct pvmi_handler *h, struct pvmi_msg *m)
{
    const int sbuf = pvmi.sbuf, rbuf = pvmi.rbuf, context = pvmi.context;
    const char *call = pvmi.call;
    int (*function)(int) = h->function;
    int id;

    pvmi.sbuf = pvmi.rbuf = 0;
    pvmi.context = m->context;
    id = pvmi_accept(m);
    if (id > 0) {
        function(id);
        if (pvmi_msg_of(id) == m)
            pvmi_msg_free(m);
    }
    pvmi.sbuf = still(sbuf);
    pvmi.rbuf = still(rbuf);
    pvmi.context = context;
    pvmi.call = call;
}

void pvmi_handler_run(void)
{
    struct pvmi_msg *m;

    if (pvmi.msg.handler.running)
        return;
    pvmi.msg.handler.running = true;
    while ((m = pvmi.msg.handler.first)) {
        const struct pvmi_handler *h = handler_of(m->src, m->tag, m->context);

        if (!(pvmi.msg.handler.first = m->next))
            pvmi.msg.handler.last = &pvmi.msg.handler.first;
        if (h)
            run(h, m);
        else
            pvmi_queue_add(m); /* its handler was deleted meanwhile */
    }
    pvmi.msg.handler.running = false;
}

int pvmi_handler_own(int owner)
{
    int rc = 0;

    for (struct pvmi_msg *m = pvmi.msg.handler.first; m && rc == 0; m = m->next)
        rc = pvmi_msg_own(m, owner);
    return rc;
}

void pvmi_handler_clear(void)
{
    struct pvmi_msg *m;

    while ((m = pvmi.msg.handler.first)) {
        pvmi.msg.handler.first = m->next;
        pvmi_msg_free(m);
    }
    pvmi.msg.handler.last = &pvmi.msg.handler.first;
}
