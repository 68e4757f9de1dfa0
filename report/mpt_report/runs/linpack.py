# SPDX-License-Identifier: BSD-3-Clause
"""LINPACK's rates by order, ours and HPL's."""

from __future__ import annotations

from dataclasses import dataclass

from .records import Record
from .study import Study

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
    every = (
        [record for record in study.first.run.records if record.test == TEST and not record.tasks]
        if study.local
        else []
    )
    return (
        [record for record in every if record.get("by") != HPL and not record.origin],
        [record for record in every if record.get("by") == HPL],
    )


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
