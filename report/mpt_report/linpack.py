# SPDX-License-Identifier: BSD-3-Clause
"""LINPACK by order beside HPL, both over the same number of PEs."""

from __future__ import annotations

from dataclasses import dataclass

from .records import Record
from .study import Study
from .table import Table, divide, figure, times

TEST = "LINPACK (HPC)"
HPL = "HPL"


@dataclass(frozen=True)
class Pair:
    n: int
    ours: float
    hpl: float


def orders(records: list[Record], npes: int) -> dict[int, Record]:
    """The best rate of each order."""
    found: dict[int, Record] = {}
    for record in records:
        if record.metric == "rate" and record.get("npes") == npes and isinstance(record.get("n"), int):
            old = found.get(record.get("n"))
            if old is None or record.value > old.value:
                found[record.get("n")] = record
    return dict(sorted(found.items()))


def split(study: Study) -> tuple[list[Record], list[Record]]:
    """Our solver's records and HPL's."""
    every = [record for record in study.first.run.records if record.test == TEST] if study.first else []
    return ([record for record in every if record.get("by") != HPL and not record.origin],
            [record for record in every if record.get("by") == HPL])


def counts(records: list[Record]) -> list[int]:
    return sorted({record.get("npes") for record in records if isinstance(record.get("npes"), int)})


def beside_hpl(study: Study) -> dict[int, Pair]:
    """For each PE count the largest order that both solved."""
    ours, theirs = split(study)
    found = {}
    for npes in counts(theirs):
        one, two = orders(ours, npes), orders(theirs, npes)
        common = set(one) & set(two)
        if common:
            n = max(common)
            found[npes] = Pair(n, one[n].in_unit("Gflop/s"), two[n].in_unit("Gflop/s"))
    return found


NOTE = ("Gflop/s of all PEs, 2/3 n³ + 3/2 n² operations, every residual below 16. HPL is that of hpcc with the same "
        "OpenBLAS. Peak: multiply-adds in registers on all PEs at once.")


def table(study: Study) -> Table | None:
    ours, theirs = split(study)
    rows = []
    for npes in counts([*ours, *theirs]):
        mine, other = orders(ours, npes), orders(theirs, npes)
        peak = next((record.in_unit("Gflop/s") for record in ours
                     if record.metric == "rpeak" and record.get("npes") == npes), None)
        for n in sorted(set(mine) | set(other)):
            rates = [found[n].in_unit("Gflop/s") if n in found else None for found in (mine, other)]
            rows.append([str(npes), f"{n:,}", *map(figure, rates), times(divide(*rates)),
                         f"{divide(rates[0], peak):.0%}" if rates[0] and peak else "-"])
    if not rows:
        return None
    header = ["PEs", "Order", study.first.name, "HPL", "of HPL", "of the peak"]
    note = NOTE if theirs else NOTE + " HPL was not measured in this run; it needs hpcc and an MPI to start it."
    return Table("LINPACK by order, beside HPL", header, rows, note, "rrrrrr")
