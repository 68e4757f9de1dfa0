/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reaps the PEs of a job, decides what the end of one means for the others,
 * and says so in one line. See supervise.h for the rules.
 */
#include "core/live/supervise.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/param.h"
#include "core/check/finding.h"
#include "core/live/knot.h"
#include "core/task/task.h"

enum {
    LINE = 512,
    GRACE_MS = 250,      /* between SIGTERM and SIGKILL */
    LOOK_MS = 150,       /* between looks for a stall, once a PE has left */
    CHECK_MS = 1000,     /* before that, with MPT_CHECK */
};

void core_watch_say(struct core_watch *w, const char *fmt, ...)
{
    char line[LINE];
    va_list args;
    int n = snprintf(line, sizeof line, "%s: ", w->name), m;

    va_start(args, fmt);
    m = vsnprintf(line + n, sizeof line - (size_t)n - 1, fmt, args);
    va_end(args);
    n += m < (int)sizeof line - n - 1 ? m : (int)sizeof line - n - 2;
    line[n++] = '\n';
    if (w->say)
        w->say(w->say_arg, line, (size_t)n);
    else if (write(STDERR_FILENO, line, (size_t)n) < 0)
        return; /* nobody listens */
}

/* ------------------------------------------------- what a PE says of itself -- */

static off_t ctrl_at(const struct core_watch *w, unsigned pe)
{
    return (off_t)(core_wire_slice(w->header, pe) + CORE_CTRL_OFFSET);
}

void core_watch_read(const struct core_watch *w, unsigned pe, struct core_ctrl *c)
{
    if (pread(w->fd, c, sizeof *c, ctrl_at(w, pe)) != (ssize_t)sizeof *c)
        memset(c, 0, sizeof *c);
    c->where[sizeof c->where - 1] = '\0';
}

/* --------------------------------------------------------------- ending -- */

void core_watch_signal(struct core_watch *w, int sig)
{
    for (unsigned pe = 0; pe < w->npes; pe++)
        if (w->pids[pe] && (pe == 0 || w->pids[pe] != w->pids[pe - 1]))
            kill(w->pids[pe], sig);
}

void core_watch_end(struct core_watch *w, int status, bool at_once)
{
    if (!w->ending)
        w->status = status;
    if (w->ending && !at_once)
        return;
    if (!w->ending && w->ends)
        w->ends(status);
    w->ending = true;
    w->check_at = w->knot_at = 0;
    w->kill_at = at_once ? 0 : core_clock_ns() + GRACE_MS * 1000000ull;
    core_watch_signal(w, at_once ? SIGKILL : SIGTERM);
    /* One that was stopped must run to notice. */
    core_watch_signal(w, SIGCONT);
}

/* How the process ended, in words. */
static void describe(int ws, char *text, size_t n)
{
    if (!WIFSIGNALED(ws)) {
        snprintf(text, n, "exited with status %d", WEXITSTATUS(ws));
        return;
    }
    snprintf(text, n, "was killed by signal %d (%s%s)", WTERMSIG(ws), strsignal(WTERMSIG(ws)),
             WCOREDUMP(ws) ? ", core dumped" : "");
}

static void report(struct core_watch *w, unsigned pe, pid_t pid, int ws, const struct core_ctrl *c, bool end)
{
    bool waited = WIFSIGNALED(ws) && c->where[0] && !c->tasked; /* what a task says of itself may be older */
    char how[96], rest[48] = "";

    describe(ws, how, sizeof how);
    if (end && w->alive)
        snprintf(rest, sizeof rest, w->alive > 1 ? "; ending the other %u PEs" : "; ending the other PE", w->alive);
    core_watch_say(w, "PE %u (pid %d) %s%s%s%s", pe, (int)pid, how, waited ? " while it waited in " : "",
                   waited ? c->where : "", rest);
    if (end && w->alive)
        core_watch_say_where(w);
}

/* A PE exited with status 0. Those who wait for it must learn that it left. */
static void left(struct core_watch *w, unsigned pe, pid_t pid, const struct core_ctrl *c)
{
    uint32_t state = CORE_PE_LEFT;

    if (c->state == CORE_PE_FINISHED || c->state == CORE_PE_LEFT)
        return;
    /* The PE may be a descendant of the process we started, and live on. */
    if (c->pid > 0 && c->pid != pid && (kill(c->pid, 0) == 0 || errno != ESRCH))
        return;
    if (pwrite(w->fd, &state, sizeof state, ctrl_at(w, pe) + (off_t)offsetof(struct core_ctrl, state)) < 0)
        return;
    __atomic_add_fetch(&w->header->left, 1, __ATOMIC_RELEASE);
}

/* ------------------------------------------------------ going on without it -- */

static bool all_survive(const struct core_watch *w)
{
    for (unsigned pe = 0; pe < w->npes; pe++) {
        struct core_ctrl c;

        if (!w->pids[pe])
            continue;
        core_watch_read(w, pe, &c);
        if (!c.survives && c.state != CORE_PE_FINISHED)
            return false;
    }
    return true;
}

/* False: its end is an end in order, or the job's. */
static bool died(struct core_watch *w, unsigned pe, pid_t pid, int ws, int status, const struct core_ctrl *c)
{
    uint32_t state = CORE_PE_DEAD;
    char how[96];

    if (!w->header->survivable || !c->survives || (c->state == CORE_PE_FINISHED && !WIFSIGNALED(ws)) || !all_survive(w))
        return false;
    if (WIFSIGNALED(ws) && WTERMSIG(ws) == w->passed)
        return false;
    if (c->pid > 0 && c->pid != pid) /* a wrapper's end is its program's */
        kill(c->pid, SIGKILL);
    describe(ws, how, sizeof how);
    core_watch_say(w, w->alive == 0 ? "PE %u (pid %d) %s%s" : "PE %u (pid %d) %s%s; %u go%s on without it", pe,
                   (int)pid, how, status == 0 ? " without finalizing" : "", w->alive, w->alive == 1 ? "es" : "");
    if (c->state == CORE_PE_FINISHED) { /* nobody needs it any more */
        w->finished = true;
        return true;
    }
    if (pwrite(w->fd, &state, sizeof state, ctrl_at(w, pe) + (off_t)offsetof(struct core_ctrl, state)) < 0)
        return false;
    __atomic_sub_fetch(&w->header->alive, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&w->header->dead, 1, __ATOMIC_RELEASE);
    if (w->alive == 0 && !w->finished && !w->status)
        w->status = status ? status : EXIT_FAILURE;
    return true;
}

/* From now on the others may be waiting for what will never come. */
static void look_for_deadlock(struct core_watch *w, unsigned pe)
{
    if (w->gone < 0) {
        w->gone = (int)pe;
        w->check_at = 0;
    }
    if (!w->check_at)
        w->check_at = core_clock_ns() + LOOK_MS * 1000000ull;
}

/* A PE that ends, but first waits for the others, says so and sends SIGCHLD (core_job_tell_leaving). */
static void look_for_leaving(struct core_watch *w)
{
    uint32_t leaving = __atomic_load_n(&w->header->leaving, __ATOMIC_ACQUIRE);

    if (leaving > 0 && leaving <= w->npes && w->gone < 0 && !w->ending)
        look_for_deadlock(w, leaving - 1);
}

static void ended(struct core_watch *w, unsigned pe, pid_t pid, int ws)
{
    int status = WIFSIGNALED(ws) ? 128 + WTERMSIG(ws) : WEXITSTATUS(ws);
    struct core_ctrl c;

    w->pids[pe] = 0;
    w->alive--;
    if (w->ending)
        return;
    /* model: publish.see */
    if (__atomic_load_n(&w->header->aborting, __ATOMIC_ACQUIRE) == CORE_ABORT_SAID) {
        core_watch_end(w, w->header->abort_status & 0xff, false);
        return;
    }
    core_watch_read(w, pe, &c);
    if (died(w, pe, pid, ws, status, &c))
        return;
    w->finished |= c.state == CORE_PE_FINISHED;
    if (status == 0) {
        left(w, pe, pid, &c);
        look_for_deadlock(w, pe);
        return;
    }
    if (c.state == CORE_PE_FINISHED && !WIFSIGNALED(ws)) {
        if (!w->status) {
            w->status = status;
            report(w, pe, pid, ws, &c, false);
        }
        look_for_deadlock(w, pe);
        return;
    }
    if (!WIFSIGNALED(ws) || WTERMSIG(ws) != w->passed)
        report(w, pe, pid, ws, &c, true);
    core_watch_end(w, w->status ? w->status : status, false);
}

/* ---------------------------------------------------------------- tasks -- */

bool core_watch_read_board(const struct core_watch *w, unsigned first, struct core_task_board *b)
{
    return pread(w->fd, b, sizeof *b, (off_t)core_wire_slice(w->header, first)) == (ssize_t)sizeof *b;
}

/* PEs that have ended in processes that go on. */
static void take_ended(struct core_watch *w, unsigned first, const struct core_task_board *b)
{
    for (unsigned i = 0; i < b->n && first + i < w->npes; i++)
        if (b->ended[i / 64] >> i % 64 & 1 && w->pids[first + i])
            ended(w, first + i, w->pids[first + i], b->status[i] << 8);
}

static void look_for_tasks(struct core_watch *w)
{
    struct core_task_board b;

    if (!w->header->tasks)
        return;
    for (unsigned pe = 0; pe < w->npes; pe += b.n > 0 ? b.n : 1) {
        if (!core_watch_read_board(w, pe, &b))
            return;
        take_ended(w, pe, &b);
    }
}

/* The first PE of the process that runs `pe`. */
static unsigned first_of(const struct core_watch *w, unsigned pe, struct core_task_board *b)
{
    for (unsigned first = pe + 1; first-- > 0;)
        if (core_watch_read_board(w, first, b) && b->n > pe - first)
            return first;
    b->n = 0;
    return pe;
}

/* A process has ended, with PEs that had not: the one that ran has ended so, and has taken the others with it. */
static void process_ended(struct core_watch *w, unsigned pe, pid_t pid, int ws)
{
    struct core_task_board b;
    unsigned first = pe, ran = pe;

    if (w->header->tasks) {
        first = first_of(w, pe, &b);
        take_ended(w, first, &b);
        ran = b.n > 0 && w->pids[first + b.running] ? first + b.running : ran;
        for (unsigned other = 0; other < w->npes; other++)
            if (other != ran && w->pids[other] == pid) {
                w->pids[other] = 0;
                w->alive--;
            }
    }
    if (w->pids[ran] == pid)
        ended(w, ran, pid, ws);
}

/* The first of the PEs of a process. */
static int find_pe(const struct core_watch *w, pid_t pid)
{
    for (unsigned pe = 0; pe < w->npes; pe++)
        if (w->pids[pe] == pid)
            return (int)pe;
    return -1;
}

/* A child can be looked at until it is waited for. */
void core_watch_reap(struct core_watch *w)
{
    siginfo_t info = {0};
    int ws;

    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid > 0) {
        int pe = find_pe(w, info.si_pid);
        bool counts = pe < 0 && w->counts && w->counts(info.si_pid);

        if (waitpid(info.si_pid, &ws, WNOHANG) != info.si_pid)
            return;
        if (pe >= 0)
            process_ended(w, (unsigned)pe, info.si_pid, ws);
        else if (counts && !w->status && ws != 0 && !w->header->survivable)
            w->status = WIFSIGNALED(ws) ? 128 + WTERMSIG(ws) : WEXITSTATUS(ws);
        info.si_pid = 0;
    }
    look_for_tasks(w);
    look_for_leaving(w);
}

/* Between looks for a stall; 0: there are none. */
static uint64_t look_ms(const struct core_watch *w)
{
    if (w->gone >= 0)
        return LOOK_MS;
    return core_params.check ? CHECK_MS : core_params.deadlock * 1000ull / CORE_WATCH_LOOKS;
}

static void say_deadlock(struct core_watch *w)
{
    bool lives = w->gone >= 0 && w->pids[w->gone];
    unsigned others = w->alive - lives;

    if (w->gone < 0 && core_params.check)
        core_watch_say(w, "deadlock: every PE waits, and for some seconds nothing has come; ending the job");
    else if (w->gone < 0)
        core_watch_say(w,
                       "deadlock: every PE waits, and for %u s nothing has come; ending the job (MPT_DEADLOCK=0: it "
                       "goes on waiting; --check tells more)",
                       core_params.deadlock);
    else
        core_watch_say(w, "PE %d has %s, and %s; ending the job", w->gone,
                       lives ? "called exit and waits for the others" : "exited",
                       others > 1 ? "all others wait" : "the last one waits");
}

static void check_deadlock(struct core_watch *w)
{
    w->check_at = core_clock_ns() + look_ms(w) * 1000000ull;
    if (!core_watch_stalled(w))
        return;
    say_deadlock(w);
    core_watch_say_where(w);
    core_watch_end(w, w->status ? w->status : EXIT_FAILURE, false);
}

static void check_knot(struct core_watch *w)
{
    bool found = core_knot_look(w);

    w->knot_at = core_clock_ns() + (uint64_t)core_knot_ms(w) * 1000000u;
    if (!found)
        return;
    core_knot_say(w);
    core_watch_say_loops(w);
    core_watch_end(w, w->status ? w->status : CORE_FINDING_STATUS, false);
}

/* ------------------------------------------------------------- interface -- */

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return !a || (b && b < a) ? b : a;
}

int core_watch_timeout(const struct core_watch *w)
{
    uint64_t at = sooner(w->kill_at ? w->kill_at : w->check_at, w->knot_at), now;

    if (!at || !w->alive)
        return -1;
    now = core_clock_ns();
    return at <= now ? 0 : (int)((at - now) / 1000000 + 1);
}

void core_watch_tick(struct core_watch *w)
{
    uint64_t now = core_clock_ns();

    if (w->kill_at && now >= w->kill_at) {
        w->kill_at = 0;
        core_watch_signal(w, SIGKILL);
    }
    if (w->check_at && now >= w->check_at)
        check_deadlock(w);
    if (w->knot_at && now >= w->knot_at)
        check_knot(w);
}

int core_watch_init(struct core_watch *w, int fd, struct core_header *header, const pid_t *pids, const char *name)
{
    unsigned npes = header->npes;

    *w = (struct core_watch){.header = header, .fd = fd, .npes = npes, .alive = npes, .name = name, .gone = -1};
    w->pids = malloc(npes * sizeof *w->pids);
    if (!w->pids)
        return -ENOMEM;
    memcpy(w->pids, pids, npes * sizeof *w->pids);
    if (look_ms(w) > 0)
        w->check_at = core_clock_ns() + look_ms(w) * 1000000ull;
    if (core_params.check)
        w->knot_at = core_clock_ns() + (uint64_t)core_knot_ms(w) * 1000000u;
    return 0;
}

int core_watch_status(struct core_watch *w)
{
    unsigned n = __atomic_load_n(&w->header->findings, __ATOMIC_RELAXED);

    if (n == 0)
        return w->status;
    core_watch_say(w, "--check has %u finding%s (docs/check.md says more)", n, n == 1 ? "" : "s");
    return w->status ? w->status : CORE_FINDING_STATUS;
}

void core_watch_finish(struct core_watch *w)
{
    core_knot_free(w);
    free(w->pids);
    w->pids = NULL;
}
