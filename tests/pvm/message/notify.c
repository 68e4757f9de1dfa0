/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_notify among tasks that leave by pvm_exit and by ending: one message for each
 * tid, after the task's last message, in the context of the request; requests that
 * are cancelled; tids that nobody has; hosts, which never go.
 */
#include "family.h"

static int note(int tag, int wait_s)
{
    struct timeval t = {wait_s, 0};
    int id = pvm_trecv(-1, tag, &t), tid = 0, bytes = 0, src = 0;
    if (id <= 0)
        return id;
    OK(pvm_bufinfo(id, &bytes, NULL, &src));
    OK(pvm_upkint(&tid, 1, 1));
    CHECK(bytes == 4 && src == (int)0x80000000, "%d bytes of %x", bytes, (unsigned)src);
    return tid;
}

static void at_once(void)
{
    int t[2] = {1 << 18 | 0x1055, 1 << 18 | 0x1056};
    GIVES(pvm_notify(PvmTaskExit, 30, 2, t), 0);
    CHECK(note(30, 5) == t[0], "the first one");
    CHECK(note(30, 5) == t[1], "the second one");
    CHECK(note(30, 0) == 0, "no third one");
    GIVES(pvm_notify(PvmRouteDelete, 35, 1, t), 0);
    CHECK(note(35, 5) == t[0], "no route to nobody");
    int c = pvm_newcontext(), base = pvm_setcontext(c);
    GIVES(pvm_notify(PvmTaskExit, 31, 1, t), 0);
    pvm_setcontext(base);
    CHECK(note(31, 0) == 0, "in the other context");
    pvm_setcontext(c);
    CHECK(note(31, 5) == t[0], "in its context");
    pvm_setcontext(base);
    OK(pvm_freecontext(c));
}

static void cancelled(void)
{
    int me = pc_tid;
    GIVES(pvm_notify(PvmTaskExit | PvmNotifyCancel, 32, 1, &me), 0);
    CHECK(note(32, 0) == 0, "nothing was asked for");
    GIVES(pvm_notify(PvmTaskExit, 32, 1, &me), 0);
    GIVES(pvm_notify(PvmTaskExit, 32, 1, &me), 0);
    CHECK(note(32, 0) == 0, "still here");
    GIVES(pvm_notify(PvmTaskExit + PvmNotifyCancel, 32, 1, &me), 0);
    CHECK(note(32, 5) == me && note(32, 0) == 0, "one of two requests");
    GIVES(pvm_notify(PvmTaskExit | PvmNotifyCancel, 33, 1, &me), 0);
    CHECK(note(33, 0) == 0, "of another tag");
    GIVES(pvm_notify(PvmTaskExit | PvmNotifyCancel, 32, 1, &me), 0);
    CHECK(note(32, 5) == me, "the other one");
}

static void hosts(void)
{
    int t[2] = {1 << 18, 4000 << 18}, id;
    GIVES(pvm_notify(PvmHostDelete, 34, 2, t), 0);
    CHECK(note(34, 5) == t[1] && note(34, 0) == 0, "the host that is not there");
    GIVES(pvm_notify(PvmHostDelete | PvmNotifyCancel, 34, 2, t), 0);
    CHECK(note(34, 5) == t[0] && note(34, 0) == 0, "the host that is there");
    static const int counts[] = {-1, 0, 3};
    for (int i = 0; i < 3; i++) {
        GIVES(pvm_notify(PvmHostAdd, 36, counts[i], NULL), 0);
        GIVES(pvm_notify(PvmRouteAdd, 36, counts[i], NULL), 0);
    }
    GIVES(pvm_notify(PvmHostAdd | PvmNotifyCancel, 36, 3, NULL), 0);
    CHECK((id = pvm_nrecv(-1, 36)) == 0, "a host was added: %d", id);
}

static void errors(void)
{
    int me = pc_tid, none = -4, host = 1 << 18;
    GIVES(pvm_notify(0, 1, 1, &me), PvmBadParam);
    GIVES(pvm_notify(9, 1, 1, &me), PvmBadParam);
    GIVES(pvm_notify(PvmTaskExit, 1, -1, &me), PvmBadParam);
    GIVES(pvm_notify(PvmTaskExit, 1, 0, &me), PvmBadParam);
    GIVES(pvm_notify(PvmTaskExit, 1, 1, NULL), PvmBadParam);
    GIVES(pvm_notify(PvmTaskExit, -1, 1, &me), PvmBadParam);
    GIVES(pvm_notify(PvmTaskExit, 1, 1, &none), PvmBadParam);
    GIVES(pvm_notify(PvmTaskExit, 1, 1, &host), PvmBadParam);
    GIVES(pvm_notify(PvmHostAdd, 1, -2, NULL), PvmBadParam);
}

/* PE 0 and the last one watch; the others send, leave (some twice over, some after PE 0 waits) and end. */
static void leaving(void)
{
    enum { MANY = 200 };
    int tids[64], n = 0, last = pc_size - 1;
    static char load[3000];
    if (pc_size < 3)
        return;
    for (int pe = 1; pe < last; pe++)
        tids[n++] = pe % 2 ? fm_tid(pe) : fm_name(pe);
    if (pc_me == 0 || pc_me == last)
        GIVES(pvm_notify(PvmTaskExit, 40, n, tids), 0);
    fm_barrier();
    if (pc_me != 0 && pc_me != last) {
        usleep(pc_me % 2 ? 0 : 30000);
        for (int i = 0; i < MANY; i++) {
            pvm_initsend(PvmDataRaw);
            pvm_pkbyte(load, i * 15, 1);
            OK(pvm_send(fm_name(0), 41));
        }
        exit(fm_finish());
    }
    for (int k = 0; k < n; k++) {
        int tid = note(40, 20), got = 0;
        CHECK(fm_of(tid) > 0 && fm_of(tid) < last, "message %d: tid %x", k, (unsigned)tid);
        if (pc_me == 0) /* all it sent has come before */
            while (pvm_nrecv(tid, 41) > 0)
                got++;
        CHECK(pc_me != 0 || got == MANY, "%d messages of t%x", got, (unsigned)tid);
        GIVES(pvm_notify(PvmTaskExit, 42, 1, &tid), 0);
        CHECK(note(42, 5) == tid, "of one that has left");
    }
    CHECK(note(40, 0) == 0, "one too many");
}

int main(void)
{
    fm_start();
    at_once();
    cancelled();
    hosts();
    errors();
    fm_barrier();
    leaving();
    return fm_finish();
}
