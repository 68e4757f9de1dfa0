// SPDX-License-Identifier: BSD-3-Clause
// $ cc reader.c $(pkg-config --cflags mpi) -o reader
// $ ./reader | grep MPI_Barrier
#include <mpt/tracefile.h>
#include <stdio.h>

int main(void)
{
    // LISTING
    if (wrong)
        puts(wrong);
    return wrong != NULL;
}
