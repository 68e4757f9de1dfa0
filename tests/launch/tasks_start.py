# SPDX-License-Identifier: BSD-3-Clause
"""Many PEs as tasks start, meet and end, and each says what it is; and what a C++ program asks the loader and the
unwinder is answered in all copies. With a number as argument: so many PEs only."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

h.need_tasks()

SHMEM = r"""
#include <shmem.h>
#include <stdio.h>
static long sum;
int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_barrier_all();
    shmem_long_atomic_add(&sum, me, (me + 1) % n);
    shmem_barrier_all();
    printf("PE %d of %d: %ld\n", me, n, sum);
    shmem_finalize();
    return 0;
}
"""
MPI = r"""
#include <mpi.h>
#include <stdio.h>
static int rank, size, left = -1;
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &left, 1, MPI_INT, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("PE %d of %d: %d\n", rank, size, left);
    MPI_Finalize();
    return 0;
}
"""

here = pathlib.Path(__file__).resolve().parent
programs = {
    "SHMEM": h.build(SHMEM, "start_shmem"),
    "MPI": h.build(MPI, "start_mpi", wrapper=str(h.BUILD / "bin" / "mpicc")),
}
many = [int(sys.argv[1])] if len(sys.argv) > 1 else [64, 256]

for npes in many:
    expected = sorted(f"PE {pe} of {npes}: {(pe - 1) % npes}" for pe in range(npes))
    for name, program in programs.items():
        for processes in ("--tasks=1", "--tasks"):
            r = h.run([h.MPTRUN, processes, "--timeout", "120", "-n", str(npes), program], limit=150)
            h.expect(r.status == 0, f"{name}: {npes} PEs, {processes}", r)
            h.expect(sorted(r.out.splitlines()) == expected, f"{name}: {npes} PEs, {processes}: each PE's line", r)

if len(sys.argv) == 1:
    flags = ("-std=gnu++17", "-rdynamic", "-pthread")
    program = h.build(here / "tasks_copies.cc", flags=flags, wrapper=str(h.BUILD / "bin" / "oshc++"))
    r = h.run([h.MPTRUN, "--tasks=1", "--timeout", "60", "-n", "6", program])
    h.expect(r.status == 0, "a C++ program", r)
    for pe in range(6):
        line = f"PE {pe}: constructed, fell in {pe}, fell in {pe}, cancel 1, names 1, cast 1, place 1\n"
        h.expect(line in r.out, f"a C++ program: PE {pe}", r)
h.finish()
