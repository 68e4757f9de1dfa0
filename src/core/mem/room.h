/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses for a table that may become large, of which memory is asked for only as it grows: systems that promise no
 * more memory than they have (vm.overcommit_memory=2) count all that a process may write. Core files hold what is open.
 */
#ifndef CORE_ROOM_H
#define CORE_ROOM_H

#include <stdbool.h>
#include <stddef.h>

struct core_room {
    char *at; /* a page's begin; NULL: nothing is reserved */
    size_t n, open;
};

/* n bytes; where a limit is in the way half of them, or half of that, and a part of what is left, but not less than
 * `least`. */
bool core_room_reserve(struct core_room *r, size_t n, size_t least);

/* The first `upto` bytes may be used; they are zero. False: that is more than there is, or memory is out. */
bool core_room_open(struct core_room *r, size_t upto);

#endif
