/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A task's way into the virtual machine and out of it. The first call of any kind
 * enrols: in a job of a launcher the PE becomes a task of a stand-alone program;
 * else the process opens a machine, or enters the one it was spawned in.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pvm/task/task.h"

struct pvmi pvmi = {
    .me = -1,
    .opt = {[PvmRoute] = PvmAllowDirect,
            [PvmAutoErr] = 1,
            [PvmFragSize] = 4080,
            [PvmShowTids] = 1,
            [PvmPollType] = PvmPollConstant},
    .msg = {.newcomers.last = &pvmi.msg.newcomers.first,
            .handler.last = &pvmi.msg.handler.first,
            .notify = {.last = &pvmi.msg.notify.first, .ends = -1}},
    .pack.chunks = {{.room = 0}, {.room = 64}, {.room = PVMI_INLINE}, {.room = CORE_SEND_MAX}},
    .vm = {.known = {.tid = -1, .slot = -1},
           .hosts.n = 1,
           .on_dead = pvmi_forget_dead,
           .recycle_at = PVMI_WORN,
           .listener = -1},
    .front = {.at = {.error = &pvmi.front.own_error,
                     .tid = &pvmi.front.own_tid,
                     .context = &pvmi.front.own_context,
                     .debug = &pvmi.front.own_debug},
              .own_tid = -1},
    .output = {.sink = {.lock = PTHREAD_MUTEX_INITIALIZER, .socket = -1, .nudge = -1, .slot = -1},
               .queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .last = &pvmi.output.queue.first}},
};

static void at_exit(void)
{
    if (pvmi.in && getpid() == pvmi.vm.owner)
        pvmi_leave();
}

static void forked(void)
{
    pvmi.in = false;
}

static struct pvmi_task *own_row(struct pvmi_task *copy)
{
    return pvmi_look(PVMI_AT(task[pvmi.me]), sizeof *copy, copy);
}

/* Stand-alone: every PE writes its own row; there is no parent. */
static int enter_alone(void)
{
    struct pvmi_task copy, *row;
    if (core_job_depth() == 0 && core_job_start(0) != 0)
        return PvmSysErr;
    core_race_blind();
    if (core_size() > PVMI_TASKS)
        core_fatal("PVM's tables are for %d tasks; this job has %d PEs", PVMI_TASKS, core_size());
    pvmi.me = core_me();
    row = own_row(&copy);
    *row = (struct pvmi_task){
        .state = PVMI_RUNNING, .parent = PvmNoParent, .pid = getpid(), .flag = PVMI_CONNECTED, .watched = row->watched};
    snprintf(row->name, sizeof row->name, "%s", program_invocation_short_name);
    pvmi_put(PVMI_AT(task[pvmi.me]), sizeof *row, row);
    return 0;
}

/* After the entry: what other tasks may ask of this one. */
static int start_all(void)
{
    if (pvmi.network)
        pvmi_forget_start();
    pvmi_clock_start();
    pvmi_signal_start();
    return pvmi_message_start();
}

int pvmi_enrol(void)
{
    if (pvmi.in)
        return 0;
    if (pvmi.vm.owner && getpid() != pvmi.vm.owner) {
        core_error("%s: process %d was forked by the task of process %d and is no task itself", pvmi.call,
                   (int)getpid(), (int)pvmi.vm.owner);
        return pvm_errno = PvmSysErr;
    }
    pvmi.network = pvmi_machine_wanted();
    int rc = pvmi.network ? pvmi_machine_enter() : enter_alone();
    if (rc == 0)
        rc = start_all();
    if (rc < 0) {
        pvmi.me = -1;
        return pvmi_fail(rc, "this process could not become a task");
    }
    pvmi.vm.owner = getpid();
    pvmi.tid = pvmi_tid_of(pvmi.me);
    pvmi.in = true;
    if (!pvmi.vm.registered) {
        atexit(at_exit);
        pthread_atfork(NULL, NULL, forked);
    }
    pvmi.vm.registered = true;
    pvmi_front_update();
    return 0;
}

static void leave_tables(void)
{
    struct pvmi_task copy, *row;
    pvmi_lock();
    pvmi_group_forget(pvmi.me);
    pvmi_mbox_forget(pvmi.me);
    row = own_row(&copy);
    __atomic_store_n(&row->state, PVMI_GONE, __ATOMIC_RELEASE);
    pvmi_put(PVMI_AT(task[pvmi.me]), sizeof *row, row);
    pvmi_unlock();
}

void pvmi_leave(void)
{
    if (!pvmi.in)
        return;
    if (!pvmi.network && core_job_depth() == 0) { /* the program's shmem_finalize was the job's end */
        pvmi.in = false;
        return;
    }
    leave_tables();
    pvmi_msg_leave();
    pvmi.in = false;
    pvmi_front_update();
    pvmi_message_stop();
    if (pvmi.network)
        pvmi_machine_leave(pvmi_chunk_leave());
}

int pvm_mytid(void)
{
    int rc = pvmi_begin("pvm_mytid");
    return rc < 0 ? rc : pvmi.tid;
}

/* A process that never enrolled has nothing to leave. */
int pvm_exit(void)
{
    pvmi.call = "pvm_exit";
    fflush(stdout);
    if (pvmi.in)
        pvmi_output_wait();
    pvmi_leave();
    return 0;
}

/* ----------------------------------------------- stand-alone programs' own -- */

int pvm_get_PE(int tid)
{
    int rc = pvmi_begin("pvm_get_PE");
    if (rc < 0)
        return rc;
    return pvmi_slot_of(tid); /* -1, without a report: it is how programs ask */
}
