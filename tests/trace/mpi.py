# SPDX-License-Identifier: BSD-3-Clause
"""What mptrun --trace records of MPI: each message of every kind has its send and its receive, with the same tag and
bytes; communicators, windows, regions and roots are those of the program. As processes, as tasks, over sockets."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import records as r

import harness as h

HERE = pathlib.Path(__file__).resolve().parent
program = h.build(HERE / "mpi.c", wrapper=str(h.BUILD / "bin" / "mpicc"))
TAGS = {1: 4, 2: 80000, 3: 4, 5: 80000, 6: 4, 7: 80000, 8: 4, 9: 8, 11: 4, 12: 4}


def look(n, *options, env=None):
    folder = h.SCRATCH / f"trace{n}{''.join(options)}{'net' if env else ''}"
    done = h.run([h.MPTRUN, "-n", n, *options, "--trace", folder, program], env=env, limit=60)
    h.expect(done.status == 0 and done.err == "", f"{n} PEs {options} {env}", done)
    traces = [r.read(folder / f"pe.{pe}.trace") for pe in range(n)]
    sent = {
        (pe, t.peer, t.message): t for pe, trace in enumerate(traces) for t in trace if t.role & r.SENDS and t.message
    }
    got = {
        (t.peer, pe, t.message): t
        for pe, trace in enumerate(traces)
        for t in trace
        if t.role & r.RECEIVES and t.message
    }
    h.expect(
        set(sent) == set(got), f"{n} {options}: only sent {set(sent) - set(got)}, only received {set(got) - set(sent)}"
    )
    for key in set(sent) & set(got):
        s, g = sent[key], got[key]
        h.expect((s.tag, s.bytes) == (g.tag, g.bytes) and s.begin <= g.end, f"{key}: {s} and {g}")
    for pe, trace in enumerate(traces):
        tags = [t.tag for t in trace if t.role & r.RECEIVES and t.message]
        h.expect(sorted(tags) == sorted([*TAGS, 5, 5]), f"PE {pe}: tags of what was received: {sorted(tags)}")
        for t in trace:
            if t.role & (r.SENDS | r.RECEIVES) and t.message:
                h.expect(t.bytes == TAGS[t.tag], f"PE {pe}: bytes of {t}")
            if t.call in ("MPI_Send", "MPI_Recv") and t.tag == 4:
                h.expect((t.peer, t.bytes, t.message) == (-1, 0, 0), f"PE {pe}: to nobody: {t}")
        look_at(n, pe, trace)


def look_at(n, pe, trace):
    regions = [t for t in trace if t.kind == r.REGION]
    h.expect([t.call for t in regions] == ["messages"], f"PE {pe}: regions {regions}")
    inside = [t.call for t in trace if t.kind == r.CALL and regions[0].begin <= t.begin and t.end <= regions[0].end]
    h.expect("MPI_Bsend" in inside and "MPI_Win_fence" not in inside, f"PE {pe}: in the region {inside}")
    puts = [(t.call, t.role & (r.STORES | r.LOADS), t.peer, t.bytes) for t in trace if t.call in ("MPI_Put", "MPI_Get")]
    to = (pe + 1) % n
    h.expect(puts == [("MPI_Put", r.STORES, to, 8), ("MPI_Get", r.LOADS, to, 8)], f"PE {pe}: {puts}")
    roots = [t.peer for t in trace if t.call == "MPI_Bcast"]
    h.expect(roots == [1], f"PE {pe}: MPI_Bcast from {roots}")
    barriers = [(t.group, t.message) for t in trace if t.call == "MPI_Barrier"]
    turned = tuple(reversed(range(n)))
    h.expect(barriers[1][0] in (turned, 0 if n == 1 else turned), f"PE {pe}: the group of turned ranks: {barriers}")
    h.expect(all(t.line.startswith(str(HERE / "mpi.c:")) for t in trace if t.kind == r.CALL), f"PE {pe}: lines")


def look_at_clocks(n):
    """All have one clock here, so what was measured is the error, said to be half a round trip at most."""
    for pe in range(n):
        found = [t for t in r.read(h.SCRATCH / f"trace{n}net" / f"pe.{pe}.trace") if t.kind == r.CLOCK]
        h.expect(len(found) >= 2 if pe else not found, f"PE {pe}: at the start and the end: {found}")
        for t in found:
            apart = t.value - (t.value >> 63 << 64)
            h.expect(abs(apart) <= t.bytes < 50_000_000, f"PE {pe}: {apart} ns apart, +- {t.bytes}")


look(2)
look(4)
if h.can_be_tasks():
    look(4, "--tasks=2")
look(4, env={"MPT_TRANSPORT": "tcp", "MPT_IFACE": "lo"})
look_at_clocks(4)
h.finish()
