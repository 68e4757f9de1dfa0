/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Watching the processes of a job: who ended, how, what that means for the
 * others. Used by the launcher (which also forwards output) and by a program
 * that started its own PEs. Owns no loop and no signal handler: the caller
 * calls `reap` when a child may have ended and `tick` now and then.
 */
#ifndef CORE_SUPERVISE_H
#define CORE_SUPERVISE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/wire.h"

struct core_watch {
    struct core_header *header;
    int fd;            /* the job's memfd; control pages are read through it */
    pid_t *pids;       /* npes; 0 once reaped */
    unsigned npes, alive;
    int status;        /* exit status of the job so far */
    bool ending;       /* the rest has been told to end */
    uint64_t kill_at;  /* monotonic ns when SIGKILL follows SIGTERM, 0: never */
    uint64_t check_at; /* monotonic ns when stragglers are looked for, 0: never */
    const char *name;  /* who speaks: messages begin with "name: " */

    /* The caller may set these after init. */
    int passed; /* signal that came from outside: to die by it needs no message */
    void (*say)(void *arg, const char *line, size_t n); /* NULL: write to stderr */
    void *say_arg;
};

/* Watch `npes` processes whose job lies in memfd `fd`. Copies `pids`. 0 or negative errno. */
int core_watch_init(struct core_watch *w, int fd, struct core_header *header, const pid_t *pids,
                    const char *name);
void core_watch_finish(struct core_watch *w);

/* Reap whoever has ended, and any other child of this process. A PE that died
 * by a signal, with a status other than 0, or after an abort ends the job: one
 * message says which PE and how, others in which call the rest was waiting;
 * SIGTERM goes to the rest, SIGKILL 250 ms later. A PE that had left the job in
 * order (core_job_finish) and then fails only sets the status: nobody needs it. */
void core_watch_reap(struct core_watch *w);

/* Milliseconds until `tick` is due, -1 for never. */
int core_watch_timeout(const struct core_watch *w);
void core_watch_tick(struct core_watch *w);

/* Send a signal to all PEs alive. */
void core_watch_signal(struct core_watch *w, int sig);

/* End the job with this status, unless it is ending already: SIGTERM, then
 * SIGKILL; or SIGKILL at once. No message. */
void core_watch_end(struct core_watch *w, int status, bool at_once);

/* Say in which calls the PEs alive are waiting, as far as known. */
void core_watch_places(struct core_watch *w);

#endif
