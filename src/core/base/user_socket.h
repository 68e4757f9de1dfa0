/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Local sockets by which programs of one user find each other on this machine,
 * whatever their jobs; faces include it beside core.h. Their names lie in a folder
 * that only this user can enter, so nobody else can take or use them.
 */
#ifndef CORE_USER_SOCKET_H
#define CORE_USER_SOCKET_H

#include <stdbool.h>

/* A socket that has the name `name` (any text) of this kind (a short word), and listens if it is of SOCK_STREAM. What a
 * process left that is no more is replaced. -EADDRINUSE: a living one has it, or a negative errno after a message.
 * The name is free again when the process exits, or calls the second (the socket stays the caller's to close). */
int core_user_socket_take(const char *kind, const char *name, int type, int backlog);
void core_user_socket_give_back(int fd);
int core_user_socket_move(int from, int to); /* as dup2 and close; what `to` had is given back. 0 or -errno */
/* For a process that leaves a name to a child: the parent forgets it, the child has it and must give it back before
 * _exit. */
void core_user_socket_forget(int fd);
void core_user_socket_adopt(int fd);

/* Connected to the process that has the name, of this user for certain. -ENOENT: none; -ETIMEDOUT: it has not taken
 * earlier callers for limit_ms; or another negative errno. Blocking. */
int core_user_socket_call(const char *kind, const char *name, int type, int limit_ms);

/* Is at the other end of this local socket a process of this user? */
bool core_user_socket_is_ours(int fd);

#endif
