// SPDX-License-Identifier: BSD-3-Clause
// For regions.py: regions that end with their blocks, also by an exception.
#include <mpi.h>
#include <mpt/trace.h>

#include <stdexcept>

static void work(int depth)
{
    mpt_region r("work");

    if (depth == 0)
        throw std::runtime_error("done");
    work(depth - 1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    {
        mpt_region all("all");
        try {
            work(2);
        } catch (const std::runtime_error &) {
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
