# SPDX-License-Identifier: BSD-3-Clause
"""Every name of names.txt is exported by libmpt.so (lower case, one underscore behind), declared by shmem.fh or the
module, and nothing else of that form is; and programs link them all: one that declares nothing but EXTERNAL, in capital
letters and fixed form, and one that uses the module."""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent


def expand(pattern):
    group = re.search(r"\{([^}]*)\}", pattern)
    if not group:
        return [pattern]
    return [
        name
        for word in group[1].split(",")
        for name in expand(pattern[: group.start()] + word + pattern[group.end() :])
    ]


lines = (HERE / "names.txt").read_text().splitlines()
wanted = {name for line in lines if not line.startswith("#") for word in line.split() for name in expand(word)}

table = subprocess.run(
    ["nm", "-D", "--defined-only", str(h.BUILD / "lib" / "libmpt.so")], capture_output=True, text=True, check=True
).stdout
exported = {
    words[-1][:-1] for words in map(str.split, table.splitlines()) if words[-2] in "TW" and words[-1][-1] == "_"
} - {"mpt_region_begin", "mpt_region_end"}  # of mpt/trace.h: no names of SHMEM
h.expect(wanted <= exported, f"not exported: {sorted(wanted - exported)}")
h.expect(exported <= wanted, f"exported, but not in names.txt: {sorted(exported - wanted)}")

declared = set()
for file in (h.SOURCE / "include" / "shmem.fh", h.SOURCE / "src" / "shmem" / "fortran" / "shmem.f90"):
    text = re.sub(r"!.*", "", file.read_text())
    for names in re.findall(r"^ *(?:procedure\(\w+\) *::|external) *(.*)$", text, re.M):
        declared |= {name.strip() for name in names.split(",")}
h.expect(declared == wanted, f"declarations differ: {sorted(declared ^ wanted)}")


def program(begin, names):
    """It counts the procedures that have an address."""
    lines = [
        "PROGRAM NAMES",
        *begin,
        "INTEGER N",
        "N = 0",
        *(f"CALL COUNT({name}, N)" for name in names),
        f"IF (N .NE. {len(names)}) STOP 1",
        "END",
        "SUBROUTINE COUNT(WHAT, N)",
        "USE, INTRINSIC :: ISO_C_BINDING",
        "EXTERNAL WHAT",
        "INTEGER N",
        "IF (C_ASSOCIATED(C_FUNLOC(WHAT))) N = N + 1",
        "END",
    ]
    return "".join(f"      {line}\n" for line in lines)


names = sorted(name.upper() for name in wanted)
for file, text in {
    "external.f": program([f"EXTERNAL {name}" for name in names], names),
    "module.f": program(["USE SHMEM"], names),
}.items():
    (h.SCRATCH / file).write_text(text)
    command = [str(h.BUILD / "bin" / "oshfort"), "-w", file, "-o", "names"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=h.environment(), cwd=h.SCRATCH)
    if h.expect(done.returncode == 0, f"{file} does not link:\n{done.stdout}{done.stderr}"):
        r = h.oshrun(1, h.SCRATCH / "names")
        h.expect(r.status == 0, f"{file} does not find all", r)
print(f"{len(wanted)} names")
h.finish()
