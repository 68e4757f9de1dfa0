/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bodies of all kinds of places round a ring, a window and a collective: rank 0 says that all came whole.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODY = 4 << 20 };
static char sent[BODY], got[BODY];

int main(int argc, char **argv)
{
    char *block = malloc(BODY), *other = malloc(BODY);
    int me, n, before, *word, wrong = 0, all;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    before = (me + n - 1) % n;
    memset(sent, me + 1, BODY);
    memset(block, me + 1, BODY);
    MPI_Sendrecv(sent, BODY, MPI_CHAR, (me + 1) % n, 0, other, BODY, MPI_CHAR, before, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(block, BODY, MPI_CHAR, (me + 1) % n, 0, got, BODY, MPI_CHAR, before, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < BODY; i++)
        wrong += other[i] != before + 1 || got[i] != before + 1;
    MPI_Win_allocate(sizeof *word, sizeof *word, MPI_INFO_NULL, MPI_COMM_WORLD, &word, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&me, 1, MPI_INT, (me + 1) % n, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    wrong += *word != before;
    MPI_Win_free(&win);
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        puts(all ? "not whole" : "whole");
    free(block);
    free(other);
    MPI_Finalize();
    return 0;
}
