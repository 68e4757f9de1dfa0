#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run a program that counts what its calls cost under mptrun --check (cost.h), with 2 and 4 PEs.

Usage: cost.py BUILD_FOLDER SOURCE. Exit status: that of the program; 77: it was not built.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

COMPILERS = {"cost_mpi": "mpicc", "cost_shmem": "oshcc"}
LIMIT_S = 100


def main() -> int:
    bin_folder, source = Path(sys.argv[1]) / "bin", Path(sys.argv[2])
    compiler = bin_folder / COMPILERS[source.stem]
    if not compiler.exists():
        return 77
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / source.stem
        # The program's functions take the places of the C library's: others must find them.
        subprocess.run([compiler, "-g", "-O1", "-rdynamic", source, "-o", program], check=True)
        for pes in (2, 4):
            command = [bin_folder / "mptrun", "--check", "-n", str(pes), program]
            done = subprocess.run(command, timeout=LIMIT_S, check=False)
            if done.returncode != 0:
                return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
