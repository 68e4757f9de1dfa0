# SPDX-License-Identifier: BSD-3-Clause
"""Programs of every face of which one PE calls exit(0) in the middle, and all that wait in vain: the job ends within
seconds and says who left and where the others waited. Launched and self-started; over the network, too."""

import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent
OVER_NET = os.environ.get("MPT_TRANSPORT") == "ofi"
LIMIT = 8 if OVER_NET else 4  # a start over the network takes its time
LIBRARIES = {"am": ["-lmpt"], "pvm": ["-lgpvm3", "-lpvm3", "-lmpt"]}
PLACES = {
    "mpi": ("recv", "any", "probe", "waitall", "ssend", "barrier", "allreduce", "ibarrier", "window", "finalize"),
    "am": ("wait", "barrier"),
    "splitc": ("barrier", "store_sync"),
    "pvm": ("recv", "barrier"),
}


def build(face):
    if face == "mpi":
        return h.build(HERE / "leave_mpi.c", wrapper=str(h.BUILD / "bin" / "mpicc"))
    if face == "splitc":
        program = h.SCRATCH / "leave"
        r = h.run([h.BUILD / "bin" / "scc", HERE / "leave.sc", "-o", program], limit=60)
        h.expect(r.status == 0, "the Split-C program", r)
        return str(program)
    # libraries behind the source, which names them
    lib = h.BUILD / "lib"
    program = h.SCRATCH / f"leave_{face}"
    r = h.run([os.environ.get("CC", "cc"), "-O1", HERE / f"leave_{face}.c", f"-I{h.SOURCE}/include", f"-I{h.BUILD}/include",
               f"-L{lib}", *LIBRARIES[face], f"-Wl,-rpath,{lib}", "-o", program], limit=60)
    h.expect(r.status == 0, f"the program of {face}", r)
    return str(program)


def check(what, r, said):
    h.expect(r.status not in (0, None), f"{what}: expected a nonzero status", r)
    h.expect(re.search(said, r.err), f"{what}: nothing like /{said}/", r)
    h.expect("went on" not in r.out, f"{what}: a PE went on", r)
    h.expect(r.seconds < LIMIT, f"{what}: took {r.seconds:.1f} s")


def main():
    for face, places in PLACES.items():
        program = build(face)
        for i, place in enumerate(places):
            for npes in (2, 3) if i == 0 else (3,):
                r = h.run([h.MPTRUN, "-n", npes, program, place, npes], limit=20)
                check(f"{face}, {npes} PEs in {place}", r, r"PE \d")
        if face != "pvm":  # which makes a virtual machine of it
            r = h.run([program, places[0], 3], {"NPES": 3}, limit=20)
            check(f"{face}, 3 PEs self-started in {places[0]}", r, r"PE \d")
    mpi = build("mpi")
    r = h.run([h.MPTRUN, "-n", "3", mpi, "deadlock"], {"MPT_CHECK": "1"}, limit=30)
    h.expect(r.status not in (0, None) and "deadlock" in r.err, "MPT_CHECK=1: every PE waits", r)
    h.expect(re.search(r"PE 0 was waiting in MPI_Recv: rank 1, tag 1", r.err), "MPT_CHECK=1: PE 0's place", r)
    r = h.run([h.MPTRUN, "-n", "3", mpi, "apart"], {"MPT_CHECK": "1"}, limit=30)
    h.expect(r.status == 0 and r.err == "", "MPT_CHECK=1: who waits for a slow one is not accused", r)


main()
h.finish()
