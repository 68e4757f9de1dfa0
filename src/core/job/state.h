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
        pid_t owner; /* the process that is connected; 0: none */
        bool leaving;
        unsigned exchanges; /* of cards */
        uint32_t fence_state;
        int fence_status;
        unsigned next_slice; /* of the PE whose process is watched (pmix_watch.c) */
        pid_t next_pid;      /* 0: nobody is watched */
        bool watching;
    } pmix;
};

#endif
