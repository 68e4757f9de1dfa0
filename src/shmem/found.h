/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What --check looks for in calls of OpenSHMEM besides their arguments. `shmemi.checks` tells whether it does; without
 * it nobody calls these.
 */
#ifndef SHMEM_FOUND_H
#define SHMEM_FOUND_H

#include "shmem/shmemi.h"

/* ---- blocks.c: what the heap's blocks are, and were ---- */

void shmemi_block_made(const void *p, size_t n);
void shmemi_block_gone(const void *p);
/* [p, p+n) is symmetric: is it of one block in use, as far as it lies in the heap? Ends the job if not. */
void shmemi_block_used(const void *p, size_t n, const char *arg, const char *where);
/* Does it lie in the block that this thread has used last? That is still there then. */
static inline bool shmemi_block_is_last(const void *p, size_t n)
{
    const struct core_check_thread *last = core_check_of_thread();
    size_t at = (uintptr_t)p - last->block;

    return at < last->block_n && n <= last->block_n - at &&
           last->blocks == __atomic_load_n(&shmemi.found.blocks.version, __ATOMIC_RELAXED);
}
/* p is to be freed or resized. */
void shmemi_block_first(const void *p, const char *where);

/* ---- agree.c: PEs of a team make the same collective calls ---- */

/* What is no coll_kind. */
enum shmemi_calls {
    SHMEMI_SYNC = COLL_KINDS,
    SHMEMI_ALLOCATE,
    SHMEMI_RESIZE,
    SHMEMI_FREE,
    SHMEMI_SPLIT,
    SHMEMI_SPLIT_2D,
    SHMEMI_DESTROY,
    SHMEMI_FINALIZE,
};

/* Arguments that all give alike; what a call does not have is 0. */
struct shmemi_same {
    unsigned call;   /* enum coll_kind or enum shmemi_calls */
    uint64_t n;      /* bytes */
    uint64_t at;     /* offset in the heap + 1 */
    int64_t root;    /* or alignment, or PEs in a row */
    int32_t type, op; /* of a reduction, + 1 */
    int32_t start, stride, size; /* of a new team, PEs of the job: */
};

/* This PE begins such a call on t. Looks at what the others have begun, waits for nobody, ends the job where they
 * differ. */
void shmemi_agree(const struct coll_team *t, struct shmemi_same same, const char *where);
/* t was made by a call that began on `parent`. */
void shmemi_agree_new(const struct coll_team *t, const struct coll_team *parent);

void shmemi_agree_start(void);
void shmemi_agree_finish(void);

/* ---- pending.c: sources of nonblocking puts stay as they are until these are complete ---- */

void shmemi_pending_put(const struct core_flow *flow, const void *source, size_t n, const void *dest, int pe,
                        const char *where);
/* What a nonblocking get brings to private memory must not be put before it is complete. */
void shmemi_pending_get(const struct core_flow *flow, const void *dest, size_t n, int pe, const char *where);
void shmemi_pending_used(const void *source, size_t n, const char *where);
/* Operations of the flow, NULL: of all, are complete by this call. */
void shmemi_pending_complete(const struct core_flow *flow, const char *where);
/* The PE may have been told by others that they are. */
bool shmemi_pending_any(void);
void shmemi_pending_forget(void);

/* ---- check.c: any argument that is symmetric memory ---- */
void shmemi_found_at(const void *p, size_t n, const char *arg, const char *where);

#endif
