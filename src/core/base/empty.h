/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The input of processes that are to have none.
 */
#ifndef CORE_EMPTY_H
#define CORE_EMPTY_H

/* A descriptor (close-on-exec) that reads as an empty file: /dev/null, and where that is missing, as in bare
 * containers, memory without a name. -1, errno. System calls only. */
int core_open_empty(void);

#endif
