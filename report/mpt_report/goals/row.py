# SPDX-License-Identifier: BSD-3-Clause
"""Goals that are one figure against one bar, as rows of data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..runs.study import Limits, Study
from .goal import Figure, Goal


@dataclass(frozen=True)
class Row:
    """A goal that is one figure against one bar."""

    id: str  # of its goal
    what: str
    unit: str
    measure: Figure
    bar: Callable[[Limits], float | None]
    basis: str
    has_target: bool = True
    waits: bool = False  # must stand other load on the machine


def scaled(factor: float, limit: Callable[[Limits], float | None], unit: str) -> Callable[[Limits], float | None]:
    scale = {"us": 1.0, "ns": 1000.0}[unit] * factor

    def bar(limits: Limits) -> float | None:
        found = limit(limits)
        return None if found is None else found * scale

    return bar


def handover(limits: Limits) -> float | None:
    return limits.handover


def put_handover(limits: Limits) -> float | None:
    return limits.put_handover


def fetch_add(limits: Limits) -> float | None:
    return limits.time("fetch_add")


def ns(value: float | None) -> float | None:
    return None if value is None else value * 1000.0


def single_figures(study: Study, rows: tuple[Row, ...]) -> Iterator[Goal]:
    for row in rows:
        value, bar = row.measure(study.first, {}), row.bar(study.limits)
        if value is not None and bar is not None:
            yield Goal(row.id, row.what, value, row.unit, bar, row.basis)
