/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Transposition in place. Squares of words are exchanged in registers, each word read and written once. Only where
 * words and their mirror images lie at the same place of a page, within a line or two, do tiles go by way of buffers
 * instead.
 */
#include "benchlib/transpose.h"

enum {
    BLOCK = 128, /* words: a side of what is exchanged square by square, */
    TILE = 48,   /* and by way of two buffers that the first level cache holds, */
    LARGE = 128, /* or the second, where the caches don't hold the matrix and pieces of its rows should be long */
};

/* A buffer's rows have an odd number of lines, so that they spread over the sets of the caches. */
#define ROOM(side) ((side) + LINE_WORDS)

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

static void turn_to(bl_word *b, size_t room, const bl_word *a, size_t lda, size_t rows, size_t columns)
{
    const size_t whole_rows = rows / W * W, whole_columns = columns / W * W;
    vec v[W];

    for (size_t i = 0; i < whole_rows; i += W)
        for (size_t j = 0; j < whole_columns; j += W) {
            load_turned(v, a + i * lda + j, lda);
            store_square(b + j * room + i, room, v);
        }
    bl_turn_cached(b + whole_columns * room, room, a + whole_columns, lda, whole_rows, columns - whole_columns);
    bl_turn_cached(b + whole_rows, room, a + whole_rows * lda, lda, rows - whole_rows, columns);
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
static void move_back(bl_word *a, size_t lda, const bl_word *b, size_t room, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; i++) {
        const size_t head = least(bytes_to_line(a + i * lda) / 8, columns);
        bl_word *to = a + i * lda + head;
        const bl_word *from = b + i * room + head;
        size_t n = columns - head;

        move_some(to - head, from - head, head);
        for (; n >= LINE_WORDS; n -= LINE_WORDS, to += LINE_WORDS, from += LINE_WORDS)
            for (size_t k = 0; k < LINE_WORDS; k += W)
                store(to + k, load(from + k));
        move_some(to, from, n);
    }
}

/* All is read before anything is written, so that no load has to tell itself from a store to the same place of a page.
 */
static inline __attribute__((always_inline)) void turn_by_tiles(bl_word *a, size_t lda, size_t n, size_t side,
                                                                bl_word *first, bl_word *second)
{
    for (size_t i = 0; i < n; i += side) {
        const size_t rows = least(side, n - i);
        bl_word *const corner = a + i * lda + i;

        turn_to(first, ROOM(side), corner, lda, rows, rows);
        move_back(corner, lda, first, ROOM(side), rows, rows);
        for (size_t j = i + side; j < n; j += side) {
            const size_t columns = least(side, n - j);
            bl_word *const right = a + i * lda + j, *const below = a + j * lda + i;

            turn_to(first, ROOM(side), right, lda, rows, columns);
            turn_to(second, ROOM(side), below, lda, columns, rows);
            move_back(right, lda, second, ROOM(side), rows, columns);
            move_back(below, lda, first, ROOM(side), columns, rows);
        }
    }
}

static __attribute__((noinline)) void turn_by_small_tiles(bl_word *a, size_t lda, size_t n)
{
    _Alignas(LINE) bl_word first[TILE * ROOM(TILE)], second[TILE * ROOM(TILE)];

    turn_by_tiles(a, lda, n, TILE, first, second);
}

static __attribute__((noinline)) void turn_by_large_tiles(bl_word *a, size_t lda, size_t n)
{
    _Alignas(LINE) bl_word first[LARGE * ROOM(LARGE)], second[LARGE * ROOM(LARGE)];

    turn_by_tiles(a, lda, n, LARGE, first, second);
}

/*
 * a[i * lda + j] and a[j * lda + i] are (lda - 1) * (i - j) words apart: with rows of whole pages, or a word more or
 * less, they and all their neighbours meet in a few sets of the first level cache, and loads wait for stores they have
 * nothing to do with.
 */
static bool mirror_meets(size_t lda)
{
    return (lda + 1) % (PAGE / 8) <= 2;
}

void bl_turn_in_place(bl_word *a, size_t lda, size_t n)
{
    if (n <= TILE || !mirror_meets(lda))
        turn_by_squares(a, lda, n);
    else if (n * lda < bl_machine.set_stream_min / 8)
        turn_by_small_tiles(a, lda, n);
    else
        turn_by_large_tiles(a, lda, n);
}
