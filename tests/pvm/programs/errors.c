/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls about tasks, hosts, options, mailbox and groups with wrong arguments: codes
 * and whether a line is printed (PvmAutoErr is 1, as programs find it).
 */
#include "say.h"

static void tasks_and_signals(int me)
{
    struct pvmtaskinfo *tasks;
    int n = -5;

    SAY(pvm_parent());
    SAY(pvm_pstat(me));
    SAY(pvm_pstat(me + 50));
    SAY(pvm_pstat(0));
    SAY(pvm_pstat(-1));
    SAY(pvm_pstat(77));
    SAY(pvm_kill(me + 50));
    SAY(pvm_kill(0));
    SAY(pvm_kill(-4));
    SAY(pvm_sendsig(me + 50, 1));
    SAY(pvm_sendsig(0, 1));
    SAY(pvm_tidtohost(me) == me >> 18 << 18);
    SAY(pvm_mstat("no.such.host"));
    SAY(pvm_mstat(""));
    SAY(pvm_archcode("NOARCH"));
    SAY(pvm_tasks(me + 50, &n, &tasks));
    SAY(pvm_tasks(5 << 18, &n, &tasks));
}

static void starts(void)
{
    char *none[] = {"no.such.host.at.all", NULL};
    int infos[2] = {0, 0}, tids[4] = {0, 0, 0, 0};

    pvm_setopt(PvmAutoErr, 0);
    SAY(pvm_delhosts(none, 1, infos));
    pvm_setopt(PvmAutoErr, 1);
    SAY(infos[0]);
    SAY(pvm_spawn("no such program", NULL, 0, NULL, 2, tids));
    SAY(tids[0]);
    SAY(tids[1]);
    SAY(pvm_spawn("x", NULL, PvmTaskHost, "no.such.host", 2, tids));
    SAY(tids[0]);
    SAY(pvm_spawn("x", NULL, PvmTaskArch, "NOARCH", 1, tids));
    SAY(tids[0]);
    SAY(pvm_spawn("x", NULL, 0, NULL, 0, tids));
    SAY(pvm_spawn("x", NULL, 0, NULL, -1, tids));
    SAY(pvm_notify(PvmTaskExit, 1, -1, tids));
    SAY(pvm_notify(77, 1, 1, tids));
}

static void options(void)
{
    SAY(pvm_setopt(0, 1));
    SAY(pvm_setopt(999, 1));
    SAY(pvm_setopt(PvmRoute, 99));
    SAY(pvm_setopt(PvmFragSize, 1));
    SAY(pvm_getopt(0));
    SAY(pvm_getopt(999));
    SAY(pvm_getopt(PvmRoute));
    SAY(pvm_getopt(PvmAutoErr));
    SAY(pvm_getopt(PvmFragSize));
    SAY(pvm_setopt(PvmRoute, PvmRouteDirect));
    SAY(pvm_setopt(PvmRoute, PvmDontRoute));
}

static void mailbox(void)
{
    struct pvmmboxinfo *classes;
    int bufid, n = -5;

    bufid = pvm_initsend(PvmDataDefault);
    SAY(pvm_putinfo("one", bufid, PvmMboxDefault));
    SAY(pvm_putinfo("one", bufid, PvmMboxDefault));
    SAY(pvm_putinfo("", bufid, PvmMboxDefault));
    SAY(pvm_putinfo("many", bufid, PvmMboxMultiInstance));
    SAY(pvm_putinfo("many", bufid, PvmMboxMultiInstance));
    SAY(pvm_recvinfo("none", 0, PvmMboxDefault));
    SAY(pvm_recvinfo("one", 1, PvmMboxDefault));
    SAY(pvm_recvinfo("one", -1, PvmMboxDefault));
    SAY(pvm_recvinfo("many", 1, PvmMboxDefault) > 0);
    SAY(pvm_recvinfo("many", 5, PvmMboxFirstAvail));
    SAY(pvm_delinfo("none", 0, PvmMboxDefault));
    SAY(pvm_delinfo("one", 7, PvmMboxDefault));
    SAY(pvm_delinfo("one", -7, PvmMboxDefault));
    SAY(pvm_recvinfo("one", 0, PvmMboxReadAndDelete) > 0);
    SAY(pvm_delinfo("one", 0, PvmMboxDefault));
    SAY(pvm_getmboxinfo("many", &n, &classes));
    SAY(n);
    SAY(pvm_getmboxinfo("nothing like it", &n, &classes));
    SAY(n);
    SAY(pvm_lookup("none", 0, &n));
    SAY(pvm_delete("none", 0));
}

static void groups(int me)
{
    char group[] = "g";
    int n = -5;

    pvm_setopt(PvmAutoErr, 0); /* ours say more here */
    SAY(pvm_joingroup(NULL));
    SAY(pvm_joingroup(""));
    SAY(pvm_lvgroup(NULL));
    pvm_setopt(PvmAutoErr, 1);
    SAY(pvm_joingroup(group));
    SAY(pvm_joingroup(group));
    SAY(pvm_gsize(group));
    SAY(pvm_gsize("none"));
    SAY(pvm_gettid(group, 0) == me);
    SAY(pvm_gettid(group, 5));
    SAY(pvm_gettid("none", 0));
    SAY(pvm_getinst(group, me));
    SAY(pvm_getinst(group, me + 50));
    SAY(pvm_getinst("none", me));
    SAY(pvm_barrier("none", 1));
    SAY(pvm_barrier(group, 1));
    SAY(pvm_barrier(group, -1));
    SAY(pvm_bcast("none", 1));
    SAY(pvm_reduce(PvmSum, &n, 1, PVM_INT, 1, "none", 0));
    SAY(pvm_reduce(PvmSum, &n, 1, PVM_INT, 1, group, 5));
    SAY(pvm_reduce(PvmSum, &n, -1, PVM_INT, 1, group, 0));
    SAY(pvm_reduce(PvmSum, &n, 1, 99, 1, group, 0));
    SAY(pvm_lvgroup("none"));
    SAY(pvm_lvgroup(group));
    SAY(pvm_lvgroup(group));
}

int main(void)
{
    int me = say_begin();

    tasks_and_signals(me);
    starts();
    options();
    mailbox();
    groups(me);
    SAY(pvm_exit());
    SAY(pvm_exit());
    return 0;
}
