#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compile and run programs of each form with mpifort and its other names: fixed form with buffers of two types,
free form with each module; static programs; the flags the wrapper tells are enough for the compiler alone; the library
has the standard's name, and the one it had before, too."""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

BIN = Path(os.environ["MPT_BUILD"]) / "bin"

FIXED = """      PROGRAM FIXED
      INCLUDE 'mpif.h'
      INTEGER IERR, N, I(2)
      REAL X(2)
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, N, IERR)
      I(1) = N
      X(1) = N
      CALL MPI_BCAST(I, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, IERR)
      CALL MPI_BCAST(X, 2, MPI_REAL, 0, MPI_COMM_WORLD, IERR)
      IF (I(1) .EQ. X(1)) PRINT '(A,I1)', 'ranks=', I(1)
      CALL MPI_FINALIZE(IERR)
      END
"""
FREE = """program free
  use {module}
  implicit none
  integer :: n, ierr
  call MPI_Init(ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  print '(a,i1)', 'ranks=', n
  call MPI_Finalize(ierr)
end program
"""
PROGRAMS = [
    ("mpif77", "fixed.f", FIXED),
    ("mpif90", "free.f90", FREE.format(module="mpi")),
    ("mpifort", "free8.f90", FREE.format(module="mpi_f08")),
    ("mpifort_abi", "free9.f90", FREE.format(module="mpi_f08")),
]


def run(*command: str | Path) -> str:
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=60)
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(program: Path) -> None:
    lines = run(BIN / "mptrun", "-n", "2", program).split()
    if lines != ["ranks=2"] * 2:
        sys.exit(f"{program.name} printed {lines}")


def check_library(program: Path, wrapper: str, source: Path) -> None:
    """Its name is the standard's (20.4.2); what was linked under the old one is found."""
    if "[libmpifort_abi.so.1]" not in run("readelf", "-d", program):
        sys.exit(f"{program.name} does not ask for libmpifort_abi.so.1")
    command = [
        word.replace("-lmpifort_abi", "-lmpi_abi_fort")
        for word in shlex.split(run(BIN / wrapper, "-w", source, "-o", program, "-show"))
    ]
    run(*command)
    expect(program)
    if not (BIN.parent / "lib/libmpi_abi_fort.so.1").exists():
        sys.exit("programs linked with the library's old name do not find it")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for wrapper, source, text in PROGRAMS:
            (folder / source).write_text(text)
            run(BIN / wrapper, "-w", folder / source, "-o", folder / "a.out")
            expect(folder / "a.out")
            check_library(folder / "a.out", wrapper, folder / source)
            flags = [shlex.split(run(BIN / wrapper, f"-showme:{what}")) for what in ("command", "compile", "link")]
            run(*flags[0], *flags[1], "-w", folder / source, "-o", folder / "b.out", *flags[2])
            expect(folder / "b.out")
            if (BIN.parent / "lib/libmpifort_abi.a").exists() and not any("-fsanitize" in flag for flag in flags[1]):
                run(BIN / wrapper, "-w", "-static", folder / source, "-o", folder / "c.out")
                expect(folder / "c.out")


if __name__ == "__main__":
    main()
