# SPDX-License-Identifier: BSD-3-Clause
"""What mptrun --trace records of Split-C: accesses that are inline otherwise, with their lines of the source."""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import records as r

import harness as h

HERE = pathlib.Path(__file__).resolve().parent
program = h.SCRATCH / "splitc"
flags = os.environ.get("SCC_FLAGS", "").split()  # of the library's sanitizers
subprocess.run([h.BUILD / "bin/scc", "-g", *flags, HERE / "splitc.sc", "-o", program], check=True, timeout=120)
lines = (HERE / "splitc.sc").read_text().splitlines()


def line_of(text):
    return 1 + next(i for i, line in enumerate(lines) if text in line)


for n in (2, 3):
    folder = h.SCRATCH / f"trace{n}"
    done = h.run([h.MPTRUN, "-n", n, "--trace", folder, program], limit=60)
    h.expect(done.status == 0 and done.err == "", f"{n} PEs", done)
    for pe in range(n):
        to = (pe + 1) % n
        calls = [t for t in r.read(folder / f"pe.{pe}.trace") if t.kind == r.CALL]
        wanted = [  # call, role, peer, bytes, what its line holds
            ("write", r.STORES, to, 4, "A[to][1] = 7"),
            ("barrier", r.COLLECTIVE, -1, 0, "barrier();"),
            ("read", r.LOADS, to, 4, "have = A[to][1]"),
            ("bulk_write", r.STORES, to, 64, "bulk_write("),
            ("bulk_read", r.LOADS, to, 32, "bulk_read("),
            ("get", r.LOADS | r.BEGINS, to, 8, "own[0] :="),
            ("put", r.STORES | r.BEGINS, to, 8, ":= 5"),
            ("sync", r.SYNC, -1, 0, "sync();"),
            ("store", r.STORES, to, 8, ":- 6"),
            ("all_store_sync", r.COLLECTIVE, -1, 0, "all_store_sync();"),
            ("fetch_add", r.STORES | r.LOADS, 0, 4, "fetch_add("),
            ("all_reduce_to_all_add", r.COLLECTIVE, -1, 4, "all_reduce_to_all_add("),
        ]
        names = [t.call for t in calls]
        begin = names.index("write") if "write" in names else 0
        h.expect(names[begin : begin + len(wanted)] == [w[0] for w in wanted], f"PE {pe} of {n}: {names}")
        for t, (name, role, peer, n_bytes, text) in zip(calls[begin:], wanted, strict=False):
            h.expect((t.role, t.peer, t.bytes) == (role, peer, n_bytes), f"PE {pe}: {name}: {t}")
            h.expect(f"splitc.sc:{line_of(text)} " in t.line, f"PE {pe}: {name} in line {line_of(text)}: {t.line}")
h.finish()
