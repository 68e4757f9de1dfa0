# SPDX-License-Identifier: BSD-3-Clause
"""Traces of jobs on two hosts of which one's clock is wrong by seconds and runs too fast are brought together. Both
hosts are this machine, whose counter tells how late each record really is, so what error is left is known.
"""

import subprocess
import sys

import hosts
import launchers
from hosts import h

sys.path.insert(0, str(h.SOURCE / "report"))
try:
    import numpy as np

    from mpt_report.trace import clocks, events, match, reader
    from mpt_report.trace.format import Kind
except ImportError as missing:
    hosts.skip(f"no {missing.name}, which reads traces")

SECONDS = 3


def truth(trace, pe):
    """The clock of PE 0's host, which counts the same ticks here."""
    first = trace.pes[0]
    return clocks.Clock(first.ticks_per_second, first.ticks, clocks.clocks(trace)[0].at).raw(pe.records["begin"])


def look(job, ns, ppm):
    what = f"{job.name}: {ns} ns, {ppm} ppm"
    folder = h.SCRATCH / f"trace{ns}.{ppm}"
    wrong = h.SCRATCH / "wrong"
    wrong.write_text(
        f'#!/bin/sh\ntest "$(hostname)" = mpt2 && export LD_PRELOAD={skew} SKEW_NS={ns} SKEW_PPM={ppm}\nexec "$@"\n'
    )
    wrong.chmod(0o755)
    done = job.run((1, 1), wrong, program, SECONDS, env={"MPT_TRACE": folder}, limit=60)
    h.expect(done.status == 0, what, done)
    trace = reader.read(folder)
    found = events.events_of(trace)
    h.expect(not found.problems, f"{what}: {found.problems}")
    mine = clocks.clocks(trace)[1]
    measured = (trace.pes[1].records["kind"] == Kind.CLOCK).sum()
    h.expect(measured >= 3, f"{what}: measured {measured} times: at the start, the end, and in between")
    messages = match.messages(found)
    h.expect(len(messages.sent) > 1000 and not len(messages.only_sent), f"{what}: {len(messages.sent)} messages")
    early = found.end[messages.received] < found.begin[messages.sent]
    h.expect(not early.any(), f"{what}: {early.sum()} messages arrive before they were sent")
    pe = trace.pes[1]
    calls = pe.records["kind"] == Kind.CALL
    left = (mine.seconds(pe.records["begin"]) - truth(trace, pe))[calls]
    raw = (mine.raw(pe.records["begin"]) - truth(trace, pe))[calls]
    print(
        f"{what}: wrong by {np.abs(raw).min():.6f} to {np.abs(raw).max():.6f} s, corrected by "
        f"{np.abs(left).max() * 1e6:.1f} us at most; said {mine.error * 1e6:.1f} us",
        flush=True,
    )
    h.expect(np.abs(left).max() <= mine.error + 1e-6, f"{what}: {np.abs(left).max()} s are left, said {mine.error}")
    h.expect(np.abs(raw).min() > 0.9 * abs(ns) * 1e-9, f"{what}: the clock was not wrong")


hosts.need_namespaces()
program = h.build(hosts.HERE / "clocks.c", wrapper=str(h.BUILD / "bin" / "mpicc"))
skew = h.SCRATCH / "skew.so"
subprocess.run(["cc", "-O2", "-shared", "-fPIC", hosts.HERE / "skew.c", "-o", skew], check=True, timeout=60)
with launchers.Job(2) as the_job:
    look(the_job, 3_700_000_000, 300)
    look(the_job, -40_000_000, -200)
h.finish()
