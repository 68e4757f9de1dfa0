# SPDX-License-Identifier: BSD-3-Clause
"""A goal: a measured figure and its bar, and what the tables of goals share in finding both."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..runs.records import Record
from ..runs.study import Series, Study
from ..words import divide, figure, unit_text

MET, MISSED, BESIDE = "met", "missed", "beside its limit"


@dataclass(frozen=True)
class Goal:
    """A measured figure and its bar, both in `unit`; `basis` says what the bar is made of. One that isn't judged only
    stands beside its limit."""

    id: str  # for code and tests: interface, figure and what else tells two apart, between slashes
    what: str
    value: float
    unit: str
    bar: float
    basis: str
    higher: bool = False
    part: str = ""
    judged: bool = True

    @property
    def met(self) -> bool:
        return self.value >= self.bar if self.higher else self.value <= self.bar

    @property
    def verdict(self) -> str:
        return (MET if self.met else MISSED) if self.judged else BESIDE

    @property
    def bar_text(self) -> str:
        if not self.judged:
            return f"limit {figure(self.bar)} {unit_text(self.unit)}"
        return f"{'≥' if self.higher else '≤'} {figure(self.bar)} {unit_text(self.unit)}"


Figure = Callable[[Series, dict[str, Any]], float | None]


Find = Callable[[Series], Record | None]


def finding(test: str, metric: str, **where: Any) -> Find:
    """What asks a series for one record, to be asked of several."""
    return lambda series: series.one(test, metric, **where)


def in_us(series: Series, test: str, metric: str, **where: Any) -> float | None:
    record = series.one(test, metric, **where)
    return record.in_unit("us") if record else None


def nearest(wanted: int, sizes: set[int]) -> int | None:
    """Short runs leave sizes out: within a factor of two one stands for another."""
    close = [size for size in sizes if wanted <= 2 * size <= 4 * wanted]
    return min(close, key=lambda size: (abs(math.log(size / wanted)), size), default=None)


def ratio(goal: Goal) -> float:
    """How far a figure is on the good side of its bar; below 1 it missed."""
    found = divide(goal.value, goal.bar) if goal.higher else divide(goal.bar, goal.value)
    return found or 0.0


def worst(found: Iterable[Goal]) -> list[Goal]:
    """The one of several sizes or strides that is farthest from its bar, and how many of them met theirs."""
    every = list(found)
    if not every:
        return []
    last = min(every, key=ratio)
    met = sum(goal.met for goal in every)
    return [replace(last, basis=f"{last.basis}; met by {met} of {len(every)}") if len(every) > 1 else last]


def same_run(study: Study) -> list[Series]:
    """The other libraries measured beside the leading one."""
    return [other for other in study.others if study.local and other.run is study.first.run]


def best_peer(study: Study, higher: bool, find: Find) -> tuple[str, Record] | None:
    """The best of the other libraries at a figure, by name."""
    found = [(other.name, record) for other in same_run(study) if (record := find(other))]
    pick = max if higher else min
    return pick(found, key=lambda one: one[1].value, default=None)
