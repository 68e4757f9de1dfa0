# SPDX-License-Identifier: BSD-3-Clause
"""What the launcher says of tasks: with -v which PEs share a process, or that none do; and a hint that there is
--tasks, at a terminal only, where PEs outnumber cores fourfold and their program could use it."""

import os
import pathlib
import pty
import re
import select
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

h.need_tasks()

here = pathlib.Path(__file__).resolve().parent
program = h.build(here / "tasks.c")
fixed = h.build(here / "tasks.c", "fixed", ("-fno-pie", "-no-pie"))


def verbose(*options, env=None):
    return h.run([h.MPTRUN, "-v", *options], env)


r = verbose("--tasks=1", "-n", 5, program, "own")
h.expect("PEs are tasks of 1 process (--tasks)" in r.err, "-v says how many processes there are", r)
h.expect(re.search(r"PEs 0-4: pid \d+(, CPU \d+( \([^)]*\))?)?, as tasks", r.err), "-v says which PEs they have", r)
r = verbose("-n", 5, program, "own", env={"MPT_TASKS": 1})
h.expect("PEs are tasks of 1 process (MPT_TASKS)" in r.err, "-v says who asked for tasks", r)
r = verbose("--tasks=1", "-n", 2, program, "own", ":", "-n", 3, program, "own")
h.expect(re.search(r"PEs 0-1: pid.*\n.*PEs 2-4: pid", r.err), "-v with two programs", r)
r = verbose("--tasks", "-n", 1, program, "own")
h.expect("no tasks, as there is a process for each PE" in r.err, "-v says why there are none", r)
r = verbose("-n", 2, program, "own")
h.expect("task" not in r.err.replace(program, "") and "PE 1: pid" in r.err, "-v without --tasks", r)


def at_terminal(*words, env=None, err=None, out=None):
    """What is written to a terminal; out and err: descriptors instead."""
    command = [str(w) for w in (h.MPTRUN, *words)]
    pid, master = pty.fork()
    if pid == 0:
        if out is not None:
            os.dup2(out, 1)
        if err is not None:
            os.dup2(err, 2)
        os.execve(command[0], command, h.environment({"CI": None, **(env or {})}))
    text, until = b"", time.monotonic() + 60
    while select.select([master], [], [], max(0, until - time.monotonic()))[0]:
        try:
            got = os.read(master, 65536)
        except OSError:  # the other side is closed
            break
        text += got
        if not got:
            break
    os.close(master)
    h.expect(os.waitpid(pid, 0)[1] == 0, f"{' '.join(command)}: success")
    return text.decode(errors="replace")


HINT = "with --tasks"
many = ("-n", 4 * len(os.sched_getaffinity(0)), program, "output")
few = ("-n", max(1, len(os.sched_getaffinity(0))), program, "output")
text = at_terminal(*many)
h.expect(text.count(HINT) == 1 and "-q" in text, f"one hint at a terminal: {text}")
null = os.open("/dev/null", os.O_WRONLY)
for what, said in (
    ("PEs that do not outnumber cores", at_terminal(*few)),
    ("-q", at_terminal("-q", *many)),
    ("--quiet", at_terminal("--quiet", *many)),
    ("in CI", at_terminal(*many, env={"CI": "true"})),
    ("stdout redirected", at_terminal(*many, out=null)),
    ("stderr redirected", at_terminal(*many, err=null)),
    ("--tasks", at_terminal("--tasks", *many)),
    ("--tasks=0", at_terminal("--tasks=0", *many)),
    ("MPT_TASKS", at_terminal(*many, env={"MPT_TASKS": "auto"})),
    ("--ft", at_terminal("--ft", *many)),
    ("a fixed program", at_terminal(*many[:2], fixed, "output")),
    ("not of the library", at_terminal(*many[:2], "/bin/true")),
):
    h.expect(HINT not in said, f"no hint: {what}: {said}")
h.finish()
