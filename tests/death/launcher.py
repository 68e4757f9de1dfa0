# SPDX-License-Identifier: BSD-3-Clause
"""The launcher itself dies by SIGKILL, launched or self-started, whatever its PEs do: none of them outlives it. And
a job has no named files, neither while it runs nor after the worst of ends."""

import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent

victim = h.build(HERE / "victim.c", flags=["-O0"])


def entries():
    return {d: {one.name for one in d.iterdir()} for d in map(pathlib.Path, ("/dev/shm", "/tmp")) if d.is_dir()}


def killed(what, child, ready):
    """The launcher is killed when the job computes: nobody is left."""
    h.expect(h.wait_for(ready.exists, 20), f"{what}: the job did not start")
    time.sleep(0.1)
    os.kill(child.pid, signal.SIGKILL)
    h.expect(h.wait_for(lambda: not h.processes(), 3), f"{what}: left behind: {h.processes()}")
    h.end(h.processes())
    h.collect(child)


def behind_shells():
    """PEs that compute, two shells below the launcher: its children's end is not theirs."""
    for npes, command in ((3, [h.OSHRUN, "-np", "3"]), (1, [h.OSHRUN, "-np", "1"])):
        ready = h.SCRATCH / f"ready-{time.monotonic_ns()}"
        inner = f"{victim} none {npes - 1} loop {ready}; exit $?"
        killed(f"{npes} PEs behind two shells", h.start([*command, "sh", "-c", f"sh -c '{inner}'; exit $?"]), ready)


# They are linked with the library, and do not come to its start; forks after having been loaded; start nothing.
EARLY = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    volatile unsigned long n = argc;
    FILE *f = fopen(argv[1], "a");
    fputs("x", f);
    fclose(f);
    while (n)
        n |= 1;
    MPI_Init(&argc, &argv);
}
"""


FORKS = """#include <mpi.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    volatile unsigned long n = 1;
    pid_t child = fork();
    if (child > 0) {
        int status;
        waitpid(child, &status, 0);
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    FILE *f = fopen(argv[1], "w");
    fclose(f);
    while (n)
        n |= 1;
    MPI_Finalize();
}
"""
PLAIN = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    if (argc > 5)
        MPI_Init(&argc, &argv);
    puts("ran");
    return 0;
}
"""


def before_the_start():
    """The same of PEs that have not started yet; and a program that started early is whole: it may fork before it
    starts."""
    early = h.build(EARLY, "early", wrapper=str(h.BUILD / "bin" / "mpicc"))
    ready = h.SCRATCH / f"ready-{time.monotonic_ns()}"
    child = h.start([h.MPTRUN, "-n", "2", "sh", "-c", f"sh -c '{early} {ready}; exit $?'; exit $?"])
    h.expect(
        h.wait_for(lambda: ready.exists() and len(ready.read_text()) == 2, 20), "PEs that have not started did not run"
    )
    killed("2 PEs behind two shells that have not started", child, ready)
    forks = h.build(FORKS, "forks", wrapper=str(h.BUILD / "bin" / "mpicc"))
    ready = h.SCRATCH / f"ready-{time.monotonic_ns()}"
    killed(
        "PEs forked before the start", h.start([h.MPTRUN, "-n", "2", "sh", "-c", f"{forks} {ready}; exit $?"]), ready
    )
    for variable in ("1:3:0", "2:1:0", "2:0:7", "2:999:0", "nonsense", "", "2:-1:0"):  # of somebody else
        r = h.run(
            ["sh", "-c", f"exec {h.build(PLAIN, 'plain', wrapper=str(h.BUILD / 'bin' / 'mpicc'))}"],
            {"MPT_JOB": variable},
        )
        h.expect(
            r.status == 0 and r.out == "ran\n" and r.err == "", f"MPT_JOB={variable}: a program that starts no face", r
        )


def spawned():
    """Another job, started by this one; launched, self-started, and behind shells."""
    spawner = h.build(HERE / "spawner.c", wrapper=str(h.BUILD / "bin" / "mpicc"))
    for what, command in (
        ("launched", [h.MPTRUN, "-n", "2", spawner]),
        ("self-started", [spawner]),
        ("behind two shells", [h.MPTRUN, "-n", "2", "sh", "-c", f'sh -c "{spawner} $0 $1; exit"; exit']),
    ):
        ready = h.SCRATCH / f"ready-{time.monotonic_ns()}"
        killed(f"a job spawned by one {what}", h.start([*command, ready, "spawn"], {"NPES": 2}), ready)


def check(command, npes, where):
    ready = h.SCRATCH / f"ready-{time.monotonic_ns()}"
    child = h.start([*command, victim, "none", npes - 1, where, ready], {"NPES": npes})
    what = f"{' '.join(command) or 'self-started'}, {npes} PEs in {where}"
    h.expect(h.wait_for(ready.exists, 10), f"{what}: the job did not start")
    time.sleep(0.05)
    pids = h.processes()
    h.expect(len(pids) == npes + 1, f"{what}: {len(pids)} processes, expected {npes} PEs and a launcher")
    used = {path for pid in pids for path in h.named_files(pid)}
    h.expect(not used, f"{what}: PEs use named files: {sorted(used)}")
    os.kill(child.pid, signal.SIGKILL)
    begun = time.monotonic()
    gone = h.wait_for(lambda: not h.processes(), 3)
    h.expect(gone, f"{what}: left behind: {h.processes()}")
    h.expect(time.monotonic() - begun < 1, f"{what}: it took the PEs {time.monotonic() - begun:.1f} s to die")
    h.end(h.processes())
    h.collect(child)


before = entries()
for where in ("barrier", "wait", "lock", "sleep", "loop"):
    check([h.OSHRUN, "-np", "4"], 4, where)
    check([], 3, where)
behind_shells()
before_the_start()
spawned()
h.run([h.OSHRUN, "-np", "2", victim, "kill=9", "0", "barrier"])
# Folders of other tests.
OTHERS = ("mpt-test-", "mpt-check-", "mpt-explore-", "mpt-instrument-", "mpt-waiting-")
# what other programs made meanwhile is not ours: ours would carry its name or a process number of ours
new = sorted(f"{d}/{n}" for d, names in entries().items() for n in names - before[d])
ours = [
    n
    for n in new
    if any(w in n.lower() for w in ("mpt", "shmem", "osh", "victim"))
    and str(h.SCRATCH) not in n
    and not any(w in n for w in OTHERS)
]
h.expect(not ours, f"files left behind: {ours}")
h.finish()
