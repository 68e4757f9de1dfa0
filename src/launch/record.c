/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs that are recorded (--trace): their folder, and what job.json says of them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/param.h"
#include "core/base/path.h"
#include "core/trace/folder.h"
#include "launch/options.h"

/* Of the process that runs PE `pe`. */
static const int *cores_of(const void *arg, unsigned pe)
{
    const struct launch *l = arg;
    unsigned process = 0;

    for (unsigned i = 0; i < l->options.napps; pe -= l->options.apps[i++].npes) {
        const struct launch_app *app = &l->options.apps[i];

        for (unsigned k = 0; k < app->processes; k++, process++)
            if (pe < launch_deal_first(app, k + 1))
                return l->cpus ? &l->cpus[process * l->cpus_each] : NULL;
    }
    return NULL;
}

static int describe(struct launch *l)
{
    struct core_trace_job job = {.n_commands = l->options.napps,
                                 .pes = l->npes,
                                 .tasks = l->processes < l->npes ? l->processes : 0,
                                 .cores = cores_of,
                                 .arg = l,
                                 .cores_each = l->cpus_each,
                                 .status = l->trace.status};
    char *const **commands = calloc(l->options.napps, sizeof *commands);
    int rc;

    if (!commands)
        return -ENOMEM;
    for (unsigned i = 0; i < l->options.napps; i++)
        commands[i] = l->options.apps[i].program;
    job.commands = commands;
    memcpy(job.began, l->trace.began, sizeof job.began);
    memcpy(job.ended, l->trace.ended, sizeof job.ended);
    rc = core_trace_folder_describe(l->trace.dir, &job);
    free(commands);
    return rc;
}

/* As PEs will see it, which may run in other folders; jobs that ours spawn have folders in it. */
static char *folder(const struct launch *l)
{
    char *path = core_path_absolute(core_params.trace), *own = NULL;

    if (!path || l->options.spawner < 0)
        return path;
    if (asprintf(&own, "%s/spawned.%d", path, (int)getpid()) < 0)
        own = NULL;
    free(path);
    return own;
}

/* For the sums of PEs. */
static char *stats_folder(const struct launch *l)
{
    char *dir = NULL;

    if (core_params.trace[0] && l->options.spawner < 0) {
        launch_say("--stats and --trace: a job has one of them; mpt trace tells more of a trace");
        return NULL;
    }
    if (asprintf(&dir, "%s/mpt-stats-XXXXXX", P_tmpdir) < 0)
        dir = NULL;
    if (dir && !mkdtemp(dir)) {
        launch_say("--stats: cannot make a folder in %s: %s", P_tmpdir, strerror(errno));
        free(dir);
        dir = NULL;
    }
    return dir;
}

int launch_record_begin(struct launch *l)
{
    int rc;

    l->trace.stats = core_trace_counts_only();
    if (!core_params.trace[0] && !l->trace.stats)
        return 0;
    if (l->trace.stats && launch_stats_begin(l) != 0)
        return EXIT_FAILURE;
    l->trace.began_ns = core_clock_ns();
    l->trace.dir = l->trace.stats ? stats_folder(l) : folder(l);
    if (l->trace.stats && !l->trace.dir)
        return EXIT_FAILURE;
    if (!l->trace.dir || setenv("MPT_TRACE", l->trace.dir, 1) != 0) {
        launch_no_memory();
        return EXIT_FAILURE;
    }
    l->header->trace_clock.described = true;
    core_trace_date(l->trace.began);
    if ((rc = core_trace_folder_begin(l->trace.dir, 0)) != 0 || (!l->trace.stats && (rc = describe(l)) != 0)) {
        launch_say("--trace %s: cannot record there: %s", l->trace.dir, strerror(-rc));
        l->trace.dir = NULL; /* nothing is said at the end */
        return EXIT_FAILURE;
    }
    if (l->options.verbose && !l->trace.stats)
        launch_say("records in %s, at most %llu MiB for each PE", l->trace.dir,
                   (unsigned long long)(core_params.trace_size >> 20));
    return 0;
}

void launch_record_end(struct launch *l, int status)
{
    unsigned long long dropped;
    unsigned by;
    int rc;

    if (!l->trace.dir)
        return;
    if (l->trace.stats) {
        launch_stats(l, core_clock_ns() - l->trace.began_ns);
        return;
    }
    core_trace_date(l->trace.ended);
    l->trace.status = status;
    if ((rc = describe(l)) != 0)
        launch_say("--trace: cannot write %s/job.json: %s", l->trace.dir, strerror(-rc));
    dropped = core_trace_folder_dropped(l->trace.dir, l->npes, &by);
    if (dropped > 0)
        launch_say("--trace: %llu records of %u PE%s had no room and were dropped (MPT_TRACE_SIZE is %llu MiB)",
                   dropped, by, by > 1 ? "s" : "", (unsigned long long)(core_params.trace_size >> 20));
}
