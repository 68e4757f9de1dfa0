/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whose output goes where: pvm_catchout and the options of output; how the end of a
 * pipe comes to the task that reads it. A task without such options lets its children
 * write where its own stderr goes.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pvm/output/output.h"
#include "pvm/vm/machine.h"

static bool send_to_sink(int tid, const struct pvmi_handover *h, int fd)
{
    struct timeval limit = {.tv_sec = 5};
    int slot = pvmi_slot_of(tid), to = slot < 0 ? -1 : pvmi_sink_socket(slot, false);
    bool done;
    if (to < 0)
        return false;
    setsockopt(to, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    done = pvmi_pass(to, h, sizeof *h, fd, 0);
    close(to);
    return done;
}

int pvmi_output_pipe(int sink, struct pvmi_flow flow)
{
    struct pvmi_handover h = {PVMI_NEW, flow};
    int end[2];
    bool done;
    if (pipe2(end, O_CLOEXEC) != 0)
        return -1;
    done = send_to_sink(sink, &h, end[0]);
    close(end[0]);
    if (done)
        return end[1];
    close(end[1]);
    return -1;
}

/* ------------------------------------------------------------ own output -- */

static void become(int fd)
{
    fflush(stdout);
    fflush(stderr);
    dup2(fd, STDOUT_FILENO);
    dup2(fd, STDERR_FILENO);
    close(fd);
}

static struct pvmi_flow own_flow(int parent)
{
    return (struct pvmi_flow){pvmi.tid, parent, pvmi.opt[PvmSelfOutputCode], pvmi.opt[PvmSelfOutputContext]};
}

/* As if no task took it: where the spawner's stderr goes. */
static int stderr_of(int tid)
{
    struct pvmi_task copy, *row;
    char path[64];
    int slot = pvmi_slot_of(tid);
    if (slot < 0)
        return -1;
    row = pvmi_look(PVMI_AT(task[slot]), sizeof copy, &copy);
    if (!core_process_alive(row->pid, row->born))
        return -1;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", row->pid, STDERR_FILENO);
    return open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
}

/* Only of spawned tasks: others have their output from somebody else. */
static void change_own(int what)
{
    struct pvmi_task copy, *row = pvmi_look(PVMI_AT(task[pvmi.me]), sizeof copy, &copy);
    struct pvmi_handover h = {PVMI_RETAG, own_flow(row->parent)};
    int tid = pvmi.opt[PvmSelfOutputTid], fd;
    if (!row->batch)
        return;
    if (what != PvmSelfOutputTid) {
        if (tid > 0)
            send_to_sink(tid, &h, -1);
        return;
    }
    fd = tid > 0 ? pvmi_output_pipe(tid, h.flow) : stderr_of(row->parent);
    if (fd >= 0)
        become(fd);
}

void pvmi_output_option(int what)
{
    if (!pvmi.network)
        return;
    if (pvmi.opt[PvmOutputTid] == pvmi.tid || pvmi.opt[PvmSelfOutputTid] == pvmi.tid)
        pvmi_sink_start();
    if (what == PvmSelfOutputTid || what == PvmSelfOutputCode || what == PvmSelfOutputContext)
        change_own(what);
}

/* ------------------------------------------------------------------- calls -- */

/* The launcher forwards the output of stand-alone programs. */
int pvm_catchout(FILE *f)
{
    int rc = pvmi_begin("pvm_catchout");
    if (rc < 0 || !pvmi.network)
        return rc;
    if (f && (rc = pvmi_sink_start()) < 0)
        return rc;
    if (f)
        pvmi_print_file(f);
    pvmi.opt[PvmOutputTid] = f ? pvmi.tid : 0;
    pvmi.opt[PvmOutputCode] = f ? PVMI_PRINT : 0;
    pvmi.opt[PvmOutputContext] = f ? PVMI_CONTEXT_GROUP : 0;
    return 0;
}
