/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the C library keeps for a process, of one task: each begins with what a fresh process has.
 */
#ifndef CORE_TASK_OWN_H
#define CORE_TASK_OWN_H

#include <grp.h>
#include <locale.h>
#include <netdb.h>
#include <pwd.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "core/task/host.h"

enum { CORE_GETOPT_HIDDEN = 56, CORE_RESULT_ROOM = 400 };

struct core_task_text {
    char *bytes;
    size_t n;
};

struct core_task_signals {
    uint64_t set; /* it has said what is to happen */
    struct sigaction *actions; /* by number; NULL: none is set */
    sigset_t mask;
    timer_t timer; /* for alarms */
    bool timed;
};

struct core_task_own {
    /* Variables that programs use by name, where the program has none of its own (variables.c). */
    union {
        void *pointers[2];
        long number;
    } values[CORE_VARIABLES];
    unsigned char getopt[CORE_GETOPT_HIDDEN]; /* beside its variables (hook_getopt.c) */
    /* hook_random.c */
    struct random_data random;
    char random_table[128];
    struct drand48_data drand48;
    /* hook_result.c, hook_time.c: results, and what is kept from call to call */
    char *token;
    struct tm tm;
    char time[CORE_RESULT_ROOM], number[CORE_RESULT_ROOM], terminal[CORE_RESULT_ROOM], file[L_tmpnam];
    struct hsearch_data table;
    locale_t locale; /* NULL: never set */
    char locale_name[CORE_RESULT_ROOM];
    struct lconv conventions;
    struct core_task_signals signals;
    bool threads; /* it has started some */
    pid_t *children; /* that it has not waited for */
    unsigned n_children;
    char *loader_error; /* of dlerror, as it was told last */
    struct passwd user;
    struct group group;
    struct hostent host;
    struct core_task_text user_text, group_text, host_text;
};

#endif
