#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the front libraries export: every name of src/pvm/names.tsv from its library, every name that programs built
with another PVM 3.4 want (needed.txt), the variables with the sizes those programs copy, and the right SONAMEs.

Usage: names.py (environment: MPT_BUILD, MPT_SOURCE).
"""

import os
import re
import subprocess
import sys
from pathlib import Path

LIB = Path(os.environ["MPT_BUILD"]) / "lib"
NAMES = Path(os.environ["MPT_SOURCE"]) / "src/pvm/names.tsv"
NEEDED = Path(__file__).parent / "needed.txt"
SIZES = {
    "pvm_errno": 4,
    "pvm_nerr": 4,
    "pvm_errlist": 37 * 8,
    "pvmmytid": 4,
    "pvmmyctx": 4,
    "pvmdebmask": 4,
    "pvm_useruid": 4,
    "pvmctrc": 68,
    "pvmgs_tmout": 16,
}


def rows(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]


def exported(library: str) -> dict[str, int]:
    out = subprocess.run(
        ["nm", "-DS", "--defined-only", LIB / f"lib{library}.so.3"], capture_output=True, text=True, check=True
    )
    return {m[2]: int(m[1] or "0", 16) for m in re.finditer(r"^\w+ (?:(\w+) )?[TDBR] (\w+)$", out.stdout, re.M)}


def soname(library: str) -> str:
    out = subprocess.run(["readelf", "-d", LIB / f"lib{library}.so.3"], capture_output=True, text=True, check=True)
    found = re.search(r"SONAME.*\[(.*)\]", out.stdout)
    return found[1] if found else "none"


def main() -> int:
    have = {library: exported(library) for library in ("pvm3", "gpvm3")}
    everything = have["pvm3"] | have["gpvm3"]
    problems = [f"lib{library} does not export {name}" for name, library in rows(NAMES) if name not in have[library]]
    problems += [
        f"programs want {name}, which is exported by neither" for (name,) in rows(NEEDED) if name not in everything
    ]
    problems += [
        f"{name} has {everything.get(name)} bytes, not {size}"
        for name, size in SIZES.items()
        if everything.get(name) != size
    ]
    problems += [
        f"SONAME of lib{library} is {soname(library)}" for library in have if soname(library) != f"lib{library}.so.3"
    ]
    print("\n".join(problems) or f"{len(everything)} names")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
