/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members that are killed, in network mode: they are no members any more; a barrier
 * of all members ends without them, also when they died in it; one of a static group
 * fails; a reduction says who is missing; their mailbox entries go, or lose their owner.
 */
#include <signal.h>
#include <sys/types.h>

#include "pcheck.h"

enum { TASKS = 4, GO = 5, DONE = 6 };

static void tell_parent(int rc)
{
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&rc, 1, 1);
    OK(pvm_send(pvm_parent(), DONE));
}

static int child(void)
{
    int x = 1, rc;
    OK(pvm_joingroup("dynamic"));
    OK(pvm_joingroup("static"));
    GIVES(pvm_freezegroup("static", TASKS + 1), TASKS + 1);
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&x, 1, 1);
    OK(pvm_putinfo("goes", pvm_getsbuf(), PvmMboxMultiInstance));
    OK(pvm_putinfo("stays", pvm_getsbuf(), PvmMboxMultiInstance | PvmMboxPersistent));
    GIVES(pvm_barrier("static", -1), 0);
    if (pvm_getinst("static", pc_tid) == TASKS) /* the one that dies waits where the others do not */
        pvm_recv(-1, GO);
    rc = pvm_barrier("dynamic", -1);
    tell_parent(rc);
    GIVES(pvm_barrier("static", -1), PvmNoGroup);
    GIVES(pvm_reduce(PvmSum, &x, 1, PVM_INT, 7, "dynamic", 0), 0);
    OK(pvm_recv(pvm_parent(), GO));
    tell_parent(pvm_barrier("dynamic", -1)); /* and one dies here */
    return pc_finish();
}

static int entries(char *class, int *owners)
{
    struct pvmmboxinfo *c;
    int n = 0;
    OK(pvm_getmboxinfo(class, &n, &c));
    for (int i = 0; n == 1 && i < c[0].mi_nentries; i++)
        owners[i] = c[0].mi_owners[i];
    return n == 1 ? c[0].mi_nentries : 0;
}

static int done(int tid)
{
    struct timeval limit = {20, 0};
    int rc = -999;
    CHECK(pvm_trecv(tid, DONE, &limit) > 0, "nothing of t%x", (unsigned)tid);
    pvm_upkint(&rc, 1, 1);
    return rc;
}

static void check_entries(void)
{
    int owners[TASKS], gone = 0;
    CHECK(entries("^goes$", owners) == TASKS - 1, "entries of the dead task go");
    CHECK(entries("^stays$", owners) == TASKS, "persistent ones stay");
    for (int i = 0; i < TASKS; i++)
        gone += owners[i] == 0;
    CHECK(gone == 1, "%d without owner", gone);
}

int main(int argc, char **argv)
{
    char *args[] = {"child", NULL};
    int tids[TASKS], victim, x = 1, n;
    pc_start();
    if (argc > 1)
        return child();
    OK(pvm_joingroup("dynamic"));
    OK(pvm_joingroup("static"));
    GIVES(pvm_spawn(argv[0], args, PvmTaskDefault, NULL, TASKS, tids), TASKS);
    GIVES(pvm_freezegroup("static", TASKS + 1), TASKS + 1);
    GIVES(pvm_barrier("static", -1), 0);
    victim = pvm_gettid("static", TASKS);
    GIVES(pvm_sendsig(victim, SIGKILL), 0);
    GIVES(pvm_barrier("dynamic", -1), 0);
    for (int i = 0; i < TASKS; i++)
        if (tids[i] != victim)
            GIVES(done(tids[i]), 0);
    GIVES(pvm_gsize("dynamic"), TASKS);
    GIVES(pvm_getinst("dynamic", victim), PvmNotInGroup);
    GIVES(pvm_barrier("static", -1), PvmNoGroup);
    check_entries();
    GIVES(pvm_reduce(PvmSum, &x, 1, PVM_INT, 7, "dynamic", 0), 0);
    CHECK(x == TASKS, "the sum is %d", x);
    for (n = 0; tids[n] == victim;)
        n++;
    victim = tids[n]; /* dies in a reduction, and in a barrier */
    for (int i = 0; i < TASKS; i++)
        if (pvm_getinst("dynamic", tids[i]) >= 0) {
            pvm_initsend(PvmDataDefault);
            OK(pvm_send(tids[i], GO));
        }
    usleep(50000);
    GIVES(pvm_sendsig(victim, SIGKILL), 0);
    GIVES(pvm_barrier("dynamic", -1), 0);
    for (int i = 0; i < TASKS; i++)
        if (i != n && pvm_getinst("dynamic", tids[i]) >= 0)
            GIVES(done(tids[i]), 0);
    return pc_finish();
}
