/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Message handlers: they get their messages in any receiving call, with buffers and
 * context of their own; wildcards, overlaps, numbers; a handler that answers, one
 * that receives, one that frees its message, one that is deleted in time.
 */
#include "family.h"

static int calls, got, seen_context, answers;

static void send_value(int tid, int tag, int value)
{
    int before = pvm_setsbuf(0);
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&value, 1, 1);
    OK(pvm_send(tid, tag));
    pvm_freebuf(pvm_setsbuf(before));
}

static int count(int id)
{
    calls++;
    CHECK(id == pvm_getrbuf() && pvm_getsbuf() == 0, "buffer %d, receive %d, send %d", id, pvm_getrbuf(),
          pvm_getsbuf());
    OK(pvm_upkint(&got, 1, 1));
    seen_context = pvm_getcontext();
    return 0;
}

/* Sends the value back, one more. */
static int answer(int id)
{
    int tid = 0, value = 0;
    OK(pvm_bufinfo(id, NULL, NULL, &tid));
    OK(pvm_upkint(&value, 1, 1));
    send_value(tid, 31, value + 1);
    answers++;
    return 0;
}

static int receives(int id)
{
    int value = 0;
    (void)id;
    send_value(pc_tid, 41, 5);
    CHECK(pvm_recv(-1, 41) > 0, "a handler receives");
    OK(pvm_upkint(&value, 1, 1));
    CHECK(value == 5, "got %d", value);
    calls++;
    return 0;
}

static int frees(int id)
{
    calls++;
    OK(pvm_freebuf(id));
    return 0;
}

static void alone(void)
{
    int h = pvm_addmhf(-1, 20, -1, count), value = 3;
    OK(h);
    send_value(pc_tid, 19, 1);
    OK(pvm_initsend(PvmDataRaw));
    OK(pvm_pkint(&value, 1, 1));
    int sbuf = pvm_getsbuf();
    OK(pvm_send(pc_tid, 20));
    int rbuf = pvm_recv(pc_tid, 19);
    CHECK(calls == 1 && got == 3, "%d calls, value %d", calls, got);
    CHECK(pvm_getsbuf() == sbuf && pvm_getrbuf() == rbuf, "the buffers are %d and %d", pvm_getsbuf(), pvm_getrbuf());
    GIVES(pvm_nrecv(-1, 20), 0);
    /* its message's context while it runs */
    int c = pvm_newcontext(), base = pvm_setcontext(c);
    send_value(pc_tid, 20, 4);
    pvm_setcontext(base);
    GIVES(pvm_probe(-1, 20), 0);
    CHECK(calls == 2 && seen_context == c && pvm_getcontext() == base, "%d calls, context %d of %d", calls,
          seen_context, c);
    OK(pvm_delmhf(h));
    GIVES(pvm_delmhf(h), PvmNotFound);
    send_value(pc_tid, 20, 6);
    CHECK(pvm_recv(-1, 20) > 0 && calls == 2, "the message of a handler that is gone");
    pvm_freecontext(c);
}

static void overlaps(void)
{
    int a = pvm_addmhf(-1, 21, 0, count), b = pvm_addmhf(-1, -1, 5, count);
    OK(a);
    OK(b);
    GIVES(pvm_addmhf(-1, 21, 0, frees), PvmExists);
    GIVES(pvm_addmhf(pc_tid, 21, 0, frees), PvmExists);
    GIVES(pvm_addmhf(pc_tid, -1, 0, frees), PvmExists);
    GIVES(pvm_addmhf(-1, 3, 5, frees), PvmExists);
    GIVES(pvm_addmhf(-1, -1, -1, frees), PvmExists);
    int c = pvm_addmhf(pc_tid, 22, 0, frees);
    OK(c);
    CHECK(a != b && b != c && a != c, "numbers %d, %d, %d", a, b, c);
    OK(pvm_delmhf(a));
    OK(pvm_delmhf(b));
    OK(pvm_delmhf(c));
    GIVES(pvm_addmhf(-1, 1, 0, NULL), PvmBadParam);
    GIVES(pvm_addmhf(-1, -2, 0, count), PvmBadParam);
    GIVES(pvm_delmhf(-1), PvmBadParam);
    GIVES(pvm_delmhf(100000), PvmNotFound);
}

static void inside(void)
{
    int a = pvm_addmhf(pc_tid, 40, 0, receives), b = pvm_addmhf(-1, 42, 0, frees);
    calls = 0;
    send_value(pc_tid, 40, 0);
    send_value(pc_tid, 40, 0);
    send_value(pc_tid, 42, 0);
    send_value(pc_tid, 43, 0);
    CHECK(pvm_recv(-1, -1) > 0 && calls == 3, "%d calls", calls);
    OK(pvm_delmhf(a));
    OK(pvm_delmhf(b));
}

/* Everybody asks everybody; whoever waits for an answer serves the others. */
static void answering(void)
{
    enum { ROUNDS = 50 };
    int h = pvm_addmhf(-1, 30, 0, answer), value = 0;
    OK(h);
    OK(pvm_joingroup("served"));
    OK(pvm_barrier("served", pc_size));
    for (int i = 0; i < ROUNDS; i++)
        for (int pe = 0; pe < pc_size; pe++) {
            send_value(fm_name(pe), 30, 100 * i + pe);
            CHECK(pvm_recv(fm_name(pe), 31) > 0, "an answer");
            OK(pvm_upkint(&value, 1, 1));
            CHECK(value == 100 * i + pe + 1, "PE %d answers %d", pe, value);
        }
    OK(pvm_barrier("served", pc_size)); /* handlers run in it */
    CHECK(answers == ROUNDS * pc_size, "%d answers", answers);
    OK(pvm_delmhf(h));
}

int main(void)
{
    fm_start();
    alone();
    overlaps();
    inside();
    answering();
    fm_barrier();
    return fm_finish();
}
