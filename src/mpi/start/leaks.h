/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With --check, at the end of MPI: what the program has begun and not completed, made and not freed, sent and not
 * received.
 */
#ifndef MPI_LEAKS_H
#define MPI_LEAKS_H

#include <stdbool.h>

/* Of this process. `call` ends MPI. */
void mpii_leaks_tell(const char *call);
/* Of the process, which exits: what may be freed until then. */
void mpii_leaks_tell_at_exit(void);
/* Messages: all processes of the job are in the call. */
void mpii_leaks_tell_messages(void);

/* exit.c: MPI starts. */
void mpii_exit_watch(void);

#endif
