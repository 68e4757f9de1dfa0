#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A program that loads MPI by the name libmpi.so, as mpi4py's wheel does first, gets this library from the folder where
it was installed, also where the system has another MPI's: as many ranks as were started. And mpicc leaves out a
makefile's -lmpi, which would be that library.
Usage: by_name.py BUILD-FOLDER CMAKE"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

BUILD, CMAKE = Path(sys.argv[1]), sys.argv[2]
LOADS = """
import ctypes
import os
mpi = ctypes.CDLL("libmpi.so", ctypes.RTLD_GLOBAL)
WORLD = 0x44000000  # MPI_COMM_WORLD of MPICH's ABI
rank, size = ctypes.c_int(), ctypes.c_int()
assert mpi.MPI_Init(None, None) == 0
mpi.MPI_Comm_rank(WORLD, ctypes.byref(rank))
mpi.MPI_Comm_size(WORLD, ctypes.byref(size))
os.write(1, b"%d of %d\\n" % (rank.value, size.value))
mpi.MPI_Finalize()
"""
PROGRAM = """#include <mpi.h>
int main(void) { int n; MPI_Init(0, 0); MPI_Comm_size(MPI_COMM_WORLD, &n); MPI_Finalize(); return n != 2; }
"""


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=60, **more)
    if done.returncode:
        sys.exit(f"FAIL: {words}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(good, what):
    if not good:
        sys.exit(f"FAIL: {what}")


with tempfile.TemporaryDirectory() as folder:
    at = Path(folder)
    run(CMAKE, f"-DCMAKE_INSTALL_PREFIX={at}", "-P", BUILD / "src/mpi/cmake_install.cmake")
    found = sorted(at.rglob("libmpi.so"))
    expect(
        len(found) == 1 and Path(found[0]).readlink().name.startswith("libmpi.so.12"),
        f"libmpi.so is not installed: {found}",
    )
    (at / "loads.py").write_text(LOADS)
    env = {**os.environ, "LD_LIBRARY_PATH": f"{found[0].parent}:{BUILD / 'lib'}"}
    said = run(BUILD / "bin/mptrun", "-n", "3", sys.executable, at / "loads.py", env=env)
    expect(sorted(said.splitlines()) == ["0 of 3", "1 of 3", "2 of 3"], f"three ranks say {said}")

    (at / "program.c").write_text(PROGRAM)
    run(BUILD / "bin/mpicc", "program.c", "-lmpi", "-o", "program", cwd=at)
    needs = run("readelf", "-d", at / "program")
    expect("libmpi_abi.so" in needs and "libmpi.so" not in needs, f"mpicc -lmpi links {needs}")
    run(BUILD / "bin/mptrun", "-n", "2", at / "program")
