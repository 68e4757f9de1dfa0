/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Paths that are to mean the same in processes that run in other folders.
 */
#ifndef CORE_PATH_H
#define CORE_PATH_H

/* From the root, for free(); links are kept, as a program may find its files beside them. NULL: no memory, or the
 * current folder is not to be found. */
char *core_path_absolute(const char *path);

#endif
