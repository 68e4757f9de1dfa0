/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the sink and the printing of tasks' output remember: pvmi.output.
 */
#ifndef PVM_OUTPUT_STATE_H
#define PVM_OUTPUT_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct pvmi_output_state {
    bool lost;  /* the task is in no machine or ends: output goes to its stderr */
    FILE *file; /* the last of pvm_catchout */
    struct {
        pthread_mutex_t lock;
        int socket;       /* -1: no sink */
        int nudge;        /* an event: the thread is to look again at what it polls; -1: there is no thread */
        int slot;         /* whose it is */
        bool running;
        bool registered;  /* at_exit is */
        struct pvmi_spring **spring;
        size_t n, room;
        unsigned printed; /* springs that are printed and have not ended */
        pid_t owner;
    } sink;
    struct {
        pthread_mutex_t lock;
        struct pvmi_item *first, **last;
        bool told; /* the note is on its way */
    } queue; /* of output that is to become messages */
};

#endif
