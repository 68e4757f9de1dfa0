# SPDX-License-Identifier: BSD-3-Clause
"""What a PE gets from the C library is the same whether PEs are processes or tasks: each mode of tasks_libc.c, and a
C++ program, run as both; what each PE writes is compared."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h
from tasks_same import NPES, same

h.need_tasks()

here = pathlib.Path(__file__).resolve().parent
program = h.build(here / "tasks_libc.c", flags=("-Wl,--no-as-needed", "-lm"))
streams = h.build(here / "tasks_streams.cc", wrapper=str(h.BUILD / "bin" / "oshc++"), standard="gnu++17")
carrier = h.build(here / "tasks_carrier.c", flags=("-pthread",))
file = h.SCRATCH / "input"
file.write_text("a line\n")
arguments = "-ab one -c two -abd3 --size=4 -x --verb three -cfour --si -- -a 5 6 7".split()
same("options", [program, "options", *arguments])
same("input", [program, "input", file], "x12 rest\nsecond\nthird\n")
same("output", [program, "output"])
for mode in ("numbers", "results", "times", "folders", "environment", "locales", "signals", "alarms", "from_outside"):
    same(mode, [program, mode])
same("what belongs to the carrier", [carrier])
same("streams", [streams], "word\n")
for how in ([], ["--tasks=1"], ["--tasks=2"]):
    r = h.run([h.MPTRUN, *how, "-n", NPES, program, "others_alarm"])
    h.expect(r.status == 142 and f"PE {NPES - 2} " in r.err, f"an alarm without a handler is that PE's: {how}", r)
h.finish()
