# SPDX-License-Identifier: BSD-3-Clause
"""mpi.h is accepted without a warning by the C and C++ of every standard that programs are written in, the oldest ones
included, and so are the C forms of Fortran's handles, which have bodies in it."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import harness as h

PROGRAM = """#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Fint handle, status[MPI_F_STATUS_SIZE];
    MPI_Status from;
    MPI_Init(&argc, &argv);
    handle = MPI_Comm_c2f(MPI_COMM_WORLD);
    MPI_Status_c2f(&from, status);
    MPI_Barrier(MPI_Comm_f2c(handle));
    return MPI_Finalize();
}
"""
DIALECTS = {
    "mpicc": ("c", ("c89", "gnu89", "iso9899:199409", "c99", "c11", "c17", "gnu17")),
    "mpicxx": ("cc", ("c++98", "c++11", "c++14", "c++17", "c++20", "gnu++17")),
}
for wrapper, (suffix, dialects) in DIALECTS.items():
    source = h.SCRATCH / f"dialect.{suffix}"
    source.write_text(PROGRAM)
    for dialect in dialects:
        flags = [f"-std={dialect}", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
        r = h.run([h.BUILD / "bin" / wrapper, *flags, source])
        h.expect(r.status == 0, f"{wrapper} -std={dialect}", r)
h.finish()
