# SPDX-License-Identifier: BSD-3-Clause
"""Generated programs (generate.py) compile, with both compilers' flags, and compute the same by every kind of pointer.

diff.py scc mptrun folder statements seed...   A program that fails stays in the folder.
"""

import os
import subprocess
import sys
from pathlib import Path

from generate import program

FLAGS = (["-O2"], ["-O0", "-fcheck"])
EXTRA = os.environ.get("SCC_FLAGS", "").split()


def run(*command):
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False, text=True
    )
    return done.returncode, done.stdout


def main():
    scc, mptrun, folder, statements, *seeds = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        source, binary = Path(folder, f"{seed}.sc"), Path(folder, seed)
        source.write_text(program(int(seed), int(statements)), encoding="ascii")
        rc, text = run(scc, *FLAGS[int(seed) % 2], *EXTRA, "-w", "-fwrapv", source, "-o", binary)
        if rc == 0:
            rc, text = run(mptrun, "-n", "2", binary)
        if rc != 0 or "same" not in text:
            print(f"seed {seed}: {source}: status {rc}\n{text[:3000]}")
            return 1
        source.unlink()
        binary.unlink()
    return 0


sys.exit(main())
