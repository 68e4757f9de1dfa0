/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the launcher's files share, in reading order: options (options.h), apps, program, deal, bind,
 * spawn, forward (with its sinks), signals, loop. main.c tells the story.
 */
#ifndef LAUNCH_LAUNCH_H
#define LAUNCH_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "core/live/supervise.h"
#include "core/mem/wire.h"
#include "core/topo/topology.h"
#include "launch/forward.h"

/* Exit statuses of the launcher itself, as shells and timeout(1) use them. */
enum { STATUS_USAGE = 2, STATUS_TIMEOUT = 124, STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127 };

enum launch_bind { BIND_DEFAULT, BIND_NO, BIND_YES };

/* Which of the launcher's variables PEs have (option_env.c). */
enum launch_passes { PASS_UNSAID, PASS_ALL, PASS_LISTED, PASS_OTHERS };
struct launch_pass {
    enum launch_passes how;
    const char *names; /* of LISTED and OTHERS: separated by commas */
};

/* A program and the PEs that run it: they follow those of the app before. */
struct launch_app {
    unsigned npes;  /* 0: as many as cores, of an only one */
    unsigned most;  /* with soft: what npes was before */
    unsigned npes_here; /* of them on this machine (-ppn); 0: not said */
    unsigned processes; /* among which they are dealt; npes: each has its own */
    char **program; /* argument vector, NULL terminated */
    const char *soft; /* numbers of PEs that will do (-soft); NULL: npes only */
    const char *dirs; /* where to look for it before PATH; NULL: nowhere */
    char *path;     /* the program's file */
    const char *wdir; /* where it starts; NULL or "": here */
    char **env;     /* variables to add, NULL terminated; NULL: none */
    struct launch_pass pass;
};

/* What -host and -hostfile say. */
struct launch_hosts {
    char *names;        /* all, separated by commas, without slots; NULL: none */
    const char *list, *file; /* as they were given */
    char *other;        /* one that is not this machine; NULL: there is none */
    const char *option; /* that named it */
};

struct launch_options {
    char **args;     /* what of the command line has not been read */
    unsigned files;  /* of options that were read */
    struct launch_app *apps;
    unsigned napps;
    struct launch_hosts hosts;
    unsigned universe; /* what -usize says; 0: no number */
    int spawner;     /* socket to the program that spawned this job; -1: none */
    int leash;       /* ends with that program's launcher; -1: none */
    struct launch_pass pass; /* of apps that say nothing */
    const char **given; /* variables for all apps, by name or NAME=value */
    unsigned ngiven;
    enum launch_bind bind;
    enum core_domain bind_domain; /* bound to all CPUs of it; NONE: to one CPU */
    enum core_domain map_domain;  /* of which PEs take one CPU each in turn; NONE: neighbours follow one another */
    unsigned cpus_each; /* CPUs of a process; 0: not said */
    unsigned tasks; /* processes among which PEs are dealt as tasks; UINT_MAX: one for each core; 0: a process each */
    bool tasks_said; /* else it is MPT_TASKS that counts */
    bool quiet; /* no hints */
    bool gdb;    /* it takes our place */
    bool stacks; /* print stacks when the time is up */
    struct forward_how output;
    bool verbose;
    bool params; /* print the table of parameters and stop */
    uint64_t limit_ns; /* 0: none */
};

struct launch {
    struct launch_options options;
    unsigned npes, ncores;
    unsigned processes; /* of all PEs */
    unsigned most;      /* PEs of one of them */
    int fd; /* the job's memory */
    struct core_header *header;
    pid_t *pids;
    int *cpus; /* processes * cpus_each, or NULL: not bound */
    unsigned cpus_each;
    sigset_t old_mask; /* signals as the launcher was given them */
    int signal_fd, epoll_fd;
    uint64_t another_mpi_at; /* next look for the MPI library of others; 0: none */
    unsigned another_mpi_ms; /* the time before that */
    uint64_t spawned_until; /* jobs that ours spawned were told to end; they have until then, 0: they were not */
    bool piped; /* output goes through `forward` */
    struct forward forward;
    struct core_watch watch;
    struct {
        char *dir; /* NULL: nothing is recorded */
        char began[32], ended[32];
        int status;
        bool stats;     /* the folder is ours, and goes away: sums are in it (stats.c) */
        uint64_t began_ns;
    } trace;
};

/* "mptrun: ..." on stderr, one line. */
void launch_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* refused.c: says why the system does not execute a file, and returns the exit status */
int launch_cannot_run(const char *path, int error);
/* is a file one that a shell could read? System calls only */
bool launch_is_text(const char *path);
const char *launch_limit_of(int error); /* what raises the limit that this error tells of; "": no limit */

/* options.c: -1 to go on, else the exit status. */
int launch_options_parse(struct launch_options *o, int argc, char **argv);
int launch_flush(void); /* ... of who has printed to stdout */
int launch_options_limit(struct launch_options *o); /* by the environment, where no option says it */

/* option_env.c: does an app's PE have this entry (NAME=value) of our environment? */
bool launch_is_ours(const char *entry); /* a variable of the library (NAME=value) */

/* mistyped.c: says what was perhaps meant otherwise, unless --quiet */
void launch_tell_mistyped(const struct launch_options *o);
bool launch_passes(const struct launch_options *o, const struct launch_app *app, const char *entry);

/* apps.c */
const struct launch_app *launch_app_of(const struct launch *l, unsigned pe);
struct launch_app *launch_app_add(struct launch_options *o); /* NULL: out of memory */
unsigned launch_apps_count(struct launch_options *o, unsigned ncores); /* PEs of all; of an only one: so many */
int launch_apps_read(struct launch_options *o, int fd); /* 0 or a negative errno */
void launch_apps_tell(const struct launch_options *o, int status); /* to the spawner, if any */

/* hand_over.c: is the job to run on other hosts, too? Then a launcher that starts processes there takes this one's
 * place: does not return, or returns an exit status; GO_ON: it is to run here. */
bool launch_is_elsewhere(const struct launch_options *o);
int launch_hand_over(struct launch_options *o);

/* program.c: find the file to execute for each app; 0 or an exit status, said why. */
int launch_programs_find(struct launch_options *o);

/* deal.c: among which processes the PEs are dealt: more than one to a process only as tasks. 0 or an exit status. */
int launch_deal(struct launch *l);
int launch_deal_tell(struct launch *l); /* writes it into the job; 0 or an exit status */
void launch_deal_hint(const struct launch *l); /* tell who could use tasks of them */
void launch_describe(const struct launch *l);  /* for -v, when all have started */
/* The first PE of process `k` of an app's, counted from the app's first PE. */
unsigned launch_deal_first(const struct launch_app *app, unsigned k);

/* bind.c: choose CPUs for each process, or none. */
void launch_bind_plan(struct launch *l);
/* Those of a process, where there are any; and in words: ", CPU 3 (core 1, NUMA node 0, socket 0)", "" if it is not
 * bound. */
void launch_bind_mask(const struct launch *l, unsigned process, cpu_set_t *mask, size_t size);
void launch_bind_text(const struct launch *l, unsigned process, char *text, size_t n);

/* record.c: with --trace. 0 or an exit status; at the end, whatever it was. */
int launch_record_begin(struct launch *l);
/* stats.c: prints the sums of all PEs and takes their folder away. */
int launch_stats_begin(const struct launch *l); /* can they be written? */
void launch_stats(struct launch *l, uint64_t ns);
void launch_record_end(struct launch *l, int status);

/* spawn.c: start all PEs. 0 or an exit status; then none is left running. */
int launch_spawn(struct launch *l);

/* signals.c */
int launch_signals_open(struct launch *l); /* block and make signal_fd */
void launch_signals_read(struct launch *l); /* act on what arrived */

/* orphans.c: processes whose parents, our PEs, are gone. */
void launch_orphans_adopt(void);
void launch_orphans_kill(void);
void launch_orphans_be_spawned(void); /* this is the launcher of a spawned job */
bool launch_orphans_is_spawned(pid_t pid);
void launch_orphans_end_spawned(void); /* they are told to */
bool launch_orphans_spawned(void); /* is a job that ours spawned still running? */

/* mpir.c: for a parallel debugger. If one has started us, PEs stay in their initialization from `hold` on, before they
 * are started, until `spawned`, when all are, returns. `aborts`: before the job is ended with this status. */
bool launch_mpir_debugged(void);
void launch_mpir_hold(const struct launch *l);
void launch_mpir_spawned(const struct launch *l);
void launch_mpir_aborts(int status);

/* gdb.c: gdb starts this launcher anew, with the same arguments. Does not return, or returns an exit status. */
int launch_gdb(int argc, char **argv);

/* another_mpi.c: ends jobs whose program uses another MPI library than ours. */
void launch_another_mpi_begin(struct launch *l);
void launch_another_mpi_look(struct launch *l);

/* stacks.c: what gdb says of each process, to stderr. */
void launch_stacks(const struct launch *l);

/* loop.c: until the job is over and all output is written. */
void launch_loop(struct launch *l);

#endif
