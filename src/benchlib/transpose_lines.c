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
    PANEL =
        1024, /* source columns at a time: more target rows have more pages than the processor keeps translations; */
    REST = 64,    /* but so few more make no panel of their own */
    EARLY = 4,    /* lines asked for at the beginning of the rows below, where the read-ahead has not started yet */
};

typedef bl_word left_over[W]; /* of a target row, at the end of its line */

/* How many words further a new line begins: 1 to 8. */
static inline size_t to_next_line(const bl_word *p)
{
    return bytes_to_line(p + 1) / 8 + 1;
}

/* Rows of the target that begin at lines: nothing is left over. */
static inline __attribute__((always_inline)) void turn_even_strip(bl_word *b, size_t ldb, const bl_word *a, size_t lda,
                                                                  size_t columns)
{
    for (size_t j = 0; j < columns; j += W) {
        vec v[W], w[W];

        load_turned(v, a + j, lda);
        load_turned(w, a + j + W * lda, lda);
        for (size_t k = 0; k < W; k++, b += ldb) {
            stream(b, v[k]);
            stream(b + W, w[k]);
        }
    }
}

/* Put together in registers: stores behind those past the caches have not arrived yet where loads could find them. */
static inline __attribute__((always_inline)) void turn_strip(left_over *left, bl_word *b, size_t ldb, const bl_word *a,
                                                             size_t lda, size_t columns, bool first)
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
                stream(b + s - W, joined(load(left[j + k]), v[k], s));
            stream(b + s, joined(v[k], w[k], s));
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

static inline __attribute__((always_inline)) void turn_panel(bl_word *b, size_t ldb, const bl_word *a, size_t lda,
                                                             size_t rows, size_t columns)
{
    const size_t whole_rows = rows / TALL * TALL, whole_columns = columns / W * W;
    const bool even = bytes_to_line(b) == 0 && ldb % LINE_WORDS == 0;
    _Alignas(LINE) left_over left[PANEL + REST];

    for (size_t i = 0; i < whole_rows; i += TALL) {
        if (even)
            turn_even_strip(b + i, ldb, a + i * lda, lda, whole_columns);
        else if (i)
            turn_strip(left, b + i, ldb, a + i * lda, lda, whole_columns, false);
        else
            turn_strip(left, b, ldb, a, lda, whole_columns, true);
        for (size_t k = i + TALL; k < least(i + 2 * TALL, rows); k++)
            for (size_t j = 0; j < EARLY; j++)
                __builtin_prefetch(a + k * lda + j * LINE_WORDS, 0, 2);
        bl_turn_cached(b + whole_columns * ldb + i, ldb, a + i * lda + whole_columns, lda, TALL,
                       columns - whole_columns);
    }
    if (whole_rows && !even)
        send_rest(left, b + whole_rows, ldb, whole_columns);
    bl_turn_cached(b + whole_rows, ldb, a + whole_rows * lda, lda, rows - whole_rows, columns);
}

void bl_turn_stream(bl_word *b, size_t ldb, const bl_word *a, size_t lda, size_t rows, size_t columns)
{
    for (size_t j = 0, width; j < columns; j += width) {
        width = columns - j <= PANEL + REST ? columns - j : PANEL;
        turn_panel(b + j * ldb, ldb, a + j, lda, rows, width);
    }
}
