/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Dims_create (8.5.2): products, order, fixed dimensions, balance against a search through all factorisations,
 * numbers with many divisors, errors. Local: each rank takes its share of the numbers. */
#include "mcheck.h"

#include <time.h>

/* The least largest - smallest over all ways to write number as `parts` factors, each at most `most`. */
static int least_spread(int number, int parts, int most, int largest)
{
    int best = INT32_MAX;

    if (parts == 1)
        return number <= most ? (largest ? largest : number) - number : INT32_MAX;
    for (int f = 1; f <= number && f <= most; f++)
        if (number % f == 0) {
            const int spread = least_spread(number / f, parts - 1, f, largest ? largest : f);

            best = spread < best ? spread : best;
        }
    return best;
}

static void check_free(int number, int ndims, bool naive)
{
    int dims[40] = {0}, product = 1;

    OK(MPI_Dims_create(number, ndims, dims));
    for (int i = 0; i < ndims; i++) {
        product *= dims[i];
        CHECK(dims[i] >= 1, "%d in %d: dims[%d] is %d", number, ndims, i, dims[i]);
        CHECK(i == 0 || dims[i] <= dims[i - 1], "%d in %d: dims[%d] = %d is more than %d before it", number, ndims, i,
              dims[i], dims[i ? i - 1 : 0]);
    }
    CHECK(product == number, "%d in %d gives the product %d", number, ndims, product);
    if (naive) {
        const int expected = least_spread(number, ndims, number, 0);

        CHECK(dims[0] - dims[ndims - 1] == expected, "%d in %d: from %d to %d, but a spread of %d is possible", number,
              ndims, dims[ndims - 1], dims[0], expected);
    }
}

static void check_fixed(void)
{
    int a[3] = {0, 3, 0}, b[3] = {7, 0, 0}, c[4] = {0, 1, 6, 0}, d[2] = {2, 3}, e[1] = {0};

    OK(MPI_Dims_create(36, 3, a));
    CHECK(a[0] == 4 && a[1] == 3 && a[2] == 3, "36 with 3 in the middle: %d %d %d", a[0], a[1], a[2]);
    OK(MPI_Dims_create(7, 3, b));
    CHECK(b[0] == 7 && b[1] == 1 && b[2] == 1, "7 with 7: %d %d %d", b[0], b[1], b[2]);
    OK(MPI_Dims_create(60, 4, c));
    CHECK(c[0] == 5 && c[1] == 1 && c[2] == 6 && c[3] == 2, "60 with 1 and 6: %d %d %d %d", c[0], c[1], c[2], c[3]);
    OK(MPI_Dims_create(6, 2, d));
    CHECK(d[0] == 2 && d[1] == 3, "nothing to choose: %d %d", d[0], d[1]);
    OK(MPI_Dims_create(5, 1, e));
    CHECK(e[0] == 5, "5 in 1: %d", e[0]);
    OK(MPI_Dims_create(5, 0, NULL));
}

static void check_errors(void)
{
    int negative[2] = {-1, 0}, no[2] = {4, 0}, wrong[2] = {2, 2}, large[2] = {50000, 50000}, zero[2] = {0, 0};

    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    FAILS(MPI_Dims_create(6, 2, negative), MPI_ERR_DIMS);
    FAILS(MPI_Dims_create(6, 2, no), MPI_ERR_DIMS);
    FAILS(MPI_Dims_create(6, 2, wrong), MPI_ERR_DIMS);
    FAILS(MPI_Dims_create(6, 2, large), MPI_ERR_DIMS);
    FAILS(MPI_Dims_create(6, -1, zero), MPI_ERR_DIMS);
    FAILS(MPI_Dims_create(0, 2, zero), MPI_ERR_ARG);
    FAILS(MPI_Dims_create(-6, 2, zero), MPI_ERR_ARG);
    FAILS(MPI_Dims_create(6, 2, NULL), MPI_ERR_ARG);
    CHECK(no[0] == 4 && no[1] == 0 && zero[0] == 0, "a failed call changed dims");
}

int main(void)
{
    static const int hard[] = {2095133040, 1396755360, 735134400,  1102701600, 2147483647,
                               1 << 30,    2147395600, 1073676289, 479001600};
    clock_t begin;

    mc_start();
    for (int number = 1 + mc_rank; number <= 600; number += mc_size)
        for (int ndims = 1; ndims <= 5; ndims++)
            check_free(number, ndims, true);
    begin = clock();
    for (size_t i = (size_t)mc_rank; i < sizeof hard / sizeof *hard; i += (size_t)mc_size)
        for (int ndims = 1; ndims <= 40; ndims++)
            check_free(hard[i], ndims, false);
    CHECK(clock() - begin < 5 * CLOCKS_PER_SEC, "the numbers with many divisors took %.1f s",
          (double)(clock() - begin) / CLOCKS_PER_SEC);
    check_fixed();
    check_errors();
    return mc_finish();
}
