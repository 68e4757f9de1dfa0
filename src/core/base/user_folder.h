/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The folder for a user's local sockets, between user_folder.c, which finds it and
 * keeps it clean, and user_socket.c.
 */
#ifndef CORE_USER_FOLDER_H
#define CORE_USER_FOLDER_H

#include <stdbool.h>
#include <sys/un.h>

enum { CORE_FOLDERS = 4 }; /* in which it can be, the best first */

/* Open the i-th one: -ENOENT, it is not there (or, with `make`, cannot be); -ESTALE: it was made, and removed
 * meanwhile; -EPERM: it is not this user's alone. */
int core_user_folder_open(int i, bool make);
/* For a process that changes what is in it; waits for others, -ETIMEDOUT: for long. -ESTALE: it has been removed
 * meanwhile. */
int core_user_folder_lock(int dir);
/* The folder goes when nothing is in it. With the lock, which ends by closing. */
void core_user_folder_remove_empty(int i, int dir);

/* The address of a socket in it; false: too long. */
bool core_user_folder_address(int dir, const char *file, struct sockaddr_un *a);
/* Does a living process have the socket of this name? */
bool core_user_folder_alive(int dir, const char *file);
/* Remove sockets of processes that are no more. With the lock. */
void core_user_folder_sweep(int dir);

#endif
