# SPDX-License-Identifier: BSD-3-Clause
"""A PE dies by a signal while the others wait, sleep or compute: the job ends within a second or so, the launcher says
which PE died of what, its exit status tells the same, and nothing is left."""

import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent

victim = h.build(HERE / "victim.c", flags=["-O0"])
WHERE = ["barrier", "sync", "reduce", "broadcast", "malloc", "wait", "signal", "lock", "finalize", "sleep", "loop"]


def check(npes, how, number, pe, where, command):
    r = h.run([*command, victim, how, pe, where], {"NPES": npes})
    what = f"{' '.join(command)} {npes} PEs, PE {pe} {how}, others in {where}"
    h.expect(r.status == 128 + number, f"{what}: expected status {128 + number}", r)
    h.expect(f"PE {pe}" in r.err, f"{what}: no message names PE {pe}", r)
    name = signal.strsignal(number)
    h.expect(f"signal {number}" in r.err or name in r.err, f"{what}: no message names signal {number} ({name})", r)
    h.expect("went on" not in r.out, f"{what}: a PE went on", r)
    h.expect("victim is process" in r.out, f"{what}: what the victim wrote is lost", r)
    h.expect(r.seconds < 2, f"{what}: took {r.seconds:.1f} s, expected less than 2", r)


for where in WHERE:
    check(4, "kill=9", signal.SIGKILL, 2, where, [h.OSHRUN, "-np", "4"])
for npes, pe in ((2, 0), (2, 1), (3, 1), (8, 7)):
    launcher = [h.OSHRUN, "-np", str(npes)]
    check(npes, "segv", signal.SIGSEGV, pe, "barrier", launcher)
    check(npes, "abort", signal.SIGABRT, pe, "reduce", launcher)
    check(npes, f"kill={int(signal.SIGTERM)}", signal.SIGTERM, pe, "sleep", launcher)
check(4, "kill=9", signal.SIGKILL, 1, "barrier", [])
check(4, "segv", signal.SIGSEGV, 0, "loop", [])
h.expect(h.wait_for(lambda: not h.processes(), 2), f"processes left behind: {h.processes()}")
h.finish()
