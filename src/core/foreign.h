/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Was this process started as one of several by a launcher that is not ours?
 * Then it must not run as a lone PE that believes to be the whole job.
 */
#ifndef CORE_FOREIGN_H
#define CORE_FOREIGN_H

/* The launcher's name when it started more than one process, and this one's
 * rank and their number there (0: the launcher does not say). NULL when no such
 * launcher is seen, or it started just one; rank and size are then unchanged. */
const char *core_foreign_launcher(int *rank, int *size);

#endif
