# SPDX-License-Identifier: BSD-3-Clause
"""What mptrun --trace records of active messages: each handler has the message that it ran for."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import records as r

import harness as h

flags = ("-I", str(h.BUILD / "include"), "-L", str(h.BUILD / "lib"), f"-Wl,-rpath,{h.BUILD / 'lib'}")
program = h.build(pathlib.Path(__file__).resolve().parent / "am.c", flags=("-fno-pie", "-no-pie", *flags))


def look(n, *options):
    folder = h.SCRATCH / f"trace{n}{''.join(options)}"
    done = h.run([h.MPTRUN, "-n", n, *options, "--trace", folder, program], limit=60)
    h.expect(done.status == 0 and done.err == "", f"{n} PEs {options}", done)
    traces = [r.read(folder / f"pe.{pe}.trace") for pe in range(n)]
    sent = {(pe, t.peer, t.message): t for pe, trace in enumerate(traces) for t in trace if t.role & r.SENDS}
    for pe, trace in enumerate(traces):
        to, before = (pe + 1) % n, (pe - 1) % n
        names = [t.call for t in trace if t.kind == r.CALL and t.call != "am_wait_for"]  # which may have nothing to do
        wanted = [*["am_request_2"] * 3, "am_store", "gam_barrier", "am_get"]
        h.expect(names[: len(wanted)] == wanted, f"PE {pe} of {n}: {names}")
        requests = [t for t in trace if t.call == "am_request_2"]
        h.expect([(t.peer, t.message, t.bytes) for t in requests] == [(to, k, 16) for k in (1, 3, 5)], f"{requests}")
        handlers = [t for t in trace if t.kind == r.HANDLER]
        for t in handlers:
            match = sent.get((t.peer, pe, t.message))
            h.expect(match and match.bytes == t.bytes and match.begin <= t.end, f"PE {pe}: the message of {t}: {match}")
        h.expect(
            sorted((t.peer, t.message) for t in handlers)
            == sorted([(before, k) for k in (1, 3, 5)] + [(to, k) for k in (2, 4, 6)]),
            f"PE {pe} of {n}: handlers ran for {handlers}",
        )
        moved = {t.call: (t.role, t.peer, t.bytes) for t in trace if t.call in ("am_store", "am_get")}
        h.expect(
            moved == {"am_store": (r.STORES, to, 200), "am_get": (r.LOADS, to, 100)}, f"PE {pe}: store and get: {moved}"
        )
        numbers = [t.message for t in trace if t.call == "gam_barrier"]
        h.expect(numbers == [1, 2], f"PE {pe}: barriers are numbered: {numbers}")


look(2)
look(3)
h.finish()
