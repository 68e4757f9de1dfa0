# SPDX-License-Identifier: BSD-3-Clause
"""Under a launcher that knows nothing of waits, on two hosts and on one: a rank calls exit(0) while others wait for it
in MPI or in active messages, or all wait for each other (MPT_CHECK=1, or for MPT_DEADLOCK seconds). The job ends within
seconds and says why; who waits for a slow one is not accused, nor one that may go on."""

import os
import re

import hosts
import launchers
from hosts import h

LIMIT = 25
DEATH = h.SOURCE / "tests" / "death"
LAYOUTS = {"two hosts": (2, 1), "one host": (3, 0)}


def build_am():
    lib = h.BUILD / "lib"
    program = h.SCRATCH / "leave_am"
    r = h.run(
        [
            os.environ.get("CC", "cc"),
            "-O1",
            DEATH / "leave_am.c",
            f"-I{h.SOURCE}/include",
            f"-I{h.BUILD}/include",
            f"-L{lib}",
            "-lmpt",
            f"-Wl,-rpath,{lib}",
            "-o",
            program,
        ],
        limit=60,
    )
    h.expect(r.status == 0, "the program of active messages", r)
    return str(program)


def check(job, what, r, said):
    what = f"{job.name}: {what}"
    text = r.out + r.err
    h.expect(r.status not in (0, None), f"{what}: expected a nonzero status", r)
    h.expect(re.search(said, text), f"{what}: nothing like /{said}/", r)
    h.expect("went on" not in r.out, f"{what}: a PE went on", r)
    job.clean(what)


def unasked(job, program):
    """Without MPT_CHECK, on two hosts."""
    seconds = {"MPT_DEADLOCK": "1"}
    for play in ("both", "apart"):
        r = job.run((1, 1), program, play, env=seconds, limit=LIMIT)
        check(job, f"unasked: {play}", r, r"deadlock: .*MPT_DEADLOCK=0")
    for play in ("alarm", "timer", "thread", "polls", "slow"):
        r = job.run((1, 1), program, play, env=seconds, limit=LIMIT)
        h.expect("deadlock" not in r.out + r.err, f"unasked: {play} is not accused", r)
        h.expect(play in ("alarm", "timer") or r.status == 0, f"unasked: {play} goes on", r)


hosts.need_namespaces()
mpi = h.build(DEATH / "leave_mpi.c", wrapper=str(h.BUILD / "bin" / "mpicc"))
am = build_am()
with launchers.Job(2) as the_job:
    for name, layout in LAYOUTS.items():
        for place in ("recv", "any", "allreduce", "window"):
            check(the_job, f"{name}: in {place}", the_job.run(layout, mpi, place, limit=LIMIT), r"PE 2\b")
        check(the_job, f"{name}: active messages", the_job.run(layout, am, "wait", limit=LIMIT), r"PE 2\b")
        r = the_job.run(layout, mpi, "deadlock", env={"MPT_CHECK": "1"}, limit=LIMIT)
        check(the_job, f"{name}: deadlock", r, "deadlock: ")
        h.expect(re.search(r"MPI_Recv(: |\(from )rank 1, tag 1", r.err), f"{name}: where PE 0 waits", r)
        r = the_job.run(layout, mpi, "apart", env={"MPT_CHECK": "1"}, limit=LIMIT)
        h.expect(r.status == 0 and "deadlock" not in r.err, f"{name}: who waits for a slow one is not accused", r)
    unasked(the_job, h.build(DEATH / "in_vain.c", wrapper=str(h.BUILD / "bin" / "mpicc")))
h.finish()
