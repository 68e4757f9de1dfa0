/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random messages among all tasks: types, counts, strides, encodings, tags,
 * contexts and ways of sending are drawn from a seed that all know, so each receiver
 * has a model of what every sender sends to it. Receives are drawn too: exact, by
 * tag, by source, any; after probes; with a limit; into precv.
 */
#include "family.h"

enum { EACH = 120, ITEMS = 5, TAGS = 4, MOST = 3000, STRIDE = 4 };

static const int sizes[] = {0, 1, 2, 4, 4, 8, 8, 16, 8, 2, 4, 8}; /* by type */
static int contexts[2];

struct item {
    int type, count, stride;
    uint64_t pattern;
};

struct message {
    int encoding, tag, context, items, way; /* way: pvm_send, pvm_mcast to one, pvm_psend */
    struct item item[ITEMS];
};

/* Message i of `from` to `to`. */
static struct message drawn(int from, int to, int i)
{
    uint64_t s = check_seed(77) * 1000003 + (uint64_t)from * 1009 + (uint64_t)to * 10007 + (uint64_t)i * 100003;
    struct message m = {.encoding = (int)check_random_below(&s, 3), .tag = (int)check_random_below(&s, TAGS)};
    m.context = contexts[check_random_below(&s, 4) == 0];
    m.items = (int)check_random_below(&s, ITEMS + 1);
    m.way = from == to ? 0 : (int)check_random_below(&s, 4);
    if (m.way == 3)
        m.items = 1;
    for (int k = 0; k < m.items; k++) {
        struct item *t = &m.item[k];
        bool large = check_random_below(&s, 8) == 0;
        t->type = 1 + (int)check_random_below(&s, 11);
        t->count = (int)check_random_below(&s, large ? MOST : 40);
        t->stride = m.encoding == PvmDataInPlace || m.way == 3 ? 1 : 1 + (int)check_random_below(&s, STRIDE);
        t->pattern = check_random(&s);
    }
    return m;
}

static unsigned char memory[ITEMS][MOST * STRIDE * 16], expected[MOST * 16];

static int pack(const struct item *t, void *p)
{
    switch (t->type) {
    case PVM_BYTE:
        return pvm_pkbyte(p, t->count, t->stride);
    case PVM_SHORT:
        return pvm_pkshort(p, t->count, t->stride);
    case PVM_INT:
        return pvm_pkint(p, t->count, t->stride);
    case PVM_FLOAT:
        return pvm_pkfloat(p, t->count, t->stride);
    case PVM_CPLX:
        return pvm_pkcplx(p, t->count, t->stride);
    case PVM_DOUBLE:
        return pvm_pkdouble(p, t->count, t->stride);
    case PVM_DCPLX:
        return pvm_pkdcplx(p, t->count, t->stride);
    case PVM_LONG:
        return pvm_pklong(p, t->count, t->stride);
    case PVM_USHORT:
        return pvm_pkushort(p, t->count, t->stride);
    case PVM_UINT:
        return pvm_pkuint(p, t->count, t->stride);
    default:
        return pvm_pkulong(p, t->count, t->stride);
    }
}

static int unpack(const struct item *t, void *p, int stride)
{
    switch (t->type) {
    case PVM_BYTE:
        return pvm_upkbyte(p, t->count, stride);
    case PVM_SHORT:
        return pvm_upkshort(p, t->count, stride);
    case PVM_INT:
        return pvm_upkint(p, t->count, stride);
    case PVM_FLOAT:
        return pvm_upkfloat(p, t->count, stride);
    case PVM_CPLX:
        return pvm_upkcplx(p, t->count, stride);
    case PVM_DOUBLE:
        return pvm_upkdouble(p, t->count, stride);
    case PVM_DCPLX:
        return pvm_upkdcplx(p, t->count, stride);
    case PVM_LONG:
        return pvm_upklong(p, t->count, stride);
    case PVM_USHORT:
        return pvm_upkushort(p, t->count, stride);
    case PVM_UINT:
        return pvm_upkuint(p, t->count, stride);
    default:
        return pvm_upkulong(p, t->count, stride);
    }
}

static void spread(unsigned char *to, const struct item *t)
{
    size_t size = (size_t)sizes[t->type];
    check_fill(expected, size * (size_t)t->count, t->pattern);
    for (int i = 0; i < t->count; i++)
        memcpy(to + (size_t)(i * t->stride) * size, expected + (size_t)i * size, size);
}

static void send_drawn(int member, int i)
{
    struct message m = drawn(pc_me, member, i);
    int to = fm_name(member), base = pvm_setcontext(m.context), rc;
    OK(pvm_initsend(m.encoding));
    for (int k = 0; k < m.items; k++) {
        spread(memory[k], &m.item[k]);
        if (m.way != 3)
            OK(pack(&m.item[k], memory[k]));
    }
    if (m.way == 3)
        rc = pvm_psend(to, m.tag, memory[0], m.item[0].count, m.item[0].type);
    else
        rc = m.way == 2 ? pvm_mcast(&to, 1, m.tag) : pvm_send(to, m.tag);
    CHECK(rc == 0, "message %d to PE %d: %d", i, member, rc);
    pvm_setcontext(base);
}

/* Each item whole, with a stride of its own. */
static void check_drawn(int from, int i, const struct message *m)
{
    for (int k = 0; k < m->items; k++) {
        const struct item *t = &m->item[k];
        size_t size = (size_t)sizes[t->type];
        int stride = 1 + (i + k) % 3, wrong = 0;
        int rc = unpack(t, memory[0], stride);
        check_fill(expected, size * (size_t)t->count, t->pattern);
        for (int e = 0; e < t->count; e++)
            wrong += memcmp(memory[0] + (size_t)(e * stride) * size, expected + (size_t)e * size, size) != 0;
        CHECK(rc == 0 && wrong == 0, "message %d of PE %d, item %d (type %d, %d items, encoding %d): code %d, %d wrong",
              i, from, k, t->type, t->count, m->encoding, rc, wrong);
    }
    char more;
    GIVES(pvm_upkbyte(&more, 1, 1), PvmNoData);
}

/* Which of each sender's messages have been received. */
static bool done[64][EACH];

/* The one that must come now: the earliest of `from` that fits. -1: none is left. */
static int due(int from, int tag, int context)
{
    for (int i = 0; i < EACH; i++) {
        struct message m = drawn(from, pc_me, i);
        if (!done[from][i] && m.context == context && (tag == -1 || m.tag == tag))
            return i;
    }
    return -1;
}

static bool any_due(int tag, int context)
{
    for (int pe = 0; pe < pc_size; pe++)
        if (due(pe, tag, context) >= 0)
            return true;
    return false;
}

static void receive_by_precv(int from, int tag, int context)
{
    int i = due(from, tag, context), got_tid = 0, got_tag = 0, n = -1;
    struct message m = drawn(from, pc_me, i);
    OK(pvm_precv(fm_name(from), tag, memory[0], (int)sizeof memory[0], PVM_BYTE, &got_tid, &got_tag, &n));
    CHECK(fm_of(got_tid) == from && got_tag == m.tag, "of PE %d, tag %d", fm_of(got_tid), got_tag);
    if (m.way == 3) {
        size_t bytes = (size_t)sizes[m.item[0].type] * (size_t)m.item[0].count;
        CHECK((size_t)n == bytes && check_differs(memory[0], bytes, m.item[0].pattern) == bytes,
              "message %d of PE %d by precv: %d bytes", i, from, n);
    }
    done[from][i] = true;
}

/* While this task has not sent all of its own, others may wait for that: it only looks. */
static int receive(int way, int from, int tag, bool wait)
{
    struct timeval t = {20, 0};
    int id = 0;
    if (!wait)
        return way == 0 && pvm_probe(from, tag) == 0 ? 0 : pvm_nrecv(from, tag);
    switch (way) {
    case 0:
        return pvm_recv(from, tag);
    case 1:
        while ((id = pvm_nrecv(from, tag)) == 0)
            ;
        return id;
    case 2:
        return pvm_trecv(from, tag, &t);
    default:
        while (pvm_probe(from, tag) == 0)
            ;
        return pvm_recv(from, tag);
    }
}

static void receive_one(uint64_t *s, bool wait)
{
    int context = contexts[check_random_below(s, 2)], from = (int)check_random_below(s, (uint64_t)pc_size);
    int tag = (int)check_random_below(s, TAGS + 1) - 1, tid = 0;
    bool any = check_random_below(s, 3) == 0;
    if (any ? !any_due(tag, context) : due(from, tag, context) < 0)
        return;
    int base = pvm_setcontext(context);
    if (wait && !any && check_random_below(s, 8) == 0) {
        receive_by_precv(from, tag, context);
        pvm_setcontext(base);
        return;
    }
    int id = receive((int)check_random_below(s, 4), any ? -1 : fm_name(from), tag, wait);
    pvm_setcontext(base);
    OK(id);
    if (id == 0)
        return;
    OK(pvm_bufinfo(id, NULL, NULL, &tid));
    int pe = fm_of(tid), i = due(pe, tag, context);
    if (!CHECK(i >= 0 && (any || pe == from), "a message of PE %d, asked for %d, tag %d", pe, any ? -1 : from, tag))
        return;
    struct message m = drawn(pe, pc_me, i);
    if (m.way != 3)
        check_drawn(pe, i, &m);
    done[pe][i] = true;
}

static int left(void)
{
    int n = 0;
    for (int pe = 0; pe < pc_size; pe++)
        for (int i = 0; i < EACH; i++)
            n += !done[pe][i];
    return n;
}

int main(void)
{
    fm_start();
    contexts[1] = 4242;
    uint64_t s = check_seed(99) + (uint64_t)pc_me * 7;
    int next = 0, to_send = EACH * pc_size;
    while (next < to_send || left() > 0) {
        if (next < to_send && check_random_below(&s, 2))
            send_drawn((next + pc_me) % pc_size, next / pc_size), next++;
        else
            receive_one(&s, next == to_send);
        if (check_failures > CHECK_MESSAGES)
            break;
    }
    GIVES(pvm_nrecv(-1, -1), 0);
    fm_barrier();
    return fm_finish();
}
