/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A trace's folder and its job.json (docs/trace-format.md). For the launcher; of jobs that it does not start PE 0
 * writes it.
 */
#ifndef CORE_TRACE_FOLDER_H
#define CORE_TRACE_FOLDER_H

#include <stdbool.h>

/* MPT_STATS: sums are kept in place of records. */
bool core_trace_counts_only(void);

struct core_trace_job {
    char *const *const *commands; /* each ends with NULL */
    unsigned n_commands, pes;
    unsigned tasks;                /* processes that the PEs are tasks of */
    const char *(*host)(int pe);   /* NULL: all are on this one */
    const int *(*cores)(const void *arg, unsigned pe); /* `cores_each` of them; NULL: not bound */
    const void *arg;
    unsigned cores_each;
    char began[32], ended[32];     /* ended: "" while the job runs */
    int status;
};

/* Make the folder, and take away what an earlier job has left in it, of PEs from `first` on. 0 or a negative errno. */
int core_trace_folder_begin(const char *dir, unsigned first);
/* Write job.json, whole at any moment. */
int core_trace_folder_describe(const char *dir, const struct core_trace_job *job);
/* Date and time, now. */
void core_trace_date(char text[32]);
/* Records that PEs have dropped, and how many PEs have. */
unsigned long long core_trace_folder_dropped(const char *dir, unsigned pes, unsigned *by);

#endif
