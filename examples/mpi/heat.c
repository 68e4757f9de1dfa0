/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Heat in a square plate with cold edges. A Cartesian communicator deals the plate out in patches and knows each
 * rank's neighbours; halo rows and columns travel as derived datatypes, so nothing is packed by hand. The first
 * temperatures are a sine wave, of which every step leaves the same share: the result is known exactly.
 *
 *   mpicc -O2 heat.c -o heat -lm && mpiexec -n 4 ./heat
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 200, STEPS = 300 }; /* inner points of each side */

/* This rank's patch: rows by cols points, with a halo of one point around them. */
struct patch {
    MPI_Comm comm;
    int rows, cols, first_row, first_col;
    int up, down, left, right; /* ranks, or MPI_PROC_NULL at the plate's edges */
    MPI_Datatype row, column;
};

static double *at(const struct patch *p, double *grid, int i, int j)
{
    return grid + (size_t)i * (p->cols + 2) + j;
}

/* Part `index` of `parts` of N points: where it begins and how many it has. */
static int deal(int parts, int index, int *first)
{
    *first = N / parts * index + (index < N % parts ? index : N % parts);
    return N / parts + (index < N % parts);
}

static void make_patch(struct patch *p)
{
    int size, rank, dims[2] = {0, 0}, periods[2] = {0, 0}, coords[2];

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &p->comm);
    MPI_Comm_rank(p->comm, &rank);
    MPI_Cart_coords(p->comm, rank, 2, coords);
    MPI_Cart_shift(p->comm, 0, 1, &p->up, &p->down);
    MPI_Cart_shift(p->comm, 1, 1, &p->left, &p->right);
    p->rows = deal(dims[0], coords[0], &p->first_row);
    p->cols = deal(dims[1], coords[1], &p->first_col);
    MPI_Type_contiguous(p->cols, MPI_DOUBLE, &p->row);
    MPI_Type_vector(p->rows, 1, p->cols + 2, MPI_DOUBLE, &p->column);
    MPI_Type_commit(&p->row);
    MPI_Type_commit(&p->column);
}

static void exchange_halos(const struct patch *p, double *grid)
{
    MPI_Request r[8];

    MPI_Irecv(at(p, grid, 0, 1), 1, p->row, p->up, 0, p->comm, &r[0]);
    MPI_Irecv(at(p, grid, p->rows + 1, 1), 1, p->row, p->down, 0, p->comm, &r[1]);
    MPI_Irecv(at(p, grid, 1, 0), 1, p->column, p->left, 0, p->comm, &r[2]);
    MPI_Irecv(at(p, grid, 1, p->cols + 1), 1, p->column, p->right, 0, p->comm, &r[3]);
    MPI_Isend(at(p, grid, 1, 1), 1, p->row, p->up, 0, p->comm, &r[4]);
    MPI_Isend(at(p, grid, p->rows, 1), 1, p->row, p->down, 0, p->comm, &r[5]);
    MPI_Isend(at(p, grid, 1, 1), 1, p->column, p->left, 0, p->comm, &r[6]);
    MPI_Isend(at(p, grid, 1, p->cols), 1, p->column, p->right, 0, p->comm, &r[7]);
    MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
}

static void relax(const struct patch *p, double *to, double *from)
{
    for (int i = 1; i <= p->rows; i++)
        for (int j = 1; j <= p->cols; j++)
            *at(p, to, i, j) = 0.25 * (*at(p, from, i - 1, j) + *at(p, from, i + 1, j) + *at(p, from, i, j - 1) +
                                       *at(p, from, i, j + 1));
}

static double wave(const struct patch *p, int i, int j)
{
    const double h = acos(-1) / (N + 1);
    return sin(h * (p->first_row + i)) * sin(h * (p->first_col + j));
}

int main(int argc, char **argv)
{
    struct patch p;
    double error = 0, largest;
    int rank;

    MPI_Init(&argc, &argv);
    make_patch(&p);
    const size_t points = (size_t)(p.rows + 2) * (p.cols + 2);
    double *old = calloc(points, sizeof *old), *new = calloc(points, sizeof *new);
    if (!old || !new)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 1; i <= p.rows; i++)
        for (int j = 1; j <= p.cols; j++)
            *at(&p, old, i, j) = wave(&p, i, j);

    for (int step = 0; step < STEPS; step++) {
        double *const swap = old;
        exchange_halos(&p, old);
        relax(&p, new, old);
        old = new;
        new = swap;
    }

    const double left_over = pow(cos(acos(-1) / (N + 1)), STEPS);
    for (int i = 1; i <= p.rows; i++)
        for (int j = 1; j <= p.cols; j++)
            error = fmax(error, fabs(*at(&p, old, i, j) - left_over * wave(&p, i, j)));
    MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, p.comm);
    MPI_Comm_rank(p.comm, &rank);
    if (rank == 0)
        printf("after %d steps %.4f of the heat is left; largest error %.1e\n", STEPS, left_over, largest);

    free(old);
    free(new);
    MPI_Type_free(&p.row);
    MPI_Type_free(&p.column);
    MPI_Comm_free(&p.comm);
    MPI_Finalize();
    return largest < 1e-12 ? 0 : 1;
}
