/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options of one program among several (MPI-5.0, 11.5): how many PEs, where it
 * is and starts, variables of its own. Hosts and kinds of machines can only be
 * the one we are on.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "core/base/param.h"
#include "core/job/asked.h"
#include "launch/options.h"

static struct launch_app *app_of(struct launch_options *o)
{
    return &o->apps[o->napps - 1];
}

static int wrong(const char *option, const char *value, const char *expected)
{
    launch_say("%s %s: expected %s", option, value, expected);
    return STATUS_USAGE;
}

/* ---------------------------------------------------------- how many of them -- */

static int count_pes(const char *option, const char *value, unsigned *npes)
{
    unsigned long n = 0;
    const char *s = value;

    for (; *s >= '0' && *s <= '9' && n <= NPES_MAX; s++)
        n = n * 10 + (unsigned)(*s - '0');
    if (*s || n < 1 || n > NPES_MAX) {
        launch_say("%s %s: expected a number of PEs from 1 to %d", option, value, NPES_MAX);
        return STATUS_USAGE;
    }
    *npes = (unsigned)n;
    return GO_ON;
}

int launch_set_npes(struct launch_options *o, const char *option, const char *value)
{
    return count_pes(option, value, &app_of(o)->npes);
}

int launch_set_npes_here(struct launch_options *o, const char *option, const char *value)
{
    return count_pes(option, value, &app_of(o)->npes_here);
}

int launch_set_soft(struct launch_options *o, const char *option, const char *value)
{
    if (core_asked_soft(value, NPES_MAX) < 0)
        return wrong(option, value, "numbers and ranges, as 1,4:16:4");
    app_of(o)->soft = value;
    return GO_ON;
}

int launch_set_universe(struct launch_options *o, const char *option, const char *value)
{
    char *pair;

    if (strcasecmp(value, "SYSTEM") != 0 && strcasecmp(value, "INFINITE") != 0) {
        int rc = count_pes(option, value, &o->universe);

        if (rc != GO_ON)
            return rc;
    }
    if (asprintf(&pair, "MPI_UNIVERSE_SIZE=%s", value) < 0)
        return launch_no_memory();
    return launch_set_given(o, option, pair);
}

static int settle_soft(struct launch_app *app)
{
    int n;

    if (!app->npes) {
        launch_say("-soft %s: needs -n N, the most PEs it may be", app->soft);
        return STATUS_USAGE;
    }
    n = core_asked_soft(app->soft, (int)app->npes);
    if (n == 0) {
        launch_say("-soft %s: holds no number of PEs from 1 to %u", app->soft, app->npes);
        return STATUS_USAGE;
    }
    app->most = app->npes;
    app->npes = (unsigned)n;
    return GO_ON;
}

/* All PEs start on this machine: so many, when nothing else is said. */
static int settle_here(struct launch_app *app)
{
    if (!app->npes)
        app->npes = app->npes_here;
    if (app->npes <= app->npes_here)
        return GO_ON;
    launch_say("-ppn %u: all %u PEs start on this machine; on others, programs are started by srun, prterun or Open "
               "MPI's mpirun "
               "(docs/cluster.md)",
               app->npes_here, app->npes);
    return STATUS_USAGE;
}

int launch_apps_settle(struct launch_options *o)
{
    int rc = GO_ON;

    for (unsigned i = 0; i < o->napps && rc == GO_ON; i++) {
        if (o->apps[i].npes_here && !launch_is_elsewhere(o) && (rc = settle_here(&o->apps[i])) != GO_ON)
            return rc;
        if (o->apps[i].soft)
            rc = settle_soft(&o->apps[i]);
        else if (!o->apps[i].npes && o->napps > 1)
            o->apps[i].npes = 1;
    }
    /* What an only program's PEs have, the launcher heeds, too: the size of their heap, say. */
    for (char **env = o->napps == 1 ? o->apps->env : NULL; env && *env && rc == GO_ON; env++)
        rc = putenv(*env) ? launch_no_memory() : GO_ON;
    return rc;
}

/* ------------------------------------------------------------------ where it runs -- */

int launch_set_wdir(struct launch_options *o, const char *option, const char *value)
{
    struct stat st;
    int error = stat(value, &st) != 0 ? errno : S_ISDIR(st.st_mode) ? 0 : ENOTDIR;

    if (error) {
        launch_say("%s %s: %s", option, value, strerror(error));
        return STATUS_USAGE;
    }
    app_of(o)->wdir = value;
    return GO_ON;
}

int launch_set_path(struct launch_options *o, const char *option, const char *value)
{
    (void)option;
    app_of(o)->dirs = value;
    return GO_ON;
}

/* A name, or name:slots: PEs may outnumber cores, so slots say nothing. Which names there are, and one that is not this
 * machine's, is kept for hand_over.c. */
static int take_name(struct launch_options *o, const char *option, const char *name, size_t n)
{
    struct launch_hosts *hosts = &o->hosts;
    char host[256], *names;

    snprintf(host, sizeof host, "%.*s", (int)(n < sizeof host ? n : sizeof host), name);
    if (!core_asked_host(host) && strrchr(host, ':'))
        *strrchr(host, ':') = '\0';
    if (!core_asked_host(host) && !hosts->other) {
        hosts->other = strdup(host);
        hosts->option = option;
    }
    if (asprintf(&names, "%s%s%s", hosts->names ? hosts->names : "", hosts->names ? "," : "", host) < 0)
        return launch_no_memory();
    free(hosts->names);
    hosts->names = names;
    return GO_ON;
}

int launch_take_hosts(struct launch_options *o, const char *option, const char *value)
{
    int rc;

    for (const char *name = value;; name++) {
        size_t n = strcspn(name, ",");

        if ((rc = take_name(o, option, name, n)) != GO_ON)
            return rc;
        name += n;
        if (*name == '\0')
            break;
    }
    o->hosts.list = value;
    return GO_ON;
}

/* A host on each line; what follows its name, slots for instance, says nothing. */
int launch_take_hostfile(struct launch_options *o, const char *option, const char *value)
{
    char **words = launch_words_of(value, true, option);
    int rc = words ? GO_ON : STATUS_USAGE;
    bool first = true;

    for (char **w = words; w && *w && rc == GO_ON; w++) {
        if (first)
            rc = take_name(o, option, *w, strlen(*w));
        first = strcmp(*w, ":") == 0;
    }
    launch_words_free(words);
    o->hosts.file = value;
    return rc;
}

int launch_check_arch(struct launch_options *o, const char *option, const char *value)
{
    char arch[72];

    (void)o;
    if (strcmp(value, core_asked_arch(arch, sizeof arch)) == 0)
        return GO_ON;
    launch_say("%s %s: this machine is %s", option, value, arch);
    return STATUS_USAGE;
}

/* -------------------------------------------------------------- its variables -- */

static int add_variable(struct launch_app *app, char *text)
{
    size_t n = 0;
    char **more;

    while (app->env && app->env[n] && strncmp(app->env[n], text, strcspn(text, "=") + 1) != 0)
        n++;
    if (app->env && app->env[n]) { /* the last one counts */
        app->env[n] = text;
        return GO_ON;
    }
    more = realloc(app->env, (n + 2) * sizeof *more);
    if (!more)
        return launch_no_memory();
    more[n] = text;
    more[n + 1] = NULL;
    app->env = more;
    return GO_ON;
}

int launch_set_variable(struct launch_options *o, const char *option, const char *value)
{
    if (*value == '=')
        return wrong(option, value, "NAME VALUE, or NAME=VALUE");
    launch_tell_foreign(o, value);
    return add_variable(app_of(o), (char *)(uintptr_t)value);
}

int launch_set_errhandler(struct launch_options *o, const char *option, const char *value)
{
    char *text, expected[128];

    if (core_param_check("MPT_INITIAL_ERRHANDLER", value, expected, sizeof expected) != 0)
        return wrong(option, value, expected);
    return asprintf(&text, "MPT_INITIAL_ERRHANDLER=%s", value) < 0 ? launch_no_memory() : add_variable(app_of(o), text);
}
