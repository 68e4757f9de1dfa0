#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run a program plainly and compare what it prints with what it printed under PVM 3.4.6 (NAME.expected, written by
tests/pvm/harness/compare.py --record). Usage: run.py NAME PROGRAM
"""

import difflib
import os
import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "harness"))
from machines import normal  # noqa: E402
from recipes import UNORDERED  # noqa: E402


def main() -> int:
    name, program = sys.argv[1], Path(sys.argv[2])
    done = subprocess.run(
        [program],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | {"PVM_PATH": str(program.parent)},
    )
    ours = normal(done.stdout, platform.node(), program.parent, False, name not in UNORDERED, None)
    expected = (HERE / f"{name}.expected").read_text().splitlines()
    print("\n".join(difflib.unified_diff(expected, ours, "expected", "printed", lineterm="", n=1)))
    return done.returncode or ours != expected


if __name__ == "__main__":
    sys.exit(main())
