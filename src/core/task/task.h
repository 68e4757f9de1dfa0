/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs as tasks: several PEs in one process, which runs them in turn. Each has its own copies of the program and of
 * its libraries, this one among them, and a thread that never runs, whose stack and thread-local storage it uses. A
 * wait that would give the core away switches to the next task that can run (docs/tasks.md).
 *
 * All copies of the library see the same struct core_task_host by core_task_self.
 */
#ifndef CORE_TASK_H
#define CORE_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpt/fast.h"

struct core_task_host;
struct core_waiter;

/* Where a process's tasks are known to the job: at the start of the slice of its first PE. */
enum { CORE_TASKS_MOST = 1024, CORE_TASK_WORDS = CORE_TASKS_MOST / 64 };
struct core_task_meeting { /* wait/meet.h: of this process's tasks */
    uint64_t here[CORE_TASK_WORDS] __attribute__((aligned(64))); /* who has come */
    uint32_t full;     /* how many of these words are full */
    uint64_t complete; /* the last epoch for which all have come */
    uint64_t released __attribute__((aligned(64)));  /* the last epoch that is over */
    uint32_t processes __attribute__((aligned(64))); /* on PE 0's board: so many are complete */
};
enum { CORE_TASK_MEETINGS = 2 };
enum core_task_idle { CORE_TASK_SLEEPS = 1, CORE_TASK_POLLS };
struct core_task_board {
    uint64_t ready[CORE_TASK_WORDS]; /* who can run; by whoever wakes it */
    uint32_t idle
        __attribute__((aligned(64))); /* enum core_task_idle, futex word: the process sleeps, as nobody can run */
    uint32_t n;       /* tasks; 0: a process of one PE */
    uint32_t running; /* which of them */
    uint32_t threads; /* some of them have threads that wait on their own */
    uint32_t woken;   /* so often one has gone on that somebody had rung */
    uint64_t ended[CORE_TASK_WORDS] __attribute__((aligned(64)));
    uint8_t status[CORE_TASKS_MOST]; /* of those that have ended */
    int32_t pid, bell; /* network.c: the process, and the descriptor of its pipe by which it is rung */
    uint32_t deaf;     /* somebody could not */
    struct core_task_meeting meeting[CORE_TASK_MEETINGS];
};

/* The task that this thread is; NULL: an ordinary thread, or no tasks at all. The same variable for all copies. */
extern _Thread_local struct core_task *core_task_self __attribute__((tls_model("initial-exec")));

static inline bool core_task_on(void)
{
    return MPT_UNLIKELY(core_task_self != NULL);
}

/* From now on chance says which of those that can run is next: one of this generator. The first call counts. */
void core_task_shuffle(uint64_t seed);
/* Let others run; then go on. */
void core_task_yield(void);
void core_task_give_way(void); /* also where no call of the library is under way */
/* What is called before a task gives way where that may be so, and when it goes on: that of the first copy. */
void core_task_around(void (*away)(void), void (*back)(void));
/* Not to be run until somebody calls core_task_ready, or the limit of a sleep is over. False: the latter. */
bool core_task_block(void);
bool core_task_block_in(const char *where); /* in this call, for reports; NULL: in none */
/* This task has been woken since it ran last. */
bool core_task_rung(void);
/* Task `bit` of the process with this board can run. From any process of the job. */
void core_task_ready_beside(unsigned bit); /* by a task, of its own process */
void core_task_ready(struct core_task_board *board, unsigned bit);
void core_task_ready_all(struct core_task_board *board, unsigned word, uint64_t mask); /* those of bits 64 * word on */

/* How this task is served over a network while it does not run: a descriptor that tells, and functions of any thread,
 * which wake it and say how much came (fd -1: there is none, and looks must do). 0 or a negative errno after a message;
 * and it is so no longer, when nobody is in these functions. */
struct core_task_network {
    int fd;
    int (*serve)(void);
    bool (*may_sleep)(void); /* the descriptor tells of all that comes from now on */
};
int core_task_network(const struct core_task_network *network);
void core_task_no_network(void);
/* This task goes on now and then, too, while it waits, when the descriptor (an epoll descriptor, say) has something to
 * read; of no task: nothing. 0 or a negative errno. And no longer. */
int core_task_watch(int fd);
void core_task_watch_no_longer(int fd);
/* Before this task, if it is one, ends in any way that leaves its process alive. One call; NULL: none. */
void core_task_at_end(void (*call)(void));

/* In which call this task waits, for reports; NULL: in none. */
void core_task_waits(const char *where);

/* Where the job's memory is mapped in this process, for all its tasks; NULL: not yet. */
char *core_task_base(void);
unsigned core_task_bit(void);
/* All PEs of the job are in this process, and nobody else wakes them. */
bool core_task_alone(void);
/* What is to be done once in a process, by the first of its PEs that comes to it. Other PEs are always first. */
enum core_task_duty { CORE_TASK_SETS_UP_PROCESS = 1, CORE_TASK_KEEPS_OUT_OF_DUMPS = 2, CORE_TASK_COUNTS_THREADS = 4 };
bool core_task_once(enum core_task_duty what);
/* What other folders keep for all tasks of the process, of each folder one pointer. */
enum core_task_keeper { CORE_TASK_KEEPS_LAUNCHER, CORE_TASK_KEEPS_LIFELINE, CORE_TASK_KEEPS_RACES, CORE_TASK_KEEPERS };
void **core_task_kept(enum core_task_keeper what);
/* This process will have tasks. What is loaded from now on is not the program's, and all tasks share it. */
void core_task_prepare(void);
/* The tasks of its process. */
unsigned core_task_count(void);
/* The threads that tasks use, beside the one that runs them. */
unsigned core_task_threads(void);

/* Why PEs of the program in this file cannot be tasks, and what to do, as far as the file tells; NULL: they may.
 * *uses: it is known to be a program of this library. */
const char *core_task_refusal(const char *path, bool *uses);
#endif
