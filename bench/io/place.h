/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where files are made: the directories asked for, the file systems they belong to, and files that vanish by themselves.
 */
#ifndef IO_PLACE_H
#define IO_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#define MOST_PARTITIONS 4

struct place {
    char directory[256];
    char type[32], device[256]; /* of the file system, as the kernel names them */
};

/*
 * Directories separated by commas; NULL: /tmp, /var/tmp or the current one, the first that isn't in memory. Returns how
 * many, or -1 with a message in `why`.
 */
int place_list(const char *directories, bool memory_too, struct place out[MOST_PARTITIONS], char *why, size_t size);
/* Opens a new file without a name, to be read and written. Returns -1 with errno. */
int place_file(const struct place *p, int flags);

#endif
