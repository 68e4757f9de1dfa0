/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Transposition in place. Squares of words are exchanged in registers, each word read and written once. Only where words
 * and their mirror images lie at the same place of a page, within a line or two, do tiles go by way of buffers instead.
 */
#include "benchlib/transpose.h"

enum {
    BLOCK = 128, /* words: a side of what is exchanged square by square, */
    TILE = 48,   /* and by way of two buffers that the first level cache holds, */
    ROOM = TILE + LINE_WORDS, /* whose rows have an odd number of lines, so that they spread over its sets */
};

typedef bl_word buffer[TILE][ROOM];

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

static void turn_by_squares(bl_word *a, size_t lda, size_t n)
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

/* ---- by way of buffers ---- */

static void turn_to(buffer b, const bl_word *a, size_t lda, size_t rows, size_t columns)
{
    const size_t whole_rows = rows / W * W, whole_columns = columns / W * W;
    vec v[W];

    for (size_t i = 0; i < whole_rows; i += W)
        for (size_t j = 0; j < whole_columns; j += W) {
            load_turned(v, a + i * lda + j, lda);
            store_square(b[j] + i, ROOM, v);
        }
    bl_turn_cached(b[whole_columns], ROOM, a + whole_columns, lda, whole_rows, columns - whole_columns);
    bl_turn_cached(b[0] + whole_rows, ROOM, a + whole_rows * lda, lda, rows - whole_rows, columns);
}

/* Fewer words than a line has; the buffer goes on behind them. */
static inline void move_some(bl_word *to, const bl_word *from, size_t n)
{
#if defined(__AVX512F__)
    store_words(to, load(from), 0, n);
#else
    for (size_t k = 0; k < n; k++)
        to[k] = from[k];
#endif
}

/* By whole lines: half a line left behind would soon make room for others that begin in the same sets. */
static void move_back(bl_word *a, size_t lda, const buffer b, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; i++) {
        const size_t head = least(bytes_to_line(a + i * lda) / 8, columns);
        bl_word *to = a + i * lda + head;
        const bl_word *from = b[i] + head;
        size_t n = columns - head;

        move_some(to - head, b[i], head);
        for (; n >= LINE_WORDS; n -= LINE_WORDS, to += LINE_WORDS, from += LINE_WORDS)
            for (size_t k = 0; k < LINE_WORDS; k += W)
                store(to + k, load(from + k));
        move_some(to, from, n);
    }
}

/* All is read before anything is written, so that no load has to tell itself from a store to the same place of a page. */
static void turn_by_tiles(bl_word *a, size_t lda, size_t n)
{
    _Alignas(LINE) buffer first, second;

    for (size_t i = 0; i < n; i += TILE) {
        const size_t rows = least(TILE, n - i);
        bl_word *const corner = a + i * lda + i;

        turn_to(first, corner, lda, rows, rows);
        move_back(corner, lda, first, rows, rows);
        for (size_t j = i + TILE; j < n; j += TILE) {
            const size_t columns = least(TILE, n - j);
            bl_word *const right = a + i * lda + j, *const below = a + j * lda + i;

            turn_to(first, right, lda, rows, columns);
            turn_to(second, below, lda, columns, rows);
            move_back(right, lda, second, rows, columns);
            move_back(below, lda, first, columns, rows);
        }
    }
}

/*
 * a[i * lda + j] and a[j * lda + i] are (lda - 1) * (i - j) words apart: with rows of whole pages, or a word more or less,
 * they and all their neighbours meet in a few sets of the first level cache, and loads wait for stores they have
 * nothing to do with.
 */
static bool mirror_meets(size_t lda)
{
    return (lda + 1) % (PAGE / 8) <= 2;
}

void bl_turn_in_place(bl_word *a, size_t lda, size_t n)
{
    if (n > TILE && mirror_meets(lda))
        turn_by_tiles(a, lda, n);
    else
        turn_by_squares(a, lda, n);
}
