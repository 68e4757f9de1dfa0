/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queries: who am I, what can be reached, what library is this (1.6, 9.1).
 */
#include <string.h>

#include "shmem/check.h"

#define NAME "MPT " MPT_VERSION " (a message passing toolkit)"
_Static_assert(sizeof(NAME) <= SHMEM_MAX_NAME_LEN, "the name fits the user's buffer");
_Static_assert(__builtin_strcmp(NAME, SHMEM_VENDOR_STRING) == 0, "header and library are of one version");

SHMEMI_DEF(int, my_pe, (void), shmemi_ready(where); return mpt_fast.me;)
SHMEMI_DEF(int, n_pes, (void), shmemi_ready(where); return mpt_fast.npes;)

SHMEMI_DEF(int, pe_accessible, (int pe), shmemi_ready(where); return (unsigned)pe < (unsigned)mpt_fast.npes;)
SHMEMI_DEF(int, addr_accessible, (const void *addr, int pe), shmemi_ready(where);
           return (unsigned)pe < (unsigned)mpt_fast.npes && core_segment_holds(addr, 1);)

/* This PE's own objects have the address the program knows, though its slice of
 * the node's memory shows them too. */
static void *pointer(int pe, const void *dest)
{
    return pe == mpt_fast.me && core_segment_holds(dest, 1) ? (void *)dest : core_addr(pe, dest);
}

SHMEMI_DEF(void *, ptr, (const void *dest, int pe),
           return pointer(shmemi_pe(SHMEM_CTX_DEFAULT, pe, where), dest);)

static void *team_ptr(const struct coll_team *t, const void *dest, int pe, const char *where)
{
    if ((unsigned)pe >= (unsigned)t->size)
        shmemi_bad_pe(pe, t->size, "team", "pe", where);
    return pointer(coll_team_pe(t, pe), dest);
}
SHMEMI_DEF(void *, team_ptr, (shmem_team_t team, const void *dest, int pe),
           if (team == SHMEM_TEAM_INVALID) return NULL;
           return team_ptr(shmemi_team(team, where)->coll, dest, pe, where);)

SHMEMI_DEF(void, info_get_version, (int *major, int *minor), shmemi_not_null(major, "major", where);
           shmemi_not_null(minor, "minor", where); *major = SHMEM_MAJOR_VERSION; *minor = SHMEM_MINOR_VERSION;)
SHMEMI_DEF(void, info_get_name, (char *name), shmemi_not_null(name, "name", where); strcpy(name, NAME);)
