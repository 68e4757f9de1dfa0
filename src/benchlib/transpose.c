/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Transposition by squares of words in registers, for what the caches hold, and in place. A square of eight words
 * a side reads and writes whole lines where the rows begin at lines, so that rows which share a set of the first level
 * cache (leading dimensions of 512 words) need not stay in it.
 */
#include "benchlib/transpose.h"

#include <string.h>

enum {
    SIDE = LINE_WORDS, /* of what is turned at a time, in one or more squares */
    BLOCK = 128,       /* in place: a side of what is exchanged at a time */
};

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

/* ---- in place ---- */

static inline void exchange_words(bl_word *a, bl_word *b)
{
    const bl_word kept = *a;

    *a = *b;
    *b = kept;
}

static inline __attribute__((always_inline)) void exchange_squares(bl_word *p, bl_word *q, size_t lda)
{
    vec v[W], w[W];

    load_turned(v, p, lda);
    load_turned(w, q, lda);
    store_square(q, lda, v);
    store_square(p, lda, w);
}

/* For reading. */
static inline void ask_for(const bl_word *a, size_t lda, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns + LINE_WORDS; j += LINE_WORDS)
            __builtin_prefetch(a + i * lda + j, 0, 3);
}

/* The block of `rows` x `columns` at p with that of `columns` x `rows` at q; `next` rows below q are next. */
static void exchange_blocks(bl_word *p, bl_word *q, size_t lda, size_t rows, size_t columns, size_t next)
{
    const size_t whole_rows = rows / W * W, whole_columns = columns / W * W;

    ask_for(q + columns * lda, lda, next, rows);
    for (size_t i = 0; i < whole_rows; i += W)
        for (size_t j = 0; j < whole_columns; j += W)
            exchange_squares(p + i * lda + j, q + j * lda + i, lda);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = i < whole_rows ? whole_columns : 0; j < columns; j++)
            exchange_words(p + i * lda + j, q + j * lda + i);
}

static void turn_diagonal_block(bl_word *a, size_t lda, size_t n)
{
    const size_t whole = n / W * W;
    vec v[W];

    for (size_t i = 0; i < whole; i += W) {
        load_turned(v, a + i * lda + i, lda);
        store_square(a + i * lda + i, lda, v);
        for (size_t j = i + W; j < whole; j += W)
            exchange_squares(a + i * lda + j, a + j * lda + i, lda);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i < whole ? whole : i + 1; j < n; j++)
            exchange_words(a + i * lda + j, a + j * lda + i);
}

void bl_turn_in_place(bl_word *a, size_t lda, size_t n)
{
    for (size_t i = 0; i < n; i += BLOCK) {
        const size_t height = least(BLOCK, n - i);

        turn_diagonal_block(a + i * lda + i, lda, height);
        for (size_t j = i + BLOCK; j < n; j += BLOCK) {
            const size_t width = least(BLOCK, n - j), after = n - j - width;

            exchange_blocks(a + i * lda + j, a + j * lda + i, lda, height, width, least(BLOCK, after));
        }
    }
}
