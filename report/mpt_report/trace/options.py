# SPDX-License-Identifier: BSD-3-Clause
"""The options that `mpt trace` and `mpt matrix` share."""

from __future__ import annotations

import argparse

from .selection import Wanted

MOST_PES = 1 << 20


def pes(value: str) -> frozenset[int]:
    """Numbers of PEs and spans of them, as in 0,4-7."""
    found: set[int] = set()
    for item in value.split(","):
        first, dash, last = item.partition("-")
        if not first.isdigit() or (dash and not last.isdigit()) or int(last or first) >= MOST_PES:
            raise argparse.ArgumentTypeError(f"{value!r} is no list of PEs, as 0,4-7")
        if dash and int(last) < int(first):
            raise argparse.ArgumentTypeError(f"{value!r}: {last} is below {first}")
        found |= set(range(int(first), int(last or first) + 1))
    return frozenset(found)


def moment(value: str) -> float:
    try:
        found = float(value.removesuffix("s"))
    except ValueError:
        found = -1.0
    if not 0.0 <= found < float("inf"):
        raise argparse.ArgumentTypeError(f"{value!r} is no time in seconds since the job's begin")
    return found


def rows(value: str) -> int:
    if not value.isdigit() or int(value) < 1:
        raise argparse.ArgumentTypeError(f"{value!r} is no number of rows")
    return int(value)


def add(command: argparse.ArgumentParser) -> None:
    """What chooses a part of the trace, and how it is shown."""
    put = command.add_argument
    put("dir", metavar="DIR", help="the folder that mptrun --trace DIR has made")
    put("--pe", type=pes, metavar="N,N-N,...", help="only these PEs")
    put("--call", default="", metavar="NAME", help="only calls with this in their name, or a pattern as MPI_I*")
    put("--from", dest="begin", type=moment, metavar="S", help="only from so many seconds after the begin on")
    put("--to", dest="end", type=moment, metavar="S", help="only until so many seconds after the begin")
    put("--region", default="", metavar="NAME", help="only within a region of the program's")
    put("--json", action="store_true", help="figures for other programs, to standard output")
    put("--html", metavar="FILE", help="write a page")
    put("--width", type=int, help="columns of the text (default: the terminal's)")


def wanted(args: argparse.Namespace) -> Wanted:
    return Wanted(args.pe, args.call, args.begin, args.end, args.region)
