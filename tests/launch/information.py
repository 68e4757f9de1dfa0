# SPDX-License-Identifier: BSD-3-Clause
"""SHMEM_VERSION, SHMEM_INFO and SHMEM_DEBUG: what they print, once for the whole job, under both their names; and
nothing is printed without them."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

probe = h.build(pathlib.Path(__file__).resolve().parent / "probe.c")

VARIABLES = ["SHMEM_SYMMETRIC_SIZE", "SHMEM_VERSION", "SHMEM_INFO", "SHMEM_DEBUG", "NPES"]
for npes, command in ((1, [h.OSHRUN, "-np", "1"]), (3, [h.OSHRUN, "-np", "3"]), (2, [])):
    start = [*command, probe, "identity"]
    what = f"{command[1:] or 'self-started'} {npes} PEs"
    quiet = h.run(start, {"NPES": npes})
    h.expect(
        quiet.status == 0 and quiet.err == "" and len(quiet.out.splitlines()) == npes,
        f"{what}: silent by itself",
        quiet,
    )
    for prefix in ("SHMEM", "SMA"):
        for value in ("1", ""):
            r = h.run(start, {"NPES": npes, f"{prefix}_VERSION": value})
            said = r.out + r.err
            h.expect(
                r.status == 0 and len(re.findall(r"OpenSHMEM 1\.6", said)) == 1,
                f"{what}: {prefix}_VERSION={value!r} says it once",
                r,
            )
        r = h.run(start, {"NPES": npes, f"{prefix}_INFO": "1"})
        said = r.out + r.err
        for name in VARIABLES:
            h.expect(re.search(rf"\b{name}\b", said), f"{what}: {prefix}_INFO tells of {name}", r)
        h.expect(
            r.status == 0 and len(re.findall(r"^\s*SHMEM_SYMMETRIC_SIZE\b", said, re.M)) == 1,
            f"{what}: {prefix}_INFO once",
            r,
        )
        r = h.run(start, {"NPES": npes, f"{prefix}_DEBUG": "1"})
        h.expect(
            r.status == 0 and len(r.err) + len(r.out) > len(quiet.out) + 10, f"{what}: {prefix}_DEBUG says something", r
        )

# A word that a variable does not take ends the start, with one line: of the launcher, or of a program without one.
PARAMS = (h.SOURCE / "src/core/base/param.def").read_text()
CHOICES = re.findall(r'PARAM\((\w+), CHOICE, "(\w+)"', PARAMS)
h.expect(len(CHOICES) >= 5, f"{len(CHOICES)} variables that take words")
for field, name in CHOICES:
    words = re.findall(rf'WORD\({field}, \w+, "([^"]+)"\)', PARAMS)
    line = f'{name}="sideways": expected {", ".join(words[:-1])} or {words[-1]}'
    for command, said in (([h.OSHRUN, "-np", "2"], "mptrun: "), ([], "mpt: ")):
        r = h.run([*command, probe, "identity"], {name: "sideways"})
        h.expect(
            r.status not in (0, None)
            and r.status > 0
            and r.out == ""
            and len(r.err.splitlines()) == 1
            and r.err.startswith(said)
            and line in r.err,
            f"{name}=sideways of {command or 'a program alone'}",
            r,
        )

r = h.oshrun(2, probe, "identity", env={"SHMEM_INFO": "1", "SHMEM_SYMMETRIC_SIZE": "77M"})
h.expect("77M" in r.out + r.err or str(77 << 20) in r.out + r.err, "SHMEM_INFO shows values in force", r)
h.finish()
