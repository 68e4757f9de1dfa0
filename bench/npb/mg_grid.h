/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cubic periodic grid of MG, and what is done with it. Fine grids are divided into blocks of planes and, among many
 * PEs, of rows; coarse ones, and those of a PE alone, are whole on every PE, which all compute the same.
 */
#ifndef NPB_MG_GRID_H
#define NPB_MG_GRID_H

#include "common/npb.h"

struct mg_stencil;

struct mg_grid {
    int n;            /* points in each direction */
    bool whole;       /* without ghost planes */
    bool cut;         /* has ghost rows: planes are divided, too */
    int from, planes; /* my block's planes ... */
    int first, rows;  /* ... and the rows of each */
    long row, plane;  /* words from one to the next */
    double *data;     /* my block; planes -1 and `planes`, rows -1 and `rows` are ghosts */
    uint64_t *signal; /* symmetric: exchanges that came from the planes below, above, from the rows before, behind */
    uint64_t exchanges;
};

/* 2^log2_n points in each direction. Collective, as are exchange and restrict. */
void mg_grid_make(struct mg_grid *g, int log2_n);
/* The 20 charges of the benchmark's right-hand side. Collective. */
void mg_grid_charge(struct mg_grid *v);
void mg_grid_clear(struct mg_grid *g);
/*
 * Outer planes and rows into the neighbours' ghosts. A grid isn't exchanged again before something else came from both
 * neighbours after they had used its ghosts: u and r of a level, or r of two levels, go in turn.
 */
void mg_grid_exchange(struct mg_grid *g);
void mg_grid_residual(struct mg_grid *r, const struct mg_grid *v, const struct mg_grid *u, const struct mg_stencil *s);
void mg_grid_smooth(struct mg_grid *u, const struct mg_grid *r, const struct mg_stencil *s);
/* Also exchanges the coarse grid, or makes it whole. */
void mg_grid_restrict(struct mg_grid *coarse, const struct mg_grid *fine);
/* The fine grid's ghosts, too. */
void mg_grid_prolong(struct mg_grid *fine, const struct mg_grid *coarse);
/* The sum over my block. */
double mg_grid_squares(const struct mg_grid *r);

#endif
