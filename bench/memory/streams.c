/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One to four arrays read or written side by side, for the table of loads and stores. CMakeLists.txt keeps gcc from
 * making one loop for each array of them.
 */
#include "memory.h"

#include "loops.h"

/* Exclusive or, as that doesn't make the loop wait as sums of floating-point numbers do, and shows each word read. */
#define LOADS(name, expression)                                                                        \
    CLONES static void name(struct mem_streams *s)                                                     \
    {                                                                                                  \
        const uint64_t *const p = s->x[0], *const q = s->x[1], *const r = s->x[2], *const t = s->x[3]; \
        uint64_t sum = 0;                                                                              \
                                                                                                       \
        for (size_t i = 0; i < s->n; i++)                                                              \
            sum ^= expression;                                                                         \
        s->sum = sum;                                                                                  \
        (void)q, (void)r, (void)t;                                                                     \
    }
LOADS(load_1, p[i])
LOADS(load_2, p[i] ^ q[i])
LOADS(load_3, p[i] ^ q[i] ^ r[i])
LOADS(load_4, p[i] ^ q[i] ^ r[i] ^ t[i])

#define STORES(name, statements)                                           \
    CLONES static void name(struct mem_streams *s)                         \
    {                                                                      \
        uint64_t *restrict const p = s->x[0], *restrict const q = s->x[1]; \
        uint64_t *restrict const r = s->x[2], *restrict const t = s->x[3]; \
        const uint64_t v = s->value;                                       \
        const size_t n = s->n;                                             \
                                                                           \
        for (size_t i = 0; i < n; i++) {                                   \
            statements;                                                    \
        }                                                                  \
        (void)q, (void)r, (void)t;                                         \
    }
STORES(store_1, p[i] = v)
STORES(store_2, p[i] = v; q[i] = v)
STORES(store_3, p[i] = v; q[i] = v; r[i] = v)
STORES(store_4, p[i] = v; q[i] = v; r[i] = v; t[i] = v)

#define LOAD_STORES(name, statements)                                            \
    CLONES void name(struct mem_streams *s)                                      \
    {                                                                            \
        const uint64_t *restrict const p = s->x[0], *restrict const r = s->x[2]; \
        uint64_t *restrict const q = s->x[1], *restrict const t = s->x[3];       \
        const size_t n = s->n;                                                   \
                                                                                 \
        for (size_t i = 0; i < n; i++) {                                         \
            statements;                                                          \
        }                                                                        \
        (void)r, (void)t;                                                        \
    }
LOAD_STORES(mem_load_store_2, q[i] = p[i])
LOAD_STORES(mem_load_store_4, q[i] = p[i]; t[i] = r[i])

mem_loop *const mem_loads[4] = {load_1, load_2, load_3, load_4};
mem_loop *const mem_stores[4] = {store_1, store_2, store_3, store_4};
