/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Between the files of tasks' output: where it is handed over, the thread that reads
 * it, and how it is printed or made messages of.
 */
#ifndef PVM_OUTPUT_H
#define PVM_OUTPUT_H

#include <pthread.h>
#include <stdio.h>

#include "pvm/pvmi.h"

/* A thread of the task that output goes to reads it. Where to is said with each pipe. */
enum { PVMI_PRINT = -2147287035 }; /* as an output's tag: to the file of pvm_catchout */
struct pvmi_flow {
    int32_t tid, parent;   /* whose output it is */
    int32_t tag, context;  /* of the messages; PVMI_PRINT: none */
};
/* A pipe for a task to be started: the end to write to; what is written goes to task `sink`.
 * -1: that task takes no output, it goes where the spawner's own stderr goes. */
int pvmi_output_pipe(int sink, struct pvmi_flow flow);

/* A task whose output is read here. */
struct pvmi_spring {
    struct pvmi_flow flow;
    int fd;
    bool labelled; /* BEGIN was printed */
    size_t n;      /* of a line that has no end yet */
    char line[1024];
};

/* What is sent to a sink's socket, for NEW with the pipe's end to read from. */
struct pvmi_handover {
    enum { PVMI_NEW, PVMI_RETAG } what;
    struct pvmi_flow flow;
};

/* output.c */
int pvmi_sink_start(void); /* this task takes output: 0 or a code, after a message */
int pvmi_sink_socket(int slot, bool own); /* a socket for the sink of that task: to receive by (own) or connected; -1 */

/* output_print.c: by the sink's thread, under its lock */
enum { PVMI_SPAWNED = -2, PVMI_BEGIN = -1, PVMI_EOF = 0 }; /* instead of a number of bytes, in messages */
void pvmi_print_file(FILE *f);
void pvmi_output_begin(struct pvmi_spring *s);
void pvmi_output_text(struct pvmi_spring *s, const char *text, size_t n);
void pvmi_output_end(struct pvmi_spring *s);
void pvmi_output_done(void); /* nothing more for now */
void pvmi_output_take(void); /* by the task: takes the messages from now on */
bool pvmi_output_announce(void); /* false: it has not been told yet that there are some */

#endif
