/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The three patterns in which the boundary of a cube lies in memory, all with side * side doubles: one block; blocks at
 * a constant stride; and vectors of single doubles, at a constant stride from each other, which themselves have a
 * stride.
 */
#ifndef PARTITION_BOUNDARY_H
#define PARTITION_BOUNDARY_H

#include "../common/bench.h"

struct boundary {
    const char *pattern; /* contiguous, single-stride, double-stride */
    int side;
    size_t vectors, vector_stride; /* all in doubles */
    size_t blocks, stride, block;  /* of one vector */
    size_t own, ghost;             /* where the own boundary begins, and where the partner's goes */
};

enum { BOUNDARIES = 3 };

/* Doubles of a cube of side * side * side with a layer of ghosts around. */
size_t boundary_cube(int side);
void boundary_init(struct boundary *b, int which, int side);
size_t boundary_doubles(const struct boundary *b);
/* Between the boundary that begins at `at` in a cube and one block. */
void boundary_pack(const struct boundary *b, const double *cube, size_t at, double *to);
void boundary_unpack(const struct boundary *b, double *cube, size_t at, const double *from);

/* Fills a cube with what tells its process, round and place. */
void boundary_fill(const struct boundary *b, double *cube, int pe, int round);
/* Whether its ghosts are then the partner's boundary and no other cell has changed; takes the ghosts' values back. */
bool boundary_right(const struct boundary *b, double *cube, int pe, int partner, int round);

/* Where the cache is written: the own boundary anew before an exchange, and the ghosts, which then are the partner's of
 * the same round. */
void boundary_write(const struct boundary *b, double *cube, int pe, long round);
void boundary_read(const struct boundary *b, const double *cube, int partner, long round);

extern const struct bench_option boundary_options[];
/* The largest of them; -1 with a message in `why` when the options make no sense. */
int boundary_most(char *why, size_t size);
/* Plans and calls all cases: each side, boundary (below BOUNDARIES), way (below `ways`) and cache. */
void boundary_each(int ways, void (*one)(int which, int side, int way, enum bench_cache cache));
/*
 * Hot, written or flushed: then without the boundary, the ghosts and `n` copies of a boundary. Nothing rotates: of as
 * many cubes as memory has room for, the boundaries would all be in the caches.
 */
void boundary_cache(const struct boundary *b, enum bench_cache cache, const double *cube, const double *const *copies,
                    int n);
/* `times` in ns for an exchange. */
void boundary_emit(const struct boundary *b, const struct bench_params *job, const char *method, enum bench_cache cache,
                   struct bench_series *times, bool right, enum bench_stop stop);

#endif
