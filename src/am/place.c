/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses in messages: what is symmetric travels as its offset, as PEs may have it
 * at different addresses; all else as the receiver's own address, which the receiver
 * checks before it is used.
 */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "am/ami.h"

enum { KIND_AT = 62 };
enum kind { RAW, HEAP, GLOBALS };

uint64_t ami_place_out(const void *p, size_t n)
{
    uintptr_t a = (uintptr_t)p;

    if (!core_segment_holds(p, n))
        return a & ((1ul << KIND_AT) - 1);
    if (a - mpt_fast.heap_lo < mpt_fast.heap_len)
        return (a - mpt_fast.heap_lo) | (uint64_t)HEAP << KIND_AT;
    return (a - mpt_fast.data_lo) | (uint64_t)GLOBALS << KIND_AT;
}

void *ami_place_in(uint64_t wire)
{
    uintptr_t a = wire & ((1ul << KIND_AT) - 1);

    switch ((enum kind)(wire >> KIND_AT)) {
    case HEAP:
        return (void *)(mpt_fast.heap_lo + a);
    case GLOBALS:
        return (void *)(mpt_fast.data_lo + a);
    default:
        return (void *)a;
    }
}

/* By the kernel's list of what is mapped: a system call tells that something is, and
 * only for writing that list must be read. */
static bool writable(uintptr_t lo, uintptr_t hi)
{
    FILE *f = fopen("/proc/self/maps", "re");
    unsigned long from, to;
    char line[512], may[5];

    if (!f)
        return true;
    while (lo < hi && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%lx-%lx %4s", &from, &to, may) != 3 || to <= lo)
            continue;
        if (from > lo || may[1] != 'w')
            break;
        lo = to;
    }
    fclose(f);
    return lo >= hi;
}

bool ami_place_ok(const void *p, size_t n, bool write)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), lo = (uintptr_t)p & ~(page - 1),
              hi = ((uintptr_t)p + n + page - 1) & ~(page - 1);

    if (n == 0 || core_segment_holds(p, n) || core_arena_holds(p, n))
        return true;
    if (hi <= lo || msync((void *)lo, hi - lo, MS_ASYNC) != 0)
        return false;
    if (!write || (lo >= ami.writable.lo && hi <= ami.writable.lo + ami.writable.n))
        return true;
    if (!writable(lo, hi))
        return false;
    ami.writable.lo = lo;
    ami.writable.n = hi - lo;
    return true;
}
