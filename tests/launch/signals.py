# SPDX-License-Identifier: BSD-3-Clause
"""Signals sent to the launcher reach every PE: a program that handles them goes on and ends as it likes; one that does
not ends with all its PEs, and the launcher's own end tells of the signal."""

import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

probe = h.build(pathlib.Path(__file__).resolve().parent / "probe.c")


def started(npes, command, mode, *args):
    """The job and whether all its PEs have said they are ready."""
    mark = h.SCRATCH / f"ready{time.monotonic_ns()}"
    child = h.start([*command, probe, mode, *args, mark], {"NPES": npes})
    ready = h.wait_for(lambda: all(pathlib.Path(f"{mark}.{pe}").exists() for pe in range(npes)), 10)
    h.expect(ready, f"{mode}: {npes} PEs did not get ready")
    return child


for npes, command in ((1, [h.OSHRUN, "-np", "1"]), (3, [h.OSHRUN, "-np", "3"]), (3, [])):
    for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGINT, signal.SIGTERM):
        what = f"{command[1:] or 'self-started'} {npes} PEs that handle {number.name}"
        child = started(npes, command, "await", int(number))
        os.kill(child.pid, number)
        r = h.collect(child, 10)
        for pe in range(npes):
            h.expect(f"PE {pe} caught {int(number)}\n" in r.out, f"{what}: PE {pe} did not get it", r)
        h.expect(r.status in (0, -number, 128 + number) and r.seconds < 3, f"{what}: ended with {r.status}", r)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
        what = f"{command[1:] or 'self-started'} {npes} PEs that do not handle {number.name}"
        child = started(npes, command, "linger")
        os.kill(child.pid, number)
        r = h.collect(child, 10)
        h.expect(r.status in (-number, 128 + number), f"{what}: ended with {r.status}", r)
        h.expect(r.seconds < 2, f"{what}: took {r.seconds:.1f} s")
        h.expect(h.wait_for(lambda: not h.processes(), 2), f"{what}: left behind {h.processes()}")
        h.end(h.processes())

# stopped and continued: the job goes on where it was
child = started(2, [h.OSHRUN, "-np", "2"], "await", int(signal.SIGUSR1))
os.kill(child.pid, signal.SIGTSTP)
time.sleep(0.2)
os.kill(child.pid, signal.SIGCONT)
time.sleep(0.2)
os.kill(child.pid, signal.SIGUSR1)
r = h.collect(child, 10)
h.expect(r.status == 0 and r.out.count("caught") == 2, "stopped and continued", r)
h.finish()
