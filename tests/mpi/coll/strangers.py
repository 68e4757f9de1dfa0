#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Collective calls that do not belong together end the job and say so, instead of pairing, or waiting for ever,
whichever rank is the odd one."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

BUILD = Path(os.environ["MPT_BUILD"])
PAIRS = (
    ("fence", "free"),
    ("barrier", "bcast"),
    ("bcast", "barrier"),
    ("allreduce", "barrier"),
    ("allreduce", "bcast"),
    ("allgather", "allreduce"),
    ("allgather", "allgatherv"),
    ("bcast", "dup"),
    ("barrier", "dup"),
    ("barrier", "ibarrier"),
    ("ibarrier", "allreduce"),
    ("bcast", "bcast_of_last"),
    ("allreduce", "gather"),
    ("sync", "close"),
    ("set_size", "sync"),
)

# Broadcasts of different amounts of data between nodes, in parts or not. (Who sends or gets all in one message may not
# notice; on one node it is no matter.)
AMOUNTS = (("large", "larger"), ("larger", "large"), ("large", "middle"), ("middle", "large"), ("ilarge", "imiddle"))
LAYOUTS = {"1 + 1 + 1 + 1": {}, "2 + 2": {"MPT_NODES": "2"}}


def silent(others: str, odd: str, rank: int, ranks: int) -> bool:
    """Who takes itself for the root waits for nobody, and the others get theirs from theirs."""
    return (others, odd) == ("bcast", "bcast_of_last") and rank == ranks - 1


def run(
    ranks: int, others: str, odd: str, rank: int, folder: str, env: dict[str, str] | None = None
) -> tuple[int, str]:
    program = BUILD / "tests/t_mpi_coll_strangers"
    done = subprocess.run(
        [BUILD / "bin/mptrun", "-n", str(ranks), program, others, odd, str(rank), Path(folder) / "file"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **(env or {})},
    )
    return done.returncode, done.stderr


def unlike(ranks: int, others: str, odd: str, rank: int, folder: str) -> int:
    try:
        status, text = run(ranks, others, odd, rank, folder)
    except subprocess.TimeoutExpired:
        status, text = 0, "a minute"
    if silent(others, odd, rank, ranks) or (
        status != 0 and "does not belong to this one" in text and "MPI (" not in text
    ):
        return 0
    print(
        f"FAIL {others}, but {odd} on rank {rank} of {ranks}: status {status}, and no word of it, or of the program's "
        f"call, in\n{text}",
        file=sys.stderr,
    )
    return 1


def of_other_amount(layout: str, others: str, odd: str, rank: int, folder: str) -> int:
    env = {"MPT_TRANSPORT": "tcp", **LAYOUTS[layout]}
    try:
        status, text = run(4, others, odd, rank, folder, env)
    except subprocess.TimeoutExpired:
        status, text = 0, "a minute"
    word = "has another amount of data" in text or "MPI_ERR_TRUNCATE" in text
    if status != 0 and word and "MPI (" not in text:
        return 0
    print(f"FAIL {others}, but {odd} on rank {rank}, nodes of {layout}: status {status}\n{text}", file=sys.stderr)
    return 1


def main() -> int:
    failures = 0
    many = min(17, 2 * (os.cpu_count() or 1) + 1)  # share cores, or are many, and meet in another way
    with tempfile.TemporaryDirectory() as folder:
        for others, odd in PAIRS:
            for ranks, rank in ((2, 0), (2, 1), (3, 0), (3, 1), (3, 2), (many, 0), (many, many - 1)):
                failures += unlike(ranks, others, odd, rank, folder)
        for layout in LAYOUTS:
            for others, odd in AMOUNTS:
                for rank in range(4):
                    failures += of_other_amount(layout, others, odd, rank, folder)
        for same in {call for pair in PAIRS for call in pair} | {"late"}:
            status, text = run(3, same, same, 0, folder)
            if same not in ("close", "free") and status != 0:
                print(f"FAIL {same} by all: status {status}\n{text}", file=sys.stderr)
                failures += 1
    return failures != 0


sys.exit(main())
