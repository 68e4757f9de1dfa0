/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a user may ask of where processes run and of their number (MPI-5.0, 11.5,
 * 11.8.4): words that the launcher's options and the info of a spawn share.
 */
#ifndef CORE_ASKED_H
#define CORE_ASKED_H

#include <stdbool.h>
#include <stddef.h>

/* Is it this host? Its own name with or without the domain, or a name for "here". */
bool core_asked_host(const char *name);

/* The machine's kind as uname(2) names it ("x86_64"), in a buffer of the caller's. */
const char *core_asked_arch(char *text, size_t n);

/* The most processes up to `most` in a list of ranges a, a:b, a:b:step, separated
 * by commas. 0: none of it; -1: no such list. */
int core_asked_soft(const char *soft, int most);

/* Does this say among how many processes PEs are dealt as tasks, as MPT_TASKS does? */
bool core_asked_tasks(const char *text);

#endif
