/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files on transposition give to each other and to the table in kernels.c; all are compiled once for each
 * instruction set.
 */
#ifndef BENCHLIB_TRANSPOSE_H
#define BENCHLIB_TRANSPOSE_H

#include "benchlib/vec.h"

#define bl_turn_cached FOR_ISA(bl_turn_cached)
#define bl_turn_stream FOR_ISA(bl_turn_stream)
#define bl_turn_in_place FOR_ISA(bl_turn_in_place)

static inline size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- transpose.c ---- */

void bl_turn_cached(bl_word *b, size_t ldb, const bl_word *a, size_t lda, size_t rows, size_t columns);

/* ---- transpose_in_place.c ---- */

void bl_turn_in_place(bl_word *a, size_t lda, size_t n);

/* ---- transpose_lines.c where a vector is a line, else transpose_strips.c ---- */

void bl_turn_stream(bl_word *b, size_t ldb, const bl_word *a, size_t lda, size_t rows, size_t columns);

#endif
