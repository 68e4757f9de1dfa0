/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random filetypes and memory types for the tests of files. Which bytes of a file
 * a view has is computed naively here, one block after the other.
 */
#ifndef TESTS_MPI_IO_VIEWS_H
#define TESTS_MPI_IO_VIEWS_H

#include "io/folder.h"

enum { MOST_BYTES = 4096 };

/* Data bytes of a tile, in rising order, and its extent; the same as an MPI type. */
struct tile {
    MPI_Datatype type;
    MPI_Offset extent;
    int n;
    MPI_Offset at[MOST_BYTES];
};

static inline void tile_block(struct tile *t, MPI_Offset at, MPI_Offset bytes)
{
    for (MPI_Offset i = 0; i < bytes; i++)
        t->at[t->n++] = at + i;
}

/* n blocks of `length` elements, `stride` elements apart. */
static inline void tile_vector(struct tile *t, uint64_t *random, int unit, MPI_Datatype basic)
{
    int n = 1 + (int)check_random_below(random, 6), length = 1 + (int)check_random_below(random, 4);
    int stride = length + (int)check_random_below(random, 5);

    OK(MPI_Type_vector(n, length, stride, basic, &t->type));
    for (int i = 0; i < n; i++)
        tile_block(t, (MPI_Offset)i * stride * unit, length * unit);
    t->extent = (MPI_Offset)((n - 1) * stride + length) * unit;
}

static inline void tile_indexed(struct tile *t, uint64_t *random, int unit, MPI_Datatype basic)
{
    int lengths[8], places[8], n = 1 + (int)check_random_below(random, 8), at = 0, first;

    for (int i = 0; i < n; i++) {
        at += (int)check_random_below(random, 4);
        places[i] = at;
        lengths[i] = 1 + (int)check_random_below(random, 3);
        tile_block(t, (MPI_Offset)at * unit, lengths[i] * unit);
        at += lengths[i];
    }
    first = places[0];
    OK(MPI_Type_indexed(n, lengths, places, basic, &t->type));
    t->extent = (MPI_Offset)(at - first) * unit;
}

/* Resized, so that a gap follows the data. */
static inline void tile_resized(struct tile *t, uint64_t *random, int unit, MPI_Datatype basic)
{
    MPI_Datatype inner;
    int gap = (int)check_random_below(random, 9);

    tile_vector(t, random, unit, basic);
    inner = t->type;
    t->extent += gap;
    OK(MPI_Type_create_resized(inner, 0, t->extent, &t->type));
    MPI_Type_free(&inner);
}

static inline void tile_subarray(struct tile *t, uint64_t *random, int unit, MPI_Datatype basic)
{
    int sizes[2], subs[2], starts[2];

    for (int d = 0; d < 2; d++) {
        sizes[d] = 1 + (int)check_random_below(random, 7);
        subs[d] = 1 + (int)check_random_below(random, (uint64_t)sizes[d]);
        starts[d] = (int)check_random_below(random, (uint64_t)(sizes[d] - subs[d] + 1));
    }
    OK(MPI_Type_create_subarray(2, sizes, subs, starts, MPI_ORDER_C, basic, &t->type));
    for (int i = 0; i < subs[0]; i++)
        tile_block(t, (MPI_Offset)((starts[0] + i) * sizes[1] + starts[1]) * unit, subs[1] * unit);
    t->extent = (MPI_Offset)sizes[0] * sizes[1] * unit;
}

/* Cyclic in both dimensions, the part of one process of a 2 x 2 grid. */
static inline void tile_darray(struct tile *t, uint64_t *random, int unit, MPI_Datatype basic)
{
    int sizes[2], cyclic[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC}, k[2], grid[2] = {2, 2};
    int rank = (int)check_random_below(random, 4);

    for (int d = 0; d < 2; d++) {
        k[d] = 1 + (int)check_random_below(random, 2);
        sizes[d] = 4 + (int)check_random_below(random, 5);
    }
    OK(MPI_Type_create_darray(4, rank, 2, sizes, cyclic, k, grid, MPI_ORDER_C, basic, &t->type));
    for (int i = 0; i < sizes[0]; i++)
        for (int j = 0; j < sizes[1]; j++)
            if (i / k[0] % 2 == rank / 2 && j / k[1] % 2 == rank % 2)
                tile_block(t, (MPI_Offset)(i * sizes[1] + j) * unit, unit);
    t->extent = (MPI_Offset)sizes[0] * sizes[1] * unit;
}

static inline void tile_contiguous(struct tile *t, uint64_t *random, int unit, MPI_Datatype basic)
{
    int n = 1 + (int)check_random_below(random, 9);

    OK(MPI_Type_contiguous(n, basic, &t->type));
    tile_block(t, 0, n * unit);
    t->extent = (MPI_Offset)n * unit;
}

static inline void tile_make(struct tile *t, uint64_t *random, int unit, MPI_Datatype basic)
{
    static void (*const makers[])(struct tile *, uint64_t *, int, MPI_Datatype) = {
        tile_vector, tile_indexed, tile_resized, tile_subarray, tile_darray, tile_contiguous};

    t->n = 0;
    makers[check_random_below(random, sizeof makers / sizeof *makers)](t, random, unit, basic);
    OK(MPI_Type_commit(&t->type));
}

/* The same with an extent less than its data's: tiles lie in each other. */
static inline void tile_shorten(struct tile *t, uint64_t *random)
{
    MPI_Datatype whole = t->type;

    t->extent = 1 + (MPI_Offset)check_random_below(random, (uint64_t)t->extent);
    OK(MPI_Type_create_resized(whole, (MPI_Aint)check_random_below(random, 64), t->extent, &t->type));
    OK(MPI_Type_commit(&t->type));
    MPI_Type_free(&whole);
}

/* Place in the file of byte i of a view's stream. */
static inline MPI_Offset tile_place(const struct tile *t, MPI_Offset disp, MPI_Offset i)
{
    return disp + i / t->n * t->extent + t->at[i % t->n];
}

/* Bytes a buffer of `count` elements of t needs. */
static inline size_t tile_room(const struct tile *t, MPI_Offset count)
{
    return count == 0 ? 1 : (size_t)((count - 1) * t->extent + t->at[t->n - 1] + 1);
}

#endif
