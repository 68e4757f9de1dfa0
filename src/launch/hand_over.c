/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs on several hosts: this launcher starts processes on its own machine only, so srun or prterun takes its place
 * where other hosts are named, or in a Slurm allocation of several nodes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/param.h"
#include "core/mem/wire.h"
#include "core/trace/folder.h"
#include "launch/options.h"

enum { WORDS = 4096 };

struct command {
    char *words[WORDS];
    unsigned n;
    bool full;
};

static unsigned number(const char *variable)
{
    const char *text = core_param_foreign(variable);

    return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

/* In an allocation of several nodes, and not yet in a step of it. */
static bool is_allocated(void)
{
    unsigned nodes = number("SLURM_JOB_NUM_NODES");

    return (nodes ? nodes : number("SLURM_NNODES")) > 1 && core_param_foreign("SLURM_JOB_ID") &&
           !core_param_foreign("SLURM_STEP_ID");
}

bool launch_is_elsewhere(const struct launch_options *o)
{
    if (o->spawner >= 0 || o->params)
        return false;
    return o->hosts.other || (!o->hosts.names && is_allocated() && !core_param_foreign(CORE_WIRE_ENV));
}

/* ------------------------------------------------------------------- words -- */

static void add(struct command *c, const char *word)
{
    if (c->n + 1 < WORDS)
        c->words[c->n++] = strdup(word);
    c->full = c->full || c->n + 1 >= WORDS || !c->words[c->n - 1];
}

static void add_pair(struct command *c, const char *option, const char *value)
{
    add(c, option);
    add(c, value);
}

static void add_number(struct command *c, const char *option, unsigned value)
{
    char text[16];

    snprintf(text, sizeof text, "%u", value);
    add_pair(c, option, text);
}

static void add_program(struct command *c, const struct launch_app *app)
{
    for (char **w = app->program; *w; w++)
        add(c, *w);
}

/* What the user gave by name, and the library's own variables, which prterun would leave here. */
static void add_variables(struct command *c, const struct launch_options *o, const struct launch_app *app)
{
    for (unsigned i = 0; i < o->ngiven; i++)
        add_pair(c, "-x", o->given[i]);
    for (char **env = app->env; env && *env; env++)
        add_pair(c, "-x", *env);
    for (char **env = environ; *env; env++)
        if (launch_is_ours(*env)) {
            char name[128];

            snprintf(name, sizeof name, "%.*s", (int)strcspn(*env, "="), *env);
            add_pair(c, "-x", name);
        }
}

/* --------------------------------------------------------------- launchers -- */

/* The limit in whole seconds, which is what the others take. */
static unsigned long long seconds_of(const struct launch_options *o)
{
    return (o->limit_ns + CORE_CLOCK_S - 1) / CORE_CLOCK_S;
}

static int make_srun(struct command *c, const struct launch_options *o)
{
    const struct launch_app *app = &o->apps[0];
    char text[48];

    if (o->napps > 1) {
        launch_say("several programs on several hosts: write them into a file for srun --multi-prog (docs/cluster.md)");
        return STATUS_USAGE;
    }
    add(c, "srun");
    add(c, "--mpi=pmix");
    if (app->npes)
        add_number(c, "-n", app->npes);
    if (app->npes_here)
        add_number(c, "--ntasks-per-node", app->npes_here);
    if (o->hosts.names)
        add_pair(c, "-w", o->hosts.names);
    if (app->wdir)
        add_pair(c, "--chdir", app->wdir);
    if (o->output.tag)
        add(c, "--label");
    if (o->bind == BIND_NO)
        add(c, "--cpu-bind=none");
    if (o->limit_ns) {
        snprintf(text, sizeof text, "0:%llu", seconds_of(o));
        add_pair(c, "--time", text);
    }
    for (char **env = app->env; env && *env; env++)
        putenv(*env);
    add_program(c, app);
    return GO_ON;
}

static void add_app(struct command *c, const struct launch_options *o, const struct launch_app *app)
{
    if (app->npes)
        add_number(c, "-n", app->npes);
    if (app->wdir)
        add_pair(c, "--wdir", app->wdir);
    add_variables(c, o, app);
    add_program(c, app);
}

static int make_prterun(struct command *c, const struct launch_options *o)
{
    char text[48];

    add(c, "prterun");
    if (o->hosts.file)
        add_pair(c, "--hostfile", o->hosts.file);
    else if (o->hosts.list)
        add_pair(c, "--host", o->hosts.list);
    if (o->apps[0].npes_here) {
        snprintf(text, sizeof text, "ppr:%u:node:oversubscribe", o->apps[0].npes_here);
        add_pair(c, "--map-by", text);
    }
    if (o->bind == BIND_NO)
        add_pair(c, "--bind-to", "none");
    if (o->output.tag)
        add_pair(c, "--output", "tag");
    if (o->limit_ns) {
        snprintf(text, sizeof text, "%llu", seconds_of(o));
        add_pair(c, "--timeout", text);
    }
    for (unsigned i = 0; i < o->napps; i++) {
        if (i > 0)
            add(c, ":");
        add_app(c, o, &o->apps[i]);
    }
    return GO_ON;
}

static const struct launcher {
    const char *name;
    int (*make)(struct command *c, const struct launch_options *o);
    const char *needs; /* a variable; NULL: none */
} launchers[] = {{"srun", make_srun, "SLURM_JOB_ID"}, {"prterun", make_prterun, NULL}};

static bool is_installed(const char *name)
{
    const char *dirs = core_param_foreign("PATH");
    char path[4096];

    for (; dirs && *dirs; dirs += strcspn(dirs, ":"), dirs += *dirs == ':') {
        snprintf(path, sizeof path, "%.*s/%s", (int)strcspn(dirs, ":"), dirs, name);
        if (access(path, X_OK) == 0)
            return true;
    }
    return false;
}

static const struct launcher *choose(void)
{
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if ((!launchers[i].needs || core_param_foreign(launchers[i].needs)) && is_installed(launchers[i].name))
            return &launchers[i];
    return NULL;
}

static int refuse(const struct launch_options *o)
{
    if (o->hosts.other)
        launch_say(
            "%s: '%s' is not this machine; on others, programs are started by srun, prterun or Open MPI's mpirun, and "
            "neither srun (in an allocation) nor prterun is here (docs/cluster.md)",
            o->hosts.option, o->hosts.other);
    else
        launch_say(
            "this Slurm allocation has several nodes, but there is no srun here; -host localhost starts all PEs on "
            "this one (docs/cluster.md)");
    return STATUS_USAGE;
}

/* What was asked for and the other launcher is not told. */
static void tell_lost(const struct launch_options *o, const char *launcher)
{
    const struct {
        bool asked;
        const char *what;
    } lost[] = {
        {o->output.files[0] || o->output.files[1], "files for the output"},
        {o->output.stamp, "times in front of the output"},
        {o->output.merge, "stderr merged into stdout"},
        {o->bind == BIND_YES || o->map_domain != CORE_DOMAIN_NONE || o->cpus_each, "binding to CPUs"},
        {o->tasks_said, "PEs as tasks"},
        {o->gdb, "gdb with all PEs"},
        {o->stacks, "stacks when the time is up"},
        {core_trace_counts_only(), "a table of all calls (--stats)"},
        {core_params.trace[0] != 0, "one folder with what is recorded on all hosts"},
    };

    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
        if (lost[i].asked)
            launch_say("%s is not asked for %s; its own options do that, where it can (docs/cluster.md)", launcher,
                       lost[i].what);
}

static void tell(const struct command *c)
{
    char text[1024] = "";
    size_t n = 0;

    for (unsigned i = 0; i < c->n && n < sizeof text; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " %s", c->words[i]);
    launch_say("for the other hosts:%s%s", text, n >= sizeof text ? " ..." : "");
}

int launch_hand_over(struct launch_options *o)
{
    static struct command c;
    const struct launcher *launcher = launch_is_elsewhere(o) ? choose() : NULL;
    int rc;

    if (!launch_is_elsewhere(o))
        return GO_ON;
    if (!launcher)
        return refuse(o);
    if ((rc = launcher->make(&c, o)) != GO_ON)
        return rc;
    if (c.full)
        return launch_no_memory();
    if (!o->quiet) {
        tell_lost(o, launcher->name);
        tell(&c);
    }
    execvp(c.words[0], c.words);
    launch_say("cannot run %s", c.words[0]);
    return EXIT_FAILURE;
}
