/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Transposition by whole lines, for what the caches don't hold, where a vector is a line: the source is read along its
 * rows, which the processor's own read-ahead follows, and every line of the target is stored once and whole, in
 * whatever order. Rows of the target may begin anywhere in a line (a leading dimension of 1025 words), so what does
 * not fill a line waits for the next rows of the source.
 */
#include "benchlib/transpose.h"

enum {
    TALL = 2 * W, /* source rows at a time: two lines of each target row */
    PANEL = 1024, /* source columns at a time: more target rows have more pages than the processor keeps translations; */
    REST = 64,    /* but so few more make no panel of their own */
    EARLY = 4,    /* lines asked for at the beginning of the rows below, where the read-ahead has not started yet */
    TILE = 128,   /* in place: two are exchanged at a time, one by way of a buffer in the second level */
};

typedef bl_word left_over[W]; /* of a target row, at the end of its line */

/* How many words further a new line begins: 1 to 8. */
static inline size_t to_next_line(const bl_word *p)
{
    return bytes_to_line(p + 1) / 8 + 1;
}

static inline void send(bl_word *to, vec v, bool past_caches)
{
    if (past_caches)
        stream(to, v);
    else
        store(to, v);
}

/* Rows of the target that begin at lines: nothing is left over. */
static inline __attribute__((always_inline)) void turn_even_strip(bl_word *b, size_t ldb, const bl_word *a, size_t lda, size_t columns, bool past_caches)
{
    for (size_t j = 0; j < columns; j += W) {
        vec v[W], w[W];

        load_turned(v, a + j, lda);
        load_turned(w, a + j + W * lda, lda);
        for (size_t k = 0; k < W; k++, b += ldb) {
            send(b, v[k], past_caches);
            send(b + W, w[k], past_caches);
        }
    }
}

/* Put together in registers: stores behind those past the caches have not arrived yet where loads could find them. */
static inline __attribute__((always_inline)) void turn_strip(left_over *left, bl_word *b, size_t ldb, const bl_word *a, size_t lda, size_t columns, bool first,
                              bool past_caches)
{
    for (size_t j = 0; j < columns; j += W) {
        vec v[W], w[W];

        load_turned(v, a + j, lda);
        load_turned(w, a + j + W * lda, lda);
        for (size_t k = 0; k < W; k++, b += ldb) {
            const size_t s = to_next_line(b);

            if (first)
                store_words(b, v[k], 0, s);
            else
                send(b + s - W, joined(load(left[j + k]), v[k], s), past_caches);
            send(b + s, joined(v[k], w[k], s), past_caches);
            store(left[j + k], w[k]);
        }
    }
}

/* The last words of target rows that end at `end`: less than a line. */
static void send_rest(left_over *left, bl_word *end, size_t ldb, size_t columns)
{
    for (size_t j = 0; j < columns; j++, end += ldb)
        store_words(end - W, load(left[j]), to_next_line(end), W);
}

static inline __attribute__((always_inline)) void turn_panel(bl_word *b, size_t ldb, const bl_word *a, size_t lda, size_t rows, size_t columns, bool past_caches)
{
    const size_t whole_rows = rows / TALL * TALL, whole_columns = columns / W * W;
    const bool even = bytes_to_line(b) == 0 && ldb % LINE_WORDS == 0;
    _Alignas(LINE) left_over left[PANEL + REST];

    for (size_t i = 0; i < whole_rows; i += TALL) {
        if (even)
            turn_even_strip(b + i, ldb, a + i * lda, lda, whole_columns, past_caches);
        else if (i)
            turn_strip(left, b + i, ldb, a + i * lda, lda, whole_columns, false, past_caches);
        else
            turn_strip(left, b, ldb, a, lda, whole_columns, true, past_caches);
        for (size_t k = i + TALL; k < least(i + 2 * TALL, rows); k++)
            for (size_t j = 0; j < EARLY; j++)
                __builtin_prefetch(a + k * lda + j * LINE_WORDS, 0, 2);
        bl_turn_cached(b + whole_columns * ldb + i, ldb, a + i * lda + whole_columns, lda, TALL, columns - whole_columns);
    }
    if (whole_rows && !even)
        send_rest(left, b + whole_rows, ldb, whole_columns);
    bl_turn_cached(b + whole_rows, ldb, a + whole_rows * lda, lda, rows - whole_rows, columns);
}

void bl_turn_stream(bl_word *b, size_t ldb, const bl_word *a, size_t lda, size_t rows, size_t columns)
{
    for (size_t j = 0, width; j < columns; j += width) {
        width = columns - j <= PANEL + REST ? columns - j : PANEL;
        turn_panel(b + j * ldb, ldb, a + j, lda, rows, width, true);
    }
}

/* ---- in place ---- */

/* To a buffer, along the rows of the source. */
static void turn_to(bl_word *b, size_t ldb, const bl_word *a, size_t lda, size_t rows, size_t columns)
{
    const size_t whole_rows = rows / W * W, whole_columns = columns / W * W;

    for (size_t i = 0; i < whole_rows; i += W)
        for (size_t j = 0; j < whole_columns; j += W) {
            vec v[W];

            load_turned(v, a + i * lda + j, lda);
            store_square(b + j * ldb + i, ldb, v);
        }
    bl_turn_cached(b + whole_columns * ldb, ldb, a + whole_columns, lda, whole_rows, columns - whole_columns);
    bl_turn_cached(b + whole_rows, ldb, a + whole_rows * lda, lda, rows - whole_rows, columns);
}

/* A vector can be loaded from wherever the row goes on. */
static void move_row(bl_word *to, const bl_word *from, size_t n)
{
    const size_t head = least(bytes_to_line(to) / 8, n);

    store_words(to, load(from), 0, head);
    for (to += head, from += head, n -= head; n >= W; n -= W, to += W, from += W)
        store(to, load(from));
    store_words(to, load(from), 0, n);
}

/*
 * The `rows` x `columns` words at p with the `columns` x `rows` at q. Squares exchanged one by one would leave lines half
 * written behind, which with rows of 512 words and one, or 1024 and one, all share a few sets of the first level cache.
 */
static void exchange_tiles(bl_word *p, bl_word *q, size_t lda, size_t rows, size_t columns)
{
    enum { ROOM = TILE + LINE_WORDS }; /* an odd number of lines, for the sake of the sets again */
    _Alignas(LINE) bl_word kept[TILE][ROOM];

    turn_to(kept[0], ROOM, p, lda, rows, columns);
    turn_panel(p, lda, q, lda, columns, rows, false);
    for (size_t j = 0; j < columns; j++)
        move_row(q + j * lda, kept[j], rows);
}

void bl_turn_in_place_lines(bl_word *a, size_t lda, size_t n)
{
    for (size_t i = 0; i < n; i += TILE) {
        const size_t rows = least(TILE, n - i);

        bl_turn_in_place(a + i * lda + i, lda, rows);
        for (size_t j = i + TILE; j < n; j += TILE)
            exchange_tiles(a + i * lda + j, a + j * lda + i, lda, rows, least(TILE, n - j));
    }
}
