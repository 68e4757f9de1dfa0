# SPDX-License-Identifier: BSD-3-Clause
"""The names the built libraries export, by nm: every function of OpenSHMEM 1.6 and its profiling twin, Cray's names,
and nothing that could get in the way of a program's own names."""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import api
import harness as h


def exported(library, *options):
    done = subprocess.run(
        ["nm", *options, "--defined-only", "--extern-only", str(library)], capture_output=True, text=True, check=True
    )
    return {m[2]: m[1] for m in re.finditer(r"^[0-9a-f]+ ([A-Za-z]) (\S+?)(?:@\S+)?$", done.stdout, re.M)}


def check_library(library, symbols):
    functions = {name for name, kind in symbols.items() if kind in "TWi"}
    wanted = set(api.NAMES) | {"shmem_pcontrol"}
    for what, names in (
        ("functions", wanted),
        ("profiling twins", {api.twin(n) for n in wanted}),
        ("Cray names", set(api.CRAY)),
    ):
        missing = sorted(names - functions)
        h.expect(not missing, f"{library}: {len(missing)} of {len(names)} {what} missing: {' '.join(missing[:20])}")
    print(f"{library}: {len(functions)} functions, {len(wanted & functions)} of {len(wanted)} standard names")


# Fortran symbols are the same names in lower case with an underscore behind, and a few old ones; am_: Active
# Messages; sc_: what scc puts into programs.
OURS = re.compile(
    r"^(p?shmemx?_\w+|shmalloc|shfree|shrealloc|shmemalign|p?start_pes|_?my_pe|_?num_pes|mpt_\w+|g?am_\w+|sc_\w+|[a-z0-9_]+_)$"
)

shared = sorted(h.BUILD.glob("lib/libmpt.so"))
static = sorted(h.BUILD.glob("lib/libmpt.a"))
h.expect(shared, "no lib/libmpt.so in the build folder")
h.expect(static, "no lib/libmpt.a in the build folder")
h.expect(len(api.NAMES) == 1781 and len(set(api.NAMES)) == 1781, f"the list has {len(set(api.NAMES))} names, not 1781")
for library in shared:
    symbols = exported(library, "-D")
    check_library(library.name, symbols)
    strange = sorted(n for n in symbols if not OURS.match(n) and not n.startswith("_"))
    h.expect(not strange, f"{library.name} exports {len(strange)} other names: {' '.join(strange[:30])}")
for library in static:
    check_library(library.name, exported(library))
h.finish()
