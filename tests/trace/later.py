# SPDX-License-Identifier: BSD-3-Clause
"""What mptrun --trace records of operations that end in another call than they begin in: each member's beginning and
end of every nonblocking, persistent and neighbourhood collective, and both ends of every partition. As processes, as
tasks, over sockets. Who waited for whom in it: report/tests/test_trace_later.py."""

import collections
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import records as r

import harness as h

HERE = pathlib.Path(__file__).resolve().parent
program = h.build(HERE / "later.c", wrapper=str(h.BUILD / "bin" / "mpicc"))
PARTS, PARTITION = 4, 1 << 63
NONBLOCKING = ["MPI_Ibarrier", "MPI_Iallreduce", "MPI_Ibcast", "MPI_Ireduce", "MPI_Iscan", "MPI_Ibarrier"]
NONBLOCKING += ["MPI_Ineighbor_allgather", "MPI_File_iwrite_at_all"]
STARTED = ["allreduce", "broadcast", "allreduce", "broadcast"]


def look(n, late, *options, env=None):
    folder = h.SCRATCH / f"trace{n}{''.join(options)}{'net' if env else ''}"
    command = [h.MPTRUN, "-n", n, *options, "--trace", folder, program, late, h.SCRATCH / "file"]
    done = h.run(command, env=env, limit=60)
    h.expect(done.status == 0 and done.err == "", f"{n} PEs {options} {env}", done)
    paths = [folder / f"pe.{pe}.trace" for pe in range(n)]
    traces = [r.read(path) for path in paths]
    for pe, trace in enumerate(traces):
        look_at(pe, trace, late)
        raw = r.scan(paths[pe], whole=True)[0]
        ends = [(t, raw[t[13]]) for t in raw if t[0] == r.DONE]  # `value` is the record's index
        for end, begin in ends:
            same = all(end[k] == begin[k] for k in (7, 10, 12)) if begin[0] == r.CALL else end[12] == begin[12]
            h.expect(begin[0] in (r.CALL, r.START) and begin[1] & r.BEGINS and same, f"PE {pe}: {end} of {begin}")
    operations = [collections.Counter((t.group, t.message) for t in trace if t.kind == r.DONE) for trace in traces]
    h.expect(all(one == operations[0] for one in operations), f"{n} {options}: other operations: {operations}")
    sources(n, paths)
    partitions(n, late, traces)


def look_at(pe, trace, late):
    begun = [t for t in trace if t.role & r.COLLECTIVE and t.role & r.BEGINS and not t.call.endswith("_init")]
    h.expect([t.call for t in begun if t.kind == r.CALL] == NONBLOCKING, f"PE {pe}: began {begun}")
    started = [t for t in begun if t.kind == r.START]
    h.expect([t.call for t in started] == STARTED, f"PE {pe}: started {started}")
    h.expect([t.peer for t in started] == [-1, late, -1, late], f"PE {pe}: roots of {started}")
    h.expect([t.bytes for t in started] == [8, 80, 8, 80], f"PE {pe}: bytes of {started}")
    h.expect(all(t.line.startswith(str(HERE / "later.c:")) for t in started), f"PE {pe}: lines of {started}")
    ended = [t for t in trace if t.kind == r.DONE]
    both = [sorted((t.group, t.message) for t in some) for some in (begun, ended)]
    h.expect(both[0] == both[1], f"PE {pe}: began {begun}, ended {ended}")


def sources(n, paths):
    """Of each PE in the ring: the one before and the one behind."""
    for pe, path in enumerate(paths):
        found = r.sources(path)
        h.expect(found == [((pe - 1) % n, (pe + 1) % n)], f"PE {pe}: neighbours {found}")


def partitions(n, late, traces):
    """Two rounds of four, each way; the sender is ready before the receiver has it, which it knows at once for those
    that it asks for."""
    other = (late + 1) % n
    for source, target, size in ((late, other, 3000), (other, late, 8)):
        sent = {t.message: t for t in traces[source] if t.kind == r.SEND and t.peer == target and t.message & PARTITION}
        got = {t.message: t for t in traces[target] if t.kind == r.RECEIVE and t.message & PARTITION}
        h.expect(len(sent) == 2 * PARTS and set(sent) == set(got), f"sent {sent}, received {got}")
        for message in set(sent) & set(got):
            s, g = sent[message], got[message]
            fits = (s.tag, s.bytes, g.tag, g.bytes) == (5, size, 5, size) and s.begin <= g.end and g.peer == source
            h.expect(fits, f"{s} and {g}")
        after = [t.message for t in traces[source] if t.kind == r.SENT and t.message & PARTITION]
        h.expect(set(after) <= set(sent) and len(set(after)) == len(after), f"{after} of {sent}")


look(2, 1)
look(4, 2)
if h.can_be_tasks():
    look(4, 1, "--tasks=2")
    look(3, 0, "--tasks=1")
look(3, 0, env={"MPT_TRANSPORT": "tcp", "MPT_IFACE": "lo"})
h.finish()
