/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is computed on the cells: two quantities that diffuse and mix, by differences to the six neighbours; and how it
 * is known that a distributed run is right.
 */
#ifndef PARTITION_FIELD_H
#define PARTITION_FIELD_H

#include "grid.h"

/* Beginning values of all cells and fixed ones beyond the cube's edge, by their place in the whole. */
void field_begin(const struct grid *g, struct cell *f);
void field_step(const struct grid *g, const struct cell *from, struct cell *to);
/* True when this part is what `steps` steps of one process alone leave; for small cubes. */
bool field_as_alone(const struct grid *g, const struct cell *f, int steps);

/* Fills own cells with their place in the whole and ghosts with none; after an exchange, ghosts tell where they come
 * from. */
void field_mark(const struct grid *g, struct cell *f);
bool field_marks_right(const struct grid *g, const struct cell *f);

/* Copies between a face and one block. */
void field_pack(const struct cell *f, const struct face *face, struct cell *to);
void field_unpack(struct cell *f, const struct face *face, const struct cell *from);

#endif
