/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What of the job's memory core files hold.
 */
#ifndef CORE_DUMP_H
#define CORE_DUMP_H

#include <stddef.h>

void core_dump_leave_out(void *at, size_t n);

/* Of the n bytes at base, which were left out, the first `used` are in use. *upto: how many are included already. */
void core_dump_include(char *base, size_t n, size_t *upto, size_t used);

#endif
