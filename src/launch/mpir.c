/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The launcher as parallel debuggers (TotalView, DDT and others) see it: the MPIR Process Acquisition Interface,
 * version 1.0 (MPI Forum, 2010). A debugger reads and writes the variables below by their names, in this process.
 *
 * It attaches to a launcher at any time and reads which processes there are. Or it starts the launcher, sets
 * MPIR_being_debugged before main has come far, and stops at MPIR_Breakpoint: then all processes have been started, and
 * wait in their initialization until the launcher goes on (core_header.held), so a debugger need not attach to all
 * (MPIR_partial_attach_ok).
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "launch/launch.h"

#define SEEN __attribute__((visibility("default"), used))

/* The names, types and values are the interface's; the sections are those of its document. */
struct mpir_procdesc { /* MPIR_PROCDESC, 9.2 */
    char *host_name;
    char *executable_name;
    int pid;
};
enum { MPIR_DEBUG_SPAWNED = 1, MPIR_DEBUG_ABORTING = 2 }; /* 9.6 */

extern volatile int MPIR_being_debugged, MPIR_debug_state, MPIR_proctable_size, MPIR_i_am_starter,
    MPIR_partial_attach_ok, MPIR_ignore_queues;
extern struct mpir_procdesc *volatile MPIR_proctable;
extern char *volatile MPIR_debug_abort_string;
void MPIR_Breakpoint(void);

SEEN volatile int MPIR_being_debugged;          /* 9.3: set by the debugger */
SEEN volatile int MPIR_debug_state;             /* 9.6: what MPIR_Breakpoint means */
SEEN char *volatile MPIR_debug_abort_string;    /* 9.7 */
SEEN volatile int MPIR_proctable_size;          /* 9.5 */
SEEN struct mpir_procdesc *volatile MPIR_proctable; /* 9.4: by rank; tasks of one process have its number */
SEEN volatile int MPIR_i_am_starter;            /* 9.10: this process is none of the job's */
SEEN volatile int MPIR_ignore_queues;           /* 9.14: we have no library that shows queues of messages */
SEEN volatile int MPIR_partial_attach_ok;       /* 9.13 */

/* 9.9: where the debugger stops us. */
SEEN __attribute__((noinline)) void MPIR_Breakpoint(void)
{
    __asm__ volatile("" ::: "memory");
}

bool launch_mpir_debugged(void)
{
    return MPIR_being_debugged;
}

void launch_mpir_hold(const struct launch *l)
{
    if (MPIR_being_debugged)
        __atomic_store_n(&l->header->held, 1, __ATOMIC_RELEASE);
}

static void let_go(const struct launch *l)
{
    __atomic_store_n(&l->header->held, 0, __ATOMIC_RELEASE);
}

/* Absolute, as the debugger may be elsewhere. */
static char *program_of(const struct launch_app *app)
{
    char *path = realpath(app->path, NULL);

    return path ? path : app->path;
}

/* Without memory for it there is no table, and the job runs. */
static struct mpir_procdesc *make_table(const struct launch *l)
{
    static char host[256] = "localhost";
    struct mpir_procdesc *table = calloc(l->npes, sizeof *table);

    gethostname(host, sizeof host - 1);
    for (unsigned i = 0, pe = 0; table && i < l->options.napps; i++) {
        const struct launch_app *app = &l->options.apps[i];
        char *program = program_of(app);

        for (unsigned end = pe + app->npes; pe < end; pe++)
            table[pe] = (struct mpir_procdesc){host, program, l->pids[pe]};
    }
    return table;
}

void launch_mpir_spawned(const struct launch *l)
{
    MPIR_proctable = make_table(l);
    MPIR_proctable_size = MPIR_proctable ? (int)l->npes : 0;
    MPIR_debug_state = MPIR_DEBUG_SPAWNED;
    MPIR_Breakpoint();
    let_go(l);
}

void launch_mpir_aborts(int status)
{
    static char text[96];

    if (!MPIR_being_debugged)
        return;
    snprintf(text, sizeof text, "mptrun ends the job with status %d; its line on stderr says why", status);
    MPIR_debug_abort_string = text;
    MPIR_debug_state = MPIR_DEBUG_ABORTING;
    MPIR_Breakpoint();
}
