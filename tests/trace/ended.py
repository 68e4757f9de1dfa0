# SPDX-License-Identifier: BSD-3-Clause
"""Traces of jobs that do not end in order: a PE that is killed, faults, exits or aborts, a job that hangs until its
time limit, a launcher that is killed. What was recorded before is there, and readers say what is missing and where
each PE was."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import records as r

import harness as h

HERE = pathlib.Path(__file__).resolve().parent
MPT = h.BUILD / "venv" / "bin" / "mpt"
program = h.build(HERE / "ended.c", wrapper=str(h.BUILD / "bin" / "mpicc"))
N = 3
ENDS = {  # how, the launcher's status, the call in which PE 1 was
    "killed": (128 + signal.SIGKILL, None),
    "fault": (128 + signal.SIGSEGV, None),
    "exit": (3, None),
    "abort": (5, "MPI_Abort"),
    "hangs": (124, "MPI_Recv"),
}
if "SANITIZE" in os.environ:  # it takes the signal
    del ENDS["fault"]


def look(how, folder, within):
    for pe in range(N):
        trace = r.read(folder / f"pe.{pe}.trace")
        tags = sorted(t.tag for t in trace if t.role & r.SENDS and t.call == "MPI_Sendrecv")
        h.expect(tags == list(range(10)), f"{how}: PE {pe} sent {tags}")
        regions = [t.call for t in trace if t.kind == r.REGION]
        h.expect(regions[:1] == ["work"], f"{how}: PE {pe}: regions {regions}")
        open_calls = r.under_way(folder / f"pe.{pe}.trace")
        wanted = within if pe == 1 else "MPI_Barrier"
        h.expect(wanted is None or wanted in open_calls, f"{how}: PE {pe} was in {open_calls}, not in {wanted}")


def look_with_mpt(how, folder, within):
    if not MPT.exists():
        return
    done = subprocess.run([MPT, "trace", folder], capture_output=True, text=True, timeout=60, check=False)
    h.expect(done.returncode == 0, f"{how}: mpt trace: {done.stdout[-500:]}{done.stderr}")
    h.expect(within is None or within in done.stdout, f"{how}: mpt trace tells of {within}:\n{done.stdout[:1500]}")


for how, (status, within) in ENDS.items():
    folder = h.SCRATCH / how
    done = h.run([h.MPTRUN, "-n", N, "--timeout", 3, "--trace", folder, program, how], limit=30)
    h.expect(done.status == status, f"{how}: status {status}", done)
    job = json.loads((folder / "job.json").read_text())
    h.expect(job["status"] == status and "ended" in job, f"{how}: {job}")
    look(how, folder, within)
    look_with_mpt(how, folder, within)

# The launcher itself: its PEs die with it, and nobody writes how it ended.
folder = h.SCRATCH / "launcher"
child = h.start([h.MPTRUN, "-n", N, "--trace", folder, program, "hangs"])
until = time.monotonic() + 20
while time.monotonic() < until:
    time.sleep(0.3)
    if all((folder / f"pe.{pe}.trace").exists() for pe in range(N)) and "MPI_Recv" in r.under_way(
        folder / "pe.1.trace"
    ):
        break
child.kill()
h.collect(child)
job = json.loads((folder / "job.json").read_text())
h.expect("ended" not in job and "status" not in job, f"launcher killed: {job}")
look("launcher", folder, "MPI_Recv")
look_with_mpt("launcher", folder, "MPI_Recv")
h.finish()
