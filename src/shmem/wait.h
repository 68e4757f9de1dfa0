/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looking at the words that wait_until and test calls watch. Values of all
 * integer types are brought into the order of signed 64-bit numbers (shmemi_key),
 * so one comparison serves every type.
 */
#ifndef SHMEM_WAIT_H
#define SHMEM_WAIT_H

#include "shmem/check.h"

/* Acquire: what the peer stored before this word is seen after it. */
static inline int64_t shmemi_look(enum coll_type type, const void *p)
{
    switch (type) {
    case COLL_I16:
        return __atomic_load_n((const int16_t *)p, __ATOMIC_ACQUIRE);
    case COLL_U16:
        return __atomic_load_n((const uint16_t *)p, __ATOMIC_ACQUIRE);
    case COLL_I32:
        return __atomic_load_n((const int32_t *)p, __ATOMIC_ACQUIRE);
    case COLL_U32:
        return __atomic_load_n((const uint32_t *)p, __ATOMIC_ACQUIRE);
    case COLL_I64:
        return __atomic_load_n((const int64_t *)p, __ATOMIC_ACQUIRE);
    default:
        /* model: signal.wait */
        return shmemi_key(COLL_U64, __atomic_load_n((const uint64_t *)p, __ATOMIC_ACQUIRE));
    }
}

/* The same as the program would print it. */
static inline int64_t shmemi_value(enum coll_type type, const void *p)
{
    int64_t seen = shmemi_look(type, p);
    return type == COLL_U64 ? shmemi_key(COLL_U64, (uint64_t)seen) : seen;
}

static inline bool shmemi_holds(int64_t a, int cmp, int64_t b)
{
    switch (cmp) {
    case SHMEM_CMP_EQ:
        return a == b;
    case SHMEM_CMP_NE:
        return a != b;
    case SHMEM_CMP_GT:
        return a > b;
    case SHMEM_CMP_GE:
        return a >= b;
    case SHMEM_CMP_LT:
        return a < b;
    default:
        return a <= b;
    }
}

static inline const char *shmemi_cmp_name(int cmp)
{
    static const char *const names[] = {
        [SHMEM_CMP_EQ] = "SHMEM_CMP_EQ", [SHMEM_CMP_NE] = "SHMEM_CMP_NE", [SHMEM_CMP_GT] = "SHMEM_CMP_GT",
        [SHMEM_CMP_GE] = "SHMEM_CMP_GE", [SHMEM_CMP_LT] = "SHMEM_CMP_LT", [SHMEM_CMP_LE] = "SHMEM_CMP_LE",
    };

    return names[cmp];
}

/* Where a search of the nelems words at ivars begins, and which of them it gave the program. */
size_t shmemi_turn_of(const void *ivars, size_t nelems);
void shmemi_turn_took(const void *ivars, size_t i);

#endif
