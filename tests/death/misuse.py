# SPDX-License-Identifier: BSD-3-Clause
"""Wrong arguments: PE numbers out of range, addresses that are no symmetric objects, codes that do not exist, and
calls outside of shmem_init and shmem_finalize. Each ends the job at once with a nonzero status and one message that
names the PE, the call and the value; never a crash, a hang or silence. Both with inlined transfers and without."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent

programs = {level: h.build(HERE / "misuse.c", f"misuse{level}", [level]) for level in ("-O0", "-O2")}
calls = [line.split() for line in h.run([programs["-O0"], "list"]).out.splitlines()]
h.expect(len(calls) > 50, f"only {len(calls)} wrong calls to try")


def check(level, group, name, value, shown):
    """shown: patterns the message must have beside the call's name."""
    if group in ("early", "late"):
        r = h.run([programs[level], group, name, "0", value], limit=5)
    else:
        r = h.oshrun(2, programs[level], group, name, 1, value, limit=5)
        shown = [r"PE 1\b", *shown]
    what = f"{level}: {group}: {name} with {value}"
    h.expect(
        r.status is not None and r.status > 0 and r.status < 128, f"{what}: expected an exit status that is an error", r
    )
    h.expect("returned" not in r.out, f"{what}: the call returned", r)
    # an inlined call on the default context is the call without one
    names = rf"\b({name}|{name.replace('ctx_', '')})\b"
    line = next((line for line in r.err.splitlines() if re.search(names, line)), "")
    h.expect(line, f"{what}: no message names the call", r)
    for pattern in shown:
        h.expect(not line or re.search(pattern, line), f"{what}: the message does not say {pattern!r}: {line}")
    h.expect(r.seconds < 2, f"{what}: took {r.seconds:.1f} s")


for level in programs:
    for group, name in calls:
        if group == "pe":
            for value in ("-1", "npes") if level == "-O0" else ("-1", "2147483647"):
                number = "2" if value == "npes" else value
                check(level, group, name, value, [rf"(?<!\d){number}\b"])
        elif group == "address":
            for value in ("null", "malloc") if level == "-O0" else ("stack", "kernel"):
                check(level, group, name, value, [r"0x[0-9a-f]+|NULL|null|nil"])
        elif group == "code":
            check(level, group, name, "99", [r"\b99\b"])
        elif group == "early":
            check(level, group, name, "0", [r"shmem_init"])
        else:
            check(level, group, name, "0", [r"shmem_finalize|shmem_init"])
h.finish()
