/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHPALLOC, SHPCLMOVE and SHPDEALLC: the symmetric heap by Cray pointers, lengths
 * in words. OpenSHMEM's word has 32 bits, the T3D's had 64: a block has room for
 * the larger, so that both kinds of program are right.
 */
#include "shmem/fortran/fortran.h"

enum { OK = 0, MOVED = 1, BAD_LENGTH = -1, NO_MEMORY = -2, NOT_IN_HEAP = -3, IS_FREE = -4, NOT_AT_START = -5 };

static const char *const reasons[] = {
    [-BAD_LENGTH] = "the length is not greater than 0",
    [-NO_MEMORY] = "the symmetric heap has no room; raise SHMEM_SYMMETRIC_SIZE",
    [-NOT_IN_HEAP] = "the address is not in the symmetric heap",
    [-IS_FREE] = "the block is free already",
    [-NOT_AT_START] = "the address is not at the beginning of a block",
};

/* Report `status`, or end the job when it is an error and the caller said so. */
static void answer(int *status_arg, int status, int abort, const void *addr, int length, const char *where)
{
    if (status < 0 && abort)
        core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where), "%s: addr=%p, length=%d: %s", where, addr, length,
                           reasons[-status]);
    *status_arg = status;
}

enum { WORD = 8 };

/* Why `p` is not the start of a block in use; OK if it is. */
static int examine(const void *p)
{
    if ((uintptr_t)p - mpt_fast.heap_lo >= mpt_fast.heap_len)
        return NOT_IN_HEAP;
    if (core_heap_size_of(p) > 0)
        return OK;
    return core_heap_holds(p) ? NOT_AT_START : IS_FREE;
}

static int allocate(void **addr, int length)
{
    if (length <= 0)
        return BAD_LENGTH;
    void *p = shmem_malloc((size_t)length * WORD);
    if (!p)
        return NO_MEMORY;
    *addr = p;
    return OK;
}

static int resize(void **addr, int length)
{
    if (length <= 0)
        return BAD_LENGTH;
    int status = examine(*addr);
    if (status != OK)
        return status;
    void *p = shmem_realloc(*addr, (size_t)length * WORD);
    if (!p)
        return NO_MEMORY;
    status = p == *addr ? OK : MOVED;
    *addr = p;
    return status;
}

static int release(void *p)
{
    int status = examine(p);
    if (status == OK)
        shmem_free(p);
    return status;
}

SHMEMF_PUBLIC void shpalloc_(void **addr, const int *length, int *errcode, const int *abort)
{
    answer(errcode, allocate(addr, *length), *abort, NULL, *length, "shpalloc");
}

SHMEMF_PUBLIC void shpclmove_(void **addr, const int *length, int *status, const int *abort)
{
    answer(status, resize(addr, *length), *abort, *addr, *length, "shpclmove");
}

SHMEMF_PUBLIC void shpdeallc_(void **addr, int *errcode, const int *abort)
{
    answer(errcode, release(*addr), *abort, *addr, 0, "shpdeallc");
}
