/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vectors of eight numbers, and eight rows turned into eight columns.
 */
#ifndef NPB_TURN_H
#define NPB_TURN_H

#include "clones.h"

#define NPB_WIDE 8

typedef double npb_vector __attribute__((vector_size(NPB_WIDE * sizeof(double))));
/* The same wherever it lies. */
typedef double npb_loose __attribute__((vector_size(NPB_WIDE * sizeof(double)), aligned(sizeof(double))));

/* to[i * step] lane j := from[j * stride + i]: pairs, then fours, then eights change places. All aligned to vectors. */
NPB_INLINE void npb_turn(const double *from, long stride, double *to, long step)
{
    npb_vector a[NPB_WIDE], b[NPB_WIDE];

    for (int i = 0; i < NPB_WIDE; i += 2) {
        const npb_vector x = *(const npb_vector *)(from + i * stride),
                         y = *(const npb_vector *)(from + (i + 1) * stride);

        a[i] = __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14);
        a[i + 1] = __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < NPB_WIDE; i += 4)
        for (int j = i; j < i + 2; j++) {
            b[j] = __builtin_shufflevector(a[j], a[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            b[j + 2] = __builtin_shufflevector(a[j], a[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int j = 0; j < NPB_WIDE / 2; j++) {
        *(npb_vector *)(to + j * step) = __builtin_shufflevector(b[j], b[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        *(npb_vector *)(to + (j + 4) * step) = __builtin_shufflevector(b[j], b[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

#endif
