/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the network mode share: how programs find a machine, how
 * processes are started, where their output goes.
 */
#ifndef PVM_MACHINE_H
#define PVM_MACHINE_H

#include "pvm/pvmi.h"

/* --------------------------------------------------------------- meet.c --
 * Programs of one user that name the same machine meet at a socket, which the
 * machine's first task serves: it hands out the descriptor of the machine's memory. */
enum { PVMI_MEET_FIRST = -1, PVMI_MEET_ALONE = -2 }; /* this process is the first; and nobody shall find it */
/* The descriptor, or one of the above, or less after a message. */
int pvmi_meet(void);
/* From now on this process can be found (after PVMI_MEET_FIRST, when the machine is open). */
int pvmi_meet_serve(void);
/* The console's machine is found by programs that name none. Before the first call that enrols. */
int mpt_pvm_as_console(void) __attribute__((visibility("default")));
bool pvmi_is_console(void);

/* --------------------------------------------------------------- pass.c --
 * n bytes by a local socket, with a descriptor (-1: none). */
bool pvmi_pass(int to, const void *data, size_t n, int fd, int flags);
/* What recvmsg returns; *fd: -1, none came; *same_user: the socket says who sends (SO_PASSCRED), and that is ours. */
ssize_t pvmi_receive(int from, void *data, size_t n, int *fd, bool *same_user, int flags);

/* -------------------------------------------------------------- lookup.c --
 * The program a name means, to be given back by free(); NULL: there is none. */
char *pvmi_find_program(const char *file);
char *pvmi_expand(const char *text); /* $NAME for variables; to be given back by free() */

/* --------------------------------------------------------------- start.c --
 * Start a program that is no child of this process. argv begins with its path; out: what
 * becomes its stdout and stderr; wd: NULL or its folder. Its number to *pid; 0 or errno. */
struct pvmi_start {
    char *const *argv, *const *env;
    const char *wd;
    int out, fd; /* fd: stays open in it */
};
int pvmi_start_program(const struct pvmi_start *s, int *pid);

/* -------------------------------------------------------------- output.c --
 * A thread of the task that output goes to reads it. Where to is said with each pipe. */
enum { PVMI_PRINT = -2147287035 }; /* as an output's tag: to the file of pvm_catchout */
struct pvmi_flow {
    int32_t tid, parent;   /* whose output it is */
    int32_t tag, context;  /* of the messages; PVMI_PRINT: none */
};
/* A pipe for a task to be started: the end to write to; what is written goes to task `sink`.
 * -1: that task takes no output, it goes where the spawner's own stderr goes. */
int pvmi_output_pipe(int sink, struct pvmi_flow flow);

#endif
