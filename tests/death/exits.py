# SPDX-License-Identifier: BSD-3-Clause
"""A PE leaves by exit, _exit or return from main without shmem_finalize. With another status than 0 it ends the job
with that status. With 0 it may go, but whoever waits for it in a collective call must learn so: a message that names
the PE that left, a nonzero status, within about 2 s."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent

victim = h.build(HERE / "victim.c", flags=["-O0"])


def check(what, r, status, pe):
    if status is None:
        h.expect(r.status not in (0, None), f"{what}: expected a nonzero status", r)
    else:
        h.expect(r.status == status, f"{what}: expected status {status}", r)
    h.expect(re.search(rf"PE {pe}\b", r.err), f"{what}: no message names PE {pe}", r)
    h.expect("went on" not in r.out, f"{what}: a PE went on", r)
    h.expect(r.seconds < 2.5, f"{what}: took {r.seconds:.1f} s, expected about 2 at most", r)


for how in ("exit", "_exit", "return"):
    for npes, pe, number in ((2, 1, 3), (4, 0, 42), (3, 2, 255)):
        for where in ("barrier", "wait", "sleep") if how == "exit" else ("barrier",):
            r = h.oshrun(npes, victim, f"{how}={number}", pe, where)
            check(f"{npes} PEs, PE {pe}: {how}({number}), others in {where}", r, number, pe)
    for npes, pe in ((2, 1), (3, 0), (8, 7)) if how == "exit" else ((4, 2),):
        for where in ("barrier", "sync", "reduce", "broadcast", "malloc"):
            r = h.oshrun(npes, victim, f"{how}=0", pe, where)
            check(f"{npes} PEs, PE {pe}: {how}(0), others in {where}", r, None, pe)
# with two PEs the one that waits is alone
r = h.oshrun(2, victim, "_exit=0", 1, "barrier")
check("2 PEs, PE 1: _exit(0), PE 0 in barrier", r, None, 1)

# nobody is left who could end the waiting
for where in ("wait", "signal", "lock"):
    r = h.oshrun(2, victim, "exit=0", 1, where)
    what = f"2 PEs, PE 1: exit(0), PE 0 in {where}"
    h.expect(r.status not in (0, None), f"{what}: expected a nonzero status", r)
    h.expect(re.search(r"PE [01]\b", r.err) and r.seconds < 2.5, f"{what}: a message in time", r)

# the others only finalize: the job ends, in good order or with a word about the PE that did not
for npes, pe in ((2, 0), (3, 1), (8, 3)):
    r = h.oshrun(npes, victim, "exit=0", pe, "finalize")
    what = f"{npes} PEs, PE {pe}: exit(0), others in finalize"
    h.expect(r.status is not None and r.seconds < 2.5, f"{what}: did not end in time", r)
    h.expect(r.status == 0 or f"PE {pe}" in r.err, f"{what}: failed without naming PE {pe}", r)

# self-started jobs are no different
r = h.run([victim, "exit=3", "1", "barrier"], {"NPES": 3})
check("NPES=3, PE 1: exit(3), others in barrier", r, 3, 1)
r = h.run([victim, "exit=0", "2", "barrier"], {"NPES": 3})
check("NPES=3, PE 2: exit(0), others in barrier", r, None, 2)
h.expect(h.wait_for(lambda: not h.processes(), 2), f"processes left behind: {h.processes()}")
h.finish()
