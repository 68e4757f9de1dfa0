/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Network mode: how a process that no launcher started comes into a virtual
 * machine. Spawned tasks find their slot in the environment; other programs join
 * the machine they name, or a console's; failing that they open one of their own.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pvm/vm/machine.h"

bool pvmi_process_alive(pid_t pid, uint64_t born)
{
    return core_process_alive(pid, born);
}

uint64_t pvmi_process_born(pid_t pid)
{
    return core_process_born(pid);
}

/* A task that was spawned, a shell script say, may use a launcher: its PEs are no tasks of the machine. */
bool pvmi_machine_wanted(void)
{
    if (core_job_running())
        return false;
    return core_job_fd() >= 0 || core_param_foreign(core_job_env_open) || !core_job_launched();
}

/* ------------------------------------------------------------------- slots -- */

/* A tasker that closes what it does not know before it starts a program: it still has the descriptor itself. */
static int from_parent(int fd)
{
    char path[64];
    int got;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getppid(), fd);
    got = open(path, O_RDWR | O_CLOEXEC);
    return got >= 0 ? got : fd;
}

/* The slot kept for a spawned task. A second program that a spawned script starts finds it taken. */
static int enter_as_spawned(const char *text)
{
    int fd, slot, rc;
    if (!core_job_env_read(text, &fd, &slot)) {
        core_error("%s=%s: not understood; tasks of a machine must use the same version of the library",
                   core_job_env_open, text);
        return -EPROTO;
    }
    if (fcntl(fd, F_GETFD) < 0)
        fd = from_parent(fd);
    rc = core_job_enter(fd, slot);
    if (rc == -EBUSY)
        rc = core_job_enter(fd, -1);
    unsetenv(core_job_env_open);
    return rc;
}

static unsigned slots_wanted(void)
{
    const char *text = core_param_foreign("PVM_MAX_TASKS");
    long n = text && *text ? strtol(text, NULL, 10) : PVMI_TASKS - 1; /* the parameters are read later, strictly */
    return n < 2 ? 2 : n < PVMI_TASKS ? (unsigned)n : PVMI_TASKS - 1;
}

static int open_or_join(void)
{
    int rc, fd = pvmi_meet();
    if (fd >= 0)
        return core_job_enter(fd, -1);
    if (fd != PVMI_MEET_FIRST && fd != PVMI_MEET_ALONE)
        return -EPERM;
    rc = core_job_open(slots_wanted());
    return rc == 0 && fd == PVMI_MEET_FIRST ? pvmi_meet_serve() : rc;
}

static int find_slot(void)
{
    const char *text = core_param_foreign(core_job_env_open);
    if (core_job_fd() >= 0) /* this task has left the machine before */
        return core_job_enter(core_job_fd(), -1);
    return text ? enter_as_spawned(text) : open_or_join();
}

/* ----------------------------------------------------------------- the row -- */

static void raise_high(int slot)
{
    int32_t *high = pvmi_look(PVMI_AT(high), sizeof *high, NULL), old = __atomic_load_n(high, __ATOMIC_RELAXED);
    while (old <= slot && !__atomic_compare_exchange_n(high, &old, slot + 1, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        ;
}

static void take_over_options(const struct pvmi_task *row)
{
    pvmi.context = row->context;
    pvmi.opt[PvmSelfOutputTid] = pvmi.opt[PvmOutputTid] = row->out_tid;
    pvmi.opt[PvmSelfOutputCode] = pvmi.opt[PvmOutputCode] = row->out_tag;
    pvmi.opt[PvmSelfOutputContext] = pvmi.opt[PvmOutputContext] = row->out_context;
}

static void fill_row(void)
{
    struct pvmi_task *row;
    raise_high(pvmi.me);
    pvmi_lock();
    row = pvmi_look(PVMI_AT(task[pvmi.me]), sizeof *row, NULL);
    if (row->state == PVMI_FREE) {
        *row = (struct pvmi_task){.parent = PvmNoParent, .watched = row->watched, .uses = row->uses};
        snprintf(row->name, sizeof row->name, "%s", pvmi_is_console() ? "-" : program_invocation_short_name);
    }
    row->pid = getpid();
    row->born = core_process_born(getpid());
    row->flag |= PVMI_CONNECTED;
    take_over_options(row);
    __atomic_store_n(&row->state, PVMI_RUNNING, __ATOMIC_RELEASE);
    pvmi_unlock();
}

int pvmi_machine_enter(void)
{
    int rc = find_slot();
    if (rc == -ENOSPC) {
        core_error("this virtual machine has %d slots for tasks, and none is free", core_size());
        return PvmOutOfRes;
    }
    if (rc < 0)
        return rc == -EPERM ? PvmDenied : PvmSysErr;
    pvmi.me = core_me();
    fill_row();
    if (pvmi.me == 0) {
        uint32_t *ready = pvmi_look(PVMI_AT(ready), sizeof *ready, NULL);
        __atomic_store_n(ready, 1, __ATOMIC_RELEASE);
    }
    return 0;
}

void pvmi_machine_leave(bool clean)
{
    core_job_part(clean);
}
