# SPDX-License-Identifier: BSD-3-Clause
"""What a PE gets from the C library is the same whether PEs are processes or tasks: each mode of tasks_libc.c, and a
C++ program, run as both; what each PE writes is compared."""

import collections
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

h.need_tasks()

here = pathlib.Path(__file__).resolve().parent
program = h.build(here / "tasks_libc.c", flags=("-Wl,--no-as-needed", "-lm"))
streams = h.build(here / "tasks_streams.cc", wrapper=str(h.BUILD / "bin" / "oshc++"), standard="gnu++17")
NPES = 4


def by_pe(text):
    """Lines of each tag, in their order."""
    lines = collections.defaultdict(list)
    for line in text.splitlines():
        tag = re.match(r"\W*(\d+)\W", line)
        lines[tag.group(1) if tag else ""].append(line)
    return lines


def same(what, command, text="", npes=NPES, tidy=lambda out: out):
    """Run it as processes, as tasks of one process and of two."""
    wanted = None
    for how in ([], ["--tasks=1"], ["--tasks=2"]):
        r = h.run([h.MPTRUN, *how, "--tag-output", "--timeout", "60", "-n", npes, *command], text=text, limit=60)
        got = [by_pe(tidy(out)) for out in (r.out, r.err)]
        if not h.expect(r.status == 0, f"{what} {how}", r):
            return
        wanted = wanted or got
        h.expect(sum(map(len, got[0].values())) >= npes, f"{what} {how}: every PE writes", r)
        for stream, a, b in zip(("stdout", "stderr"), wanted, got, strict=True):
            for pe in sorted(a.keys() | b.keys()):
                h.expect(a[pe] == b[pe], f"{what} {how}: {stream} of PE {pe} is {b[pe]}, as a process {a[pe]}")


file = h.SCRATCH / "input"
file.write_text("a line\n")
arguments = "-ab one -c two -abd3 --size=4 -x --verb three -cfour --si -- -a 5 6 7".split()
same("options", [program, "options", *arguments])
same("input", [program, "input", file], "x12 rest\nsecond\nthird\n")
same("output", [program, "output"])
for mode in ("numbers", "results", "times", "folders", "environment", "locales", "signals", "alarms", "from_outside"):
    same(mode, [program, mode])
same("streams", [streams], "word\n")
for how in ([], ["--tasks=1"], ["--tasks=2"]):
    r = h.run([h.MPTRUN, *how, "-n", NPES, program, "others_alarm"])
    h.expect(r.status == 142 and f"PE {NPES - 2} " in r.err, f"an alarm without a handler is that PE's: {how}", r)
h.finish()
