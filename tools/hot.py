#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which functions should lie side by side (src/hot.ld)? Usage: hot.py BUILD_FOLDER [PERF_DATA]

Prints the lines of src/hot.ld that name no function of the library any more. With what perf has recorded, also the
lines for functions that had samples, most first, and that are not in it yet:

    perf record -F 20000 -e cpu-clock -o perf.data build/bin/mptrun --tasks=1 -n 64 build/bench/scaling
    tools/hot.py build perf.data

Run what you want to be quick: barriers, short reductions and messages of many tasks. What passes often and is in no
cache counts, so put in what a switch passes, not what computes.
"""

import fnmatch
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINE = re.compile(r"\*(\S+\.o)\(\.text\.(\S+)\)")
LEAST = 0.1  # percent of the samples


def run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def functions(build: Path) -> dict[str, set[str]]:
    """The objects that define each function, as the linker's script names them."""
    found: dict[str, set[str]] = defaultdict(set)
    objects = [str(file) for file in (build / "CMakeFiles").glob("mpt_objects_*.dir/**/*.o")]
    for file, name in re.findall(r"^(.*?):[0-9a-f]+ [tT] (\S+)$", run("nm", "-A", *objects), re.MULTILINE):
        found[name].add(re.sub(r"^.*?\.dir/(src/|generated/|.*/generated/)?", "", file))
    return found


def sampled(data: str) -> list[str]:
    """By share, of whatever copy of the library."""
    text = run("perf", "report", "-i", data, "--stdio", "-g", "none", "--sort", "symbol", "--no-children")
    rows = re.findall(r"^\s*([\d.]+)%\s+\[\.\] (\S+)", text, re.MULTILINE)
    return [name for share, name in rows if float(share) >= LEAST]


def main() -> int:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    known = functions(Path(sys.argv[1]))
    if not known:
        sys.exit(f"hot: no objects of the library in {sys.argv[1]}")
    listed = LINE.findall((ROOT / "src/hot.ld").read_text())
    for file, name in listed:
        if not any(where.endswith(file) for found in fnmatch.filter(known, name) for where in known[found]):
            print(f"gone: *{file}(.text.{name})")
    for name in sampled(sys.argv[2]) if len(sys.argv) > 2 else []:
        if not any(fnmatch.fnmatchcase(name, pattern) for _, pattern in listed):
            for where in sorted(known.get(name, ())):
                print(f"    *{where}(.text.{name})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
