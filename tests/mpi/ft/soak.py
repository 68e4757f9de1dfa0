# SPDX-License-Identifier: BSD-3-Clause
"""Runs soak.c with many seeds on 2, 3, 4 and 8 ranks. Usage: soak.py FIRST NUMBER"""

import os
import subprocess
import sys

PES = (2, 3, 4, 8)
LIMIT = 60


def main() -> int:
    first, number = int(sys.argv[1]), int(sys.argv[2])
    folder = os.environ["MPT_BUILD"]
    failures = 0
    for seed in range(first, first + number):
        n = PES[seed // 4 % len(PES)]
        command = [
            f"{folder}/bin/mptrun",
            "--ft",
            "--timeout",
            str(LIMIT),
            "-n",
            str(n),
            f"{folder}/tests/t_mpi_ft_soak",
            str(seed),
        ]
        run = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=2 * LIMIT, check=False
        )
        if run.returncode:
            failures += 1
            print(f"seed {seed}, {n} ranks: status {run.returncode}\n{run.stdout}")
    print(f"{number} runs, {failures} failed")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
