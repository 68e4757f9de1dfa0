/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits for whatever happens: output, signals, ends of PEs, time limits. Sleeps
 * in epoll otherwise.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "launch/launch.h"

enum { EVENTS = 64, SPAWNED_GRACE_NS = 400000000 };
#define LEASH (FORWARD_NOT_MINE - 1)

/* The supervisor's messages take the same way as the PEs' output, behind what
 * the PE that it speaks of has written. */
static void say(void *arg, const char *line, size_t n)
{
    struct launch *l = arg;

    forward_drain(&l->forward);
    forward_message(&l->forward, line, n);
}

static int sooner(int a, int b)
{
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    return a < b ? a : b;
}

static int until(uint64_t at, uint64_t now)
{
    uint64_t ms = at > now ? (at - now) / 1000000 + 1 : 0;

    if (!at)
        return -1;
    return ms < 3600000 ? (int)ms : 3600000;
}

static void time_is_up(struct launch *l)
{
    if (!l->watch.ending && !l->watch.alive) { /* jobs that ours spawned go on */
        launch_say("time limit of %g s reached; ending the jobs spawned by this one",
                   (double)l->options.limit_ns / 1e9);
        launch_orphans_kill();
        l->watch.status = STATUS_TIMEOUT;
    }
    if (l->watch.ending || !l->watch.alive)
        return;
    core_watch_say(&l->watch, "time limit of %g s reached; ending %u PE%s", (double)l->options.limit_ns / 1e9,
                   l->watch.alive, l->watch.alive > 1 ? "s" : "");
    core_watch_say_where(&l->watch);
    if (l->options.stacks)
        launch_stacks(l);
    core_watch_end(&l->watch, STATUS_TIMEOUT, false);
}

/* That of the job which spawned this one, by a signal that it could not pass on. */
static void launcher_is_gone(struct launch *l)
{
    epoll_ctl(l->epoll_fd, EPOLL_CTL_DEL, l->options.leash, NULL);
    core_watch_end(&l->watch, 128 + SIGKILL, true);
}

static void dispatch(struct launch *l, const struct epoll_event *events, int n)
{
    bool signals = false;

    for (int i = 0; i < n; i++)
        if (events[i].data.u64 == FORWARD_NOT_MINE)
            signals = true;
        else if (events[i].data.u64 == LEASH)
            launcher_is_gone(l);
        else
            forward_event(&l->forward, events[i].data.u64);
    if (signals)
        launch_signals_read(l);
}

/* Output that can't be written: whoever closed our stdout (head(1)) wants no
 * more of the job; any other failure is told once, and costs the exit status. */
static void check_output(struct launch *l, int *seen)
{
    int fd = -1, error = forward_error(&l->forward, &fd);

    if (!error || *seen)
        return;
    *seen = error;
    if (error == EPIPE && fd == STDOUT_FILENO) {
        core_watch_end(&l->watch, 128 + SIGPIPE, false);
        return;
    }
    launch_say("cannot write to std%s: %s; dropping output", fd == STDOUT_FILENO ? "out" : "err", strerror(error));
    if (!l->watch.status)
        l->watch.status = EXIT_FAILURE;
}

/* Milliseconds to sleep. */
static int next_time(struct launch *l, uint64_t end_at, bool more)
{
    uint64_t now = core_clock_ns();
    int ms = sooner(sooner(core_watch_timeout(&l->watch), until(end_at, now)), until(l->spawned_until, now));

    ms = sooner(ms, until(l->another_mpi_at, now));

    if (!l->piped)
        return ms;
    return more ? 0 : sooner(ms, forward_timeout(&l->forward, now));
}

/* Jobs that ours spawned are waited for. When ours has failed, or a signal came, which is for them too, they are told
 * to end, and have a moment to say how. */
static bool spawned_go_on(struct launch *l)
{
    if (!launch_orphans_spawned())
        return false;
    if (!l->watch.ending && !l->watch.passed)
        return true;
    if (!l->spawned_until) {
        launch_orphans_end_spawned();
        l->spawned_until = core_clock_ns() + SPAWNED_GRACE_NS;
    }
    return core_clock_ns() < l->spawned_until;
}

/* *more: there is output left to pass on, which nothing will tell of. */
static bool over(struct launch *l, bool *more)
{
    if (l->watch.alive)
        return false;
    if (spawned_go_on(l))
        return false;
    if (!l->piped)
        return true;
    if (!l->forward.closing)
        forward_close(&l->forward);
    *more |= forward_run(&l->forward, core_clock_ns());
    return forward_done(&l->forward);
}

void launch_loop(struct launch *l)
{
    struct epoll_event events[EVENTS] = {{.events = EPOLLIN, .data.u64 = FORWARD_NOT_MINE}};
    uint64_t end_at = l->options.limit_ns ? core_clock_ns() + l->options.limit_ns : 0;
    bool more = false;
    int output_error = 0;

    if (l->piped) {
        l->watch.say = say;
        l->watch.say_arg = l;
    }
    l->watch.counts = launch_orphans_is_spawned;
    l->watch.ends = launch_mpir_aborts;
    launch_another_mpi_begin(l);
    epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, l->signal_fd, events);
    if (l->options.leash >= 0)
        epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, l->options.leash,
                  &(struct epoll_event){.events = EPOLLHUP, .data.u64 = LEASH});
    while (!over(l, &more)) {
        int n = epoll_wait(l->epoll_fd, events, EVENTS, next_time(l, end_at, more));

        dispatch(l, events, n);
        core_watch_tick(&l->watch);
        launch_another_mpi_look(l);
        if (end_at && core_clock_ns() >= end_at) {
            end_at = 0;
            time_is_up(l);
        }
        if (l->piped) {
            more = forward_run(&l->forward, core_clock_ns());
            check_output(l, &output_error);
        }
    }
    if (l->watch.ending || l->watch.passed)
        launch_orphans_kill();
}
