# SPDX-License-Identifier: BSD-3-Clause
"""MPI_Session_init is local (11.3.1): processes of one job start sessions, MPI or nothing at all, each when it likes.
A row is a job: what each process does in turn (apart.c)."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import harness as h

PROGRAM = h.BUILD / "tests" / "t_mpi_env_apart"

ABSENT = "sleep:1"  # no call of MPI at all
WORLD = "init world finalize"
MANY = " ".join(f"talk:0,1 self talk:1,0 sleep:{n}" for n in range(4))
OTHER = MANY.replace("sleep", "self sleep:7 self sleep")

fine = {
    "one alone": ["self keep self all drop self"],
    "beside one that never starts": ["self", ABSENT],
    "world named, not needed": ["keep self drop", ABSENT, ABSENT],
    "before one that starts late": ["self talk:0,1", "sleep:300 talk:0,1"],
    "two of three": ["talk:0,2", ABSENT, "sleep:100 talk:0,2"],
    "two pairs": ["talk:0,3", "talk:2,1", "sleep:50 talk:2,1", "sleep:100 talk:0,3"],
    "all of the world, by and by": ["all", "sleep:60 all", "sleep:20 self all", "self sleep:90 all"],
    "again and again, out of step": [MANY, OTHER],
    "gone before the other receives": ["send:0,1", "send:0,1"],
    "gone, and the receiver started late": ["keep send:0,1 drop", "sleep:300 send:0,1", "exit:0"],
    "started together, some with sessions before": [
        f"self talk:0,1 {WORLD}",
        f"talk:0,1 {WORLD}",
        f"sleep:100 {WORLD}",
        WORLD,
    ],
    "and after": [f"{WORLD} talk:0,2 self", WORLD, f"self {WORLD} sleep:100 talk:0,2"],
    "and while": [f"keep {WORLD} drop self", "init self world finalize", "keep init drop world finalize"],
    "two faces, started in different orders": [
        "shmem init world finalize shmem_end",
        "init shmem world finalize shmem_end",
    ],
    "one outlives the world": [f"keep {WORLD} talk:0,1 drop", f"{WORLD} talk:0,1"],
    "threads, when all others have left": ["threads", "exit:0"],
}


def job(steps, **options):
    command = [h.MPTRUN]
    for i, one in enumerate(steps):
        command += ([":"] if i else []) + ["-n", "1", PROGRAM, *one.split()]
    return h.run(command, limit=20, **options)


for what, steps in fine.items():
    r = job(steps)
    silent = sum(one.startswith(("sleep", "exit")) for one in steps)
    h.expect(r.status == 0, f"{what}: failed", r)
    h.expect(r.out.count(" steps") == len(steps) - silent, f"{what}: not all have come to their end", r)
    h.expect(r.err == "", f"{what}: said something", r)

# A body that only messages bring: its owner stays until it is fetched.
r = job(fine["gone before the other receives"], env={"MPT_RENDEZVOUS": "pull"})
h.expect(r.status == 0 and r.err == "", "bodies that must be asked for", r)

# Over a network the first start waits for all: it says so, and ends when one will never come.
NET = {"MPT_TRANSPORT": "ofi", "MPT_TIMEOUT": "1"}
if h.run([h.MPTRUN, "-n", "2", PROGRAM, "self"], env=NET).status == 0:  # else there is no libfabric
    r = job(["self", "sleep:2600 self"], env=NET)
    h.expect(r.status == 0 and "has waited 1 s for PE 1 to start" in r.err, "over a network, one starts late", r)
    for what in (
        "again and again, out of step",
        "gone before the other receives",
        "started together, some with sessions before",
        "and while",
        "one outlives the world",
    ):
        r = job(fine[what], env=NET)
        h.expect(r.status == 0 and r.err == "", f"over a network, {what}", r)
    r = job(["self", ABSENT], env=NET)
    h.expect(
        r.status not in (0, None) and "PE 1 to start, which has exited" in r.err, "over a network, one never starts", r
    )

    r = job(["init", "self"], env=NET)
    h.expect(
        r.status not in (0, None) and "PE 1" in r.err and "finished" in r.err,
        "over a network, a world that is not complete",
        r,
    )

# Whoever is waited for in vain is named, as ever.
for what, steps, says in [
    ("a partner that exits", ["talk:0,1", "sleep:100"], "exited"),
    ("a world that is not complete", ["init", "self"], "has exited"),
    ("an exit in a session", ["keep talk:0,1", "keep exit:0"], "exited"),
    ("a failure without MPI", ["self talk:0,1", "sleep:100 exit:3"], "exited with status 3"),
]:
    r = job(steps)
    h.expect(r.status not in (0, None) and says in r.err and "PE 1" in r.err, f"{what}: expected {says!r}", r)
    h.expect(r.seconds < 5, f"{what}: took {r.seconds:.1f} s")

h.finish()
