#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run a program under the adversary: as it is, and with the call taken out that it needs.

With -DWRONG it has the defect, without it is right. The right one must pass with each seed, the wrong one fail with
one of them. It says how many seeds that took; `mpt explore` is not needed for it, nor its packages.
Usage: run.py BUILD_FOLDER SOURCE [--right SEEDS] [--wrong SEEDS]. Exit status 77: a compiler is missing.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

COMPILERS = {"mpi": "mpicc", "shmem": "oshcc", "splitc": "scc", "am": "oshcc"}
PES = (2, 3, 4)
LIMIT_S = 30


def build(tools: Path, source: Path, program: Path, flags: list[str]) -> None:
    compiler = tools / COMPILERS[source.parent.name]
    if not compiler.exists():
        sys.exit(77)
    command = [str(compiler), "-g", "-O1", str(source), "-o", str(program), *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")


def run(tools: Path, program: Path, seed: int) -> tuple[bool, str]:
    """Did it pass, and what it said."""
    pes = PES[seed % len(PES)]
    command = [str(tools / "mptrun"), "--timeout", str(LIMIT_S), "--adversary", str(seed), "-n", str(pes), str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3 * LIMIT_S, check=False)
    return done.returncode == 0, f"seed {seed}, {pes} PEs: status {done.returncode}\n{done.stdout}{done.stderr}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("--right", type=int, default=20)
    parser.add_argument("--wrong", type=int, default=200)
    args = parser.parse_args()
    tools, failed = args.build / "bin", False
    with tempfile.TemporaryDirectory(prefix="mpt-explore-") as folder:
        right, wrong = Path(folder) / "right", Path(folder) / "wrong"
        build(tools, args.source, right, [])
        build(tools, args.source, wrong, ["-DWRONG"])
        for seed in range(1, args.right + 1):
            passed, text = run(tools, right, seed)
            if not passed:
                failed = True
                print(f"the right program, {text}")
        found = next((seed for seed in range(1, args.wrong + 1) if not run(tools, wrong, seed)[0]), None)
    if args.wrong:
        print(f"{args.source.name}: " + (f"found with seed {found}" if found else f"not found with {args.wrong} seeds"))
    sys.exit(1 if failed or (args.wrong and not found) else 0)


if __name__ == "__main__":
    main()
