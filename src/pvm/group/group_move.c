/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Data among the members of a group: bcast, reduce, gather, scatter. They are
 * messages in a context of their own, so no receive of the program meets them;
 * what one member sends to another arrives in order, so calls with the same tag
 * may follow one another.
 */
#include <stdlib.h>
#include <string.h>

#include "pvm/group/group.h"
#include "pvm/trace.h"

/* Who takes part, as found when the call began. */
struct circle {
    int *slots; /* by position; free it */
    int n, me, root; /* positions; me: -1 not a member */
};

static int position_of(const struct circle *c, int slot)
{
    for (int i = 0; i < c->n; i++)
        if (c->slots[i] == slot)
            return i;
    return -1;
}

/* `root` is an instance. */
static int open_circle(struct circle *c, const char *group, int root)
{
    int root_slot, rc = pvmi_group_slot(group, root, &root_slot);
    if (rc == PvmNoGroup)
        return pvmi_fail(rc, "no task is in group \"%s\"", group ? group : "");
    if (rc < 0)
        return rc;
    if (root_slot < 0)
        return pvmi_fail(PvmNoInst, "no task is instance %d (root) of group \"%s\"", root, group ? group : "");
    if ((rc = pvmi_group_members(group, &c->slots, &c->n)) < 0)
        return rc;
    c->root = position_of(c, root_slot);
    c->me = position_of(c, pvmi.me);
    if (c->root >= 0 && c->me >= 0)
        return 0;
    free(c->slots);
    return pvmi_fail(PvmNoInst, "this task is not in group \"%s\"", group ? group : "");
}

/* Strings are bytes here. */
static size_t item_size(int type)
{
    return type == PVM_STR ? 1 : pvmi_size_of(type);
}

static int check_data(const void *p, const char *what, int count, int type, int tag)
{
    if (count < 0 || tag < 0)
        return pvmi_fail(PvmBadParam, "%s is %d", count < 0 ? "count" : "tag", count < 0 ? count : tag);
    if (item_size(type) == 0)
        return pvmi_fail(PvmBadParam, "%d is no type", type);
    if (!p && count > 0)
        return pvmi_fail(PvmBadParam, "%s is NULL", what);
    return 0;
}

/* ------------------------------------------------------------- one piece -- */

static int send_piece(int slot, int tag, const void *p, size_t n)
{
    struct pvmi_msg *m = pvmi_msg_new(PvmDataRaw);
    int rc = m ? pvmi_msg_add(m, p, n) : PvmNoMem;
    if (rc == 0)
        rc = pvmi_send(m, slot, tag, PVMI_CONTEXT_GROUP);
    pvmi_msg_free(m);
    return rc < 0 ? pvmi_fail(rc, "%zu bytes to t%x", n, (unsigned)pvmi_tid_of(slot)) : 0;
}

/* A member that has died sends nothing. */
static struct pvmi_msg *await(int slot, int tag)
{
    for (;;) {
        struct timeval limit = {.tv_usec = 200000};
        struct pvmi_msg *m = pvmi_wait(pvmi_tid_of(slot), tag, PVMI_CONTEXT_GROUP, &limit, pvmi.call);
        if (m)
            return m;
        if (!pvmi_alive(slot))
            return pvmi_match(pvmi_tid_of(slot), tag, PVMI_CONTEXT_GROUP); /* it may have sent it last */
    }
}

static int receive_piece(int slot, int tag, void *p, size_t n)
{
    struct pvmi_msg *m = await(slot, tag);
    int rc;
    if (!m)
        return pvmi_fail(PvmNoTask, "t%x has left before it took part", (unsigned)pvmi_tid_of(slot));
    if (MPT_UNLIKELY(core_trace_on()))
        pvmi_trace_received(m);
    rc = m->length == n ? pvmi_msg_take(m, p, n) : PvmMismatch;
    if (rc < 0)
        pvmi_fail(rc, "%zu bytes of t%x, %zu expected", m->length, (unsigned)pvmi_tid_of(slot), n);
    pvmi_msg_free(m);
    return rc;
}

/* ----------------------------------------------------------------- calls -- */

int pvm_bcast(char *group, int tag)
{
    int rc = pvmi_begin("pvm_bcast"), n, others = 0, *slots;
    struct pvmi_msg *m;
    PVMI_TRACE(t);
    if (rc < 0)
        return rc;
    if (tag < 0)
        return pvmi_fail(PvmBadParam, "tag is %d", tag);
    if ((rc = pvmi_group_members(group, &slots, &n)) < 0)
        return rc;
    for (int i = 0; i < n; i++)
        if (slots[i] != pvmi.me)
            slots[others++] = slots[i];
    m = pvmi_msg_of(pvmi.sbuf);
    rc = m ? pvmi_mcast(m, slots, others, tag, pvmi.context) : PvmNoBuf;
    free(slots);
    return rc < 0 ? pvmi_fail(rc, "group \"%s\"", group ? group : "") : 0;
}

typedef void combine(int *type, void *x, void *y, int *count, int *info);

/* In the order of instances, the root's own data first, as functions that do not commute may notice. */
static int combine_all(const struct circle *c, combine *func, void *data, int count, int type, int tag)
{
    size_t n = (size_t)count * item_size(type);
    void *theirs = malloc(n + 1);
    int rc = theirs ? 0 : pvmi_fail(PvmNoMem, "%zu bytes", n);
    for (int i = 0; i < c->n && rc == 0; i++) {
        int info = 0;
        if (i == c->me || (rc = receive_piece(c->slots[i], tag, theirs, n)) < 0)
            continue;
        func(&type, data, theirs, &count, &info);
        if (info < 0)
            rc = pvmi_fail(info, "type %d is nothing for that function", type);
    }
    free(theirs);
    return rc;
}

int pvm_reduce(combine *func, void *data, int count, int type, int tag, char *group, int root)
{
    struct circle c;
    int rc = pvmi_begin("pvm_reduce");
    PVMI_TRACE(t);
    if (rc < 0 || (rc = check_data(data, "data", count, type, tag)) < 0)
        return rc;
    if (!func)
        return pvmi_fail(PvmBadParam, "the function is NULL");
    if ((rc = open_circle(&c, group, root)) < 0)
        return rc;
    if (c.me == c.root)
        rc = combine_all(&c, func, data, count, type, tag);
    else
        rc = send_piece(c.slots[c.root], tag, data, (size_t)count * item_size(type));
    free(c.slots);
    return rc;
}

int pvm_gather(void *result, void *data, int count, int type, int tag, char *group, int root)
{
    struct circle c;
    int rc = pvmi_begin("pvm_gather");
    PVMI_TRACE(t);
    if (rc < 0 || (rc = check_data(data, "data", count, type, tag)) < 0 || (rc = open_circle(&c, group, root)) < 0)
        return rc;
    size_t n = (size_t)count * item_size(type);
    if (c.me != c.root)
        rc = send_piece(c.slots[c.root], tag, data, n);
    else if ((rc = check_data(result, "result", count, type, tag)) == 0)
        for (int i = 0; i < c.n && rc == 0; i++) {
            char *to = (char *)result + (size_t)i * n;
            if (i != c.me)
                rc = receive_piece(c.slots[i], tag, to, n);
            else if (n > 0)
                memmove(to, data, n);
        }
    free(c.slots);
    return rc;
}

int pvm_scatter(void *result, void *data, int count, int type, int tag, char *group, int root)
{
    struct circle c;
    int rc = pvmi_begin("pvm_scatter");
    PVMI_TRACE(t);
    if (rc < 0 || (rc = check_data(result, "result", count, type, tag)) < 0 || (rc = open_circle(&c, group, root)) < 0)
        return rc;
    size_t n = (size_t)count * item_size(type);
    if (c.me != c.root)
        rc = receive_piece(c.slots[c.root], tag, result, n);
    else if ((rc = check_data(data, "data", count, type, tag)) == 0)
        for (int i = 0; i < c.n && rc == 0; i++) {
            char *from = (char *)data + (size_t)i * n;
            if (i != c.me)
                rc = send_piece(c.slots[i], tag, from, n);
            else if (n > 0)
                memmove(result, from, n);
        }
    free(c.slots);
    return rc;
}
