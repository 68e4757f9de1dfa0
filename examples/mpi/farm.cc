/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A task farm in C++: rank 0 hands out ranges of numbers, each to whichever worker asks next, so that workers with
 * short tasks get more of them. The question: which number below a million takes the most steps of "halve it, or
 * triple it and add one" until it is 1?
 *
 *   mpicxx -O2 farm.cc -o farm && mpiexec -n 4 ./farm
 */
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <mpi.h>

namespace {

constexpr long limit = 1000000, task_size = 10000;
constexpr int tag_result = 1, tag_task = 2, tag_stop = 3;

struct Best {
    long steps = 0, start = 0;
};

Best better(const Best &a, const Best &b)
{
    return b.steps > a.steps || (b.steps == a.steps && b.start < a.start) ? b : a;
}

Best search(long first)
{
    Best best;
    for (long start = std::max(first, 1L); start < std::min(first + task_size, limit); start++) {
        long steps = 0;
        for (std::uint64_t n = start; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
            steps++;
        best = better(best, Best{steps, start});
    }
    return best;
}

/* A worker's first message has no result: it only asks for work. */
Best master(int workers)
{
    Best best;
    long next = 0;
    while (workers > 0) {
        long result[2];
        MPI_Status status;
        MPI_Recv(result, 2, MPI_LONG, MPI_ANY_SOURCE, tag_result, MPI_COMM_WORLD, &status);
        best = better(best, Best{result[0], result[1]});
        const bool more = next < limit;
        MPI_Send(&next, 1, MPI_LONG, status.MPI_SOURCE, more ? tag_task : tag_stop, MPI_COMM_WORLD);
        if (more)
            next += task_size;
        else
            workers--;
    }
    return best;
}

int worker()
{
    int tasks = 0;
    for (Best best;;) {
        const long result[2] = {best.steps, best.start};
        long first;
        MPI_Status status;
        MPI_Send(result, 2, MPI_LONG, 0, tag_result, MPI_COMM_WORLD);
        MPI_Recv(&first, 1, MPI_LONG, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == tag_stop)
            return tasks;
        best = search(first);
        tasks++;
    }
}

} // namespace

int main(int argc, char **argv)
{
    int rank, size, wrong = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    Best best;
    int tasks = 0, all_tasks = 0;
    if (size == 1) { // nobody to hand tasks to
        for (long first = 0; first < limit; first += task_size, tasks++)
            best = better(best, search(first));
    } else if (rank == 0) {
        best = master(size - 1);
    } else {
        tasks = worker();
    }

    MPI_Reduce(&tasks, &all_tasks, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        std::cout << best.start << " takes " << best.steps << " steps; " << all_tasks << " tasks" << std::endl;
        wrong = best.start != 837799 || best.steps != 524 || all_tasks != limit / task_size;
    }
    MPI_Finalize();
    return wrong;
}
