#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""With MPT_CHECK=1 a job whose ranks all wait in vain ends, and each says for what."""

import os
import re
import subprocess
import sys
from pathlib import Path

BUILD = Path(os.environ["MPT_BUILD"])
FOUND = 86  # the status of a job in which --check has found something


def run(which: str) -> tuple[int, str]:
    done = subprocess.run(
        [BUILD / "bin/mptrun", "-n", "2", BUILD / "tests/t_mpi_p2p_deadlock", which],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"MPT_CHECK": "1"},
    )
    return done.returncode, done.stderr


def main() -> int:
    failures = 0
    for which, expected in (
        (
            "recv",
            [
                r"deadlock",
                r"PE 0: MPI_Recv\(from rank 1, tag 42, MPI_COMM_WORLD, 1 MPI_INT\)",
                r"PE 1: MPI_Waitall\(.*: receive from MPI_ANY_SOURCE, tag 7, MPI_COMM_WORLD",
            ],
        ),
        (
            "send",
            [
                r"deadlock",
                r"PE 0: MPI_Ssend\(to rank 1, tag 3, MPI_COMM_WORLD",
                r"PE 1: MPI_Probe\(from rank 0, MPI_ANY_TAG, MPI_COMM_SELF\)",
            ],
        ),
    ):
        status, text = run(which)
        for pattern in expected:
            if not re.search(pattern, text):
                print(f"FAIL {which}: nothing like /{pattern}/ in\n{text}", file=sys.stderr)
                failures += 1
        if status != FOUND:
            print(f"FAIL {which}: the job's status is {status}", file=sys.stderr)
            failures += 1
    status, text = run("none")
    if status != 0 or "deadlock" in text:
        print(f"FAIL a job that waits for a slow rank: status {status}\n{text}", file=sys.stderr)
        failures += 1
    return failures != 0


sys.exit(main())
