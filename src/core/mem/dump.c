/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Core files hold of the job's memory what this process's PEs have in use: a file with all of it, holes too, would be
 * gigabytes of zeros.
 */
#include "core/mem/dump.h"

#include <sys/mman.h>

#include "core/base/number.h"

enum { STEP = 2 << 20 }; /* each is a system call; and huge pages stay whole */

void core_dump_leave_out(void *at, size_t n)
{
    madvise(at, n, MADV_DONTDUMP);
}

void core_dump_include(char *base, size_t n, size_t *upto, size_t used)
{
    size_t to = core_min(core_round_up(used, STEP), n);

    if (to <= *upto)
        return;
    madvise(base + *upto, to - *upto, MADV_DODUMP);
    *upto = to;
}
