/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program's line (site.h) without a walk of the stack, for functions that the program's call has jumped to.
 */
#ifndef CORE_SITE_CALL_H
#define CORE_SITE_CALL_H

#include <stdbool.h>
#include <stdint.h>

/* core_site(), of which the caller's __builtin_return_address(0) may tell all: where that is the program's. */
uintptr_t core_site_by(const void *return_address);

/* Is the library's code told apart from the program's? Not where it is linked into the program. */
bool core_site_apart(void);

#endif
