/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jacobi's method on a square, cut into strips of rows, with two faults that docs/trace.md finds and repairs:
 *
 *     mptrun -n 4 stencil           PE 1 has three times the rows of others, and each PE receives before it sends
 *     mptrun -n 4 stencil even      equal strips
 *     mptrun -n 4 stencil even all  and all messages of a step under way at the same time
 *
 * All of them print the same sum.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 2048, ROWS = 600, STEPS = 40 };

struct strip {
    int pe, pes, rows; /* rows without the two that are the neighbours' */
    double *now, *next;
};

static int rows_of(int pe, int pes, bool even)
{
    int shares = even || pes < 2 ? pes : pes + 2, share = even || pe != 1 ? 1 : 3;
    int before = even || pe < 2 ? pe : pe + 2;

    return ROWS * (before + share) / shares - ROWS * before / shares;
}

static double *row(double *strip, int r)
{
    return strip + (size_t)r * WIDTH;
}

/* A row goes down the strips, one after the other: who receives before it sends waits for all above. */
static void exchange_in_turn(struct strip *s)
{
    if (s->pe > 0)
        MPI_Recv(row(s->now, 0), WIDTH, MPI_DOUBLE, s->pe - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (s->pe < s->pes - 1)
        MPI_Send(row(s->now, s->rows), WIDTH, MPI_DOUBLE, s->pe + 1, 0, MPI_COMM_WORLD);
    if (s->pe < s->pes - 1)
        MPI_Recv(row(s->now, s->rows + 1), WIDTH, MPI_DOUBLE, s->pe + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (s->pe > 0)
        MPI_Send(row(s->now, 1), WIDTH, MPI_DOUBLE, s->pe - 1, 1, MPI_COMM_WORLD);
}

static void exchange_at_once(struct strip *s)
{
    int up = s->pe > 0 ? s->pe - 1 : MPI_PROC_NULL, down = s->pe < s->pes - 1 ? s->pe + 1 : MPI_PROC_NULL;
    MPI_Request requests[4];

    MPI_Irecv(row(s->now, 0), WIDTH, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(row(s->now, s->rows + 1), WIDTH, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(row(s->now, s->rows), WIDTH, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(row(s->now, 1), WIDTH, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void relax(struct strip *s)
{
    double *swap = s->now;

    for (int r = 1; r <= s->rows; r++) {
        const double *above = row(s->now, r - 1), *here = row(s->now, r), *below = row(s->now, r + 1);
        double *to = row(s->next, r);

        for (int c = 1; c < WIDTH - 1; c++)
            to[c] = 0.25 * (above[c] + below[c] + here[c - 1] + here[c + 1]);
    }
    s->now = s->next;
    s->next = swap;
}

static double sum(struct strip *s)
{
    double mine = 0.0, all = 0.0;

    for (int r = 1; r <= s->rows; r++)
        for (int c = 0; c < WIDTH; c++)
            mine += row(s->now, r)[c];
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    bool even = argc > 1 && strcmp(argv[1], "even") == 0, all = argc > 2 && strcmp(argv[2], "all") == 0;
    struct strip s;
    double total;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.pe);
    MPI_Comm_size(MPI_COMM_WORLD, &s.pes);
    s.rows = rows_of(s.pe, s.pes, even);
    s.now = calloc((size_t)(s.rows + 2) * WIDTH, sizeof *s.now);
    s.next = calloc((size_t)(s.rows + 2) * WIDTH, sizeof *s.next);
    if (!s.now || !s.next) {
        fprintf(stderr, "stencil: PE %d has no memory for %d rows\n", s.pe, s.rows);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (s.pe == 0) /* the square's upper side is hot */
        for (int c = 0; c < WIDTH; c++)
            row(s.now, 0)[c] = row(s.next, 0)[c] = 1.0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int step = 0; step < STEPS; step++) {
        if (all)
            exchange_at_once(&s);
        else
            exchange_in_turn(&s);
        relax(&s);
    }
    total = sum(&s);
    if (s.pe == 0)
        printf("sum %.6f after %d steps\n", total, STEPS);
    free(s.now);
    free(s.next);
    MPI_Finalize();
    return 0;
}
