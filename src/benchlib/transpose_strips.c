/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Transposition past the caches for vectors shorter than a line: a strip is turned into a buffer, and whole lines go
 * from there, since rows of a matrix whose leading dimension is odd begin anywhere in a line, and a line written in two
 * halves would be read first.
 */
#include "benchlib/transpose.h"

#include <string.h>

enum {
    BLOCK = 32,  /* source columns turned at once: with STRIP rows, 16 KiB */
    STRIP = 64,  /* source rows turned at once, */
    PANEL = 512, /* and source columns in a row of blocks: a page's, so that each translation serves many blocks. */
    MANY =
        1500, /* But up to so many rows, each in a page of its own, the processor keeps all translations: one block. */
};

/* For reading some time later, in the second level. */
static inline void ask_for_later(const bl_word *a, size_t lda, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns + LINE_WORDS; j += LINE_WORDS)
            __builtin_prefetch(a + i * lda + j, 0, 2);
}

/* Any shape, squares first, then the edges. */
static inline void turn_block(bl_word *b, size_t ldb, const bl_word *a, size_t lda, size_t rows, size_t columns)
{
    const size_t whole_rows = rows / W * W, whole_columns = columns / W * W;
    vec v[W];

    for (size_t i = 0; i < whole_rows; i += W) {
        for (size_t j = 0; j < whole_columns; j += W) {
            load_turned(v, a + i * lda + j, lda);
            store_square(b + j * ldb + i, ldb, v);
        }
        for (size_t j = whole_columns; j < columns; j++)
            for (size_t k = i; k < i + W; k++)
                b[j * ldb + k] = a[k * lda + j];
    }
    for (size_t i = whole_rows; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            b[j * ldb + i] = a[i * lda + j];
}

/* A turned block, with room before each row for what its target row's last piece left over: less than a line. */
struct strip {
    _Alignas(LINE) bl_word words[BLOCK][LINE_WORDS + STRIP];
    _Alignas(LINE) bl_word left[PANEL][LINE_WORDS]; /* of each target row, at the end of its line */
    unsigned char carried[PANEL]; /* and how many words these are */
};

static inline void move_line(bl_word *to, const bl_word *from)
{
    for (int k = 0; k < LINE_WORDS; k += W)
        store(to + k, load(from + k));
}

/* Row `k` of the block, `n` words, to target row `row` of the panel at `to`; whole lines go, what is left waits. */
static inline void send_row(struct strip *s, size_t k, size_t row, bl_word *to, size_t n)
{
    const size_t carried = s->carried[row];
    const bl_word *from = s->words[k] + LINE_WORDS - carried;

    move_line(s->words[k], s->left[row]);
    n += carried;
    to -= carried;
    if (carried == 0) { /* perhaps the row's beginning, inside a line */
        const size_t head = least(bytes_to_line(to) / 8, n);

        memcpy(to, from, head * 8);
        to += head, from += head, n -= head;
    }
    for (; n >= LINE_WORDS; n -= LINE_WORDS, to += LINE_WORDS, from += LINE_WORDS)
        stream_line(to, from);
    s->carried[row] = (unsigned char)n;
    move_line(s->left[row], from + n - LINE_WORDS);
}

/* Rows turned while a block of the strip before them is: a strip's, divided by the blocks of a panel. */
#define SHARE (STRIP / (PANEL / BLOCK))

/*
 * The next strip is asked for while this one is turned, by whole rows of the panel: in that order the processor's own
 * read-ahead takes part, which it does not in the order of the blocks.
 */
static void turn_panel(struct strip *s, bl_word *b, size_t ldb, const bl_word *a, size_t lda, size_t rows,
                       size_t columns)
{
    memset(s->carried, 0, sizeof s->carried);
    for (size_t i = 0; i < rows; i += STRIP)
        for (size_t j = 0; j < columns; j += BLOCK) {
            const size_t height = least(STRIP, rows - i), width = least(BLOCK, columns - j);
            const size_t later = least(i + STRIP + j / BLOCK * SHARE, rows);

            if (rows > MANY)
                ask_for_later(a + later * lda, lda, least(SHARE, rows - later), columns);
            turn_block(s->words[0] + LINE_WORDS, LINE_WORDS + STRIP, a + i * lda + j, lda, height, width);
            for (size_t k = 0; k < width; k++)
                send_row(s, k, j + k, b + (j + k) * ldb + i, height);
        }
    for (size_t j = 0; j < columns; j++)
        memcpy(b + j * ldb + rows - s->carried[j], s->left[j] + LINE_WORDS - s->carried[j], s->carried[j] * 8ul);
}

void bl_turn_stream(bl_word *b, size_t ldb, const bl_word *a, size_t lda, size_t rows, size_t columns)
{
    const size_t width = rows > MANY ? PANEL : BLOCK;
    struct strip s;

    memset(s.left, 0, sizeof s.left); /* it is copied before a row's first piece, too, when it has nothing */
    for (size_t j = 0; j < columns; j += width)
        turn_panel(&s, b + j * ldb, ldb, a + j, lda, rows, least(width, columns - j));
}
