/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Transposition by squares of words in registers, for what the caches hold. A square of eight words a side reads and
 * writes whole lines where the rows begin at lines, so that rows which share a set of the first level cache (leading
 * dimensions of 512 words) need not stay in it.
 */
#include "benchlib/transpose.h"

enum { SIDE = LINE_WORDS }; /* of what is turned at a time, in one or more squares */

static inline __attribute__((always_inline)) void turn_side(bl_word *b, size_t ldb, const bl_word *a, size_t lda)
{
    vec v[W];

    for (size_t j = 0; j < SIDE; j += W)
        for (size_t i = 0; i < SIDE; i += W) {
            load_turned(v, a + i * lda + j, lda);
            store_square(b + j * ldb + i, ldb, v);
        }
}

static void turn_words(bl_word *b, size_t ldb, const bl_word *a, size_t lda, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            b[j * ldb + i] = a[i * lda + j];
}

/*
 * Eight target rows at a time, which so are written along; their next lines are asked for, since a store that misses
 * waits longer than a load, and those behind it with it. What is left at the edges is turned once more together with
 * words before it.
 */
void bl_turn_cached(bl_word *b, size_t ldb, const bl_word *a, size_t lda, size_t rows, size_t columns)
{
    if (rows < SIDE || columns < SIDE) {
        turn_words(b, ldb, a, lda, rows, columns);
        return;
    }
    for (size_t j = 0; j < columns; j += SIDE) {
        const size_t column = least(j, columns - SIDE);

        for (size_t i = 0; i < rows; i += SIDE) {
            const size_t row = least(i, rows - SIDE);

            for (size_t k = 0; k < SIDE; k++)
                __builtin_prefetch(b + (column + k) * ldb + row + SIDE, 1, 3);
            turn_side(b + column * ldb + row, ldb, a + row * lda + column, lda);
        }
    }
}
