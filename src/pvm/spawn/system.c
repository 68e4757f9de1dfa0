/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks that do a part of the machine's work: a hoster starts other hosts, a tasker
 * tasks. What PVM's daemon would send them comes from the task whose call it is, in the
 * daemon's name (from tid 0x80000000, with a reserved tag); what they send to the daemon
 * is done in their own process (pvmi_system_takes).
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pvm/pack/buffer.h"
#include "pvm/spawn/system.h"

/* -------------------------------------------------------------- registering -- */

static struct pvmi_role *role_of(enum pvmi_roles which)
{
    return pvmi_look(PVMI_AT(role[which]), 0, NULL);
}

/* The same call begins and ends it. One that has died counts no longer. */
static int take_role(enum pvmi_roles which)
{
    struct pvmi_role *r = role_of(which);
    int rc = PvmAlready;

    pvmi_lock();
    if (r->tid == pvmi.tid) {
        r->tid = 0;
        rc = 0;
    } else if (r->tid == 0 || !core_process_alive(r->pid, r->born)) {
        *r = (struct pvmi_role){pvmi.tid, getpid(), core_process_born(getpid()), core_job_fd()};
        rc = 0;
    }
    pvmi_unlock();
    return rc < 0 ? pvmi_fail(rc, "task t%x does that", (unsigned)r->tid) : 0;
}

int pvmi_role_slot(enum pvmi_roles which, int *fd)
{
    const struct pvmi_role *r = pvmi.network ? role_of(which) : NULL;
    int slot = r && r->tid ? pvmi_slot_of(r->tid) : -1;

    if (slot < 0 || !pvmi_alive(slot))
        return -1;
    if (fd)
        *fd = r->fd;
    return slot;
}

static int begin(const char *call)
{
    int rc = pvmi_begin(call);

    if (rc < 0 || pvmi.network)
        return rc;
    return pvmi_fail(PvmNotImpl, "hosts and tasks of a program of a launcher are the launcher's");
}

int pvm_reg_hoster(void)
{
    int rc = begin("pvm_reg_hoster");

    return rc < 0 ? rc : take_role(PVMI_HOSTER);
}

/* Tasks that it starts inherit the descriptor of the machine's memory. */
int pvm_reg_tasker(void)
{
    int rc = begin("pvm_reg_tasker");

    if (rc < 0 || (rc = take_role(PVMI_TASKER)) < 0)
        return rc;
    fcntl(core_job_fd(), F_SETFD, role_of(PVMI_TASKER)->tid == pvmi.tid ? 0 : FD_CLOEXEC);
    return 0;
}

/* A manager would decide about hosts, of which a machine has one, and stand between tasks and tables that they read
 * themselves here. */
int pvm_reg_rm(struct pvmhostinfo **hosts)
{
    int rc = pvmi_begin("pvm_reg_rm");

    if (hosts)
        *hosts = NULL;
    return rc < 0 ? rc
                  : pvmi_fail(PvmNotImpl, "there is no choice of hosts to be managed, and no daemon that would ask");
}

int pvm_reg_tracer(int tctx, int ttag, int octx, int otag, char *mask, int buffer, int options)
{
    int rc = pvmi_begin("pvm_reg_tracer");

    (void)tctx, (void)ttag, (void)octx, (void)otag, (void)mask, (void)buffer, (void)options;
    return rc < 0 ? rc : pvmi_fail(PvmNotImpl, "calls are not traced");
}

/* ------------------------------------------------------- the daemon's messages -- */

int pvmi_system_send(struct pvmi_msg *m, int slot, int tag)
{
    return pvmi_send_from(m, (int)PVMI_PVMD, slot, tag, PvmBaseContext);
}

/* A tasker says that a task has ended, or could not be started. */
static int task_ended(struct pvmi_msg *m)
{
    int tid, slot, fd;
    int rc = pvmi_unpack(m, PVM_INT, &tid, 1, 1);

    if (rc < 0)
        return pvmi_fail(rc, "the tid of a task that has ended was expected");
    if (pvmi_role_slot(PVMI_TASKER, &fd) != pvmi.me)
        return pvmi_fail(PvmDenied, "t%x: this task is not the tasker", (unsigned)tid);
    if ((slot = pvmi_slot_of(tid)) < 0)
        return pvmi_fail(PvmBadParam, "%d (%#x) is no task's tid", tid, (unsigned)tid);
    pvmi_never_came(slot);
    return 0;
}

/* The hoster's answer goes to the task that waits for it, which it names by the wait id. */
static int hosts_answered(struct pvmi_msg *m)
{
    int slot = m->wid - 1, fd;

    if (pvmi_role_slot(PVMI_HOSTER, &fd) != pvmi.me)
        return pvmi_fail(PvmDenied, "this task is not the hoster");
    if (slot < 0 || slot >= core_size() || !pvmi_alive(slot))
        return pvmi_fail(PvmBadParam, "wait id %d is not that of a request (pvm_getmwid, pvm_setmwid)", m->wid);
    return pvmi_send_from(m, pvmi.tid, slot, PVMI_SM_STHOSTACK, PVMI_CONTEXT_SYSTEM);
}

int pvmi_system_takes(struct pvmi_msg *m, int tag)
{
    m->at = NULL;
    m->at_byte = 0;
    switch (tag) {
    case PVMI_SM_TASKX:
        return task_ended(m);
    case PVMI_SM_STHOSTACK:
        return hosts_answered(m);
    default:
        return 0; /* nobody is there to take it */
    }
}

/* --------------------------------------------- what programs of that kind need -- */

/* In a child that was forked, before it becomes another program: it is no task. */
void pvmendtask(void)
{
    if (pvmi.network && pvmi.in && !core_job_is_in())
        pvmi.in = false;
}

/* The text is copied. */
int pvmputenv(char *text)
{
    char *copy = text ? strdup(text) : NULL;

    return copy ? putenv(copy) : -1;
}
