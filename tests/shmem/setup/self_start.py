# SPDX-License-Identifier: BSD-3-Clause
"""Programs that start their own PEs: NPES=4 ./prog and start_pes(4); alone without either; and the launcher's number
is the one that counts below a launcher."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent
modes = h.build(HERE / "modes.c")


def check(what, r, npes):
    """One line of each PE, all of one job of npes, and success."""
    seen = sorted(re.findall(r"^PE (\d+) of (\d+)$", r.out, re.M))
    wanted = sorted((str(pe), str(npes)) for pe in range(npes))
    h.expect(r.status == 0, f"{what}: expected status 0", r)
    h.expect(seen == wanted, f"{what}: expected {npes} PEs, each once", r)


check("alone", h.run([modes, "plain"]), 1)
check("start_pes(0) alone", h.run([modes, "old"]), 1)
for n in (1, 2, 4, 7):
    check(f"NPES={n}", h.run([modes, "plain"], {"NPES": n}), n)
    check(f"NPES={n}, start_pes(0)", h.run([modes, "old", "0"], {"NPES": n}), n)
    check(f"start_pes({n})", h.run([modes, "old", n]), n)
check("oshrun -np 2 with NPES=4", h.oshrun(2, modes, "plain", env={"NPES": 4}), 2)
check("oshrun -np 2, start_pes(4)", h.oshrun(2, modes, "old", 4), 2)

for value in ("banana", "-2", "3.5", "4x"):
    r = h.run([modes, "plain"], {"NPES": value})
    h.expect(r.status not in (0, None), f"NPES={value} was accepted", r)
    h.expect("NPES" in r.err and value in r.err, f"NPES={value}: the message names variable and value", r)

# how a self-started job ends is its own status, and nothing stays
for pe, status in ((0, 7), (3, 42), (2, 0)):
    r = h.run([modes, "leave", pe, status], {"NPES": 4})
    h.expect(r.status == status, f"NPES=4, PE {pe} leaves with {status}", r)
    h.expect(h.wait_for(lambda: not h.processes(), 2), "PEs left behind by a self-started job")
h.finish()
