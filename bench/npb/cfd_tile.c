/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tiles in and out, eight by eight.
 */
#include "cfd_tile.h"

#include <string.h>

NPB_CLONES void cfd_tile_in(const double *rows, long stride, long width, double *tile, long step)
{
    for (long i = 0; i < width; i += NPB_WIDE)
        npb_turn(rows + i, stride, tile + i * step, step);
}

NPB_CLONES void cfd_tile_out(const double *tile, long step, double *rows, long stride, int count, long width)
{
    npb_vector block[NPB_WIDE];

    for (long i = 0; i < width; i += NPB_WIDE) {
        npb_turn(tile + i * step, step, (double *)block, NPB_WIDE);
        for (int j = 0; j < count; j++)
            *(npb_vector *)(rows + i + j * stride) = block[j];
    }
}
