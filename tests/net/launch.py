# SPDX-License-Identifier: BSD-3-Clause
"""One program on one, two and three hosts, by each launcher: PEs of a host share memory and those of different hosts
don't, however ranks are dealt out; small and large transfers are right; jobs beside each other don't meet."""

import os
import re
import sys

import hosts
import launchers
from hosts import h

LAYOUTS = ((2, 0, 0), (1, 1, 0), (2, 2, 0), (1, 1, 1), (2, 2, 2))


def places(layout, cyclic=False):
    """The host of each PE, in the order of PEs."""
    if not cyclic:
        return [i for i, n in enumerate(layout) for _ in range(n)]
    deal, left = [], list(layout)
    while any(left):
        for i, n in enumerate(left):
            if n:
                deal.append(i)
                left[i] -= 1
    return deal


def check_places(what, r, layout, cyclic=False):
    where = places(layout, cyclic)
    expected = {
        f"PE {pe} of {len(where)} on mpt{host + 1} shares memory with "
        + ",".join(str(p) for p, other in enumerate(where) if other == host)
        for pe, host in enumerate(where)
    }
    got = set(r.out.strip().splitlines())
    h.expect(r.status == 0 and got == expected, f"{what}: expected {sorted(expected)}", r)


def check_line(what, r, line):
    h.expect(r.status == 0 and re.search(line, r.out), f"{what}: expected status 0 and a line {line!r}", r)


def basics(job, probe):
    for layout in LAYOUTS:
        what = f"{job.name} {layout}"
        check_places(f"{what} place", job.run(layout, probe, "place"), layout)
        check_line(f"{what} traffic", job.run(layout, probe, "traffic", 1), r"\d+ rounds, 0 faults")
        job.clean(what)
    check_places(f"{job.name} cyclic", job.run((2, 2, 0), probe, "place", options=job.cyclic), (2, 2, 0), True)
    check_line(f"{job.name} cyclic traffic", job.run((2, 2, 0), probe, "traffic", 1, options=job.cyclic), "0 faults")
    check_line(f"{job.name} 32 MiB", job.run((1, 1, 0), probe, "large", 32 << 20), "0 faults")
    check_line(f"{job.name} an odd size", job.run((1, 1, 0), probe, "large", 5000003), "0 faults")


def over_the_network_only(job, probe):
    """Also PEs of one host reach each other by libfabric."""
    r = job.run((2, 2, 0), probe, "place", env={"MPT_TRANSPORT": "ofi"})
    h.expect(
        r.status == 0 and len(re.findall(r"PE (\d) of 4 on mpt. shares memory with \1$", r.out, re.M)) == 4,
        f"{job.name} MPT_TRANSPORT=ofi: no PE shares memory with another",
        r,
    )
    check_line(
        f"{job.name} MPT_TRANSPORT=ofi",
        job.run((2, 2, 0), probe, "traffic", 1, env={"MPT_TRANSPORT": "ofi"}),
        "0 faults",
    )


def two_at_once(job, probe):
    children = [job.start((2, 2, 0), probe, "traffic", 3) for _ in range(2)]
    for i, child in enumerate(children):
        check_line(f"{job.name} two jobs at once, {i}", h.collect(child, 60), "0 faults")
    job.clean(f"{job.name} two jobs at once")


def crowded(job, probe):
    check_line(f"{job.name} 8 PEs on each host", job.run((8, 8, 0), probe, "traffic", 1, limit=60), "0 faults")
    job.clean(f"{job.name} 8 PEs on each host")


def container_each(job, probe):
    """Each PE in a process namespace of its own, as in a container per PE: no memory to share, but they run."""
    script = h.SCRATCH / "contained"
    script.write_text(f'#!/bin/sh\nexec unshare --pid --fork --mount-proc {probe} "$@"\n')
    script.chmod(0o755)
    check_line(f"{job.name} a container per PE", job.run((2, 2, 0), script, "traffic", 1), "0 faults")
    crowd = len(os.sched_getaffinity(0)) + 1
    if crowd <= 16:
        r = job.run((crowd, 0, 0), script, "traffic", 1)
        check_line(f"{job.name} a container per PE, and fewer cores", r, "0 faults")


def named_apart_only():
    """Hosts with the same process numbers and the same /dev/shm, as containers may have: the name decides."""
    with launchers.Job(2, shared=True) as job:
        what = f"{job.name} shared /dev/shm"
        check_places(what, job.run((2, 2), probe_program, "place"), (2, 2))
        check_line(what, job.run((2, 2), probe_program, "traffic", 1), "0 faults")
        h.wait_for(lambda: not h.processes(), 5)


hosts.need_namespaces()
probe_program = h.build(hosts.HERE / "net_probe.c")
with launchers.Job(3) as the_job:
    for part in (basics, over_the_network_only, container_each, two_at_once, crowded):
        part(the_job, probe_program)
if sys.argv[1:] != ["srun"]:
    named_apart_only()
h.finish()
