# SPDX-License-Identifier: BSD-3-Clause
"""MPT_TRACE_COUNTERS: what is counted between calls. The system's own sums everywhere; the processor's where there are
any, else one line that says why there are none, and a trace without them."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import records as r

import harness as h

HERE = pathlib.Path(__file__).resolve().parent
program = h.build(HERE / "counters.c", wrapper=str(h.BUILD / "bin" / "mpicc"))
WORK = ("MPI_Barrier", "MPI_Bcast")  # the calls between which the program does something
SHORT = ("MPI_Bcast", "MPI_Allreduce")  # ... and those before its short computations
TIMES, NOTICED = 40, 50_000  # of these; ticks that a record must be long to have some processor time in any case


def record(n, kind, *options):
    folder = h.SCRATCH / f"{kind}{n}{''.join(options)}"
    env = {"MPT_TRACE_COUNTERS": kind} if kind else {}
    done = h.run([h.MPTRUN, "-n", n, *options, "--trace", folder, program], env=env, limit=60)
    h.expect(done.status == 0, f"{n} PEs, {kind}", done)
    return done, [r.read(folder / f"pe.{pe}.trace") for pe in range(n)]


def between(trace, first, last):
    """The counters of the time between two calls, or None."""
    begin = next(t.end for t in trace if t.kind == r.CALL and t.call == first)
    end = next(t.begin for t in trace if t.kind == r.CALL and t.call == last)
    found = [t for t in trace if t.kind == r.COUNTERS and begin <= t.begin and t.end <= end]
    h.expect(len(found) <= 1, f"between {first} and {last}: {found}")
    h.expect(all(t.call == first and t.begin < t.end for t in found), f"behind {first}: {found}")
    return found[0] if found else None


def look_at_software(n, *options):
    done, traces = record(n, "software", *options)
    h.expect(done.err == "", "nothing is said", done)
    for pe, trace in enumerate(traces):
        h.expect(
            all(t.tag == 1 for t in trace if t.kind == r.COUNTERS), f"PE {pe}: they say that they are the system's"
        )
    computed, slept, touched = (between(traces[pe], *WORK) for pe in (0, 1, n - 1))
    h.expect(computed and computed.bytes > 150_000_000, f"200 ms of computation: {computed}")
    h.expect(slept and slept.bytes < 20_000_000, f"50 ms of sleep, whatever other tasks do: {slept}")
    h.expect(options or (slept and slept.message >= 1), f"the sleep is a turn of others: {slept}")
    h.expect(touched and touched.value >= 500, f"500 new pages: {touched}")
    h.expect(computed and computed.value < 500, f"they are not those of another task: {computed}")
    for pe, trace in enumerate(traces):
        short = [t for t in trace if t.kind == r.COUNTERS and t.call in SHORT]
        h.expect(len(short) >= TIMES, f"PE {pe}: {len(short)} short computations")
        empty = [t for t in short if t.end - t.begin > NOTICED and t.bytes == 0]
        h.expect(not empty, f"PE {pe}: times that go by ticks of the system: {empty[:3]}")


def look_at_hardware():
    done, traces = record(2, "hardware")
    found = [t for trace in traces for t in trace if t.kind == r.COUNTERS]
    if done.err:
        lines = done.err.splitlines()
        h.expect(len(lines) == 1 and "MPT_TRACE_COUNTERS=hardware" in lines[0], "one line says why", done)
        h.expect(not found, f"none: {found}")
        print(f"not tested: {lines[0]}")
        return
    computed = between(traces[0], *WORK)
    h.expect(computed and computed.tag == 0 and computed.bytes > 1_000_000, f"cycles of computation: {computed}")
    h.expect(computed and 0.05 < computed.message / computed.bytes < 20, f"instructions in a cycle: {computed}")


look_at_software(3)
if h.can_be_tasks():
    look_at_software(3, "--tasks=1")
look_at_hardware()
h.expect(not [t for trace in record(2, "")[1] for t in trace if t.kind == r.COUNTERS], "none without being asked for")
h.finish()
