/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Eight lines at a time: a vector has one element of each. Where the lines run along the rows, these are turned into a
 * tile first.
 */
#ifndef NPB_CFD_TILE_H
#define NPB_CFD_TILE_H

#include "common/turn.h"

/* Element i of eight rows, `stride` words apart, becomes the vector at tile + i * step; `width`, a multiple of 8, of
 * them. */
void cfd_tile_in(const double *rows, long stride, long width, double *tile, long step);
/* And back, but only the first `count` rows. */
void cfd_tile_out(const double *tile, long step, double *rows, long stride, int count, long width);

#endif
