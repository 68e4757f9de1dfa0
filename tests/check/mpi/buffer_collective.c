/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The contribution to a nonblocking reduction is changed, as if the call had copied it.
 * check: buffer-in-use
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    long mine[4] = {1, 2, 3, 4}, sum[4];
    MPI_Request request;

    MPI_Init(NULL, NULL);
    MPI_Iallreduce(mine, sum, 4, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request); /* found */
#ifdef WRONG
    mine[2] = 5;
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    mine[2] = 6;
    MPI_Finalize();
    return 0;
}
