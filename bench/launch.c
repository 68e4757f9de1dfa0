/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wall time of starting a job and waiting for its end: fork, exec and wait of the launcher with a program that only
 * says hello. Knows no SHMEM itself; the launcher is a text, so any library's can be timed.
 */
#define _GNU_SOURCE 1
#include "common/bench.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_WORDS 64
#define MAX_PES 4096
#define MAX_COUNTS 16

extern char **environ;

static const char *launcher = "oshrun -np {n}", *hello = "hello", *library = "SHMEM", *counts_text;
static long max_pes = 64;
static long counts[MAX_COUNTS]; /* of PEs, by the launcher */
static int n_counts;
static struct bench_series samples;

/* A command cut into words, {n} filled in. */
struct command {
    char text[1024];
    char *argv[MAX_WORDS + 1];
};

static void put_command(struct command *c, const char *format, long npes)
{
    char *const end = c->text + sizeof c->text - 1, *to = c->text;
    int n = 0;

    while (*format && to < end)
        if (strncmp(format, "{n}", 3) == 0) {
            to += snprintf(to, (size_t)(end - to), "%ld", npes);
            format += 3;
        } else {
            *to++ = *format++;
        }
    *(to < end ? to : end) = '\0';
    for (char *w = strtok(c->text, " "); w && n < MAX_WORDS - 1; w = strtok(NULL, " "))
        c->argv[n++] = w;
    c->argv[n++] = (char *)hello;
    c->argv[n] = NULL;
}

/* Starts the command with its output to `out`, or to nowhere for -1. */
static pid_t start(const struct command *c, int out)
{
    posix_spawn_file_actions_t actions;
    pid_t pid = -1;
    int bad;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (out >= 0)
        posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    bad = posix_spawnp(&pid, c->argv[0], &actions, NULL, c->argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = bad;
    return bad ? -1 : pid;
}

static bool ended_well(pid_t pid)
{
    int status;

    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The lines must name every PE of a job of `npes` once; `name` gets what the library calls itself. */
static bool read_hellos(FILE *f, long npes, char name[256])
{
    static bool seen[MAX_PES];
    char line[512];
    long count = 0;

    memset(seen, 0, sizeof seen);
    while (fgets(line, sizeof line, f)) {
        int pe, of, at = 0;

        if (sscanf(line, "hello from PE %d of %d: %n", &pe, &of, &at) < 2)
            continue;
        if (of != npes || pe < 0 || pe >= npes || seen[pe])
            return false;
        seen[pe] = true;
        count++;
        snprintf(name, 256, "%s", line + at);
        name[strcspn(name, "\n,(")] = '\0';
    }
    for (size_t n = strlen(name); n > 0 && name[n - 1] == ' '; n--)
        name[n - 1] = '\0';
    return count == npes;
}

static bool check(const char *format, long npes, char name[256])
{
    struct command c;
    int ends[2];
    pid_t pid;
    FILE *f;
    bool right;

    put_command(&c, format, npes);
    if (pipe2(ends, O_CLOEXEC))
        return false;
    pid = start(&c, ends[1]);
    close(ends[1]);
    if (pid < 0)
        fprintf(stderr, "launch: %s: %s\n", c.argv[0], strerror(errno));
    f = fdopen(ends[0], "r");
    right = f && read_hellos(f, npes, name);
    if (f)
        fclose(f);
    return ended_well(pid) && right;
}

struct job {
    const char *format;
    long npes;
    bool failed;
};

static void launch(void *arg, long reps)
{
    struct job *j = arg;

    for (long i = 0; i < reps; i++) {
        struct command c;

        put_command(&c, j->format, j->npes);
        if (!ended_well(start(&c, -1)))
            j->failed = true;
    }
}

static bool run(const char *format, long npes)
{
    const double budget = bench_plan_next("%s, %ld PEs", *format ? format : "no launcher", npes);
    struct job j = {.format = format, .npes = npes};
    struct bench_params p = {0};
    enum bench_stop stop;
    char name[256] = "";
    const bool right = check(format, npes, name);

    if (!right) {
        fprintf(stderr, "launch: %s does not start %ld PEs of %s\n", *format ? format : "running alone", npes, hello);
        return false;
    }
    stop = bench_measure(launch, NULL, &j, budget, &samples);
    bench_series_scale(&samples, &samples, 1e-6);
    bench_param_integer(&p, "npes", npes);
    bench_param_text(&p, "launcher", *format ? format : "none");
    bench_report_write(&(struct bench_record){.test = strcmp(library, "MPI") ? "launch" : "mpi_launch",
                                              .metric = "time",
                                              .unit = "ms",
                                              .params = &p,
                                              .series = &samples,
                                              .verified = !j.failed,
                                              .stop = bench_stop_name(stop)});
    return !j.failed;
}

/* A plain name is that of a program beside this one. */
static const char *beside(const char *argv0, const char *name)
{
    static char path[4096];
    const char *slash = strrchr(argv0, '/');

    if (strchr(name, '/'))
        return name;
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - argv0 + 1) : 2, slash ? argv0 : "./", name);
    return path;
}

/* Those that were asked for, or powers of two up to the largest. False where that isn't a list of numbers. */
static bool take_counts(void)
{
    const char *at = counts_text;

    for (long n = 2; !at && n <= max_pes; n *= 2)
        counts[n_counts++] = n;
    while (at && *at && n_counts < MAX_COUNTS) {
        char *end;
        const long n = strtol(at, &end, 10);

        if (end == at || (*end && *end != ',') || n < 2 || n > MAX_PES)
            return false;
        counts[n_counts++] = n;
        at = *end ? end + 1 : end;
    }
    return n_counts > 0 && (!at || !*at);
}

static bool measure_all(void)
{
    bool right = true;

    bench_plan_begin(n_counts + !counts_text, bench_options.max_seconds > 0 ? bench_options.max_seconds
                                              : bench_options.quick         ? 5
                                                                            : 20);
    if (!counts_text)
        right = run("", 1);
    for (int i = 0; i < n_counts; i++)
        right = run(launcher, counts[i]) && right;
    bench_plan_end();
    return right;
}

int main(int argc, char **argv)
{
    static const struct bench_option own[] = {
        {"launcher", BENCH_TEXT, &launcher, "command that starts {n} PEs (default: oshrun -np {n})"},
        {"hello", BENCH_TEXT, &hello, "program to start, in this program's folder if without / (default: hello)"},
        {"library", BENCH_TEXT, &library, "interface that it uses: SHMEM (default) or MPI"},
        {"counts", BENCH_TEXT, &counts_text, "numbers of PEs, as in 64,1000 (default: 1, and powers of two)"},
        {"max-pes", BENCH_LONG, &max_pes, "largest number of PEs (default 64)"},
        {NULL, BENCH_FLAG, NULL, NULL},
    };
    char why[128], name[256] = "unknown";
    bool right;

    if (bench_options_parse(argc, argv, own, why, sizeof why)) {
        fprintf(stderr, "launch: %s\n", why);
        return 2;
    }
    if (bench_options.help) {
        bench_options_help(stdout, "launch", "wall time of starting and ending a job", own);
        return 0;
    }
    hello = beside(argv[0], hello);
    if (strcmp(library, "SHMEM") != 0 && strcmp(library, "MPI") != 0) {
        fprintf(stderr, "launch: --library is '%s', neither SHMEM nor MPI\n", library);
        return 2;
    }
    if (max_pes < 2 || max_pes > MAX_PES) {
        fprintf(stderr, "launch: --max-pes must be between 2 and %d\n", MAX_PES);
        return 2;
    }
    if (!take_counts()) {
        fprintf(stderr, "launch: --counts is '%s', not up to %d numbers between 2 and %d\n", counts_text, MAX_COUNTS,
                MAX_PES);
        return 2;
    }
    if (!check(launcher, 2, name)) {
        fprintf(stderr, "launch: '%s' does not start 2 PEs of %s\n", launcher, hello);
        return 1;
    }
    if (bench_report_open(bench_options.out, library,
                          bench_options.implementation ? bench_options.implementation : name)) {
        fprintf(stderr, "launch: %s: %s\n", bench_options.out, strerror(errno));
        return 2;
    }
    bench_env_write(&(struct bench_env){.library = library, .implementation = name, .npes = 1});
    if (bench_options.burner)
        bench_burner_start();
    right = measure_all();
    bench_burner_stop();
    bench_env_write_end(NULL);
    return bench_report_close() ? 2 : right ? 0 : 1;
}
