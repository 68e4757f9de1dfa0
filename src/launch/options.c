/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command line: one row per option. Names of other launchers' options that
 * ask for what happens here anyway are accepted, so that scripts keep working.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/base/param.h"
#include "core/base/path.h"
#include "core/job/start.h"
#include "launch/options.h"
#include "mpt/version.h"

struct row {
    const char *names;    /* separated by blanks, with one dash or two; those behind "|" are not advertised */
    const char *argument; /* its name in the help text, NULL: none; "NAME VALUE": two, or one NAME=VALUE */
    const char *help;     /* NULL: accepted, but not advertised */
    launch_setter *apply;
};

int launch_no_memory(void)
{
    launch_say("out of memory");
    return EXIT_FAILURE;
}

/* What was printed has to be somewhere. */
int launch_flush(void)
{
    if (!(fflush(stdout) | ferror(stdout)))
        return EXIT_SUCCESS;
    launch_say("cannot write to stdout: %s", strerror(errno));
    return EXIT_FAILURE;
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
    if (sscanf(value, "%d,%d", &o->spawner, &o->leash) != 2)
        o->spawner = -1;
    if (o->leash >= 0)
        fcntl(o->leash, F_SETFD, FD_CLOEXEC);
    launch_orphans_be_spawned();
    if (fcntl(o->spawner, F_SETFD, FD_CLOEXEC) == 0 && launch_apps_read(o, o->spawner) == 0)
        return GO_ON;
    launch_say("%s %s: there is no table of programs to read", option, value);
    return STATUS_USAGE;
}

static int set_params(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    o->params = true;
    return GO_ON;
}

static int set_tasks(struct launch_options *o, const char *option, const char *value)
{
    if (core_deal_read(value ? value : "auto", &o->tasks) != 0) {
        launch_say("%s=%s: expected a number of processes, or auto (one for each core)", option, value);
        return STATUS_USAGE;
    }
    o->tasks_said = true;
    return GO_ON;
}

static int set_stacks(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    o->stacks = true;
    return GO_ON;
}

static int set_gdb(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    o->gdb = !launch_mpir_debugged(); /* else this is the launcher that gdb has started */
    return GO_ON;
}

static int set_quiet(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    o->quiet = true;
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
    return launch_flush();
}

/* For us and for jobs that these PEs spawn. */
static int set_survive(struct launch_options *o, const char *option, const char *value)
{
    (void)o, (void)option, (void)value;
    return setenv("MPT_FT", "1", 1) == 0 ? GO_ON : launch_no_memory();
}

static int set_with_ft(struct launch_options *o, const char *option, const char *value)
{
    static const char *const on[] = {"1", "yes", "true", "mpi", "ulfm"}, *const off[] = {"0", "no", "false", "none"};

    for (size_t i = 0; i < sizeof on / sizeof *on; i++)
        if (strcmp(value, on[i]) == 0)
            return set_survive(o, option, value);
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        if (strcmp(value, off[i]) == 0)
            return setenv("MPT_FT", "0", 1) == 0 ? GO_ON : launch_no_memory();
    launch_say("%s %s: expected ulfm (or mpi, yes, 1), or none (or no, 0)", option, value);
    return STATUS_USAGE;
}

static int set_check(struct launch_options *o, const char *option, const char *value)
{
    (void)o, (void)option, (void)value;
    return setenv("MPT_CHECK", "1", 1) == 0 ? GO_ON : launch_no_memory();
}

/* To a variable; PEs may run in other folders. */
static int give_path(const char *variable, const char *value)
{
    char *path = core_path_absolute(value);
    int rc = path && setenv(variable, path, 1) == 0 ? GO_ON : launch_no_memory();

    free(path);
    return rc;
}

static int set_report(struct launch_options *o, const char *option, const char *value)
{
    int rc = give_path("MPT_CHECK_REPORT", value);

    return rc == GO_ON ? set_check(o, option, value) : rc;
}

static int set_trace(struct launch_options *o, const char *option, const char *value)
{
    (void)o;
    if (value[0] == '\0') {
        launch_say("%s: expected the name of a folder", option);
        return STATUS_USAGE;
    }
    return give_path("MPT_TRACE", value);
}

static int set_stats(struct launch_options *o, const char *option, const char *value)
{
    (void)o, (void)option;
    if (value && value[0])
        return give_path("MPT_STATS", value);
    return setenv("MPT_STATS", "1", 1) == 0 ? GO_ON : launch_no_memory();
}

static int set_adversary(struct launch_options *o, const char *option, const char *value)
{
    (void)o;
    if (value[0] < '0' || value[0] > '9') {
        launch_say("%s %s: expected SEED, a number (or SEED:KINDS:LIMIT:PES, see docs/check.md)", option, value);
        return STATUS_USAGE;
    }
    return setenv("MPT_ADVERSARY", value, 1) == 0 ? GO_ON : launch_no_memory();
}

static int accept(struct launch_options *o, const char *option, const char *value)
{
    (void)o, (void)option, (void)value;
    return GO_ON;
}

static int print_help(struct launch_options *o, const char *option, const char *value);

static const struct row rows[] = {
    {"-n -np | -c --ntasks", "N", "start N PEs (default: one for each core)", launch_set_npes},
    {"-soft", "LIST", "start the largest number of this list that is not above N: 4,8:16:2 is 4, 8, 10, 12, 14, 16",
     launch_set_soft},
    {"-usize", "N", "value of MPI_UNIVERSE_SIZE: a number, SYSTEM (cores, the default) or INFINITE (not set)",
     launch_set_universe},
    {"-wdir -wd", "DIR", "start the program in this folder", launch_set_wdir},
    {"-path", "DIRS", "look for the program in these folders before PATH", launch_set_path},
    {"-env", "NAME VALUE", "give this program's PEs an environment variable; may be repeated", launch_set_variable},
    {"-x", "VAR[=value]", "give all PEs this environment variable; may be repeated", launch_set_given},
    {"| -genv", "NAME VALUE", NULL, launch_set_given},
    {"-envlist", "NAMES", "give this program's PEs only these variables of the environment: A,B,C",
     launch_pass_list_app},
    {"-envnone", NULL, "give them none of the environment's variables", launch_pass_none_app},
    {"| -envall", NULL, NULL, launch_pass_all_app},
    {"| -envexcl", "NAMES", NULL, launch_pass_but_app},
    {"| -genvlist", "NAMES", NULL, launch_pass_list},
    {"| -genvnone", NULL, NULL, launch_pass_none},
    {"| -genvall", NULL, NULL, launch_pass_all},
    {"| -genvexcl", "NAMES", NULL, launch_pass_but},
    {"-initial-errhandler", "H", "mpi_errors_are_fatal, mpi_errors_abort or mpi_errors_return", launch_set_errhandler},
    {"-host | -hosts -H", "NAMES",
     "hosts to use; for others than this machine srun or prterun takes over (docs/cluster.md)", launch_take_hosts},
    {"| -hostfile -machinefile -f", "FILE", NULL, launch_take_hostfile},
    {"-arch", "NAME", "fail unless the machine is of this kind (uname -m)", launch_check_arch},
    {"-file", "FILE", "read options from a file, as if they were given here", launch_read_words},
    {"-configfile | -app", "FILE", "read programs and their options from a file, one per line", launch_read_lines},
    {"--tag-output | -l -prepend-rank --label", NULL, "prefix each line of output with its PE's number",
     launch_set_tag},
    {"--timestamp-output", NULL, "prefix each line of output with the time", launch_set_stamp},
    {"--output-filename", "DIR",
     "also write what PE N puts out to DIR/1/rank.N/stdout and stderr; DIR:nocopy: only there",
     launch_set_output_folder},
    {"| --output", "WORDS", NULL, launch_set_output},
    {"| -outfile-pattern", "FILE", NULL, launch_set_out_pattern},
    {"| -errfile-pattern", "FILE", NULL, launch_set_err_pattern},
    {"| --merge-stderr-to-stdout", NULL, NULL, launch_set_merge},
    {"--timeout", "S", "end the job after S seconds, saying where each PE waits", set_limit},
    {"--get-stack-traces", NULL, "print each PE's stacks before that (by gdb)", set_stacks},
    {"-gdb", NULL, "start all PEs under one gdb, which stops them in their initialization (docs/debugging.md)",
     set_gdb},
    {"--ft | -disable-auto-cleanup --enable-recovery", NULL, "the job goes on when an MPI process dies (ULFM)",
     set_survive},
    {"| --with-ft", "ulfm|none", NULL, set_with_ft},
    {"--check", NULL, "find what is wrong in the program (docs/check.md); status 86 if something is", set_check},
    {"--check-report", "FILE", "the same, and write it to a file: SARIF (.sarif) or JSON", set_report},
    {"--trace", "DIR", "record calls, messages and waits of all PEs in this folder (docs/trace.md)", set_trace},
    {"--stats", "[FILE]", "print a table of all calls at the end: how many, bytes, time, waiting, imbalance",
     set_stats},
    {"--adversary", "SEED", "decide by this seed what the standards leave open (docs/check.md)", set_adversary},
    {"--tasks", "[PROCESSES]", "PEs are tasks of so many processes (default: one for each core; docs/tasks.md)",
     set_tasks},
    {"-q --quiet", NULL, "give no hints", set_quiet},
    {"--bind", NULL, "bind each PE to a core (overrides MPT_BIND)", launch_set_bind},
    {"--no-bind", NULL, "do not bind PEs (overrides MPT_BIND)", launch_set_no_bind},
    {"--bind-to", "WHAT", "bind each PE to the CPUs of a core, l3cache, numa (node) or socket, or to none",
     launch_set_bind_to},
    {"--map-by", "WHAT",
     "PEs take turns in all l3cache, numa (nodes) or socket; ppr:N:socket: so many in each; core:PE=N: N cores each",
     launch_set_map},
    {"| --cpus-per-rank --cpus-per-proc --cpus-per-task --depth -d", "N", NULL, launch_set_cpus_each},
    {"--params", NULL, "print all environment variables of the library with their values", set_params},
    {"-v --verbose | --report-bindings --display-map --display-allocation -print-rank-map --display-devel-map", NULL,
     "show what is started where", set_verbose},
    {"-V --version | -info", NULL, "print the version", print_version},
    {"-h --help | -?", NULL, "print this text", print_help},
    {"| --cpu-bind -cc", "WHAT", NULL, launch_set_cpu_bind},
    {"| --spawned-by", "FD", NULL, read_apps},
    {"| --allow-run-as-root --oversubscribe --use-hwthread-cpus --line-buffer --no-transfer --exclusive -rr", NULL,
     NULL, accept},
    {"| -ppn -perhost -npernode -N --ntasks-per-node", "N", NULL, launch_set_npes_here},
    {"| --display", "WORDS", NULL, set_verbose},
    {"| --mca --omca --gmca --prtemca --pmixmca", "NAME VALUE", NULL, launch_pass_over_mca},
    {"| --debug -debug -tv --totalview -ddt", NULL, NULL, launch_refuse_debugger},
    {"| --rank-by --prefix --tmpdir --xterm --stdin --launcher --rmk --bootstrap --iface --tune --personality "
     "--rankfile -rf --cpu-set --cpu-list --mem-bind -membind -localhost -order-nodes -prepend-pattern --preload-files "
     "-s -j -S -sn -L -gtool",
     "WHAT", NULL, launch_pass_over},
    {"| --preload-binary -check_mpi", NULL, NULL, launch_pass_over},
};

enum { NROWS = sizeof rows / sizeof *rows };

static const char *command = "mptrun";

/* Names that are accepted for the sake of other launchers' users: those behind "|". */
static void print_others(void)
{
    unsigned column = 0;

    printf("\nAlso accepted, with the meaning they have elsewhere (mptrun(1)) or a word of why they change nothing:\n");
    for (unsigned i = 0; i < NROWS; i++) {
        const char *names = strchr(rows[i].names, '|');

        for (names = names && rows[i].apply != read_apps ? names + 1 : ""; *names;) {
            unsigned n;

            names += strspn(names, " ");
            n = (unsigned)strcspn(names, " ");
            if (column + n > 112)
                column = 0;
            column += n + 1 + (column == 0 ? (unsigned)printf(i ? "\n " : " ") : 0);
            printf(" %.*s", (int)n, names);
            names += n;
        }
    }
    putchar('\n');
}

static int print_help(struct launch_options *o, const char *option, const char *value)
{
    (void)o, (void)option, (void)value;
    printf("Usage: %s [options] [--] program [arguments] [: [options] [--] program [arguments]]...\n"
           "Starts a program, or several, as the PEs of one job on this machine.\n\nOptions:\n",
           command);
    for (unsigned i = 0; i < NROWS; i++) {
        const struct row *row = &rows[i];
        char left[80];

        if (!row->help)
            continue;
        snprintf(left, sizeof left, "%.*s%s%s", (int)strcspn(row->names, "|"), row->names,
                 !row->argument || strchr(row->names, '|') ? "" : " ", row->argument ? row->argument : "");
        printf("  %-22s %s\n", left, row->help);
    }
    print_others();
    printf("\nThe exit status is that of the first PE that failed, or 128 + n when signal n killed it.\n"
           "SIGINT, SIGTERM and others are passed on to the PEs; a second SIGINT kills them.\n");
    return launch_flush();
}

/* Are the first `n` characters of `option` one of the blank-separated names? One dash does for two. */
static bool named(const char *names, const char *option, size_t n)
{
    size_t dashes = strspn(option, "-");

    if (dashes == 0 || dashes > 2 || n <= dashes)
        return false;
    while (*names) {
        size_t len = strcspn(names, " "), skip = strspn(names, "-");

        if (len - skip == n - dashes && strncmp(names + skip, option + dashes, n - dashes) == 0)
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

/* NAME and VALUE, as two words, as one NAME=VALUE. NULL: there is no value. */
static char *take_pair(struct launch_options *o, char *name)
{
    char *pair;

    if (strchr(name, '='))
        return name;
    if (!*o->args || asprintf(&pair, "%s=%s", name, *o->args) < 0)
        return NULL;
    o->args++;
    return pair; /* for the environment: kept for good */
}

/* The option that was perhaps meant: one of a like name, or, of -np4, the one with a number. */
static int unknown(const char *option, size_t n)
{
    const size_t dashes = strspn(option, "-"), letters = dashes + strcspn(option + dashes, "0123456789");
    struct core_nearest nearest = {.typed = option + dashes, .typed_n = n - dashes};
    const struct row *row = n > dashes && option[n] == '\0' ? find_row(option, letters) : NULL;

    if (row && row->argument && strspn(option + letters, "0123456789") == n - letters) {
        launch_say("unknown option %s; did you mean %.*s %s?", option, (int)letters, option, option + letters);
        return STATUS_USAGE;
    }
    for (unsigned i = 0; i < NROWS; i++)
        for (const char *name = rows[i].names; *name && rows[i].apply != read_apps; name += strspn(name, " |")) {
            size_t len = strcspn(name, " ");

            core_nearest_try(&nearest, name + strspn(name, "-"), len - strspn(name, "-"));
            name += len;
        }
    if (nearest.word)
        launch_say("unknown option %.*s; did you mean %s%.*s? '%s --help' lists what there is", (int)n, option,
                   nearest.word_n > 1 ? "--" : "-", (int)nearest.word_n, nearest.word, command);
    else
        launch_say("unknown option %s; '%s --help' lists what there is", option, command);
    return STATUS_USAGE;
}

static int apply(struct launch_options *o)
{
    char *option = *o->args++, *value = strchr(option, '=');
    size_t n = value ? (size_t)(value - option) : strlen(option);
    const struct row *row = find_row(option, n);

    if (!row)
        return unknown(option, n);
    if (value && !row->argument) {
        launch_say("option %.*s takes no argument: %s", (int)n, option, option);
        return STATUS_USAGE;
    }
    bool optional = row->argument && *row->argument == '['; /* only as OPTION=VALUE */

    if (value)
        value++;
    else if (row->argument && !optional && *o->args && !find_row(*o->args, strcspn(*o->args, "=")))
        value = *o->args++;
    if (value && strchr(row->argument, ' '))
        value = take_pair(o, value);
    if (row->argument && !optional && !value) {
        launch_say("option %s needs an argument: %s%s%s", option, row->argument, *o->args ? ", before " : "",
                   *o->args ? *o->args : "");
        return STATUS_USAGE;
    }
    return row->apply(o, option, value);
}

/* Options and the program of one app, up to a colon or the end. */
static int parse_app(struct launch_options *o)
{
    while (*o->args && (*o->args)[0] == '-') {
        int rc;

        if (strcmp(*o->args, "--") == 0) {
            o->args++;
            break;
        }
        if ((rc = apply(o)) != GO_ON)
            return rc;
    }
    if (o->params || o->spawner >= 0)
        return GO_ON;
    if (!*o->args || strcmp(*o->args, ":") == 0) {
        launch_say("no program given; usage: %s -n N program [arguments]", command);
        return STATUS_USAGE;
    }
    o->apps[o->napps - 1].program = o->args;
    while (*o->args && strcmp(*o->args, ":") != 0)
        o->args++;
    return GO_ON;
}

int launch_options_parse(struct launch_options *o, int argc, char **argv)
{
    char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    int rc;

    if (argc > 0)
        command = slash ? slash + 1 : argv[0];
    o->args = argv + (argc > 0);
    for (;;) {
        if (!launch_app_add(o))
            return launch_no_memory();
        rc = parse_app(o);
        if (rc != GO_ON || !*o->args || o->params || o->spawner >= 0)
            break;
        *o->args++ = NULL; /* the colon ends this one's arguments */
    }
    return rc == GO_ON && !o->params && o->spawner < 0 ? launch_apps_settle(o) : rc;
}

int launch_options_limit(struct launch_options *o)
{
    const char *seconds = core_params.time_limit;
    char *end;

    if (o->limit_ns || o->spawner >= 0 || !*seconds || (strtod(seconds, &end) <= 0 && !*end))
        return GO_ON;
    return set_limit(o, "MPIEXEC_TIMEOUT", seconds);
}
