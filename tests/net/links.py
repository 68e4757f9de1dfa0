# SPDX-License-Identifier: BSD-3-Clause
"""Bad links: with delay and loss all results are right; when the data link is cut, or the host's both, every PE ends
within MPT_TIMEOUT and a message names a PE and a host."""

import pathlib
import re
import time

import hosts
import launchers
from hosts import h

TIMEOUT = 5
SLACK = 6  # for the launcher to end its job


def going(child):
    """Wait for the program's first line."""
    line = child.stdout.readline()
    h.expect(line == "going\n", f"the program did not start: {line!r}")


def slow_and_lossy(job, probe):
    job.on.shape(delay_ms=10, loss_percent=1)
    r = job.run((2, 2), probe, "traffic", 3, env={"MPT_TIMEOUT": 30}, limit=90)
    h.expect(r.status == 0 and " 0 faults" in r.out, f"{job.name}: 10 ms and 1 % loss: all right", r)
    r = job.run((1, 1), probe, "large", 4 << 20, limit=90)
    h.expect(r.status == 0 and " 0 faults" in r.out, f"{job.name}: 10 ms and 1 % loss: a large block", r)
    job.on.shape()


def pes_alive(program):
    return [pid for pid in h.processes() if _executable(pid) == program]


def _executable(pid):
    try:
        return (pathlib.Path(f"/proc/{pid}/cmdline").read_text().split("\0") or [""])[0]
    except OSError:
        return ""


def cut(job, probe, mode, nets, how):
    what = f"{job.name}: {mode}, {' and '.join(nets)} link {how}"
    child = job.start((2, 2), probe, mode, 60, env={"MPT_TIMEOUT": TIMEOUT})
    going(child)
    time.sleep(0.5)
    begun = time.monotonic()
    for net in nets:
        getattr(job.on, how)(1, net)
    ended = h.wait_for(lambda: not pes_alive(probe), TIMEOUT + SLACK, 0.1)
    seconds = time.monotonic() - begun
    r = h.collect(child, 1 if "mgmt" in nets else SLACK)  # a launcher that lost its daemon may wait for ever
    h.expect(ended, f"{what}: PEs still there after {seconds:.0f} s", r)
    if "mgmt" not in nets:
        h.expect(r.status not in (0, None), f"{what}: expected a nonzero status", r)
    h.expect(re.search(r"PE \d[^\n]*mpt\d|mpt\d[^\n]*PE \d", r.err), f"{what}: no message names PE and host", r)
    print(f"{what}: PEs ended after {seconds:.1f} s", flush=True)
    h.end(h.processes())


hosts.need_namespaces()
the_probe = h.build(hosts.HERE / "net_probe.c")
with launchers.Job(2, shaped=True) as the_job:
    slow_and_lossy(the_job, the_probe)
for the_mode in ("traffic", "wait"):
    for the_nets, the_how in ((["data"], "cut"), (["data"], "unplug"), (["data", "mgmt"], "cut")):
        with launchers.Job(2) as the_job:  # new hosts: a launcher may take long to see a link come back
            cut(the_job, the_probe, the_mode, the_nets, the_how)
h.finish()
