/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SP's changes of variables between the directions, at each point by itself: rhs in terms of the waves of one direction
 * becomes rhs in terms of the next one's.
 */
#ifndef NPB_SP_ROWS_H
#define NPB_SP_ROWS_H

#include "cfd.h"

/* The speed of sound of so many points. */
void sp_rows_sound(const struct cfd *c, long at, double *sound, long count);
/* From the conserved quantities to the waves of x. */
void sp_rows_begin(const struct cfd *c, long at, const double *sound, long count);
void sp_rows_x_to_y(const struct cfd *c, long at, long count);
void sp_rows_y_to_z(const struct cfd *c, long at, long count);
/* From the waves of z back to the conserved quantities, which are added to u. */
void sp_rows_end(const struct cfd *c, long at, const double *sound, long count);

#endif
