#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that each source file includes only what docs/architecture.md allows.

A folder of src/ may include its own headers, the face headers of the layers
below it, public headers and the system's. Also checked: file sizes, getenv only
in the parameter table's file, one SPDX line at the top of each file.
Usage: layers.py SOURCE_FOLDER. Prints each breach and exits 1 if there is one.
"""
import re
import sys
from pathlib import Path

# Layer: the headers of other layers it may include (public headers: by folder include/).
ALLOWED = {
    "core": set(),
    "coll": {"core/core.h"},
    "shmem": {"core/core.h", "coll/coll.h"},
    "mpi": {"core/core.h", "core/quick.h", "core/dead.h", "core/param.def", "core/user_socket.h", "coll/coll.h"},  # param.def: variables of MPI_T
    "pvm": {"core/core.h", "core/quick.h", "core/user_socket.h", "coll/coll.h"},
    "am": {"core/core.h", "core/quick.h", "coll/coll.h"},
    "splitc": {"core/core.h", "coll/coll.h", "am/am_core.h"},
    "benchlib": set(),  # leaves: not even core
    "mptm": set(),
    "launch": {"core/asked.h", "core/empty.h", "core/leash.h", "core/wire.h", "core/supervise.h", "core/param.h", "core/error.h", "core/topology.h"},
}
# Public headers each layer may include; faces may not include another face's.
PUBLIC = {
    "core": ("mpt/fast.h",),
    "coll": ("mpt/fast.h",),
    "launch": ("mpt/fast.h",),
    "shmem": ("mpt/", "shmem.h", "shmemx.h", "mpp/"),
    "mpi": ("mpt/fast.h", "mpi.h", "calls.h", "mpich_calls.h", "mpich_tables.h"),  # generated ones too
    "pvm": ("mpt/fast.h", "pvm3.h", "pvm_names.h"),
    "am": ("mpt/fast.h", "am.h"),
    "splitc": ("mpt/", "split-c/", "am.h"),
    "benchlib": ("benchlib.h",),
    "mptm": ("mptm.h",),
}
MAX_LINES = 600
GENERATED = {"mpi.h"}  # committed, but written by a tool
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def breaches_of(root: Path, file: Path) -> list[str]:
    text = file.read_text()
    layer = file.relative_to(root / "src").parts[0]
    found = []
    for name in INCLUDE.findall(text):
        first = name.split("/")[0]
        if first == layer or (file.parent / name).exists():
            continue
        if first in ALLOWED and "/" in name and (root / "src" / name).exists():
            if name not in ALLOWED[layer]:
                found.append(f"includes {name}: layer {layer} may include only {sorted(ALLOWED[layer])} of others")
        elif not name.startswith(PUBLIC.get(layer, ("mpt/fast.h",))):
            found.append(f"includes {name}, which is not a header layer {layer} may use")
    if re.search(r"\b(secure_)?getenv *\(", text) and not file.name.startswith("param"):
        found.append("calls getenv: parameters are read in core/param.c only")
    return found


def common_breaches(file: Path) -> list[str]:
    lines = file.read_text().splitlines()
    found = []
    if len(lines) > MAX_LINES and file.name not in GENERATED:
        found.append(f"has {len(lines)} lines, more than {MAX_LINES}")
    if not any("SPDX-License-Identifier" in line for line in lines[:3]):
        found.append("has no SPDX line at its top")
    return found


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    bad = 0
    for folder in ("src", "include", "bench", "tests", "tools"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in {".c", ".h", ".def", ".py", ".fh", ".f90", ".F90", ".sh"}:
                continue
            found = common_breaches(file)
            if folder == "src" and file.suffix in {".c", ".h", ".def"}:
                found += breaches_of(root, file)
            for text in found:
                print(f"{file.relative_to(root)}: {text}")
            bad += len(found)
    print(f"layers: {bad} breaches")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
