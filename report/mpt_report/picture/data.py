# SPDX-License-Identifier: BSD-3-Clause
"""The figures of the picture: one point for each library, test and size, of the medians of all rounds."""

from __future__ import annotations

import json
import statistics
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..runs.records import Record

LATENCY, BARRIER = "latency", "barrier_time"
AT = {LATENCY: "message_bytes", BARRIER: "npes"}  # the parameter that a curve runs over
METHOD = (
    "The libraries take turns, round by round. value: the median over the rounds of each round's median, us; low and "
    "high: the quartiles over the rounds; least: the fastest sample of all; samples: how many there were."
)


@dataclass(frozen=True)
class Point:
    """One figure in us, with the quartiles over its rounds."""

    at: int
    value: float
    low: float
    high: float
    least: float
    rounds: int
    samples: int


@dataclass
class Library:
    """A library's curves, by metric."""

    name: str
    points: dict[str, list[Point]] = field(default_factory=dict)

    def point(self, metric: str, at: int) -> Point | None:
        return next((point for point in self.points.get(metric, ()) if point.at == at), None)


@dataclass
class Picture:
    """All that the picture shows; ours is the first library."""

    machine: str
    cores: int
    date: str
    rounds: int
    runs: int
    contended: int  # runs that lost time to others
    libraries: list[Library]

    def ats(self, metric: str) -> list[int]:
        return sorted({point.at for library in self.libraries for point in library.points.get(metric, ())})


def quartiles(values: list[float]) -> tuple[float, float, float]:
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def brief(us: float) -> float:
    return float(f"{us:.4g}")


def point_of(at: int, records: list[Record]) -> Point:
    """Of the records of all rounds."""
    low, value, high = quartiles([record.in_unit("us", "median") for record in records])
    least = min(record.in_unit("us", "min") for record in records)
    samples = sum(int(record.stats.get("n", 1)) for record in records)
    return Point(at, brief(value), brief(low), brief(high), brief(least), len(records), samples)


def library_of(name: str, records: list[Record]) -> Library:
    """Only what delivered the right data counts."""
    found: dict[tuple[str, int], list[Record]] = {}
    for record in records:
        if record.metric in AT and record.verified is not False:
            found.setdefault((record.metric, int(record.get(AT[record.metric]))), []).append(record)
    made = Library(name)
    for metric, at in sorted(found):
        made.points.setdefault(metric, []).append(point_of(at, found[metric, at]))
    return made


def save(picture: Picture, path: Path) -> None:
    text = json.dumps({"method": METHOD, **asdict(picture)}, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def load(path: Path) -> Picture:
    """Raises ValueError with what is wrong of the file."""
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        found.pop("method", None)
        libraries = [
            Library(
                one["name"], {metric: [Point(**point) for point in points] for metric, points in one["points"].items()}
            )
            for one in found.pop("libraries")
        ]
        return Picture(**found, libraries=libraries)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path}: no figures of mpt picture: {error}") from None
