# SPDX-License-Identifier: BSD-3-Clause
"""What the check of the reference says when a contract is missing or wrong: each rule is broken once in a copy."""

import pathlib
import shutil
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/reference"))
import contracts  # noqa: E402

# Chapter, what to replace, by what, and what is said then.
BREAKS = [
    ("shmem/rma", 'functions.shmem_TYPE_p = "', 'functions.shmem_TYPE_q = "', "shmem_TYPE_p has no contract"),
    ("shmem/rma", 'functions.shmem_TYPE_p = "', 'functions.shmem_TYPE_q = "', "shmem_TYPE_q: no such function"),
    ("shmem/fortran", "functions.shpalloc = ", "functions.shalloc = ", "shpalloc has no contract"),
    ("shmem/synchronization", "arguments.var = ", "arguments.lock_var = ", "nothing says what var is"),
    ("mpi/collectives", "functions.MPI_Scan = ", "functions.MPI_Bcast = ", "MPI_Bcast: on the pages"),
    ("mpi/collectives", 'section = "6.4"', 'section = "six"', "section 'six' is no section number"),
    ("mpi/start", "arguments.required = ", "arguments.requested = ", "no function has an argument requested"),
    ("mpi/start", "arguments.errorcode = ", "arguments.color = ", "no function has an argument color"),
    ("mpi/info", "`MPI_Info_get_string`", "`MPI_Info_get_text`", "names MPI_Info_get_text, which is not a function"),
    ("mpi/start", "`MPI_THREAD_FUNNELED`", "`MPI_THREAD_FUNNEL`", "names MPI_THREAD_FUNNEL, which is in no header"),
    ("mpi/collectives", "MPI_Exscan(&n", "MPI_Escan(&n", "the example calls MPI_Escan"),
    ("pvm/messages", "arguments.match = ", "arguments.macht = ", "nothing says what match is"),
    ("am/job", "functions.am_wait_for = ", "functions.am_wait_long = ", "the macro am_wait_for has no contract"),
    ("split-c/atomic", 'purpose = "locks"', 'reason = "locks"', "has several functions and no purpose"),
]


def said(folder: pathlib.Path, chapter: str, old: str, new: str, cc: str) -> list[str]:
    file = folder / f"{chapter}.toml"
    whole = file.read_text()
    assert old in whole, f"{chapter}: {old}"
    file.write_text(whole.replace(old, new, 1))
    try:
        return list(contracts.breaches(contracts.load(cc, [chapter.split("/")[0]])))
    finally:
        file.write_text(whole)


bad = 0
with tempfile.TemporaryDirectory() as scratch:
    contracts.FOLDER = pathlib.Path(scratch) / "reference"
    shutil.copytree(ROOT / "docs/reference", contracts.FOLDER)
    for chapter, old, new, expected in BREAKS:
        found = said(contracts.FOLDER, chapter, old, new, sys.argv[1])
        if not any(expected in text for text in found):
            print(f"{chapter}: {old} -> {new}: expected {expected!r}, said {found[:3]}")
            bad += 1
print(f"{len(BREAKS)} breaks, {bad} not noticed")
sys.exit(bool(bad))
