/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Watching the processes of a job: who ended, how, what that means for the
 * others. Used by the launcher (which also forwards output) and by a program
 * that started its own PEs. Owns no loop and no signal handler: the caller
 * calls `reap` when a child may have ended and `tick` now and then.
 */
#ifndef CORE_SUPERVISE_H
#define CORE_SUPERVISE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/mem/wire.h"

struct core_watch {
    struct core_header *header;
    int fd;            /* the job's memfd; control pages are read through it */
    pid_t *pids;       /* npes; 0 once reaped */
    unsigned npes, alive;
    int status;        /* exit status of the job so far */
    bool ending;       /* the rest has been told to end */
    uint64_t kill_at;  /* monotonic ns when SIGKILL follows SIGTERM, 0: never */
    uint64_t check_at; /* monotonic ns of the next look for a stall, 0: never */
    int gone;          /* the first PE that exited and left others behind, -1: none */
    bool finished;     /* a PE has finished in order */
    uint64_t mark;     /* what the last look found (deadlock.c) ... */
    unsigned quiet;    /* ... and how often in a row */
    unsigned long cpu;
    struct core_knot *knot; /* with MPT_CHECK, from the first look on (knot.h) */
    uint64_t knot_at;       /* monotonic ns of the next one, 0: never */
    uint64_t interrupted; /* monotonic ns of the first SIGINT */
    const char *name;  /* of the speaker: messages begin with "name: " */

    /* The caller may set these after init. */
    int passed; /* signal that came from outside: to die by it needs no message */
    void (*say)(void *arg, const char *line, size_t n); /* NULL: write to stderr */
    void *say_arg;
    bool (*counts)(
        pid_t pid); /* NULL, or: does the failure of this other child, which has ended, count as the job's? */
    void (*ends)(int status); /* NULL, or: called before the rest is told to end */
};

enum { CORE_WATCH_LOOKS = 4 }; /* in a row that find all PEs waiting for the same (deadlock.c) */

/* Watch `npes` processes whose job lies in memfd `fd`. Copies `pids`. 0 or negative errno. */
int core_watch_init(struct core_watch *w, int fd, struct core_header *header, const pid_t *pids, const char *name);
void core_watch_finish(struct core_watch *w);

/* Reap all PEs that have ended, and any other child of this process. A PE that died
 * by a signal, with a status other than 0, or after an abort ends the job: one
 * message says which PE and how, others in which call the rest was waiting;
 * SIGTERM goes to the rest, SIGKILL 250 ms later. A PE that had left the job in
 * order (core_job_finish) and then fails only sets the status: nobody needs it.
 * A PE that exits with status 0 ends the job only if all others then wait.
 * In a job that survives deaths, whose PEs alive all can, the others go on: they
 * are told, and the death counts only where nobody finishes in order. */
void core_watch_reap(struct core_watch *w);

/* Milliseconds until `tick` is due, -1 for never. */
int core_watch_timeout(const struct core_watch *w);
void core_watch_tick(struct core_watch *w);

/* Send a signal to all PEs alive. */
void core_watch_signal(struct core_watch *w, int sig);

/* The signals to be received while a job runs: SIGCHLD and those passed on to
 * the PEs. The caller blocks them and waits for them. */
void core_watch_signals(sigset_t *set);

/* Act on one that arrived, with its si_code: reap, pass it on (a second SIGINT
 * kills), stop with the job. */
void core_watch_take(struct core_watch *w, int sig, int code);

/* End this process by a signal. A supervisor whose status is 128 + w->passed
 * does so, that its caller sees the signal it sent. */
void core_watch_die_by(int sig);

/* End the job with this status, unless it is ending already: SIGTERM, then
 * SIGKILL; or SIGKILL at once. No message. */
void core_watch_end(struct core_watch *w, int status, bool at_once);

/* The exit status of a job that has ended; says how much --check has found. */
int core_watch_status(struct core_watch *w);

/* One line, "name: ..." (printf format without newline). */
void core_watch_say(struct core_watch *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Say in which calls the PEs alive are waiting, as far as known (where.c): ask them first; or by what they have said
 * already, as they end by a signal of the terminal's; or, with MPT_CHECK, only loops of tests. */
void core_watch_say_where(struct core_watch *w);
void core_watch_say_where_now(struct core_watch *w);
void core_watch_say_loops(struct core_watch *w);

/* For supervise.c and deadlock.c: a copy of what a PE says of itself; and whether
 * all PEs alive have been waiting, and done nothing else, in several looks. */
void core_watch_read(const struct core_watch *w, unsigned pe, struct core_ctrl *c);
bool core_watch_stalled(struct core_watch *w);

bool core_watch_read_board(const struct core_watch *w, unsigned first, struct core_task_board *b);

/* What one look finds, and the next one is to find again. */
struct core_stillness {
    uint64_t mark;      /* of where PEs wait, and what has come to them */
    unsigned long cpu;  /* processor time of processes that do not poll, in ticks */
    unsigned processes;
};
/* It sleeps, as far as its own page tells: it does not poll, and nobody has just rung it. */
bool core_deadlock_sleeps(const struct core_ctrl *c);
/* Does this PE wait in the library, and can nobody but another PE end that? */
bool core_deadlock_waits(const struct core_ctrl *c, struct core_stillness *s);
/* Of a process all of whose PEs do, that of `c` for one, and one of them in a loop of tests, if `polls`: does it rest?
 * board: of tasks. */
bool core_deadlock_rests(const struct core_ctrl *c, const struct core_task_board *board, bool polls,
                         struct core_stillness *s);

#endif
