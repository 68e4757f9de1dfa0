/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mptrun, also called oshrun: starts the PEs of a job on this machine, passes
 * on what they say and the signals it gets, and ends them together.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "core/base/param.h"
#include "core/check/report.h"
#include "core/live/leash.h"
#include "core/topo/topology.h"
#include "launch/launch.h"

void launch_say(const char *fmt, ...)
{
    char line[1024] = "mptrun: ";
    size_t n = strlen(line);
    va_list args;

    va_start(args, fmt);
    vsnprintf(line + n, sizeof line - n - 1, fmt, args);
    va_end(args);
    n = strlen(line);
    line[n++] = '\n';
    if (write(STDERR_FILENO, line, n) < 0)
        return; /* nobody listens */
}

/* Pipes must not get the numbers 0 to 2 when we were started without them. */
static void ensure_standard_fds(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) < 0)
            return;
}

static int load_params(void)
{
    char why[512];

    if (core_param_load(why, sizeof why) == 0)
        return 0;
    launch_say("%s", why);
    return STATUS_USAGE;
}

static int make_job(struct launch *l)
{
    const struct core_sizes sizes = {core_params.heap_size, core_params.data_max, core_params.arena_max, false};
    char why[CORE_WIRE_WHY];

    l->fd = core_wire_create(&l->header, l->npes, l->ncores, sizes);
    if (l->fd < 0) {
        launch_say("cannot make the memory of %u PEs with %s%s", l->npes, core_wire_why(why, -l->fd, l->npes, sizes),
                   launch_limit_of(-l->fd));
        return EXIT_FAILURE;
    }
    l->header->launcher = getpid();
    core_leash_make(l->header);
    l->header->survivable = core_params.survive;
    l->pids = calloc(l->npes, sizeof *l->pids);
    if (!l->pids) {
        launch_say("out of memory");
        return EXIT_FAILURE;
    }
    return 0;
}

/* A lone PE keeps our own stdout and stderr; several are merged by line. */
static int open_output(struct launch *l)
{
    const struct forward_how *how = &l->options.output;

    l->piped = l->npes > 1 || how->tag || how->stamp || how->merge || how->files[0] || how->files[1];
    if (!l->piped)
        return 0;
    l->header->line_output = 1;
    if (forward_init(&l->forward, l->npes, *how, l->epoll_fd)) {
        launch_say("out of memory");
        return EXIT_FAILURE;
    }
    return 0;
}

static int run_job(struct launch *l)
{
    int rc;

    if (core_params.check_report[0] && (rc = core_report_begin(core_params.check_report)))
        return EXIT_FAILURE;
    l->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (l->epoll_fd < 0) {
        launch_say("cannot wait for events (epoll): %s%s", strerror(errno), launch_limit_of(errno));
        return EXIT_FAILURE;
    }
    if ((rc = make_job(l)) || (rc = launch_signals_open(l)) || (rc = open_output(l)))
        return rc;
    if ((rc = launch_deal_tell(l)))
        return rc;
    launch_bind_plan(l);
    launch_orphans_adopt();
    launch_mpir_hold(l);
    if ((rc = launch_record_begin(l)) || (rc = launch_spawn(l)))
        return rc;
    launch_describe(l);
    launch_mpir_spawned(l);
    if (core_watch_init(&l->watch, l->fd, l->header, l->pids, "mptrun")) {
        launch_say("out of memory"); /* the PEs die with us */
        return EXIT_FAILURE;
    }
    launch_loop(l);
    return core_watch_status(&l->watch);
}

static int run(struct launch *l, int argc, char **argv)
{
    int rc;

    if ((rc = launch_options_parse(&l->options, argc, argv)) >= 0 || (rc = load_params()) ||
        (rc = launch_options_limit(&l->options)) >= 0)
        return rc;
    if ((rc = launch_hand_over(&l->options)) >= 0)
        return rc;
    if (l->options.params) {
        core_param_print(stdout);
        return launch_flush();
    }
    if ((rc = launch_programs_find(&l->options)))
        return rc;
    if (l->options.gdb)
        return launch_gdb(argc, argv);
    launch_tell_mistyped(&l->options);
    l->ncores = core_topology_cores();
    l->npes = launch_apps_count(&l->options, l->ncores);
    if (l->options.universe && l->npes > l->options.universe) {
        launch_say("-usize %u: less than the %u PEs to start", l->options.universe, l->npes);
        return STATUS_USAGE;
    }
    if ((rc = launch_deal(l)))
        return rc;
    launch_deal_hint(l);
    return run_job(l);
}

int main(int argc, char **argv)
{
    struct launch l = {.options.spawner = -1, .options.leash = -1};
    int rc;

    ensure_standard_fds();
    rc = run(&l, argc, argv);
    launch_record_end(&l, rc);
    launch_apps_tell(&l.options, rc);
    /* Who asked for the end by a signal expects to see that signal. */
    if (l.watch.passed && rc == 128 + l.watch.passed)
        core_watch_die_by(l.watch.passed);
    fflush(stdout);
    _exit(rc);
}
