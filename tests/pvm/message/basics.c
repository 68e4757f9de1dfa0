/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls as programs use them: what a receive returns, which buffer is current
 * after it, what is known of a message, sending a message on, to itself, by PE
 * number, of every length around those at which messages travel differently.
 */
#include "family.h"

static int right(void)
{
    return (pc_me + 1) % pc_size;
}
static int left(void)
{
    return (pc_me + pc_size - 1) % pc_size;
}
static int tid_of(int pe)
{
    return fm_tid(pe);
}

static void send_int(int tid, int tag, int value)
{
    OK(pvm_initsend(PvmDataDefault));
    OK(pvm_pkint(&value, 1, 1));
    GIVES(pvm_send(tid, tag), 0);
}

static int received_int(void)
{
    int value = -1;
    OK(pvm_upkint(&value, 1, 1));
    return value;
}

static void round_the_ring(void)
{
    int bytes = -1, tag = -1, tid = -1, id;
    struct pvmminfo info = {0};
    send_int(tid_of(right()), 7, 1000 + pc_me);
    id = pvm_recv(tid_of(left()), 7);
    CHECK(id > 0 && id == pvm_getrbuf(), "bufid %d, receive buffer %d", id, pvm_getrbuf());
    OK(pvm_bufinfo(id, &bytes, &tag, &tid));
    CHECK(bytes == 4 && tag == 7 && tid == tid_of(left()), "bytes %d, tag %d, tid %x", bytes, tag, (unsigned)tid);
    OK(pvm_getminfo(id, &info));
    CHECK(info.len == 4 && info.ctx == 0 && info.tag == 7 && info.src == tid_of(left()) && info.dst == pc_tid,
          "len %d ctx %d tag %d src %x dst %x", info.len, info.ctx, info.tag, (unsigned)info.src, (unsigned)info.dst);
    int value = received_int();
    CHECK(value == 1000 + left(), "got %d", value);
    int spare;
    GIVES(pvm_upkint(&spare, 1, 1), PvmNoData);
}

/* Stand-alone programs name tasks by PE number, and may ask for them so. */
static void by_number(void)
{
    send_int(fm_name(right()), 8, pc_me);
    CHECK(pvm_recv(fm_name(left()), 8) > 0, "nothing from PE %d", left());
    int value = received_int(), bytes, tag, tid = 0;
    OK(pvm_bufinfo(pvm_getrbuf(), &bytes, &tag, &tid));
    CHECK(value == left() && tid == tid_of(left()), "got %d of %x", value, (unsigned)tid);
}

static void current_buffer(void)
{
    send_int(pc_tid, 1, 11);
    int a = pvm_recv(-1, 1);
    CHECK(pvm_getrbuf() == a, "%d is current, not %d", pvm_getrbuf(), a);
    GIVES(pvm_probe(-1, 99), 0);
    CHECK(pvm_getrbuf() == a, "a probe changed the receive buffer to %d", pvm_getrbuf());
    GIVES(pvm_nrecv(-1, 99), 0);
    CHECK(pvm_getrbuf() == 0, "receive buffer %d after an nrecv that found nothing", pvm_getrbuf());
    GIVES(pvm_bufinfo(a, NULL, NULL, NULL), PvmNoSuchBuf);
    /* one put aside stays */
    send_int(pc_tid, 1, 12);
    send_int(pc_tid, 1, 13);
    a = pvm_recv(-1, 1);
    CHECK(pvm_setrbuf(0) == a, "setrbuf");
    int b = pvm_recv(-1, 1);
    CHECK(received_int() == 13, "the second one");
    OK(pvm_setrbuf(a));
    CHECK(received_int() == 12, "the one put aside");
    OK(pvm_freebuf(b));
    OK(pvm_freebuf(a));
    CHECK(pvm_getrbuf() == 0, "receive buffer %d", pvm_getrbuf());
}

static void probing(void)
{
    send_int(pc_tid, 4, 21);
    int a = pvm_probe(-1, 4);
    CHECK(a > 0 && pvm_probe(pc_tid, -1) == a, "probe gave %d, then %d", a, pvm_probe(pc_tid, -1));
    int bytes = 0, tag = 0;
    OK(pvm_bufinfo(a, &bytes, &tag, NULL));
    CHECK(bytes == 4 && tag == 4, "bytes %d, tag %d", bytes, tag);
    /* looked at where it is, then received: from its beginning */
    int before = pvm_setrbuf(a);
    CHECK(received_int() == 21, "read by setrbuf");
    OK(pvm_setrbuf(before));
    CHECK(pvm_recv(-1, 4) == a, "received as another buffer");
    CHECK(received_int() == 21, "read after the receive");
    /* current while it waits: a receive of another one leaves it */
    send_int(pc_tid, 4, 22);
    send_int(pc_tid, 5, 23);
    a = pvm_probe(-1, 4);
    pvm_setrbuf(a);
    CHECK(pvm_recv(-1, 5) > 0 && received_int() == 23, "tag 5");
    CHECK(pvm_recv(-1, 4) == a && received_int() == 22, "tag 4 is still there");
    /* freed while it waits: gone */
    send_int(pc_tid, 4, 24);
    a = pvm_probe(-1, 4);
    GIVES(pvm_freebuf(a), 0);
    GIVES(pvm_nrecv(-1, 4), 0);
}

/* What was received may be sent on, as it is, and what was sent may grow. */
static void sending_on(void)
{
    send_int(tid_of(right()), 9, pc_me);
    int a = pvm_recv(-1, 9);
    OK(pvm_setsbuf(a));
    OK(pvm_send(tid_of(right()), 10));
    int b = pvm_recv(-1, 10), value = received_int(), tid;
    OK(pvm_bufinfo(b, NULL, NULL, &tid));
    CHECK(value == (pc_me + 2 * pc_size - 2) % pc_size && tid == tid_of(left()), "got %d of %x", value, (unsigned)tid);
    OK(pvm_setsbuf(0));
    OK(pvm_initsend(PvmDataRaw));
    for (int i = 0; i < 40; i++) {
        OK(pvm_pkint(&i, 1, 1));
        OK(pvm_send(pc_tid, 11));
    }
    for (int i = 0; i < 40; i++) {
        int bytes = 0;
        OK(pvm_bufinfo(pvm_recv(-1, 11), &bytes, NULL, NULL));
        CHECK(bytes == 4 * (i + 1), "message %d has %d bytes", i, bytes);
        for (int k = 0; k <= i; k++)
            CHECK(received_int() == k, "message %d, item %d", i, k);
    }
}

static void lengths(int encoding)
{
    static const int around[] = {0, 24, 64, 880, 896, 960, 992, 1000, 1024, 4096, 8192, 65536, 1 << 20};
    static char data[(1 << 20) + 64], back[(1 << 20) + 64];
    for (size_t k = 0; k < sizeof around / sizeof *around; k++)
        for (int n = around[k] < 9 ? 0 : around[k] - 9; n <= around[k] + 9; n += 3) {
            check_fill(data, (size_t)n, (uint64_t)n + (uint64_t)pc_me);
            OK(pvm_initsend(encoding));
            OK(pvm_pkbyte(data, n, 1));
            OK(pvm_send(tid_of(right()), n));
            memset(data, 0xee, (size_t)n);
            int got = 0, id = pvm_recv(tid_of(left()), n);
            OK(pvm_bufinfo(id, &got, NULL, NULL));
            CHECK(got >= n && got <= n + 3, "%d bytes instead of %d", got, n);
            OK(pvm_upkbyte(back, n, 1));
            size_t bad = check_differs(back, (size_t)n, (uint64_t)n + (uint64_t)left());
            CHECK(bad == (size_t)n, "encoding %d, %d bytes: byte %zu is wrong", encoding, n, bad);
        }
}

int main(void)
{
    fm_start();
    round_the_ring();
    by_number();
    current_buffer();
    probing();
    sending_on();
    lengths(PvmDataDefault);
    lengths(PvmDataRaw);
    lengths(PvmDataInPlace);
    fm_barrier();
    return fm_finish();
}
