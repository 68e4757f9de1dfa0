#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Collective calls that do not belong together end the job and say so, instead of pairing."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

BUILD = Path(os.environ["MPT_BUILD"])
PAIRS = (("fence", "free"), ("barrier", "bcast"), ("allreduce", "barrier"), ("allgather", "allreduce"), ("allgather", "allgatherv"),
         ("bcast", "dup"), ("sync", "close"), ("set_size", "sync"))


def run(ranks: int, others: str, last: str, folder: str) -> tuple[int, str]:
    done = subprocess.run([BUILD / "bin/mptrun", "-n", str(ranks), BUILD / "tests/t_mpi_coll_strangers", others, last, Path(folder) / "file"],
                          capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


def main() -> int:
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for others, last in PAIRS:
            for ranks in (2, min(17, 2 * (os.cpu_count() or 1) + 1)):  # the latter share cores, or are many, and meet in another way
                status, text = run(ranks, others, last, folder)
                if status == 0 or "does not belong to this one" not in text:
                    print(f"FAIL {others} with {last} at {ranks} ranks: status {status}, and no word of it in\n{text}", file=sys.stderr)
                    failures += 1
        for same in {call for pair in PAIRS for call in pair}:
            status, text = run(3, same, same, folder)
            if same not in ("close", "free") and status != 0:
                print(f"FAIL {same} by all: status {status}\n{text}", file=sys.stderr)
                failures += 1
    return failures != 0


sys.exit(main())
