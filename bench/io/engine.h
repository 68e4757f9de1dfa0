/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads and writes under way while the program goes on: by io_uring, or where the kernel or the build has none, by the
 * C library's asynchronous I/O, which uses threads.
 */
#ifndef IO_ENGINE_H
#define IO_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define MOST_SLOTS 16

/* Chooses one for so many transfers at once. Returns its name. */
const char *engine_start(int slots, bool threads);
void engine_stop(void);
/* Starts a transfer in a slot that is free. Returns 0, or -1 with errno. */
int engine_submit(int slot, int fd, bool writes, void *buffer, size_t bytes, off_t offset);
/* Waits until the slot is free. Returns 0, or -1 with errno when its transfer failed or was short. */
int engine_wait(int slot);

#endif
