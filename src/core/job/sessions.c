/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the scheduler shares the cores out by session (autogroups, sched(7)), PEs
 * that stay in one session have together the weight of one, and each of them half
 * of what a stranger's single process gets, or less. So PEs that fit on the cores
 * get a session each. PEs that outnumber the cores do not: sched_yield() gives way
 * only to processes of the same group.
 */
#include <sys/types.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/job/start.h"
#include "core/topo/topology.h"

bool core_sessions_pay(unsigned npes, unsigned ncores)
{
    char text[8];

    return core_params.sessions && npes > 1 && npes <= ncores &&
           core_topology_read("/proc/sys/kernel/sched_autogroup_enabled", text, sizeof text) == 0 && text[0] == '1';
}

/* A program that reads the terminal needs it for job control. System calls only. */
void core_session_begin(unsigned pe)
{
    if (pe > 0 || !isatty(STDIN_FILENO))
        setsid();
}
