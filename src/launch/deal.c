/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Deals the PEs among processes: one each, or with --tasks several as tasks of
 * one, all of which run the same program. Says no where that cannot work, as far
 * as it is known before the start.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/param.h"
#include "core/job/start.h"
#include "core/task/task.h"
#include "launch/launch.h"

enum { MANY = 4 }; /* PEs of a core from which on tasks are recommended */

unsigned launch_deal_first(const struct launch_app *app, unsigned k)
{
    return core_deal_first(app->npes, app->processes, k);
}

/* Every program gets a process, and those that have most PEs for each of theirs one more, until `all` are dealt. */
static void share(struct launch *l, unsigned all)
{
    struct launch_app *apps = l->options.apps;
    unsigned dealt = l->options.napps;

    for (unsigned i = 0; i < l->options.napps; i++)
        apps[i].processes = 1;
    for (; dealt < all; dealt++) {
        struct launch_app *fullest = apps;

        for (unsigned i = 1; i < l->options.napps; i++)
            if ((uint64_t)apps[i].npes * fullest->processes > (uint64_t)fullest->npes * apps[i].processes)
                fullest = &apps[i];
        fullest->processes++;
    }
}

static void count(struct launch *l)
{
    l->processes = l->most = 0;
    for (unsigned i = 0; i < l->options.napps; i++) {
        const struct launch_app *app = &l->options.apps[i];
        unsigned most = (app->npes + app->processes - 1) / app->processes;

        l->processes += app->processes;
        l->most = most > l->most ? most : l->most;
    }
}

static int refuse(const struct launch *l)
{
    char why[CORE_LIMITS_WHY];
    const char *refusal;
    bool uses;

    for (unsigned i = 0; i < l->options.napps; i++) {
        const struct launch_app *app = &l->options.apps[i];

        if (app->processes == app->npes)
            continue;
        if (!core_deal_allowed(app->npes, app->processes, why, sizeof why)) {
            launch_say("--tasks: %s", why);
            return STATUS_USAGE;
        }
        if ((refusal = core_task_refusal(app->path, &uses))) {
            launch_say("--tasks: PEs of %s cannot be tasks: %s", app->path, refusal);
            return STATUS_USAGE;
        }
    }
    return 0;
}

int launch_deal(struct launch *l)
{
    unsigned asked = l->options.tasks;
    unsigned processes;

    if (!l->options.tasks_said && core_deal_read(core_params.tasks, &asked) != 0) {
        launch_say("environment variable MPT_TASKS=\"%s\": expected 0, a number of processes, or auto (one for each "
                   "core)",
                   core_params.tasks);
        return STATUS_USAGE;
    }
    l->options.tasks = asked;
    processes = core_deal_processes(l->npes, l->ncores, asked);
    if (processes == l->npes)
        for (unsigned i = 0; i < l->options.napps; i++)
            l->options.apps[i].processes = l->options.apps[i].npes;
    else
        share(l, processes);
    count(l);
    return refuse(l);
}

/* Whoever looks at the output, at a terminal, is told. */
void launch_deal_hint(const struct launch *l)
{
    const struct launch_options *o = &l->options;
    char why[CORE_LIMITS_WHY];
    bool uses;

    if (o->quiet || o->tasks_said || o->tasks || o->spawner >= 0 || l->npes / MANY < l->ncores ||
        core_param_foreign("CI") || !isatty(STDOUT_FILENO) || !isatty(STDERR_FILENO) ||
        !core_deal_allowed(l->npes, l->ncores, why, sizeof why))
        return;
    for (unsigned i = 0; i < o->napps; i++)
        if (core_task_refusal(o->apps[i].path, &uses) || !uses)
            return;
    launch_say("%u PEs on %u core%s: with --tasks the PEs of a core share a process, and wait for each other without "
               "the kernel (man mptrun; -q: no hints)",
               l->npes, l->ncores, l->ncores > 1 ? "s" : "");
}

int launch_deal_tell(struct launch *l)
{
    unsigned pe = 0;

    l->header->tasks = l->processes < l->npes;
    for (unsigned i = 0; i < l->options.napps; i++) {
        const struct launch_app *app = &l->options.apps[i];
        int rc = core_deal_tell(l->fd, l->header, pe, app->npes, app->processes);

        if (rc != 0) {
            launch_say("cannot write to the job's memory: %s", strerror(-rc));
            return EXIT_FAILURE;
        }
        pe += app->npes;
    }
    return 0;
}

/* ------------------------------------------------------------ what was chosen -- */

static void describe_process(const struct launch *l, unsigned process, unsigned pe, unsigned n)
{
    char pes[32], cpu[200];

    if (n > 1)
        snprintf(pes, sizeof pes, "PEs %u-%u", pe, pe + n - 1);
    else
        snprintf(pes, sizeof pes, "PE %u", pe);
    launch_bind_text(l, process, cpu, sizeof cpu);
    launch_say("%s: pid %d%s%s", pes, (int)l->pids[pe], cpu, n > 1 ? ", as tasks" : "");
}

static void describe_deal(const struct launch *l)
{
    const struct launch_options *o = &l->options;

    if (l->processes < l->npes)
        launch_say("PEs are tasks of %u process%s (%s)", l->processes, l->processes > 1 ? "es" : "",
                   o->tasks_said ? "--tasks" : "MPT_TASKS");
    else if (o->tasks)
        launch_say("no tasks, as there is a process for each PE");
}

void launch_describe(const struct launch *l)
{
    const struct launch_options *o = &l->options;
    unsigned process = 0, pe = 0;

    if (!o->verbose)
        return;
    launch_say("%u PE%s of %s%s on %u core%s, %s", l->npes, l->npes > 1 ? "s" : "", o->apps[0].path,
               o->napps > 1 ? " and others" : "", l->ncores, l->ncores > 1 ? "s" : "", l->cpus ? "bound" : "not bound");
    describe_deal(l);
    for (unsigned i = 0; i < o->napps; pe += o->apps[i++].npes)
        for (unsigned k = 0; k < o->apps[i].processes; k++) {
            unsigned first = launch_deal_first(&o->apps[i], k);

            describe_process(l, process++, pe + first, launch_deal_first(&o->apps[i], k + 1) - first);
        }
}
