/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queries: who am I, what can be reached, what library is this (1.6, 9.1).
 */
#include <string.h>

#include "shmem/check.h"

_Static_assert(sizeof(SHMEM_VENDOR_STRING) <= SHMEM_MAX_NAME_LEN, "the name fits the user's buffer");

int pshmem_my_pe(void)
{
    shmemi_ready(SHMEMI_WHERE);
    return mpt_fast.me;
}
SHMEMI_ALIAS(shmem_my_pe);

int pshmem_n_pes(void)
{
    shmemi_ready(SHMEMI_WHERE);
    return mpt_fast.npes;
}
SHMEMI_ALIAS(shmem_n_pes);

int pshmem_pe_accessible(int pe)
{
    shmemi_ready(SHMEMI_WHERE);
    return (unsigned)pe < (unsigned)mpt_fast.npes;
}
SHMEMI_ALIAS(shmem_pe_accessible);

int pshmem_addr_accessible(const void *addr, int pe)
{
    shmemi_ready(SHMEMI_WHERE);
    return (unsigned)pe < (unsigned)mpt_fast.npes && core_segment_holds(addr, 1);
}
SHMEMI_ALIAS(shmem_addr_accessible);

/* This PE's own objects have the address the program knows, though its slice of
 * the node's memory shows them too. */
static void *pointer(int pe, const void *dest)
{
    if (core_race_on() && pe != mpt_fast.me)
        core_race_pointed();
    return pe == mpt_fast.me && core_segment_holds(dest, 1) ? (void *)dest : core_addr(pe, dest);
}

void *pshmem_ptr(const void *dest, int pe)
{
    return pointer(shmemi_pe(SHMEM_CTX_DEFAULT, pe, SHMEMI_WHERE), dest);
}
SHMEMI_ALIAS(shmem_ptr);

static void *team_ptr(const struct coll_team *t, const void *dest, int pe, const char *where)
{
    if ((unsigned)pe >= (unsigned)t->size)
        shmemi_bad_pe(pe, t->size, "team", "pe", where);
    return pointer(coll_team_pe(t, pe), dest);
}
void *pshmem_team_ptr(shmem_team_t team, const void *dest, int pe)
{
    const char *where = SHMEMI_WHERE;
    if (team == SHMEM_TEAM_INVALID)
        return NULL;
    return team_ptr(shmemi_team(team, where)->coll, dest, pe, where);
}
SHMEMI_ALIAS(shmem_team_ptr);

void pshmem_info_get_version(int *major, int *minor)
{
    const char *where = SHMEMI_WHERE;
    shmemi_not_null(major, "major", where);
    shmemi_not_null(minor, "minor", where);
    *major = SHMEM_MAJOR_VERSION;
    *minor = SHMEM_MINOR_VERSION;
}
SHMEMI_ALIAS(shmem_info_get_version);

void pshmem_info_get_name(char *name)
{
    shmemi_not_null(name, "name", SHMEMI_WHERE);
    strcpy(name, SHMEM_VENDOR_STRING);
}
SHMEMI_ALIAS(shmem_info_get_name);
