/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cube of cells in C order, divided among processes in one, two or three directions: who has which part, and where in
 * memory its faces lie. Every part has one layer of ghost cells around it.
 */
#ifndef PARTITION_GRID_H
#define PARTITION_GRID_H

#include <stdbool.h>
#include <stddef.h>

struct cell {
    double a, b;
};

struct grid {
    int n;                        /* cells of the whole, each way */
    int dims[3], at[3];           /* parts each way, and which of them this is */
    int size[3], first[3];        /* own cells, and where they begin in the whole */
    int neighbour[3][2];          /* below and above, -1 beyond the edge */
};

/* Blocks of memory that follow each other at equal distances; all in cells. */
struct face {
    size_t first, blocks, block, stride;
};

/* The names of the decompositions, ended by NULL. */
extern const char *const grid_decompositions[];
/* How many parts each way. False when npes has too few factors for it to differ from a simpler decomposition. */
bool grid_dims(const char *decomposition, int npes, int dims[3]);
/* The part of one process, counted with the last direction fastest, as MPI_Cart_create does. */
void grid_part(struct grid *g, int n, const int dims[3], int pe);
/* With ghosts. */
size_t grid_cells(const struct grid *g);
size_t grid_at(const struct grid *g, int x, int y, int z);
/*
 * A whole layer across direction d, with the ghosts at its rim: the outermost own one on this side, or the ghosts
 * beyond it. Across x it is one block, across y a block for each x, across z single cells.
 */
struct face grid_face(const struct grid *g, int d, int side, bool ghost);

#endif
