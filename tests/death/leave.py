# SPDX-License-Identifier: BSD-3-Clause
"""Programs of every face of which one PE calls exit(0) in the middle, and all that wait in vain: the job ends within
seconds and says who left and where the others waited, in blocking calls or in loops over tests. Launched and
self-started; over the network, too. And right programs whose loops look like such ones go on. `all`: every loop and
every right program; else the first of each face."""

import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent
OVER_NET = os.environ.get("MPT_TRANSPORT") in ("ofi", "tcp")
ALL = "all" in sys.argv[1:]
LIMIT = 8 if OVER_NET else 4  # a start over the network takes its time
LOOPS_LIMIT = LIMIT + 4  # a loop is watched for some time
LIBRARIES = {"am": ["-lmpt"], "pvm": ["-lgpvm3", "-lpvm3", "-lmpt"]}
PLACES = {
    "mpi": ("recv", "any", "probe", "waitall", "ssend", "barrier", "allreduce", "ibarrier", "window", "finalize"),
    "am": ("wait", "barrier"),
    "splitc": ("barrier", "store_sync"),
    "pvm": ("recv", "barrier"),
    "shmem": ("wait", "barrier"),
}
# what the program is told, and how the call is named
LOOPS = {
    "mpi": {
        "test": "MPI_Test",
        "testall": "MPI_Testall",
        "iprobe": "MPI_Iprobe",
        "slow": "MPI_Test",
        "request": "MPI_Request_get_status",
    },
    "am": {"poll": "am_poll"},
    "splitc": {"poll": "splitc_poll", "lock": "splitc_lock"},
    "pvm": {"nrecv": "pvm_nrecv", "probe": "pvm_probe"},
    "shmem": {"test": "shmem_long_test", "test_any": "shmem_long_test_any", "test_lock": "shmem_test_lock"},
}
# In these somebody leaves, too; but the others get what they test for, if late, or compute, or use other ways.
RIGHT = {
    "mpi": ("late", "computes", "talks", "passes", "puts"),
    "am": ("computes", "passes"),
    "splitc": ("accesses", "late"),
    "pvm": ("passes",),
    "shmem": ("puts", "late"),
}


def build(face):
    if face == "mpi":
        return h.build(HERE / "leave_mpi.c", wrapper=str(h.BUILD / "bin" / "mpicc"))
    if face == "shmem":
        return h.build(HERE / "leave_shmem.c")
    if face == "splitc":
        program = h.SCRATCH / "leave"
        r = h.run([h.BUILD / "bin" / "scc", HERE / "leave.sc", "-o", program], limit=60)
        h.expect(r.status == 0, "the Split-C program", r)
        return str(program)
    # libraries behind the source, which names them
    lib = h.BUILD / "lib"
    program = h.SCRATCH / f"leave_{face}"
    r = h.run(
        [
            os.environ.get("CC", "cc"),
            "-O1",
            HERE / f"leave_{face}.c",
            f"-I{h.SOURCE}/include",
            f"-I{h.BUILD}/include",
            f"-L{lib}",
            *LIBRARIES[face],
            f"-Wl,-rpath,{lib}",
            "-o",
            program,
        ],
        limit=60,
    )
    h.expect(r.status == 0, f"the program of {face}", r)
    return str(program)


def some(cases):
    return list(cases)[: None if ALL else 1]


def check(what, r, said, limit=LIMIT):
    h.expect(r.status not in (0, None), f"{what}: expected a nonzero status", r)
    h.expect(re.search(said, r.err), f"{what}: nothing like /{said}/", r)
    h.expect("went on" not in r.out, f"{what}: a PE went on", r)
    h.expect(r.seconds < limit, f"{what}: took {r.seconds:.1f} s")


def main():
    for face, places in PLACES.items():
        program = build(face)
        for i, place in enumerate(places):
            for npes in (2, 3) if i == 0 else (3,):
                r = h.run([h.MPTRUN, "-n", npes, program, place, npes], limit=20)
                check(f"{face}, {npes} PEs in {place}", r, r"PE \d")
        for i, (place, call) in enumerate(some(LOOPS[face].items())):
            if OVER_NET and "lock" in place:
                continue  # each try is an operation on another PE's memory
            for npes in (2, 3) if i == 0 else (3,):
                r = h.run([h.MPTRUN, "-n", npes, program, place, npes], limit=20)
                check(f"{face}, {npes} PEs loop over {place}", r, rf"PE \d(.|\n)*{call}\b|{call}\b.*PE \d", LOOPS_LIMIT)
        for place in some(RIGHT[face]):
            if OVER_NET and (face, place) == ("shmem", "puts"):
                continue  # a PE that exits without waiting for its puts does not complete them there
            r = h.run([h.MPTRUN, "-n", 3, program, place, 3], limit=40)
            h.expect(
                r.status == 0 and r.err == "" and r.out.count("went on") == 2,
                f"{face}, {place}: a right program was ended",
                r,
            )
        if face != "pvm":  # which makes a virtual machine of it
            r = h.run([program, places[0], 3], {"NPES": 3}, limit=20)
            check(f"{face}, 3 PEs self-started in {places[0]}", r, r"PE \d")
            r = h.run([program, next(iter(LOOPS[face])), 3], {"NPES": 3}, limit=20)
            check(f"{face}, 3 PEs self-started in a loop", r, r"PE \d", LOOPS_LIMIT)
    mpi = build("mpi")
    r = h.run([h.MPTRUN, "-n", "3", mpi, "deadlock"], {"MPT_CHECK": "1"}, limit=30)
    h.expect(r.status == 86 and "deadlock: " in r.err, "MPT_CHECK=1: every PE waits", r)
    h.expect(re.search(r"PE 0: MPI_Recv\(from rank 1, tag 1", r.err), "MPT_CHECK=1: PE 0's place", r)
    r = h.run([h.MPTRUN, "-n", "3", mpi, "apart"], {"MPT_CHECK": "1"}, limit=30)
    h.expect(r.status == 0 and r.err == "", "MPT_CHECK=1: who waits for a slow one is not accused", r)


main()
h.finish()
