#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Right programs that wait, many times and under load: --check must say nothing.

Usage: waiting.py BUILD_FOLDER RUNS [FIRST_SEED]. While they run, processes that only compute use all cores.
"""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = {"waiting_mpi": "mpicc", "waiting_shmem": "oshcc"}
WAYS = [[], [], ["--tasks"], ["MPT_TRANSPORT=tcp"], ["MPT_TRANSPORT=tcp", "MPT_NODES=2"]]
LIMIT_S = 60
MANY = 32  # tasks of each third such run


def command(build: Path, folder: Path, seed: int) -> tuple[list[str], dict[str, str]]:
    """What is run for a seed, and its environment."""
    program, way = sorted(PROGRAMS)[seed % 2], WAYS[seed // 2 % len(WAYS)]
    environment = {word.split("=")[0]: word.split("=")[1] for word in way if "=" in word}
    options = [word for word in way if "=" not in word]
    pes = MANY if options and seed % 3 == 0 else 2 + seed % 5
    return [
        str(build / "bin/mptrun"), "--check", *options, "-n", str(pes), str(folder / program), str(seed),
    ], {**os.environ, **environment}  # fmt: skip


def judge(build: Path, folder: Path, seed: int) -> str:
    """Run one; "" or what is wrong."""
    words, environment = command(build, folder, seed)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, text=True) as job:
        try:
            text, _ = job.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            job.send_signal(signal.SIGTERM)
            text = "not ended: " + job.communicate()[0]
    return "" if job.returncode == 0 and not text else f"{' '.join(words)}: status {job.returncode}\n{text}"


def main() -> None:
    """See above."""
    build, runs = Path(sys.argv[1]), int(sys.argv[2])
    first, bad = int(sys.argv[3]) if len(sys.argv) > 3 else 1, 0
    with tempfile.TemporaryDirectory(prefix="mpt-waiting-") as name:
        folder = Path(name)
        for program, compiler in PROGRAMS.items():
            words = [
                str(build / "bin" / compiler),
                "-g",
                "-O1",
                "-pthread",
                str(HERE / f"{program}.c"),
                "-o",
                str(folder / program),
            ]
            subprocess.run(words, check=True)
        load = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
        try:
            for seed in range(first, first + runs):
                text = judge(build, folder, seed)
                if text:
                    bad += 1
                    print(text, flush=True)
        finally:
            for process in load:
                process.kill()
                process.wait()
    print(f"{bad} of {runs} runs were not silent")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
