# SPDX-License-Identifier: BSD-3-Clause
"""What one core moves and computes at most, by whatever program of the run did: the roofs of all other figures."""

from __future__ import annotations

from ..runs import join
from ..runs.join import Measured
from ..runs.records import Record

TESTS = ("local memory load/store", "STREAM", "block copy", "data initialization")
ARRAYS = {"Copy": 2, "Scale": 2, "Add": 3, "Triad": 3}  # of STREAM
ONE_ARRAY = ("data initialization",)
CACHE, MEMORY = "cache", "memory"
BEYOND = 2.0  # as large as so many last-level caches: between one and that, both take part


def touched(record: Record) -> float | None:
    """The bytes of all arrays of a test, 8 a word; None where its record doesn't tell."""
    if "words" in record.params:
        return 8.0 * float(record.get("words")) * float(record.get("streams", 1))
    if "n" not in record.params:
        return None
    arrays = 1 if record.test in ONE_ARRAY else ARRAYS.get(str(record.get("function")), 2)
    return 8.0 * float(record.get("n")) * arrays


def place_of(record: Record, cache: int | None) -> str:
    """Whether a test of one core's loads and stores ran in the last-level cache or beyond it; empty where it is between
    or not to be known."""
    size = touched(record)
    if size is None or cache is None:
        return ""
    return CACHE if size <= cache else MEMORY if size >= BEYOND * cache else ""


def alone(record: Record) -> bool:
    """Of one PE: what several did together is no roof of one core."""
    return bool(record.get("npes", 1) == 1)


def moved(here: Measured, place: str, cache: int | None) -> float | None:
    """The most that any way of one core to read and write moved within the cache or memory, MB/s."""
    return max(
        (
            join.in_its_unit(record, "MB/s") or 0.0
            for test in TESTS
            for record in here.index.get((test, "bandwidth"), ())
            if alone(record) and place_of(record, cache) == place
        ),
        default=None,
    )


def computed(here: Measured) -> float | None:
    """The fastest that any library's routine computed on one core, Mflop/s."""
    return max(
        (
            join.in_its_unit(record, "Mflop/s") or 0.0
            for (_, metric), records in here.index.items()
            if metric == "rate"
            for record in records
            if alone(record) and record.unit in ("Mflop/s", "Gflop/s")
        ),
        default=None,
    )
