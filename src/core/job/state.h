/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of job: see core/state.h.
 */
#ifndef CORE_JOB_STATE_H
#define CORE_JOB_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct core_backend;
struct core_card;
struct core_location;
struct core_pmix;

/* What a launcher of PMIx knows as one process. Its PEs share it, where they are tasks. */
struct core_pmix_process {
    const struct core_pmix *client; /* the library's functions, and how the launcher names the process */
    pid_t owner;      /* the process that is connected; 0: none */
    bool leaving;
    unsigned size;    /* processes of the job */
    unsigned tasks;   /* PEs of this one */
    unsigned ended;   /* of them */
    unsigned parties; /* so many come to a fence: before the tasks are made one, for all */
    unsigned helpers; /* threads that are PMIx's */
    const struct core_location *at; /* where the first PE stands */
    const uint32_t *first; /* the first PE of each process, and how many PEs there are; NULL: each process has one */
    uint32_t arrived, fences; /* at the fence that is next; that are over. Atomic, the latter a futex word */
    int fence_status;
    pthread_mutex_t lock;
    const struct core_card *cards; /* of all PEs, under the lock ... */
    unsigned exchange;             /* ... handed in at this exchange */
    unsigned next_slice; /* of the first PE of the process that is watched (pmix_watch.c) */
    pid_t next_pid;      /* 0: nobody is watched */
    bool watching;
};

struct core_job_state {
    const struct core_backend *backend; /* the one in force, NULL before the start */
    pthread_mutex_t lock;       /* of `uses`, and of the first start and last finish */
    pthread_mutex_t collective; /* one start or finish of all PEs at a time */
    int uses;   /* starts of both kinds that have not finished; changed under the lock, read without it */
    int depth;  /* of them, those of all PEs; so, too */
    bool parted; /* the last finish was this process's alone: over a network others may need it until they, too, have
                    finished */
    pid_t owner; /* this PE's process: a forked child is no PE */
    struct {
        pthread_mutex_t turn;    /* of faces that start or end in different threads */
        void (*meanwhile)(void); /* what its caller wants done while it waits */
    } barrier;
    struct core_job_clocks {
        bool on;              /* all PEs record, on several hosts */
        pthread_mutex_t lock; /* of what follows; `left` is read without it */
        unsigned left;        /* answers that are still to come ... */
        uint32_t row;         /* ... of this row of questions */
        uint64_t every;       /* ticks from row to row */
        uint64_t middle,
            error; /* of the shortest round trip: its middle in ticks, half of it in ns; UINT64_MAX: none */
        int64_t apart;          /* and the ns that this host's clock is behind */
    } clocks;
    struct {
        uint32_t arrivals;    /* backend_local.c: how many there are after the barrier that is next or under way */
        uint64_t since, told; /* when it began to wait for a PE that has not started; the user was told */
    } local;
    struct {
        pid_t owner; /* the process that stands in our slot: a forked child does not */
        bool in;
        bool registered; /* what is to be done at exit is */
        unsigned last;   /* slot that was taken anew, so that each serves as seldom as possible */
    } open; /* open.c */
    struct {
        struct core_pmix_process *process; /* NULL: no launcher of PMIx started it */
        struct core_pmix_process own;      /* that is it, but of tasks it is the first instance's */
        unsigned exchanges;                /* of cards */
    } pmix;
};

#endif
