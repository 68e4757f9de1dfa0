/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers that take a number of members given, in network mode, when a member is
 * killed: one that had come counts, as with PVM 3.4.6; without one that had not the
 * others get an error instead of waiting for ever, until somebody joins in its place.
 */
#include <signal.h>

#include "pcheck.h"

enum { READY = 1, GO = 2, DONE = 3, ALL = 3 };

static void say(int tid, int tag, int value)
{
    OK(pvm_psend(tid, tag, &value, 1, PVM_INT));
}

static int hear(int tid, int tag)
{
    struct timeval limit = {20, 0};
    int value = -999;
    CHECK(pvm_trecv(tid, tag, &limit) > 0, "nothing of t%x", (unsigned)tid);
    pvm_upkint(&value, 1, 1);
    return value;
}

/* Joins, and takes part in barriers as it is told. */
static int child(int parent)
{
    int what;
    OK(pvm_joingroup("g"));
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&pc_me, 1, 1);
    OK(pvm_send(parent, READY));
    for (;;) {
        OK(pvm_precv(parent, GO, &what, 1, PVM_INT, NULL, NULL, NULL));
        if (what == 0)
            return pc_finish();
        what = pvm_barrier("g", ALL);
        pvm_initsend(PvmDataDefault);
        pvm_pkint(&what, 1, 1);
        OK(pvm_send(parent, DONE));
    }
}

static void start(char *program, int *tids, int n)
{
    char *args[] = {"child", NULL};
    GIVES(pvm_spawn(program, args, PvmTaskDefault, NULL, n, tids), n);
    for (int i = 0; i < n; i++)
        hear(tids[i], READY);
}

static void kill_one(int tid)
{
    struct timeval limit = {20, 0};
    OK(pvm_notify(PvmTaskExit, 9, 1, &tid));
    OK(pvm_sendsig(tid, SIGKILL));
    CHECK(pvm_trecv(-1, 9, &limit) > 0, "not told of t%x", (unsigned)tid);
}

int main(int argc, char **argv)
{
    int tids[2];
    pc_start();
    if (argc > 1)
        return child(pvm_parent());
    OK(pvm_joingroup("g"));
    start(argv[0], tids, 2);
    say(tids[0], GO, 1);
    say(tids[1], GO, 1);
    usleep(200000);
    kill_one(tids[1]); /* in the barrier */
    GIVES(pvm_gsize("g"), ALL - 1);
    GIVES(pvm_barrier("g", ALL), 0);
    GIVES(hear(tids[0], DONE), 0);
    GIVES(pvm_barrier("g", ALL), PvmNoInst); /* two are left */
    start(argv[0], tids + 1, 1);
    say(tids[0], GO, 1);
    usleep(200000);
    kill_one(tids[1]); /* before it came */
    GIVES(hear(tids[0], DONE), PvmNoInst);
    GIVES(pvm_barrier("g", ALL), PvmNoInst);
    GIVES(pvm_barrier("g", 1), 0);
    start(argv[0], tids + 1, 1);
    for (int i = 0; i < 2; i++)
        say(tids[i], GO, 1);
    GIVES(pvm_barrier("g", ALL), 0);
    for (int i = 0; i < 2; i++)
        GIVES(hear(tids[i], DONE), 0);
    for (int i = 0; i < 2; i++)
        say(tids[i], GO, 0);
    return pc_finish();
}
