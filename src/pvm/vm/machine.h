/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The network mode: how programs find a machine, and hand each other descriptors.
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

#endif
