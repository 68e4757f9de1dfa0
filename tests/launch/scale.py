# SPDX-License-Identifier: BSD-3-Clause
"""A job's start and end take time in proportion to its PEs: processor time per PE of many is that of some. What a PE
takes of memory, page tables included, does not grow with their number, nor with the barriers and collective calls it
has been in. With a number as argument: of so many PEs, time only."""

import pathlib
import resource
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

HELLO = r"""
#include <shmem.h>
#include <stdio.h>
int main(void)
{
    shmem_init();
    printf("%d of %d\n", shmem_my_pe(), shmem_n_pes());
    shmem_finalize();
    return 0;
}
"""
LEFT = r"""
#include <shmem.h>
int main(void)
{
    start_pes(0);
    return 0;
}
"""
MPI = r"""
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum != size * (size - 1) / 2;
}
"""
# Each PE says how many KB it has of its own and of page tables after it has met all others in barriers and collective
# calls.
MEMORY = r"""
#include <shmem.h>
#include <stdio.h>
#include <string.h>
static long kb, all;
static long of(const char *what)
{
    char line[256];
    long value = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, what, strlen(what)) == 0)
            sscanf(line + strlen(what), ": %ld", &value);
    if (f)
        fclose(f);
    return value;
}
int main(void)
{
    shmem_init();
    int n = shmem_n_pes();
    long *a = shmem_malloc((size_t)n * sizeof *a), *b = shmem_malloc((size_t)n * sizeof *b);
    for (int i = 0; i < 100; i++) {
        shmem_barrier_all();
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &kb, 1);
    }
    shmem_long_max_reduce(SHMEM_TEAM_WORLD, a, b, (size_t)n);
    shmem_long_fcollect(SHMEM_TEAM_WORLD, a, b, 1);
    shmem_long_alltoall(SHMEM_TEAM_WORLD, a, b, 1);
    kb = of("RssAnon") + of("VmPTE");
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &kb, 1);
    if (shmem_my_pe() == 0)
        printf("%ld\n", all / n);
    shmem_finalize();
    return 0;
}
"""


def cpu(pes, program, lines, runs=4):
    """Processor time in ms for each PE, the least of some runs: others' load only adds to it."""
    best = None
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        r = h.oshrun(pes, program, limit=120)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if not h.expect(r.status == 0 and r.out.count("\n") == lines * pes, f"{pes} PEs of {program}", r):
            return 0.0
        used = 1e3 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) / pes
        best = used if best is None else min(best, used)
    return best


def enough(pes):
    """Processes, descriptors and memory for so many?"""
    r = h.oshrun(pes, "/bin/true", limit=120)
    return not (r.status == 1 and "cannot start" in r.err)


programs = [
    ("hello", h.build(HELLO, "hello"), 1),
    ("start_pes", h.build(LEFT, "left"), 0),
    ("MPI", h.build(MPI, "mpi", wrapper=str(h.BUILD / "bin" / "mpicc")), 0),
]


def compare(name, program, lines, pes, runs):
    few, many = cpu(50, program, lines), cpu(pes, program, lines, runs)
    print(f"{name}: {few:.2f} ms per PE of 50, {many:.2f} ms of {pes}")
    h.expect(
        many <= 1.6 * few, f"{name}: processor time per PE grows from {few:.2f} ms of 50 PEs to {many:.2f} ms of {pes}"
    )


if len(sys.argv) > 1:
    most = int(sys.argv[1])
    if not enough(most):
        print("skipped: the system has no room for so many")
        sys.exit(77)
    for name, program, lines in programs:
        compare(name, program, lines, most, 2)
    h.finish()

for name, program, lines in programs:
    compare(name, program, lines, 200, 4)

memory = h.build(MEMORY, "memory")
few, many = (int(h.oshrun(n, memory, limit=120).out or 0) for n in (70, 280))
print(f"memory and page tables: {few} KB per PE of 70, {many} KB of 280")
h.expect(0 < many <= few + 300, f"memory and page tables per PE: {few} KB of 70 PEs, {many} KB of 280")
h.finish()
