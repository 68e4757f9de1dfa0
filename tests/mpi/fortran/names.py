#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write a Fortran program that takes the address of each procedure of a form, under its MPI_ and PMPI_ names.

It is a pass when all of them are declared, can be linked and have addresses. Usage: names.py 77|90|8|8ts FILE
8ts: where mpi_f08 takes descriptors.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "tools/mpi"))
import fortran_api as f


def names(form: str) -> list[str]:
    found = []
    for prefix in ("", "P"):
        for p in f.procedures("f08" if form[0] == "8" else "f90"):
            name = prefix + p.name
            if form[0] == "8":
                large = f.large_differs(p) or p.name in f.OWN_LARGE_NAME
                found += [name + f.specific(p, wide, form == "8ts") for wide in (False, True)[: 1 + large]]
            else:
                found += [name] + ([name + "_cptr"] if "overload" in p.flags else [])
    return found + [p.name for p in f.predefined("f08" if form[0] == "8" else "f90")]


def main() -> None:
    form = sys.argv[1]
    use = {"77": "", "90": "use mpi", "8": "use mpi_f08", "8ts": "use mpi_f08"}[form]
    have = names(form)
    # Of mpif.h nothing is declared but the functions, which have their own types.
    plain = [n for n in have if n.removeprefix("P") not in f.FUNCTIONS]
    lines = ["program names", "use, intrinsic :: iso_c_binding", use, "implicit none"]
    if form == "77":
        lines += ["include 'mpif.h'"] + [f"external {n}" for n in plain if not n.startswith("MPI_") or not n.isupper()]
    lines += ["integer :: n = 0"] + [
        f"call count({n})" for n in have if n.removeprefix("P").removesuffix("_f08") not in f.FUNCTIONS
    ]
    lines += [
        f"if (n /= {sum(n.removeprefix('P').removesuffix('_f08') not in f.FUNCTIONS for n in have)}) stop 1",
        "contains",
        "subroutine count(what)",
        "external what",
        "if (c_associated(c_funloc(what))) n = n + 1",
        "end subroutine",
        "end program",
    ]
    Path(sys.argv[2]).write_text("\n".join(line for line in lines if line) + "\n")


if __name__ == "__main__":
    main()
