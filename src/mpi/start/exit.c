/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With --check: a process that exits with status 0 and has not finalized what it initialized (MPI-5.0, 11.2.2 and
 * 11.3.1). It may do so until the very end, in a destructor of a static object for instance: so this is looked at when
 * the library itself is ended.
 */
#include <stdlib.h>
#include <unistd.h>

#include "core/task/task.h"
#include "mpi/mpii.h"
#include "mpi/rt/ledger.h"
#include "mpi/start/leaks.h"

static struct mpii_exit *const it = &mpii_state.start.exit;

static void at_exit(int status, void *arg)
{
    (void)arg;
    it->exits = status == 0 && getpid() == it->pid;
}

void mpii_exit_watch(void)
{
    if (MPT_LIKELY(!core_params.check) || it->pid || core_task_on())
        return;
    it->pid = getpid();
    it->site = core_site();
    on_exit(at_exit, NULL);
}

static void say_no_end(const char *what, const char *rule, const char *advice)
{
    struct core_finding f;

    core_finding_begin(&f, CORE_FINDING_CALL_STATE, rule, "the process exits, and has not called %s", what);
    core_finding_advise(&f, "%s", advice);
    core_finding_at(&f, core_me(), it->site, "initialized here");
    core_finding_end(&f);
}

static __attribute__((destructor)) void at_end(void)
{
    if (!it->exits || getpid() != it->pid)
        return;
    it->exits = false;
    if (mpii_world_up() && it->site) /* else MPI_Finalize has failed */
        say_no_end("MPI_Finalize", "MPI-5.0, 11.2.2", "call MPI_Finalize before the end of the program");
    mpii_leaks_tell_at_exit();
}
