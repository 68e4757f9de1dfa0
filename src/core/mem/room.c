/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See room.h.
 */
#include "core/mem/room.h"

#include <sys/mman.h>

#include "core/base/number.h"
#include "core/mem/dump.h"

enum {
    STEP = 2 << 20, /* each is two system calls; and huge pages stay whole */
    SHARE = 8,      /* a part of so many of what may be had */
    PAGES = 1 << 16 /* bytes: pages are no larger anywhere */
};

/* Where a limit is in the way, the rest of the process needs addresses, too. The highest stay: the system gives
 * addresses downward, so those of several tables lie together. */
static void *take(size_t n)
{
    char *at = mmap(NULL, SHARE * n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (at == MAP_FAILED)
        return at;
    munmap(at, (SHARE - 1) * n);
    return at + (SHARE - 1) * n;
}

bool core_room_reserve(struct core_room *r, size_t n, size_t least)
{
    void *at = MAP_FAILED;

    for (; n >= least && at == MAP_FAILED; n /= 2) {
        size_t pages = core_round_up(n, PAGES);

        at = take(pages);
        *r = (struct core_room){.at = at, .n = pages};
    }
    if (at == MAP_FAILED) {
        *r = (struct core_room){.at = NULL};
        return false;
    }
    core_dump_leave_out(r->at, r->n);
    return true;
}

bool core_room_open(struct core_room *r, size_t upto)
{
    size_t from = r->open;

    if (upto <= from)
        return true;
    if (upto > r->n ||
        mprotect(r->at + from, core_min(core_round_up(upto, STEP), r->n) - from, PROT_READ | PROT_WRITE) != 0)
        return false;
    core_dump_include(r->at, r->n, &r->open, upto);
    return true;
}
