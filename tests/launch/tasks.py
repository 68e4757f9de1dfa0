# SPDX-License-Identifier: BSD-3-Clause
"""PEs as tasks (mptrun --tasks), from outside: what is a PE's own, its output, how it ends and what the launcher says
of that, more PEs than one process takes at once, two jobs at once, and what is refused."""

import concurrent.futures
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

h.need_tasks()

here = pathlib.Path(__file__).resolve().parent
program = h.build(here / "tasks.c")


def tasks(npes, mode, *options):
    return h.run([h.MPTRUN, "--tasks", *options, "--timeout", "60", "-n", str(npes), program, mode])


for npes in (1, 2, 3, 5, 8, 64):
    r = tasks(npes, "own")
    h.expect(r.status == 0, f"{npes} PEs", r)
    total = npes * (npes + 1) // 2
    for pe in range(npes):
        variable = "another" if pe else "zero"
        line = f"PE {pe} of {npes}: counter {total}, mine {pe}, constructed 1, {variable}\n"
        h.expect(line in r.out, f"{npes} PEs: PE {pe} has what is its own", r)
        h.expect(f"PE {pe}: goodbye\n" in r.out, f"{npes} PEs: PE {pe} comes to its end", r)

r = tasks(6, "output")
for pe in range(6):
    h.expect(f"PE {pe} begins and ends\n" in r.out and f"PE {pe} writes\n" in r.out, f"whole lines of PE {pe}", r)
r = tasks(6, "output", "--tag-output")
for pe in range(6):
    h.expect(re.search(rf"^\W*{pe}\W+PE {pe} writes$", r.out, re.MULTILINE), f"PE {pe}'s lines have its tag", r)

for processes in ("--tasks=1", "--tasks"):
    r = tasks(6, "stare", processes)
    h.expect(r.status == 0, f"{processes}: a PE that calls nothing does not keep others from running", r)

for mode, status, text in (
    ("exit", 3, r"PE 5 .*exited with status 3"),
    ("fail", 5, r"PE 5 .*exited with status 5"),
    ("fault", 139, r"PE 5 .*signal 11"),
    ("abort", 134, r"PE 5 .*signal 6"),
    ("global", 7, ""),
    ("leave", 1, r"PE 5, which has exited"),
):
    r = tasks(6, mode)
    h.expect(r.status == status and re.search(text, r.err), f"the last PE: {mode}", r)

with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for r in pool.map(lambda _: tasks(16, "own"), range(2)):
        h.expect(r.status == 0 and r.out.count("goodbye") == 16, "two jobs at once", r)

fixed = h.build(here / "tasks.c", "tasks_fixed", ("-fno-pie", "-no-pie"))
r = h.run([h.MPTRUN, "--tasks", "-n", "4", fixed, "own"])
h.expect(r.status != 0 and "link it with -pie" in r.err, "a program that is not position-independent is refused", r)
r = h.run([h.MPTRUN, "--tasks", "-n", "6", program, "own"], env={"MPT_TRANSPORT": "tcp"})
h.expect(r.status == 0 and r.out.count("goodbye") == 6, "tasks over a network", r)
r = h.run([h.MPTRUN, "--tasks", "--ft", "-n", "4", program, "own"])
h.expect(r.status == 2 and "outlive" in r.err, "--ft is refused", r)
r = h.run([h.MPTRUN, "--tasks=1", "-n", "1025", program, "own"])
h.expect(r.status == 2 and "more than the 1024" in r.err, "too many PEs for a process are refused", r)
r = h.run([h.MPTRUN, "--tasks=x", "-n", "4", program, "own"])
h.expect(r.status == 2 and "expected a number of processes" in r.err, "--tasks=x", r)
h.finish()
