/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs as tasks below a launcher of PMIx: MPT_TASKS says how many PEs each process that it starts is to have. They are
 * made before the program begins (task/begin.c), in memory that is there by then: so this process finds its place in
 * the job first, as others do when their program starts the library.
 */
#include "core/job/pmix.h"

#ifdef CORE_HAVE_PMIX
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/job/backend.h"
#include "core/task/task.h"

/* One process speaks for all, which fail alike; others speak where it has not, and the launcher has not ended them. */
static int refuse(const char *why)
{
    const char *rank = core_param_foreign("PMIX_RANK");
    if (rank && strcmp(rank, "0") != 0)
        nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
    core_error("MPT_TASKS=%s: %s", core_params.tasks, why);
    return -1;
}

/* How many PEs; negative after a message. */
static int asked(void)
{
    char why[256], *end;
    long n = strtol(core_params.tasks, &end, 10);
    const char *refusal;
    bool uses;
    if (*end || end == core_params.tasks || n < 0 || n > CORE_TASKS_MOST) {
        snprintf(why, sizeof why,
                 "below a launcher of PMIx it is the number of PEs in each process that it starts, from 1 to %d",
                 CORE_TASKS_MOST);
        return refuse(why);
    }
    if (n > 1 && core_params.survive)
        return refuse("PEs of one process do not outlive one another, which MPT_FT asks for");
    refusal = n > 1 ? core_task_refusal("/proc/self/exe", &uses) : NULL;
    if (refusal) {
        snprintf(why, sizeof why, "PEs of %s cannot be tasks: %s", program_invocation_short_name, refusal);
        return refuse(why);
    }
    return (int)n;
}

static int enter(unsigned tasks)
{
    struct core_pmix_process *p = &core_state.job.pmix.own;
    char text[64];
    int rc;
    core_task_prepare();
    if ((rc = core_pmix_enter(p, tasks)) != 0)
        return rc;
    *core_task_kept(CORE_TASK_KEEPS_LAUNCHER) = p;
    p->helpers = core_process_threads() - 1;
    snprintf(text, sizeof text, "%u:%d:%u", CORE_WIRE_VERSION, p->at->fd, p->at->slice);
    setenv(CORE_WIRE_ENV, text, 1);
    snprintf(text, sizeof text, "%u@%d", tasks, p->at->me);
    setenv(CORE_WIRE_ENV_TASKS, text, 1);
    return 0;
}

/* Before tasks are made. */
__attribute__((constructor(101))) static void enter_early(void)
{
    const char *tasks = core_param_foreign("MPT_TASKS");
    char why[512];
    int n;
    if (core_task_on() || !tasks || strcmp(tasks, "0") == 0 || core_param_foreign(CORE_WIRE_ENV) ||
        core_param_foreign(CORE_WIRE_ENV_OPEN) || !core_backend_pmix.here())
        return;
    if (core_param_load(why, sizeof why) != 0) {
        core_error("%s", why);
        _exit(EXIT_FAILURE);
    }
    n = asked();
    if (n < 0 || (n > 1 && enter((unsigned)n) != 0))
        _exit(EXIT_FAILURE);
}
#endif
