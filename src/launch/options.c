/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command line: one row per option. Names of other launchers' options that
 * ask for what happens here anyway are accepted, so that scripts keep working.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/launch.h"

#ifndef MPT_VERSION
#define MPT_VERSION "unknown"
#endif

enum { NPES_MAX = 65536, GO_ON = -1 };

struct row {
    const char *names;    /* separated by blanks; those behind "|" are not advertised */
    const char *argument; /* its name in the help text, NULL: none */
    const char *help;     /* NULL: accepted, but not advertised */
    int (*apply)(struct launch_options *o, const char *option, const char *value);
};

static int set_npes(struct launch_options *o, const char *option, const char *value)
{
    unsigned long n = 0;
    const char *s = value;

    for (; *s >= '0' && *s <= '9' && n <= NPES_MAX; s++)
        n = n * 10 + (unsigned)(*s - '0');
    if (*s || n < 1 || n > NPES_MAX) {
        launch_say("%s %s: expected a number of PEs from 1 to %d", option, value, NPES_MAX);
        return STATUS_USAGE;
    }
    o->apps[o->napps - 1].npes = (unsigned)n;
    return GO_ON;
}

/* PEs inherit our environment, so a name alone asks for what is so anyway. */
static int set_variable(struct launch_options *o, const char *option, const char *value)
{
    (void)o;
    if (*value == '\0' || *value == '=') {
        launch_say("%s %s: expected VARIABLE or VARIABLE=value", option, value);
        return STATUS_USAGE;
    }
    if (strchr(value, '=') && putenv((char *)value)) {
        launch_say("out of memory");
        return EXIT_FAILURE;
    }
    return GO_ON;
}

static int set_limit(struct launch_options *o, const char *option, const char *value)
{
    char *end;
    double s = strtod(value, &end);

    if (end == value || *end || !(s > 0) || s > 1e9) {
        launch_say("%s %s: expected a number of seconds above 0", option, value);
        return STATUS_USAGE;
    }
    o->limit_ns = (uint64_t)(s * 1e9);
    return GO_ON;
}

/* Not for users: a program of MPI spawns a job, whose table it sends by this socket. */
static int read_apps(struct launch_options *o, const char *option, const char *value)
{
    o->napps = 0;
    o->spawner = atoi(value);
    launch_orphans_be_spawned();
    if (fcntl(o->spawner, F_SETFD, FD_CLOEXEC) == 0 && launch_apps_read(o, o->spawner) == 0)
        return GO_ON;
    launch_say("%s %s: there is no table of programs to read", option, value);
    return STATUS_USAGE;
}

static int set_tag(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    o->tag = true;
    return GO_ON;
}

static int set_bind(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    o->bind = BIND_YES;
    return GO_ON;
}

static int set_no_bind(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    o->bind = BIND_NO;
    return GO_ON;
}

static int set_bind_to(struct launch_options *o, const char *option, const char *value)
{
    if (strcmp(value, "none") == 0)
        o->bind = BIND_NO;
    else if (strcmp(value, "core") == 0 || strcmp(value, "hwthread") == 0)
        o->bind = BIND_YES;
    else {
        launch_say("%s %s: expected none or core", option, value);
        return STATUS_USAGE;
    }
    return GO_ON;
}

static int set_params(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    o->params = true;
    return GO_ON;
}

static int set_verbose(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    o->verbose = true;
    return GO_ON;
}

static int print_version(struct launch_options *o, const char *option, const char *value)
{
    (void)o, (void)option, (void)value;
    puts("mptrun (MPT) " MPT_VERSION);
    return EXIT_SUCCESS;
}

static int accept(struct launch_options *o, const char *option, const char *value)
{
    (void)o, (void)option, (void)value;
    return GO_ON;
}

static int print_help(struct launch_options *o, const char *option, const char *value);

static const struct row rows[] = {
    {"-n -np | --np", "N", "start N PEs (as many as there are cores, when not given)", set_npes},
    {"-x", "VAR[=value]", "give the PEs this environment variable; may be repeated", set_variable},
    {"--tag-output | -tag-output", NULL, "prefix each line of output with its PE's number", set_tag},
    {"--timeout | -timeout", "S", "end the job after S seconds, saying where each PE waits", set_limit},
    {"--bind", NULL, "bind each PE to a core, whatever MPT_BIND says", set_bind},
    {"--no-bind", NULL, "leave PEs unbound, whatever MPT_BIND says", set_no_bind},
    {"| --bind-to -bind-to", "none|core", NULL, set_bind_to},
    {"--params", NULL, "print all environment variables of the library with their values", set_params},
    {"-v --verbose", NULL, "say what is started where", set_verbose},
    {"-V --version | -version", NULL, "print the version", print_version},
    {"-h --help | -help -?", NULL, "print this text", print_help},
    {"| --spawned-by", "FD", NULL, read_apps},
    {"| --allow-run-as-root --oversubscribe -oversubscribe", NULL, NULL, accept},
};

enum { NROWS = sizeof rows / sizeof *rows };

static const char *command = "mptrun";

static int print_help(struct launch_options *o, const char *option, const char *value)
{
    (void)o, (void)option, (void)value;
    printf("Usage: %s [options] [--] program [arguments] [: [-n N] [--] program [arguments]]...\n"
           "Starts a program, or several, as the PEs of one job on this machine.\n\nOptions:\n",
           command);
    for (unsigned i = 0; i < NROWS; i++) {
        const struct row *row = &rows[i];
        char left[64];

        if (!row->help)
            continue;
        snprintf(left, sizeof left, "%.*s%s%s", (int)strcspn(row->names, "|"), row->names,
                 strchr(row->names, '|') || !row->argument ? "" : " ", row->argument ? row->argument : "");
        printf("  %-20s %s\n", left, row->help);
    }
    printf("\nThe exit status is that of the first PE that failed, or 128 + n when signal n killed it.\n"
           "SIGINT, SIGTERM and others are passed on to the PEs; a second SIGINT kills them.\n");
    return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Is the first `n` characters of `option` one of the blank-separated names? */
static bool named(const char *names, const char *option, size_t n)
{
    while (*names) {
        size_t len = strcspn(names, " ");

        if (len == n && strncmp(names, option, n) == 0)
            return true;
        names += len;
        names += strspn(names, " ");
    }
    return false;
}

static const struct row *find_row(const char *option, size_t n)
{
    for (unsigned i = 0; i < NROWS; i++)
        if (named(rows[i].names, option, n))
            return &rows[i];
    return NULL;
}

static int apply(struct launch_options *o, char ***at)
{
    char *option = **at, *value = strchr(option, '=');
    size_t n = value ? (size_t)(value - option) : strlen(option);
    const struct row *row = find_row(option, n);

    if (!row || (value && !row->argument)) {
        launch_say("unknown option %s; '%s --help' lists what there is", option, command);
        return STATUS_USAGE;
    }
    if (row->argument && !value && !(value = *++*at)) {
        launch_say("option %s needs an argument: %s", option, row->argument);
        return STATUS_USAGE;
    }
    if (row->argument && option[n] == '=')
        value++;
    ++*at;
    return row->apply(o, option, value);
}

/* Options and the program of one app, up to a colon or the end. */
static int parse_app(struct launch_options *o, char ***rest)
{
    char **at = *rest;

    while (*at && (*at)[0] == '-') {
        int rc;

        if (strcmp(*at, "--") == 0) {
            at++;
            break;
        }
        if ((rc = apply(o, &at)) != GO_ON)
            return rc;
    }
    *rest = at;
    if (o->params || o->spawner >= 0)
        return GO_ON;
    if (!*at || strcmp(*at, ":") == 0) {
        launch_say("no program given; usage: %s -n N program [arguments]", command);
        return STATUS_USAGE;
    }
    o->apps[o->napps - 1].program = at;
    while (*at && strcmp(*at, ":") != 0)
        at++;
    *rest = at;
    return GO_ON;
}

int launch_options_parse(struct launch_options *o, int argc, char **argv)
{
    char **at = argv + (argc > 0), *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    int rc = GO_ON;

    if (argc > 0)
        command = slash ? slash + 1 : argv[0];
    for (;;) {
        if (!launch_app_add(o)) {
            launch_say("out of memory");
            return EXIT_FAILURE;
        }
        rc = parse_app(o, &at);
        if (rc != GO_ON || !*at || o->params || o->spawner >= 0)
            break;
        *at++ = NULL; /* the colon ends this one's arguments */
    }
    if (rc == GO_ON && o->napps > 1 && o->spawner < 0)
        for (unsigned i = 0; i < o->napps; i++)
            if (o->apps[i].npes == 0)
                o->apps[i].npes = 1;
    return rc;
}
