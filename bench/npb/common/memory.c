/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of the kernels. All of it is written once here, so that no run meets a page for the first time.
 */
#include "npb.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE (2ul << 20)
#define PAGE 4096ul

void *npb_symmetric(size_t bytes)
{
    const size_t unit = bytes < HUGE_PAGE ? PAGE : HUGE_PAGE, size = (bytes + PAGE - 1) / PAGE * PAGE;
    void *p = shmem_align(unit, size);

    if (!p)
        bench_job_fatal("PE %d: the symmetric heap has no %zu bytes left: raise SHMEM_SYMMETRIC_SIZE", bench_job.me,
                        size);
    memset(p, 0, size);
    shmem_barrier_all();
    return p;
}

void *npb_private(size_t bytes)
{
    const size_t unit = bytes < HUGE_PAGE ? PAGE : HUGE_PAGE, size = (bytes + unit - 1) / unit * unit;
    void *p = aligned_alloc(unit, size);

    if (!p)
        bench_job_fatal("PE %d: no memory for %zu bytes", bench_job.me, size);
#ifdef MADV_HUGEPAGE
    if (unit == HUGE_PAGE)
        madvise(p, size, MADV_HUGEPAGE);
#endif
    memset(p, 0, size);
    return p;
}
