/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies of many small blocks at regular distances: one loop per usual block
 * size, so that a block is one load and one store, and early requests for lines
 * that are too far apart for the processor to foresee. One function serves all sizes:
 * it is compiled once for each, as the size is a constant where it is called.
 */
#include "core/core.h"
#include "core/mem/copy_loops.h"

enum {
    FAR = 256,  /* bytes: stores this far apart are announced early */
    AHEAD = 16, /* blocks */
};

typedef long pair __attribute__((vector_size(16)));

#define ALWAYS __attribute__((always_inline)) static inline

/* A block on its way: as many registers as its size takes. */
struct block {
    pair first, second;
};

/* Four loads, then four stores, each of one block. Address arithmetic is done on
 * integers: announced addresses may lie outside the object. */
ALWAYS void loop(uintptr_t d, uintptr_t ds, uintptr_t s, uintptr_t ss, size_t n, size_t size, bool announce)
{
    struct block a, b, c, e;

    for (; n >= 4; n -= 4, d += 4 * ds, s += 4 * ss) {
        for (uintptr_t k = AHEAD; announce && k < AHEAD + 4; k++)
            __builtin_prefetch((const void *)(d + k * ds), 1);
        __builtin_memcpy(&a, (const void *)s, size);
        __builtin_memcpy(&b, (const void *)(s + ss), size);
        __builtin_memcpy(&c, (const void *)(s + 2 * ss), size);
        __builtin_memcpy(&e, (const void *)(s + 3 * ss), size);
        __builtin_memcpy((void *)d, &a, size);
        __builtin_memcpy((void *)(d + ds), &b, size);
        __builtin_memcpy((void *)(d + 2 * ds), &c, size);
        __builtin_memcpy((void *)(d + 3 * ds), &e, size);
    }
    for (; n; n--, d += ds, s += ss)
        __builtin_memcpy((void *)d, (const void *)s, size);
}

/* A distance that is the size is a constant to the compiler, too. */
ALWAYS void strided(uintptr_t d, uintptr_t ds, uintptr_t s, uintptr_t ss, size_t n, size_t size)
{
    if ((intptr_t)ds >= FAR || (intptr_t)ds <= -FAR)
        loop(d, ds, s, ss, n, size, true);
    else if (ds == size)
        loop(d, size, s, ss, n, size, false);
    else if (ss == size)
        loop(d, ds, s, size, n, size, false);
    else
        loop(d, ds, s, ss, n, size, false);
}

/* Sizes between the powers of two: the first and the last `part` bytes, which overlap. */
ALWAYS void ends(uintptr_t d, uintptr_t ds, uintptr_t s, uintptr_t ss, size_t bytes, size_t n, size_t part)
{
    size_t end = bytes - part;
    struct block a, b, c, e;

    for (; n >= 2; n -= 2, d += 2 * ds, s += 2 * ss) {
        __builtin_memcpy(&a, (const void *)s, part);
        __builtin_memcpy(&b, (const void *)(s + end), part);
        __builtin_memcpy(&c, (const void *)(s + ss), part);
        __builtin_memcpy(&e, (const void *)(s + ss + end), part);
        __builtin_memcpy((void *)d, &a, part);
        __builtin_memcpy((void *)(d + end), &b, part);
        __builtin_memcpy((void *)(d + ds), &c, part);
        __builtin_memcpy((void *)(d + ds + end), &e, part);
    }
    if (n) {
        __builtin_memcpy(&a, (const void *)s, part);
        __builtin_memcpy(&b, (const void *)(s + end), part);
        __builtin_memcpy((void *)d, &a, part);
        __builtin_memcpy((void *)(d + end), &b, part);
    }
}

static void strided_small(uintptr_t d, uintptr_t ds, uintptr_t s, uintptr_t ss, size_t bytes, size_t n)
{
    if (bytes > 32)
        ends(d, ds, s, ss, bytes, n, 32);
    else if (bytes > 16)
        ends(d, ds, s, ss, bytes, n, 16);
    else if (bytes > 8)
        ends(d, ds, s, ss, bytes, n, 8);
    else if (bytes > 4)
        ends(d, ds, s, ss, bytes, n, 4);
    else
        ends(d, ds, s, ss, bytes, n, 2);
}

static void strided_large(uintptr_t d, uintptr_t ds, uintptr_t s, uintptr_t ss, size_t bytes, size_t n)
{
    core_copy_loop *copy = core_copy_loop_for(bytes);

    for (; n; n--, d += ds, s += ss)
        copy((void *)d, (const void *)s, bytes);
}

void core_copy_strided(void *to, ptrdiff_t to_stride, const void *from, ptrdiff_t from_stride, size_t bytes,
                       size_t nblocks)
{
    uintptr_t d = (uintptr_t)to, ds = (uintptr_t)to_stride;
    uintptr_t s = (uintptr_t)from, ss = (uintptr_t)from_stride;

    if (ds == bytes && ss == bytes) {
        core_copy(to, from, bytes * nblocks);
        return;
    }
    switch (bytes) {
    case 0:
        return;
    case 1:
        strided(d, ds, s, ss, nblocks, 1);
        return;
    case 2:
        strided(d, ds, s, ss, nblocks, 2);
        return;
    case 4:
        strided(d, ds, s, ss, nblocks, 4);
        return;
    case 8:
        strided(d, ds, s, ss, nblocks, 8);
        return;
    case 16:
        strided(d, ds, s, ss, nblocks, 16);
        return;
    }
    if (bytes <= 64)
        strided_small(d, ds, s, ss, bytes, nblocks);
    else
        strided_large(d, ds, s, ss, bytes, nblocks);
}
