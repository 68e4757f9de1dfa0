# SPDX-License-Identifier: BSD-3-Clause
"""How jobs that know each other end. A process that dies takes the jobs it is connected to with it, and both say why;
who has parted goes on alone, and the first launcher waits for it, passes on its output and its failure. Two jobs that
were started apart meet by the name of a service. Several programs in one job: mpiexec's colons."""

import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import harness as h

PROGRAM = h.BUILD / "tests" / "t_mpi_dyn_ends"
MPIEXEC = h.BUILD / "bin" / "mpiexec"
# With the argument "tasks", so are the PEs of all jobs: their process may live on when one of them ends.
ENV = {"MPT_TASKS": "1"} if sys.argv[1:] == ["tasks"] else None


def job(npes, *args, limit=20.0):
    return h.run([MPIEXEC, "-n", npes, PROGRAM, *args], ENV, limit)


def nothing_left(what):
    h.expect(h.wait_for(lambda: not h.processes(), 5), f"{what}: processes are left: {h.processes()}")


for npes in (1, 2):
    for how, says in (
        ("killed", ["killed by signal 9", "ended without MPI_Finalize"]),
        ("aborts", ["MPI_Abort", "error code 9"]),
        ("leaves", ["ended without MPI_Finalize"]),
    ):
        r = job(npes, how)
        h.expect(
            r.status is not None and 0 < r.status < 128,
            f"{how} with {npes}: expected an exit status that is an error",
            r,
        )
        for text in says:
            h.expect(text in r.err, f"{how} with {npes}: no {text!r}", r)
        h.expect("parent 0 ends" not in r.out, f"{how} with {npes}: the parent went on", r)
        h.expect(r.seconds < 5, f"{how} with {npes}: took {r.seconds:.1f} s")
        nothing_left(how)
    r = job(npes, "parent")
    h.expect(r.status == 137 or (r.status or 0) < 0, f"the parent is killed: status {r.status}", r)
    nothing_left("the parent is killed")

    r = job(npes, "late")
    h.expect(r.status == 0, "children outlive their parents", r)
    h.expect(all(f"child {i} ends\n" in r.out for i in range(2)) and r.seconds > 0.3, "children's output is awaited", r)
    r = job(npes, "fails")
    h.expect(r.status == 3, "a failure of a spawned job is the first job's", r)
    h.expect(r.out.count("ends\n") == npes + 2, "everybody ends", r)
    r = job(npes, "together")
    h.expect(r.status == 0, "jobs finalize together", r)
    waits = [int(ms) for ms in re.findall(r"parent \d+ waited (\d+) ms", r.out)]  # children come 400 ms later
    h.expect(len(waits) == npes and min(waits) > 300, f"MPI_Finalize waits for whoever is connected: {waits}", r)

# apart
service = f"mpt test {os.getpid()}"
server = h.start([MPIEXEC, "-n", 2, PROGRAM, "serve", service, 3], ENV)
h.expect(server.stdout.readline() == "serving\n", "the server starts")
for npes in (1, 2, 3):
    r = job(npes, "visit", service)
    h.expect(r.status == 0 and r.out == "visited 2\n", f"client of {npes} finds the server", r)
r = h.collect(server)
h.expect(r.status == 0 and r.out == "served 6\n", "the server served", r)
r = job(1, "visit", service)
h.expect(r.status not in (0, None) and "MPI_ERR_NAME" in r.err, "the name ends with its server", r)

# by itself, without a launcher
r = h.run([PROGRAM, "late"])
h.expect(r.status == 0 and "parent 0 ends" in r.out, "a program that nobody launched spawns", r)
nothing_left("a program that nobody launched")

# several programs
r = h.run([MPIEXEC, "-n", 2, PROGRAM, "place", "a", ":", PROGRAM, "place", ":", "-n", 1, PROGRAM, "place", "x", "y"])
for i, (app, argc, last) in enumerate(((0, 3, "a"), (0, 3, "a"), (1, 2, "place"), (2, 4, "y"))):
    h.expect(
        f"rank {i} of 4, application {app}, arguments {argc}, last {last}\n" in r.out,
        f"rank {i} of several programs",
        r,
    )
h.expect(r.status == 0, "several programs", r)
for bad in (
    ["-n", 1, PROGRAM, ":"],
    [":", PROGRAM],
    ["-n", 1, PROGRAM, ":", "-n", 0, PROGRAM],
    ["-n", 1, PROGRAM, ":", "/nonexistent"],
):
    r = h.run([MPIEXEC, *bad])
    h.expect(r.status in (2, 127) and "mptrun: " in r.err and not r.out, f"{bad[-3:]} is refused", r)
r = h.run([MPIEXEC, "--spawned-by=0"])
h.expect(r.status == 2 and "mptrun: " in r.err, "no table of programs", r)
h.finish()
