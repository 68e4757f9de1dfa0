# SPDX-License-Identifier: BSD-3-Clause
"""Programs whose PEs write the same whether they are processes or tasks."""

import collections
import re

import harness as h

NPES = 4


def by_pe(text):
    """Lines of each tag, in their order."""
    lines = collections.defaultdict(list)
    for line in text.splitlines():
        tag = re.match(r"\W*(\d+)\W", line)
        lines[tag.group(1) if tag else ""].append(line)
    return lines


def same(what, command, text="", npes=NPES, tidy=lambda out: out):
    """Run it as processes, as tasks of one process and of two. `command`: a list, or what makes one each time."""
    wanted = None
    for how in ([], ["--tasks=1"], ["--tasks=2"]):
        words = command() if callable(command) else command
        r = h.run([h.MPTRUN, *how, "--tag-output", "--timeout", "60", "-n", npes, *words], text=text, limit=60)
        got = [by_pe(tidy(out)) for out in (r.out, r.err)]
        if not h.expect(r.status == 0, f"{what} {how}", r):
            return
        wanted = wanted or got
        h.expect(sum(map(len, got[0].values())) >= npes, f"{what} {how}: every PE writes", r)
        for stream, a, b in zip(("stdout", "stderr"), wanted, got, strict=True):
            for pe in sorted(a.keys() | b.keys()):
                h.expect(a[pe] == b[pe], f"{what} {how}: {stream} of PE {pe} is {b[pe]}, as a process {a[pe]}")
