/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_recvf: the program's function sees all messages, of other contexts too, in the
 * order of arrival, and its values choose: 1 this one at once, more the highest,
 * 0 none, less than 0 an error. What it returned of old may be called.
 */
#include "family.h"

static int asked[64], askings, wanted_tid, wanted_tag;

static void send_tag(int tag)
{
    pvm_initsend(PvmDataRaw);
    OK(pvm_send(pc_tid, tag));
}

static int tag_of(int id)
{
    struct pvmminfo info = {.tag = -9};
    pvm_getminfo(id, &info);
    return info.tag;
}

/* Of this context 7 at once, above 100 by its value. */
static int rank(int id, int tid, int tag)
{
    struct pvmminfo info = {0};
    int t = tag_of(id);
    OK(pvm_getminfo(id, &info));
    if (askings < 64)
        asked[askings++] = t;
    CHECK(tid == wanted_tid && tag == wanted_tag, "asked for %x, %d", (unsigned)tid, tag);
    if (info.ctx != pvm_getcontext())
        return 0;
    return t == 7 ? 1 : t > 100 ? t : 0;
}

static int refuse(int id, int tid, int tag)
{
    (void)id, (void)tid, (void)tag;
    return PvmOutOfRes;
}

static int (*usual)(int, int, int);
static int as_usual(int id, int tid, int tag)
{
    return usual(id, tid, tag);
}

static int frees_all(int id, int tid, int tag)
{
    (void)tid, (void)tag;
    OK(pvm_freebuf(id));
    return 0;
}

static void choose(void)
{
    static const int sent[] = {1, 120, 130, 7, 150};
    for (int i = 0; i < 5; i++)
        send_tag(sent[i]);
    int other = pvm_newcontext(), base = pvm_setcontext(other);
    send_tag(7);
    pvm_setcontext(base);
    wanted_tid = 3, wanted_tag = -4; /* the function's to understand */
    CHECK(tag_of(pvm_nrecv(3, -4)) == 7, "1 is taken at once");
    CHECK(askings == 4 && asked[0] == 1 && asked[3] == 7, "%d askings, of %d first", askings, asked[0]);
    CHECK(tag_of(pvm_recv(3, -4)) == 150, "the highest");
    CHECK(tag_of(pvm_probe(3, -4)) == 130, "the highest is probed");
    CHECK(tag_of(pvm_recv(3, -4)) == 130, "and received");
    CHECK(tag_of(pvm_recv(3, -4)) == 120, "the last one of these");
    askings = 0;
    GIVES(pvm_nrecv(3, -4), 0);
    CHECK(askings == 2 && asked[0] == 1 && asked[1] == 7, "%d askings", askings);
    pvm_recvf(usual);
    CHECK(tag_of(pvm_recv(-1, -1)) == 1, "the one nobody wanted");
    GIVES(pvm_nrecv(-1, -1), 0);
    pvm_setcontext(other);
    CHECK(tag_of(pvm_recv(-1, -1)) == 7, "the other context's");
    pvm_setcontext(base);
    OK(pvm_freecontext(other));
}

/* A call that waits shows each message once. */
static void once(void)
{
    struct timeval t = {0, 30000};
    wanted_tid = -1, wanted_tag = 3;
    pvm_recvf(rank);
    send_tag(1);
    send_tag(2);
    askings = 0;
    GIVES(pvm_trecv(-1, 3, &t), 0);
    CHECK(askings == 2, "%d askings of 2 messages", askings);
    int x = 0, n, got_tid, got_tag;
    send_tag(200);
    OK(pvm_precv(-1, 3, &x, 1, PVM_INT, &got_tid, &got_tag, &n));
    CHECK(got_tag == 200 && n == 0 && got_tid == pc_tid, "precv: tag %d, %d bytes", got_tag, n);
    pvm_recvf(usual);
    while (pvm_nrecv(-1, -1) > 0)
        ;
}

int main(void)
{
    fm_start();
    usual = pvm_recvf(rank);
    CHECK(usual != NULL, "no function to go back to");
    CHECK(pvm_recvf(rank) == rank, "the function set is returned");
    choose();
    once();
    pvm_recvf(refuse);
    send_tag(5);
    GIVES(pvm_recv(-1, -1), PvmOutOfRes);
    GIVES(pvm_nrecv(-1, -1), PvmOutOfRes);
    GIVES(pvm_probe(-1, -1), PvmOutOfRes);
    CHECK(pvm_recvf(as_usual) == refuse, "the function before");
    CHECK(tag_of(pvm_recv(-1, 5)) == 5, "by the library's own function");
    send_tag(6);
    send_tag(6);
    pvm_recvf(frees_all);
    GIVES(pvm_nrecv(-1, -1), 0);
    CHECK(pvm_recvf(NULL) == frees_all, "the function before");
    GIVES(pvm_nrecv(-1, -1), 0);
    fm_barrier();
    return fm_finish();
}
