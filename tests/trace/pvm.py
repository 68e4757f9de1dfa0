# SPDX-License-Identifier: BSD-3-Clause
"""What mptrun --trace records of PVM: each receive has its send, with the same tag and length, whatever the order."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import records as r

import harness as h

flags = ["-I", str(h.BUILD / "include"), "-L", str(h.BUILD / "lib"), f"-Wl,-rpath,{h.BUILD / 'lib'}"]
program = h.build(
    pathlib.Path(__file__).resolve().parent / "pvm.c",
    flags=(*flags, "-Wl,--no-as-needed", "-lgpvm3", "-lpvm3", "-lmpt"),
)
ROUNDS = 40


def look(n, *options):
    folder = h.SCRATCH / f"trace{n}{''.join(options)}"
    done = h.run([h.MPTRUN, "-n", n, *options, "--trace", folder, program], limit=60)
    h.expect(done.status == 0 and done.err == "", f"{n} tasks {options}", done)
    traces = [r.read(folder / f"pe.{pe}.trace") for pe in range(n)]
    sent = {(pe, t.peer, t.message): t for pe, trace in enumerate(traces) for t in trace if t.role & r.SENDS}
    for pe, trace in enumerate(traces):
        to, before = (pe + 1) % n, (pe - 1) % n
        sends = [(t.peer, t.tag, t.bytes) for t in trace if t.call == "pvm_send"]
        h.expect(sends == [(to, i, 20 if i % 3 else 1200000) for i in range(ROUNDS)], f"PE {pe}: {sends}")
        received = [t for t in trace if t.role & r.RECEIVES]
        h.expect(
            [(t.peer, t.tag) for t in received if t.call == "pvm_recv"]
            == [(before, i) for i in reversed(range(ROUNDS))],
            f"PE {pe}: receives {received}",
        )
        for t in received:
            match = sent.get((t.peer, pe, t.message))
            same = match and (match.tag, match.bytes) == (t.tag, t.bytes) and match.begin <= t.end
            h.expect(same, f"PE {pe}: the send of {t}: {match}")
        calls = [t.call for t in received]
        h.expect((calls.count("pvm_precv"), calls.count("pvm_nrecv")) == (1, n - 1), f"PE {pe}: {calls}")
        to_all = [t.peer for t in trace if t.call == "pvm_mcast" and t.role & r.SENDS]
        h.expect(sorted(to_all) == [i for i in range(n) if i != pe], f"PE {pe}: pvm_mcast to {to_all}")
    reduced = [t for trace in traces for t in trace if t.call == "pvm_reduce" and t.role & r.RECEIVES]
    h.expect(len(reduced) == n - 1, f"the reduction's messages: {reduced}")


look(2)
look(3)
h.finish()
