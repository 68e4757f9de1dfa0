#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The report of MPT_SPLITC_PROFILE names each line of profile.c with what it moved, to whom; without it there is
none."""

import os
import re
import subprocess
import sys
from pathlib import Path

EXPECTED = {"A": ("=  write", 10, 80), "B": (":= get", 1, 80), "C": (":- store", 1, 4)}
ROW = re.compile(r"PE (\d)  \S*profile\.c:(\d+)  (\S+ +\w+)  (\d+) times, (\d+) bytes, with (\d): (\d+)$", re.M)


def run(profile: str) -> str:
    done = subprocess.run(
        [sys.argv[1], "-n", "2", sys.argv[2]],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "MPT_SPLITC_PROFILE": profile},
    )
    if done.returncode != 0:
        sys.exit(f"status {done.returncode}: {done.stderr}")
    return done.stderr


def main() -> int:
    source = (Path(__file__).parent / "profile.c").read_text().splitlines()
    expected = set()
    for letter, (what, times, size) in EXPECTED.items():
        line = next(i for i, text in enumerate(source, 1) if f"line {letter} " in text)
        expected |= {(str(pe), str(line), what, str(times), str(size), str(1 - pe), str(size)) for pe in (0, 1)}
    report = run("1")
    found = set(ROW.findall(report))
    if found != expected:
        print(f"expected {sorted(expected)}\nfound {sorted(found)}\n{report}")
        return 1
    if run("0"):
        print("a report that nobody asked for")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
