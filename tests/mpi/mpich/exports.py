#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""libmpi.so.12 and libmpich.so.12 export what programs built with MPICH look for: every function of the standard in its
two names and forms, those that were removed but that MPICH keeps, Fortran's handles, data symbols; and nothing of
ours."""

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(os.environ.get("MPT_SOURCE", Path(__file__).parents[3])) / "tools/mpi"))
import api

KINDS = "Comm Errhandler File Group Info Message Op Request Session Type Win".split()
FUNCTIONS = "Status_c2f Status_f2c Status_c2f08 Status_f082c Status_f2f08 Status_f082f".split()
FUNCTIONS += [f"{kind}_{way}" for kind in KINDS for way in ("c2f", "f2c")]
DATA = """MPI_UNWEIGHTED MPI_WEIGHTS_EMPTY MPI_T_PVAR_ALL_HANDLES MPI_F_STATUS_IGNORE MPI_F_STATUSES_IGNORE
    MPI_F08_STATUS_IGNORE MPI_F08_STATUSES_IGNORE""".split()

MALLOC = "malloc free calloc realloc memalign aligned_alloc posix_memalign malloc_usable_size".split()  # front_malloc


def main() -> int:
    wanted = {f"{prefix}MPI_{name}" for name in FUNCTIONS for prefix in ("", "P")} | set(DATA) | {"MPIR_Dup_fn"}
    for p in api.c_functions():
        for prefix in ("", "P"):
            wanted |= {prefix + p.name} | ({f"{prefix}{p.name}_c"} if p.has_large else set())
    bad = 0
    for name in ("libmpi.so.12", "libmpich.so.12"):
        path = Path(sys.argv[1]) / name
        table = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
        have = {line.split()[-1] for line in table.splitlines()}
        strays = {n for n in have if not n.startswith(("MPI", "PMPI"))} - set(MALLOC)
        soname = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
        weak = {line.split()[-1] for line in table.splitlines() if line.split()[-2] == "W"}
        strong = {n for n in have if n.startswith("MPI_") and n not in DATA and n not in weak}
        for what, names in (
            ("missing", wanted - have),
            ("not to be seen", strays),
            ("cannot be replaced by a tool", strong),
        ):
            if names:
                print(f"{name}: {what}: {' '.join(sorted(names))}")
                bad = 1
        if f"soname: [{name}]" not in soname:
            print(f"{name}: has another SONAME")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
