/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies of many small blocks at regular distances: one loop per usual block
 * size, so that a block is one load and one store, and early requests for lines
 * that are too far apart for the processor to foresee.
 */
#include "core/core.h"
#include "core/mem/copy.h"

enum {
    FAR = 256,  /* bytes: stores this far apart are announced early */
    AHEAD = 16, /* blocks */
};

typedef long pair __attribute__((vector_size(16)));

#define ALWAYS __attribute__((always_inline)) static inline

/* Four loads, then four stores, each of one block. Address arithmetic is done on
 * integers: announced addresses may lie outside the object. */
#define BLOCKS(type)                                                                                 \
    ALWAYS void loop_##type(uintptr_t d, uintptr_t ds, uintptr_t s, uintptr_t ss, size_t n, bool far) \
    {                                                                                                \
        type a, b, c, e;                                                                             \
                                                                                                     \
        for (; n >= 4; n -= 4, d += 4 * ds, s += 4 * ss) {                                           \
            for (uintptr_t k = AHEAD; far && k < AHEAD + 4; k++)                                     \
                __builtin_prefetch((const void *)(d + k * ds), 1);                                   \
            __builtin_memcpy(&a, (const void *)s, sizeof a);                                         \
            __builtin_memcpy(&b, (const void *)(s + ss), sizeof a);                                  \
            __builtin_memcpy(&c, (const void *)(s + 2 * ss), sizeof a);                              \
            __builtin_memcpy(&e, (const void *)(s + 3 * ss), sizeof a);                              \
            __builtin_memcpy((void *)d, &a, sizeof a);                                               \
            __builtin_memcpy((void *)(d + ds), &b, sizeof a);                                        \
            __builtin_memcpy((void *)(d + 2 * ds), &c, sizeof a);                                    \
            __builtin_memcpy((void *)(d + 3 * ds), &e, sizeof a);                                    \
        }                                                                                            \
        for (; n; n--, d += ds, s += ss)                                                             \
            __builtin_memcpy((void *)d, (const void *)s, sizeof a);                                  \
    }                                                                                                \
                                                                                                     \
    static void strided_##type(uintptr_t d, uintptr_t ds, uintptr_t s, uintptr_t ss, size_t n)       \
    {                                                                                                \
        if ((intptr_t)ds >= FAR || (intptr_t)ds <= -FAR)                                             \
            loop_##type(d, ds, s, ss, n, true);                                                      \
        else if (ds == sizeof(type))                                                                 \
            loop_##type(d, sizeof(type), s, ss, n, false);                                           \
        else if (ss == sizeof(type))                                                                 \
            loop_##type(d, ds, s, sizeof(type), n, false);                                           \
        else                                                                                         \
            loop_##type(d, ds, s, ss, n, false);                                                     \
    }

BLOCKS(uint8_t)
BLOCKS(uint16_t)
BLOCKS(uint32_t)
BLOCKS(uint64_t)
BLOCKS(pair)

/* Sizes between the powers of two: the first and the last bytes, which overlap. */
#define ENDS(type)                                                                                   \
    static void ends_##type(uintptr_t d, uintptr_t ds, uintptr_t s, uintptr_t ss, size_t bytes, size_t n) \
    {                                                                                                \
        size_t end = bytes - sizeof(type);                                                           \
        type a, b, c, e;                                                                             \
                                                                                                     \
        for (; n >= 2; n -= 2, d += 2 * ds, s += 2 * ss) {                                           \
            __builtin_memcpy(&a, (const void *)s, sizeof a);                                         \
            __builtin_memcpy(&b, (const void *)(s + end), sizeof a);                                 \
            __builtin_memcpy(&c, (const void *)(s + ss), sizeof a);                                  \
            __builtin_memcpy(&e, (const void *)(s + ss + end), sizeof a);                            \
            __builtin_memcpy((void *)d, &a, sizeof a);                                               \
            __builtin_memcpy((void *)(d + end), &b, sizeof a);                                       \
            __builtin_memcpy((void *)(d + ds), &c, sizeof a);                                        \
            __builtin_memcpy((void *)(d + ds + end), &e, sizeof a);                                  \
        }                                                                                            \
        if (n) {                                                                                     \
            __builtin_memcpy(&a, (const void *)s, sizeof a);                                         \
            __builtin_memcpy(&b, (const void *)(s + end), sizeof a);                                 \
            __builtin_memcpy((void *)d, &a, sizeof a);                                               \
            __builtin_memcpy((void *)(d + end), &b, sizeof a);                                       \
        }                                                                                            \
    }

typedef struct { pair first, second; } four; /* 32 bytes */

ENDS(uint16_t)
ENDS(uint32_t)
ENDS(uint64_t)
ENDS(pair)
ENDS(four)

static void strided_small(uintptr_t d, uintptr_t ds, uintptr_t s, uintptr_t ss, size_t bytes, size_t n)
{
    if (bytes > 32)
        ends_four(d, ds, s, ss, bytes, n);
    else if (bytes > 16)
        ends_pair(d, ds, s, ss, bytes, n);
    else if (bytes > 8)
        ends_uint64_t(d, ds, s, ss, bytes, n);
    else if (bytes > 4)
        ends_uint32_t(d, ds, s, ss, bytes, n);
    else
        ends_uint16_t(d, ds, s, ss, bytes, n);
}

static void strided_large(uintptr_t d, uintptr_t ds, uintptr_t s, uintptr_t ss, size_t bytes, size_t n)
{
    core_copy_loop *copy = core_copy_loop_for(bytes);

    for (; n; n--, d += ds, s += ss)
        copy((void *)d, (const void *)s, bytes);
}

void core_copy_strided(void *to, ptrdiff_t to_stride, const void *from, ptrdiff_t from_stride,
                       size_t bytes, size_t nblocks)
{
    uintptr_t d = (uintptr_t)to, ds = (uintptr_t)to_stride;
    uintptr_t s = (uintptr_t)from, ss = (uintptr_t)from_stride;

    if (ds == bytes && ss == bytes) {
        core_copy(to, from, bytes * nblocks);
        return;
    }
    switch (bytes) {
    case 0: return;
    case 1: strided_uint8_t(d, ds, s, ss, nblocks); return;
    case 2: strided_uint16_t(d, ds, s, ss, nblocks); return;
    case 4: strided_uint32_t(d, ds, s, ss, nblocks); return;
    case 8: strided_uint64_t(d, ds, s, ss, nblocks); return;
    case 16: strided_pair(d, ds, s, ss, nblocks); return;
    }
    if (bytes <= 64)
        strided_small(d, ds, s, ss, bytes, nblocks);
    else
        strided_large(d, ds, s, ss, bytes, nblocks);
}
