# SPDX-License-Identifier: BSD-3-Clause
"""Tasks that wait in vain: the report of a time limit, of a deadlock and of a PE that has exited names every PE and
the call it waits in, also where one of the process computes and never waits."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

h.need_tasks()

SOURCE = """
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile long work;
int main(int argc, char **argv)
{
    int rank, word;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 5 && strcmp(argv[1], "sleep") != 0)
        MPI_Recv(&word, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* nobody sends it */
    if (rank == 2 && strcmp(argv[1], "exit") == 0)
        _exit(0);
    if (rank == 2 && strcmp(argv[1], "sleep") == 0)
        sleep(7);
    while (rank == 2 && strcmp(argv[1], "compute") == 0)
        work++;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
program = h.build(SOURCE, "stalled", wrapper=str(h.BUILD / "bin" / "mpicc"))
FOUND = 86  # the status of a job in which --check has found something
WAITS = re.compile(r"PEs? ([0-9, -]+) (?:was|were) waiting in (\w+)")


def waiting(r):
    """The call in which each PE waits, as the report says."""
    calls = {}
    for pes, call in WAITS.findall(r.err):
        for part in pes.split(", "):
            first, _, last = part.partition("-")
            calls.update(dict.fromkeys(range(int(first), int(last or first) + 1), call))
    return calls


def found(r):
    """The finding names the calls of all PEs."""
    return (
        "deadlock: " in r.err
        and re.search(r"PE 0: MPI_Barrier, and 6 other PEs likewise", r.err)
        and re.search(r"PE 5: MPI_Recv\(from rank \d", r.err)
    )


def expected(*others):
    calls = {pe: "MPI_Barrier" for pe in range(8) if pe not in others}
    return calls | {5: "MPI_Recv"}


for processes in ("--tasks=1", "--tasks"):
    run = (h.MPTRUN, processes, "-n", "8", "--timeout")
    r = h.run([*run, "2", program, "wait"])
    h.expect(r.status == 124 and "time limit of 2 s" in r.err, f"{processes}: the time limit", r)
    h.expect(waiting(r) == expected(), f"{processes}: each PE's call at the time limit", r)
    r = h.run([*run, "2", program, "compute"])
    h.expect(r.status == 124, f"{processes}: the time limit while one computes", r)
    h.expect(waiting(r) == expected(2), f"{processes}: each PE's call at the time limit while one computes", r)
    r = h.run([*run, "60", program, "wait"], {"MPT_CHECK": 1}, 60)
    h.expect(r.status == FOUND and found(r), f"{processes}: a deadlock", r)
    r = h.run([*run, "60", program, "exit"], limit=60)
    h.expect(r.status == 1 and "PE 2 " in r.err, f"{processes}: a PE has exited, and others wait", r)
    h.expect(waiting(r) == expected(2), f"{processes}: each PE's call after the exit of one", r)
r = h.run([h.MPTRUN, "--tasks=1", "-n", "8", "--timeout", "60", program, "sleep"], {"MPT_CHECK": 1}, 60)
h.expect(r.status == 0, "others may wait while one sleeps", r)
r = h.run([program, "wait"], {"NPES": 8, "MPT_TASKS": 1, "MPT_CHECK": 1}, 60)
h.expect(r.status == FOUND and found(r), "a deadlock without a launcher", r)
h.finish()
