/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of core/task share: the tasks of a process and their host.
 */
#ifndef CORE_TASK_HOST_H
#define CORE_TASK_HOST_H

#include <pthread.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/task/image.h"
#include "core/task/task.h"

/* What runs when a PE exits, the last one first. */
struct core_task_ending {
    struct core_task_ending *before;
    void (*call)(void *arg, int status);
    void *arg;
    void *library; /* that has asked for it; NULL: none */
};

/* Variables of the C library that programs use by name. */
enum core_task_variable {
    CORE_VAR_STDIN,
    CORE_VAR_STDOUT,
    CORE_VAR_STDERR,
    CORE_VAR_ENVIRON,
    CORE_VAR_OPTIND,
    CORE_VAR_OPTARG,
    CORE_VAR_OPTERR,
    CORE_VAR_OPTOPT,
    CORE_VAR_TZNAME,
    CORE_VAR_TIMEZONE,
    CORE_VAR_DAYLIGHT,
    CORE_VAR_SIGNGAM,
    CORE_VARIABLES
};

struct core_task {
    void *stack; /* its stack pointer while others run */
    uintptr_t thread; /* thread pointer: its thread's, also of the processor while it runs */
    char **environ, **own_environ; /* own: the array that environment.c has made */
    struct core_task_host *host;
    unsigned bit, pe;
    bool ended;
    char single; /* not 0: no threads of the PE, nor of the library for it (core_process_single) */
    bool rung; /* by all that it waits for (wait/meet.c) */
    const char *where, *told; /* the call it waits in, and the one that its control page names */
    void *program;    /* dlopen's handle of its copy; of one made without the loader: of the first instance */
    uintptr_t *bases; /* of its copies, by image; NULL: the first instances */
    char **argv;
    int argc;
    struct core_task_ending *endings;
    void (*at_end)(void); /* of the library; NULL: nothing */
    FILE *in, *out, *err; /* with which it begins; NULL: closed */
    int descriptors[3];   /* in place of 0, 1 and 2 */
    pthread_t id;
    void *variables[CORE_VARIABLES]; /* as this task sees them; NULL: there is none */
    struct core_task_own *own;
    struct core_task_folder *folder; /* where it is; NULL: where the process began, as nobody has left it */
    mode_t mask;
    uintptr_t entry; /* where its program begins */
    uint64_t pending;    /* signals that have come for it while others ran */
    unsigned interrupts; /* by its handlers */
    struct core_task_network network; /* serve NULL: it has none */
    bool armed; /* its descriptor tells of what comes: it has not run since */
    unsigned breaks;     /* of these: by such as end calls that wait (no SA_RESTART) */
    uint64_t again;      /* when it looks at its condition once more, if it asks (ask.c) */
};

/* ask.c: tasks that wait for what rings nobody. */
struct core_task_asks {
    uint64_t asking[CORE_TASK_WORDS];
    int watched;             /* epoll descriptor of those that wait for descriptors; 0: none has been made */
    unsigned n_watched;
    uint64_t seen;           /* when one of these had something */
};

struct core_meet_hooks;
struct core_task_host {
    bool (*await)(struct core_task *t, const char *where);
    bool (*meet)(struct core_task *t, unsigned kind, const struct core_meet_hooks *hooks, const char *where);
    uint32_t processes; /* of the job; 0: not counted yet */
    unsigned n, alive;
    unsigned sleepers; /* of `n`: wait; for idle looks */
    struct core_task *tasks;
    struct core_task_board *board;
    uint64_t ready[CORE_TASK_WORDS]; /* who can run, beside those on the board: set by its own tasks */
    uint64_t again; /* when somebody is to look at its condition (ask.c); UINT64_MAX: nobody is */
    char *base; /* the job's memory */
    const struct core_header *header;
    unsigned first; /* PE */
    uint32_t parked; /* threads of tasks that have come to their sleep; futex word */
    unsigned once;  /* what of the process has been done (enum core_task_duty) */
    uint64_t nap_ns; /* the next sleep of the process, when nobody can run */
    uint64_t shuffle; /* not 0: of the generator that says who is looked at first */
    unsigned ticks;  /* of the timer */
    bool look_due;   /* who gives way or waits next makes all look */
    uintptr_t math;  /* the text of libm */
    size_t math_n;
    uint64_t yields; /* of all tasks */
    uint64_t naps;   /* how often a sleep has ended without a ring */
    uint64_t napped_ns; /* since then, in sleeps that were shorter as somebody asks */
    struct core_task_asks asks;
    /* What a task that goes on must do, as tasks have folders, masks or signals of their own; NULL: nothing. The first
     * library's, where their state is. */
    void (*resume)(void *task);
    bool sets_pointer, lone; /* lone: all PEs of the job are here */
    void (*away)(void), (*back)(void); /* between calls of a task; NULL: nothing */
    void *kept[CORE_TASK_KEEPERS];
    const struct link_map *last; /* that is the program's; NULL: all are that are loaded */
    struct core_image *images;
    unsigned n_images;
    struct core_image **order; /* in which their constructors run */
    struct core_image_block block; /* where copies lie that are made without the loader; `most` 0: none */
    char ***environ; /* the C library's variable */
    struct {
        int epoll; /* of the descriptors of all tasks, and the bell */
        int bell[2]; /* a pipe; 0: none yet */
        int *bells; /* of other processes, by the slice of their first PE */
        unsigned n; /* tasks that have a network */
        bool serving; /* somebody serves tasks that do not run */
        unsigned switches; /* since the start */
        uint64_t looks, looked_ns; /* of the carrier */
    } network;
    int carrier; /* the thread that runs all tasks */
    int launcher, pid; /* launcher 0: it is not ours */
    int status; /* the first that is not 0 */
};

/* The PE that runs, also in threads that it has started, and in a child that it has forked. */
extern _Thread_local struct core_task *core_task_owner __attribute__((tls_model("initial-exec")));
extern struct core_task *core_task_first; /* of the process */
static inline struct core_task *core_task_here(void)
{
    return core_task_owner ? core_task_owner : core_task_first;
}
extern struct core_task_host core_task_process;

/* load.c: find what is to be copied. 0 or -1 after a message. */
int core_task_images(struct core_task_host *h);
/* And make the copies of one task. */
int core_task_load(struct core_task *t);
/* All relocated addresses of functions that are replaced, in the first instances. */
void core_task_hook_first(struct core_task_host *h);
/* Run the constructors, or what is to run at the end, of this task's copies. */
void core_task_construct(struct core_task *t);
void core_task_construct_image(struct core_task *t, const struct core_image *m, uintptr_t base);
void core_task_destruct_image(struct core_task *t, const struct core_image *m, uintptr_t base);
/* Is the library in this file one for all tasks? */
bool core_task_shares(const char *path);
void core_task_destruct(struct core_task *t);

/* hook_end.c */
void core_task_exit(int status) __attribute__((noreturn));

/* variables.c: where this task has them. Those of the first one are the process's. */
void core_task_find_variables(struct core_task *t);
/* Exchange the task's and the process's value. */
void core_task_swap_variable(struct core_task *t, enum core_task_variable i);
void core_task_swap_bytes(void *a, void *b, size_t n); /* at most 64 */

/* hook_descriptor.c: 0, 1 and 2 become those of this task, in a child that it has forked. */
void core_task_take_descriptors(struct core_task *t);

/* hook_folder.c: the process's folder and mask become this task's. For `resume`. */
void core_task_resume(void *task);

/* preempt.c: from now on. */
void core_task_preempt(struct core_task_host *h);

/* network.c: serve tasks that do not run. Asked at each switch; now; and until somebody is rung, or something comes, or
 * the time is over (true). */
void core_task_network_pass(struct core_task_host *h);
void core_task_network_look(struct core_task_host *h);
bool core_task_network_sleep(struct core_task_host *h, uint64_t ns,
                             bool (*somebody_ready)(const struct core_task_host *h));
void core_task_ring(struct core_task_board *b);

/* run.c */
void core_task_give_way_by(void (*way)(void)); /* core_task_yield or another, and what is around it */
void core_task_look(struct core_task_host *h); /* all tasks look at their conditions again */
int core_task_thread(struct core_task *t, uintptr_t entry);
void core_task_await_threads(struct core_task_host *h);

/* ask.c: let others run until `done`, which is asked now and then; false: until `end` (ns of the clock). */
bool core_task_until(bool (*done)(void *arg), void *arg, uint64_t end);
/* Let others run until then, or until this task is made ready. */
void core_task_doze(uint64_t end);
/* Who asks and is to look now is made ready. */
void core_task_ask(struct core_task_host *h);
/* For how long nobody is to look. */
uint64_t core_task_ask_ns(const struct core_task_host *h);
void core_task_end(struct core_task *t, int status) __attribute__((noreturn));

#endif
