# SPDX-License-Identifier: BSD-3-Clause
"""A PE that dies of a fault tells its stack first, with lines; one PE does where all have the same. What the program
does about signals, and what somebody sends, is left alone."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

SOURCE = pathlib.Path(__file__).resolve().parent / "crashes.c"
LINES = {word: n for n, text in enumerate(SOURCE.read_text().splitlines(), 1) for word in [text.strip()]}
HERE, CALLED, ABORTED = LINES["*p = 1; /* here */"], LINES["nothing();"], LINES["abort();"]
program = h.build(SOURCE, flags=["-O0"])


def crash(*how, pes=3, options=(), env=None):
    return h.run([h.MPTRUN, "-n", pes, *options, program, *how], env, limit=40)


def told(r, signal, *frames):
    """The message, then these frames in this order, then the launcher's line."""
    head = r.err.find("mpt: PE 1: ")
    places = [r.err.find(frame) for frame in frames]
    last = r.err.find(f"was killed by signal {signal}")
    h.expect(-1 not in places and head >= 0, f"{frames} are told", r)
    h.expect([head, *places, last] == sorted([head, *places, last]), f"{frames}: in this order, before the end", r)
    h.expect(r.status == 128 + signal, f"the status is that of signal {signal}", r)


trace = f"crashes.c:{HERE} in store", " in fail", " in main"
told(crash("store"), 11, "at address 0x10:", *trace)
told(crash("call"), 11, "which is no code, called at", f"crashes.c:{CALLED} in fail")
told(crash("abort"), 6, f"crashes.c:{ABORTED} in fail", " in main")
r = crash("stack")
told(r, 11, "crashes.c:")
h.expect(4 < r.err.count(" in sink") < 40, "of a stack that is at its end the innermost frames", r)
if h.can_be_tasks():
    told(crash("store", options=["--tasks=1"]), 11, "at address 0x10:", *trace)
    r = crash("stack", options=["--tasks=2"], pes=4)
    h.expect(r.status == 139 and "while it waited" not in r.err, "a task whose stack is at its end did not wait", r)

r = crash("store", "all", pes=8)
h.expect(r.err.count(" in store") == 1 and r.status == 139, "one PE tells", r)
r = h.run([program, "store", "all"], limit=40)
h.expect(f"crashes.c:{HERE} in store" in r.err and r.status == -11, "a program that nobody launched", r)
for how, env, status in (("sent", None, 139), ("store", {"MPT_BACKTRACE": "0"}, 139), ("handler", None, 9)):
    r = crash(how, env=env)
    h.expect(r.status == status and not re.search(" in (store|fail)", r.err), f"{how} {env}: nothing is told", r)
r = crash("child")
h.expect(r.status == 0 and "signal: 11" in r.out and r.err == "", "a child of the program's dies as it would", r)
h.finish()
