/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Was this process started as one of several by a launcher that is not ours?
 * One that serves PMIx can start our PEs; below any other it must not run as a
 * lone PE that believes to be the whole job.
 */
#ifndef CORE_FOREIGN_H
#define CORE_FOREIGN_H

#include <stdbool.h>
#include <stdint.h>

/* Does the environment lead to a PMIx server that started this process, perhaps
 * with others? Not so for the only process of a job, which may be a user's shell,
 * and for programs that a PE starts. */
bool core_foreign_pmix(void);

/* This process is now process `rank` of PMIx job `space`: programs it starts are not. */
void core_foreign_mark(const char *space, uint32_t rank);

/* The launcher's name when it started more than one process, this one's rank
 * and their number there (0: the launcher does not say), and what would let it
 * start PEs, NULL: nothing. NULL when no such launcher is seen, or it started
 * just one; the others are then unchanged. */
const char *core_foreign_launcher(int *rank, int *size, const char **cure);

#endif
