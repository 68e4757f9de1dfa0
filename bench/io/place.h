/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where files are made: the directories asked for, the file systems they belong to, a directory of its own for each
 * partition, and files that vanish by themselves.
 */
#ifndef IO_PLACE_H
#define IO_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#define MOST_PARTITIONS 4
#define PLACE_NAMES 1100

#define MOST_LETTERS 255 /* of a directory that is asked for */

struct place {
    char directory[MOST_LETTERS + 65];
    char type[32], device[256]; /* of the file system, as the kernel names them */
};

/*
 * Directories separated by commas; NULL: of /tmp, /var/tmp and the current one those that aren't in memory, one of each
 * file system. Returns how many, or -1 with a message in `why`.
 */
int place_list(const char *directories, bool memory_too, struct place out[MOST_PARTITIONS], char *why, size_t size);
/* For each partition a directory of its own, in the places in turn; `job` tells them from others'. They aren't made
 * yet. */
void place_partitions(const struct place *in, int n, long job, struct place out[MOST_PARTITIONS]);
/* Makes them, and removes them, empty, when the process ends in order or by a signal that asks it to. -1 with errno. */
int place_make(const struct place dirs[MOST_PARTITIONS]);
/* For the records: "a, b, c" of the places, and of the types of file systems, that so many partitions lie in. */
void place_names(const struct place *in, int n, int partitions, char names[PLACE_NAMES], char types[PLACE_NAMES]);
/* Opens a new file without a name, to be read and written. Returns -1 with errno. */
int place_file(const struct place *p, int flags);

#endif
