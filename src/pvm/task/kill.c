/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals to other tasks, and the end of the whole machine. A task of this node is
 * signalled by its process number; one elsewhere, or in a process with others
 * (mptrun --tasks), is asked to do it itself, when it next makes progress.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pvm/task/task.h"

static void on_signal(int slot, const void *note, size_t n)
{
    int32_t sig;
    (void)slot;
    if (n != sizeof sig)
        return;
    memcpy(&sig, note, sizeof sig);
    kill(getpid(), sig);
}

void pvmi_signal_start(void)
{
    pvmi.msg.takers[PVMI_SIGNAL] = on_signal;
}

static bool is_in(int slot, int pid)
{
    struct pvmi_task copy, *row;
    if (slot < 0 || slot >= core_size())
        return false;
    row = pvmi_look(PVMI_AT(task[slot]), sizeof copy, &copy);
    return row->pid == pid;
}

/* Those of a process have consecutive slots. */
static bool shares_process(int slot, int pid)
{
    return !pvmi.network && (is_in(slot - 1, pid) || is_in(slot + 1, pid));
}

/* A task that has ended meanwhile needs no signal any more. */
static void signal_slot(int slot, int32_t sig)
{
    struct pvmi_task copy, *row = pvmi_look(PVMI_AT(task[slot]), sizeof copy, &copy);
    if (slot == pvmi.me)
        kill(getpid(), sig);
    else if (!core_on_node(slot) || shares_process(slot, row->pid))
        pvmi_note(slot, PVMI_SIGNAL, &sig, sizeof sig);
    else if (pvmi_alive(slot) && row->pid > 0)
        kill(row->pid, sig);
}

/* A number that could be a task's, of a task that is not there: nothing happens, and that is no error. */
static int send_signal(int tid, int sig)
{
    int slot = pvmi_slot_of(tid);
    if (slot < 0 && (tid <= 0 || tid >> 30))
        return pvmi_fail(PvmBadParam, "%d (%#x) is no tid", tid, (unsigned)tid);
    if (sig < 0 || sig > SIGRTMAX)
        return pvmi_fail(PvmBadParam, "%d is no signal", sig);
    if (slot >= 0)
        signal_slot(slot, sig);
    return 0;
}

int pvm_kill(int tid)
{
    int rc = pvmi_begin("pvm_kill");
    return rc < 0 ? rc : send_signal(tid, SIGTERM);
}

int pvm_sendsig(int tid, int signal)
{
    int rc = pvmi_begin("pvm_sendsig");
    return rc < 0 ? rc : send_signal(tid, signal);
}

/* -------------------------------------------------------------------- halt -- */

static int signal_others(int high, int sig)
{
    int n = 0;
    for (int slot = 0; slot < high; slot++)
        if (slot != pvmi.me && pvmi_alive(slot)) {
            signal_slot(slot, sig);
            n++;
        }
    return n;
}

static bool any_other(int high)
{
    for (int slot = 0; slot < high; slot++)
        if (slot != pvmi.me && pvmi_alive(slot))
            return true;
    return false;
}

static void end_others(void)
{
    enum { PATIENCE_MS = 500, STEP_MS = 5 };
    int32_t high = *(int32_t *)pvmi_look(PVMI_AT(high), 0, NULL);
    if (signal_others(high, SIGTERM) == 0)
        return;
    for (int ms = 0; ms < PATIENCE_MS && any_other(high); ms += STEP_MS) {
        core_progress();
        nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000l}, NULL);
    }
    signal_others(high, SIGKILL);
}

/* The task that asks ends with all others, unless it ignores SIGTERM. */
int pvm_halt(void)
{
    int rc = pvmi_begin("pvm_halt");
    uint32_t *halted;
    if (rc < 0)
        return rc;
    if (!pvmi.network)
        core_job_abort(0);
    halted = pvmi_look(PVMI_AT(halted), 0, NULL);
    __atomic_store_n(halted, 1, __ATOMIC_RELEASE);
    end_others();
    pvmi_leave();
    kill(getpid(), SIGTERM);
    return 0;
}
