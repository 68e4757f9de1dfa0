/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The one way to say that something is wrong. A message is one line:
 *   mpt: PE 3: shmem_putmem: dest=0x7f..: not a symmetric address (...)
 */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include <stdarg.h>

/* Print a message (printf format) to stderr. */
void core_error(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));

/* Print a message and end the whole job with status 1. */
void core_fatal(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn, cold));

/* Print only when SHMEM_DEBUG is set. */
void core_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));

#endif
