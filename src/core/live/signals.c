/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals that a supervisor gets are meant for the job. Those that the terminal
 * sends go to the whole process group, and aren't repeated to PEs of this session.
 */
#include <stddef.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/param.h"
#include "core/live/supervise.h"

static const struct {
    int sig;
    bool ends; /* asks for the job's end */
} passed[] = {
    {SIGINT, true},   {SIGTERM, true},  {SIGHUP, true},   {SIGQUIT, true},   {SIGUSR1, false},
    {SIGUSR2, false}, {SIGCONT, false}, {SIGTSTP, false}, {SIGWINCH, false},
};

enum { NPASSED = sizeof passed / sizeof *passed };

/* Two within this time are one: timeout(1) and some shells signal the process,
 * then its group. */
#define REPEAT_NS 100000000ull

void core_watch_signals(sigset_t *set)
{
    struct sigaction action;

    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    /* A process that was told to ignore a signal (nohup, a shell's background) goes on doing so. */
    for (unsigned i = 0; i < NPASSED; i++)
        if (sigaction(passed[i].sig, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(set, passed[i].sig);
}

static bool ends_job(int sig)
{
    for (unsigned i = 0; i < NPASSED; i++)
        if (passed[i].sig == sig)
            return passed[i].ends;
    return false;
}

/* True for the second one. */
static bool interrupted_again(struct core_watch *w)
{
    uint64_t now = core_clock_ns();

    if (w->interrupted)
        return now - w->interrupted > REPEAT_NS;
    w->interrupted = now;
    return false;
}

/* The terminal's signals have reached the PEs of this session. */
static void pass_on(struct core_watch *w, int sig, bool by_terminal)
{
    const pid_t here = getsid(0);

    for (unsigned pe = 0; pe < w->npes; pe++) {
        bool apart = w->pids[pe] && getsid(w->pids[pe]) != here;

        if (pe > 0 && w->pids[pe] == w->pids[pe - 1])
            continue; /* one for all tasks of a process */
        /* The default action of SIGTSTP is nothing in a session without a terminal. */
        if (w->pids[pe] && (apart || !by_terminal))
            kill(w->pids[pe], apart && sig == SIGTSTP ? SIGSTOP : sig);
    }
}

void core_watch_take(struct core_watch *w, int sig, int code)
{
    if (sig == SIGCHLD) {
        core_watch_reap(w);
        return;
    }
    if (ends_job(sig)) {
        w->passed = sig;
        if (w->alive == 0) /* only output is left, which nobody takes */
            core_watch_die_by(sig);
    }
    if (sig == SIGINT && interrupted_again(w)) {
        core_watch_end(w, 128 + SIGINT, true);
        return;
    }
    if (core_params.check && ends_job(sig) && !w->ending)
        code == SI_KERNEL ? core_watch_say_where_now(w) : core_watch_say_where(w);
    pass_on(w, sig, code == SI_KERNEL);
    if (sig == SIGTSTP)
        raise(SIGSTOP);
}

void core_watch_die_by(int sig)
{
    sigset_t set;

    prctl(PR_SET_DUMPABLE, 0); /* SIGQUIT: our core is of no interest */
    signal(sig, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, sig);
    kill(getpid(), sig);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}
