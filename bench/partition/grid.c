/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The geometry of a divided cube.
 */
#include "grid.h"

#include <string.h>

const char *const grid_decompositions[] = {"x", "y", "z", "2-D", "3-D", NULL};

static int largest_prime(int n)
{
    int largest = 1;

    for (int f = 2; n > 1; f++)
        while (n % f == 0) {
            largest = f;
            n /= f;
        }
    return largest;
}

/* The factors of npes, largest first, each where there are the fewest parts so far; then earlier directions get more.
 */
static bool spread(int npes, int directions, int dims[3])
{
    for (int left = npes; left > 1; left /= largest_prime(left)) {
        int least = 0;

        for (int d = 1; d < directions; d++)
            if (dims[d] < dims[least])
                least = d;
        dims[least] *= largest_prime(left);
    }
    for (int pass = 0; pass < 2; pass++)
        for (int d = 0; d + 1 < directions; d++)
            if (dims[d] < dims[d + 1]) {
                const int more = dims[d + 1];

                dims[d + 1] = dims[d];
                dims[d] = more;
            }
    return dims[directions - 1] > 1;
}

bool grid_dims(const char *decomposition, int npes, int dims[3])
{
    dims[0] = dims[1] = dims[2] = 1;
    if (decomposition[0] >= 'x') {
        dims[decomposition[0] - 'x'] = npes;
        return npes > 1;
    }
    return spread(npes, decomposition[0] - '0', dims);
}

static int pe_at(const int dims[3], const int at[3])
{
    return (at[0] * dims[1] + at[1]) * dims[2] + at[2];
}

void grid_part(struct grid *g, int n, const int dims[3], int pe)
{
    memset(g, 0, sizeof *g);
    g->n = n;
    memcpy(g->dims, dims, sizeof g->dims);
    g->at[2] = pe % dims[2];
    g->at[1] = pe / dims[2] % dims[1];
    g->at[0] = pe / dims[2] / dims[1];
    for (int d = 0; d < 3; d++) {
        const long long n_ = n, at = g->at[d];

        g->first[d] = (int)(n_ * at / dims[d]);
        g->size[d] = (int)(n_ * (at + 1) / dims[d]) - g->first[d];
        for (int side = 0; side < 2; side++) {
            int other[3] = {g->at[0], g->at[1], g->at[2]};

            other[d] += side ? 1 : -1;
            g->neighbour[d][side] = other[d] < 0 || other[d] >= dims[d] ? -1 : pe_at(dims, other);
        }
    }
}

size_t grid_at(const struct grid *g, int x, int y, int z)
{
    return ((size_t)x * (size_t)(g->size[1] + 2) + (size_t)y) * (size_t)(g->size[2] + 2) + (size_t)z;
}

size_t grid_cells(const struct grid *g)
{
    return grid_at(g, g->size[0] + 2, 0, 0);
}

struct face grid_face(const struct grid *g, int d, int side, bool ghost)
{
    const int own = side ? g->size[d] : 1, place = !ghost ? own : side ? own + 1 : 0;
    const size_t row = (size_t)g->size[2] + 2, layer = row * ((size_t)g->size[1] + 2), layers = (size_t)g->size[0] + 2;

    if (d == 0)
        return (struct face){(size_t)place * layer, 1, layer, layer};
    if (d == 1)
        return (struct face){(size_t)place * row, layers, row, layer};
    return (struct face){(size_t)place, layers * (layer / row), 1, row};
}
