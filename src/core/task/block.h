/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A task's descriptors, and waiting for them (hook_block.c).
 */
#ifndef CORE_TASK_BLOCK_H
#define CORE_TASK_BLOCK_H

#include <poll.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include "core/task/host.h"

/* The descriptor that this one means for the PE that calls. */
int core_task_descriptor(int fd);

/* The process's 0, 1 and 2 are those of this PE for so long. (hook_child.c) */
void core_task_lend_descriptors(int kept[3]);
void core_task_take_back_descriptors(const int kept[3]);

/* Until a call on the descriptor would not wait, for reading (POLLIN) or writing (POLLOUT): other tasks run. 0; 1:
 * it never waits; -1 and errno: the call is to fail so. */
int core_task_await(int fd, short events);

/* The stream, when a read from it would not wait (hook_stream.c). */
FILE *core_task_await_stream(FILE *f);

/* write(), waiting so. */
ssize_t core_task_write(int fd, const void *data, size_t n);

#endif
