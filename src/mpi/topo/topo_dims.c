/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Dims_create (MPI-5.0, 8.5.2): the factors as close to each other as can be.
 * All factorisations are searched whose largest and smallest factor may lie no
 * farther apart than those of the best one found; of equals the one with the
 * larger smallest factor, then the larger second smallest, and so on, is taken.
 */
#include <stdlib.h>

#include "mpi/mpii.h"

enum { DIVISORS_MOST = 1600, FACTORS_MOST = 31 }; /* of an int (2095133040 has so many); factors greater than 1 */

struct balance {
    int divisors[DIVISORS_MOST], n; /* rising */
    int parts;                      /* factors wanted */
    int now[FACTORS_MOST], best[FACTORS_MOST];
    int spread;                     /* of best: largest - smallest */
};

static void list_divisors(struct balance *b, int number)
{
    int high = DIVISORS_MOST, low = 0;

    for (int d = 1; (int64_t)d * d <= number; d++)
        if (number % d == 0) {
            b->divisors[low++] = d;
            if (d != number / d)
                b->divisors[--high] = number / d;
        }
    b->n = low;
    while (high < DIVISORS_MOST)
        b->divisors[b->n++] = b->divisors[high++];
}

/* base^k, or something larger than any int. */
static int64_t power(int64_t base, int k)
{
    int64_t p = 1;

    while (k-- > 0 && p <= INT32_MAX)
        p *= base;
    return p;
}

/* Largest r with r^k <= number. */
static int root(int number, int k)
{
    int low = 1, high = number;

    while (low < high) {
        const int middle = low + (high - low + 1) / 2;

        if (power(middle, k) <= number)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Among equal spreads. */
static bool better(const struct balance *b)
{
    for (int k = b->parts - 1; k >= 0; k--)
        if (b->now[k] != b->best[k])
            return b->now[k] > b->best[k];
    return false;
}

/* Factors at[i], ... of `number`, none larger than the one before. */
static void search(struct balance *b, int i, int number)
{
    const int left = b->parts - i, lowest = root(number, left); /* the smallest factor is no larger than this */

    if (i > 0 && b->now[0] - lowest > b->spread)
        return;
    if (left == 1) {
        if (i > 0 && number > b->now[i - 1])
            return;
        b->now[i] = number;
        if (b->now[0] - number > b->spread || (b->now[0] - number == b->spread && !better(b)))
            return;
        b->spread = b->now[0] - number;
        for (int k = 0; k < b->parts; k++)
            b->best[k] = b->now[k];
        return;
    }
    for (int d = 0; d < b->n; d++) {
        const int factor = b->divisors[d];

        if (i > 0 ? factor > b->now[i - 1] : factor - lowest > b->spread)
            return;
        if (number % factor != 0 || power(factor, left) < number)
            continue; /* the others are no larger: it is too small */
        b->now[i] = factor;
        search(b, i + 1, number / factor);
    }
}

/* The product of `free` factors, falling, into those dims that are 0. */
static void fill(struct balance *b, int number, int ndims, int dims[], int wanted)
{
    int next = 0;

    list_divisors(b, number);
    b->parts = wanted < FACTORS_MOST ? wanted : FACTORS_MOST;
    b->spread = INT32_MAX;
    search(b, 0, number);
    for (int i = 0; i < ndims; i++)
        if (dims[i] == 0) {
            dims[i] = next < b->parts ? b->best[next] : 1;
            next++;
        }
}

int mpii_Dims_create(int nnodes, int ndims, int dims[])
{
    struct balance *b;
    int64_t fixed = 1;
    int free_dims = 0;

    MPII_TRY(mpii_check_started(__func__));
    if (nnodes < 1)
        return mpii_error(NULL, MPI_ERR_ARG, __func__, "nnodes is %d, less than 1", nnodes);
    if (ndims < 0)
        return mpii_error(NULL, MPI_ERR_DIMS, __func__, "ndims is %d, less than 0", ndims);
    if (ndims == 0)
        return MPI_SUCCESS;
    MPII_TRY(mpii_check_pointer(NULL, dims, "dims", __func__));
    for (int i = 0; i < ndims; i++) {
        if (dims[i] < 0)
            return mpii_error(NULL, MPI_ERR_DIMS, __func__, "dims[%d] is %d, less than 0", i, dims[i]);
        free_dims += dims[i] == 0;
        fixed = dims[i] && fixed <= nnodes ? fixed * dims[i] : fixed;
    }
    if (fixed > nnodes || nnodes % fixed != 0 || (free_dims == 0 && fixed != nnodes))
        return mpii_error(NULL, MPI_ERR_DIMS, __func__, "nnodes is %d, which the dims given do not divide%s", nnodes,
                          free_dims ? "" : " to 1");
    if (free_dims == 0)
        return MPI_SUCCESS;
    b = malloc(sizeof *b);
    if (!b)
        return mpii_error(NULL, MPI_ERR_NO_MEM, __func__, "no memory for the divisors of %d", nnodes);
    fill(b, nnodes / (int)fixed, ndims, dims, free_dims);
    free(b);
    return MPI_SUCCESS;
}
