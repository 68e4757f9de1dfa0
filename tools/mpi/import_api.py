#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write src/mpi/api.tsv, the table of MPI's procedures that all generators here read.

The facts (names, kinds and directions of parameters) come from the data the MPI Forum
publishes with MPI-5.0, as packed in PyPI's pympistandard (apis.json). Needed only when
a new version of the standard appears.
Usage: import_api.py apis.json > src/mpi/api.tsv
"""

import json
import sys
from pathlib import Path

PROCEDURE_FLAGS = {
    "c_expressible": "c",
    "f90_expressible": "f90",
    "f08_expressible": "f08",
    "callback": "callback",
    "deprecated": "deprecated",
    "predefined_function": "predefined",
    "f90_index_overload": "overload",
}


def parameter_row(p: dict) -> str:
    length = p["length"]
    length = (
        "-" if length is None else ";".join(x or "*" for x in length) if isinstance(length, list) else length or "*"
    )
    flags = [
        name
        for name, key in (
            ("const", "constant"),
            ("large", "large_only"),
            ("optional", "optional"),
            ("async", "asynchronous"),
            ("root", "root_only"),
        )
        if p[key]
    ]
    if p["pointer"] is not None:
        flags.append("pointer" if p["pointer"] else "value")
    if "c_parameter" in p["suppress"]:
        flags.append("noc")
    if any(s in p["suppress"] for s in ("f08_parameter", "f90_parameter")):
        flags.append("nof")
    if p["func_type"]:
        flags.append("func=" + p["func_type"])
    return "\t".join(["", p["name"], p["kind"], p["param_direction"], length, ",".join(flags)])


def main() -> None:
    with Path(sys.argv[1]).open() as file:
        procedures = json.load(file)
    print("# SPDX-License-Identifier: BSD-3-Clause")
    print(
        "# MPI-5.0's procedures, made by tools/mpi/import_api.py: name, return kind, flags; then a line per parameter:"
    )
    print("# name, kind, direction, length (-: no array), flags")
    for p in sorted(procedures.values(), key=lambda p: p["name"]):
        flags = [flag for key, flag in PROCEDURE_FLAGS.items() if p["attributes"].get(key)]
        print("\t".join([p["name"], p["return_kind"], ",".join(flags)]))
        for parameter in p["parameters"]:
            print(parameter_row(parameter))


if __name__ == "__main__":
    main()
