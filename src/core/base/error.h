/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The one way to say that something is wrong. A message is one line, and of a call ends with the program's line:
 *   mpt: PE 3: shmem_putmem: dest=0x7f..: not a symmetric address (...) [ring.c:42 in exchange]
 */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include <stdarg.h>

/* Print a message (printf format) to stderr. */
void core_error(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));

/* The same of a call of the program's, with its place there. */
void core_error_of_call(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));

/* Print a message, with its place if it is of a call, and end the whole job with status 1. */
void core_fatal(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn, cold));

/* Print only when SHMEM_DEBUG is set. */
void core_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));

#endif
