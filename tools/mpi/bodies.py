# SPDX-License-Identifier: BSD-3-Clause
"""Comments in generated C that lead to the bodies of MPI's procedures in src/mpi."""

import functools
import sys
from pathlib import Path

import api

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import where


@functools.cache
def folder() -> where.Folder:
    return where.Folder(*where.INTERFACES["MPI"][1])


def comment(p: api.Procedure, large: bool = False) -> str:
    """The body's function and file; its line would make another file of each change."""
    places = folder().find(p.core_name)
    return f"/* {p.name}{'_c' * large}: {p.core_name}, {places[0].path} */\n" if places else ""
