#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docs/split-c.md compile and print what stands below them.
Usage: examples.py SCC MPTRUN PAGE"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FLAGS = os.environ.get("SCC_FLAGS", "").split()
EXAMPLE = re.compile(r"```c\n(/\* (\w+\.sc), (\d+) processors \*/\n.*?)```\n```text\n(.*?)```", re.S)


def main() -> int:
    scc, mptrun, page = sys.argv[1:4]
    examples = EXAMPLE.findall(Path(page).read_text())
    bad = 0 if len(examples) >= 3 else 1
    with tempfile.TemporaryDirectory() as folder:
        for text, name, processors, expected in examples:
            source = Path(folder) / name
            source.write_text(text)
            build = subprocess.run(
                [scc, "-O1", *FLAGS, str(source), "-o", str(source.with_suffix(""))],
                capture_output=True,
                text=True,
                timeout=60,
            )
            if build.returncode != 0:
                print(f"{name}: {build.stderr}")
                bad += 1
                continue
            run = subprocess.run(
                [mptrun, "-n", processors, str(source.with_suffix(""))], capture_output=True, text=True, timeout=60
            )
            if run.returncode != 0 or run.stdout != expected:
                print(f"{name}: status {run.returncode}, {run.stdout!r} {run.stderr!r}, expected {expected!r}")
                bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
