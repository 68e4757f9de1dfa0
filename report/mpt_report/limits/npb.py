# SPDX-License-Identifier: BSD-3-Clause
"""What bounds the NAS parallel benchmarks: the traffic to memory that a run cannot do without, at the rate of STREAM's
triad, or its operations at the rate of a matrix product, both measured in the same run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..runs.records import Record
from ..runs.study import Study

WORD = 8
CLASSES = "SWABC"  # from the smallest on
RATE = "npb3_rate_per_pe"
# Sizes as NPB 2 and 3 fix them: iterations, and points (CG: nonzeros, IS: keys); EP has neither.
CG = {
    "S": (15, 1400 * 7 * 8),
    "W": (15, 7000 * 8 * 9),
    "A": (15, 14000 * 11 * 12),
    "B": (75, 75000 * 13 * 14),
    "C": (75, 150000 * 15 * 16),
}
MG = {"S": (4, 32**3), "W": (4, 128**3), "A": (4, 256**3), "B": (20, 256**3), "C": (20, 512**3)}
FT = {
    "S": (6, 64**3),
    "W": (6, 128 * 128 * 32),
    "A": (6, 256 * 256 * 128),
    "B": (20, 512 * 256 * 256),
    "C": (20, 512**3),
}
IS = {"S": (10, 1 << 16), "W": (10, 1 << 20), "A": (10, 1 << 23), "B": (10, 1 << 25), "C": (10, 1 << 27)}
LU = {"S": (50, 12**3), "W": (300, 33**3), "A": (250, 64**3), "B": (250, 102**3), "C": (250, 162**3)}
SP = {"S": (100, 12**3), "W": (400, 36**3), "A": (400, 64**3), "B": (400, 102**3), "C": (400, 162**3)}
BT = {"S": (60, 12**3), "W": (200, 24**3), "A": (200, 64**3), "B": (200, 102**3), "C": (200, 162**3)}


@dataclass(frozen=True)
class Model:
    """`bytes_each` of a point go to or from memory in an iteration at least; `flops` are those of an operation of NPB
    3."""

    sizes: dict[str, tuple[int, int]]
    bytes_each: float
    flops: float = 1.0


# CG: 26 products an iteration, a value and an index each. MG: twelve words a point, coarser grids a seventh more. FT:
# four passes that read and write complex numbers. IS: a key read, moved and counted. LU, SP and BT: the right-hand side
# (u and the forcing read, itself written), sweeps that read and write five words (LU: two, which read u as well), and
# the sum.
MODELS = {
    "NPB EP": Model({}, 0.0, 26.68e9 / 2**29),
    "NPB CG": Model(CG, 26 * 12.0),
    "NPB MG": Model(MG, 12 * WORD * 8 / 7),
    "NPB FT": Model(FT, 4 * 32.0),
    "NPB IS": Model(IS, 3 * 4.0, 0.0),
    "NPB LU": Model(LU, (15 + 2 * 15 + 15) * WORD),
    "NPB SP": Model(SP, (15 + 3 * 10 + 15) * WORD),
    "NPB BT": Model(BT, (15 + 3 * 10 + 15) * WORD),
}


@dataclass(frozen=True)
class Speeds:
    """What one core does: MB/s of the triad, Mflop/s of a matrix product; and how many cores there are."""

    triad: float | None
    product: float | None
    cores: int


def best(records: list[Record], test: str, unit: str, where: Callable[[Record], bool]) -> float | None:
    return max(
        (
            record.in_unit(unit)
            for record in records
            if record.test == test and not record.origin and record.metric in ("bandwidth", "rate") and where(record)
        ),
        default=None,
    )


def speeds(study: Study) -> Speeds:
    records = study.first.run.records
    product = best(records, "BLAS asymptotic", "Mflop/s", lambda one: one.get("routine") == "SGEMM")
    lapack = best(records, "LAPACK timing program", "Mflop/s", lambda one: one.get("routine") == "SGEMM")
    triad = best(
        records,
        "STREAM",
        "MB/s",  # the seed's arrays lie in the caches of today
        lambda one: one.get("function") == "Triad" and one.get("size") != "seed",
    )
    return Speeds(triad, max(filter(None, (product, lapack)), default=None), study.limits.cores or 1)


@dataclass(frozen=True)
class Bound:
    """The shortest time a run can take by the model, s, and what makes it."""

    seconds: float
    by: str


def bound(test: str, cls: str, operations: float, npes: int, known: Speeds) -> Bound | None:
    """None where what the model needs was not measured."""
    model, workers, found = MODELS[test], min(npes, known.cores), []
    if cls in model.sizes and known.triad:
        steps, points = model.sizes[cls]
        found.append(Bound(steps * points * model.bytes_each / (known.triad * 1e6 * workers), "memory"))
    if model.flops and known.product:
        found.append(Bound(operations * model.flops / (known.product * 1e6 * workers), "arithmetic"))
    enough = bool(known.triad or not model.sizes) and bool(known.product or not model.flops)
    return max(found, key=lambda one: one.seconds) if found and enough else None


def limit_of(study: Study, test: str, record: Record, known: Speeds) -> Bound | None:
    """The bound of a measured run; its rate and its time tell how many operations it has."""
    cls, npes = str(record.get("cls")), int(record.get("npes") or 1)
    rate = study.first.one(test, RATE, cls=record.get("cls"), npes=record.get("npes"))
    return bound(test, cls, rate.value * 1e6 * npes * record.in_unit("s"), npes, known) if rate else None


def runs(study: Study, test: str) -> list[Record]:
    return sorted(study.first.find(test, "time"), key=lambda one: (str(one.get("cls")), one.get("npes") or 0))


def ratios(study: Study, test: str) -> list[float]:
    """How many times longer than their bounds the runs took."""
    known = speeds(study) if study.local else None
    found = [(record, limit_of(study, test, record, known)) for record in runs(study, test)] if known else []
    return [record.in_unit("s") / limit.seconds for record, limit in found if limit]
