# SPDX-License-Identifier: BSD-3-Clause
"""Applications in several languages: the figures of each by case, number of PEs and input."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .records import Record
from .study import Study

LANGUAGES = ("Split-C", "SHMEM", "MPI")
TESTS = {
    "blocked matrix multiply": "matrix multiply",
    "sample sort": "sample sort",
    "radix sort": "radix sort",
    "em3d": "em3d",
    "stencil": "stencil",
}
PLAIN = "signalling"  # variants that only Split-C has, and that therefore have nothing beside them


@dataclass(frozen=True)
class Case:
    """An application and the way in which it moves its data."""

    test: str
    variant: str

    @property
    def words(self) -> str:
        variant = self.variant.removeprefix("mm ")
        return f"{TESTS[self.test]}, {variant}" if variant else TESTS[self.test]


@dataclass(frozen=True)
class Key:
    case: Case
    npes: int
    size: tuple[Any, ...] = ()  # what else tells two inputs apart


@dataclass(frozen=True)
class Measured:
    """One language's figures of a case, in seconds; `share` of local computation in per cent."""

    time: float
    local: float | None = None
    communication: float | None = None
    share: float | None = None
    state: str = "clean"


METRICS = ("time", "local_time", "communication_time", "local_share")
NAMING = ("npes", "variant", "mode", "cache", "burner", "network")


def size_of(record: Record) -> tuple[Any, ...]:
    return tuple(sorted((name, value) for name, value in record.params.items() if name not in NAMING))


def gather(records: Iterable[Record]) -> dict[Key, dict[str, Measured]]:
    """By case and PE count the languages' figures; the first of two that say the same."""
    raw: dict[tuple[Key, str], dict[str, Record]] = {}
    for record in records:
        if record.test in TESTS and record.metric in METRICS and not record.get("network") and not record.get("burner"):
            key = Key(Case(record.test, str(record.get("variant", ""))), int(record.get("npes", 0)), size_of(record))
            raw.setdefault((key, record.library), {}).setdefault(record.metric, record)
    found: dict[Key, dict[str, Measured]] = {}
    for (key, language), by in raw.items():
        if "time" in by:
            seconds = {name: by[name].in_unit("s") for name in METRICS[:3] if name in by}
            found.setdefault(key, {})[language] = Measured(
                seconds["time"],
                seconds.get("local_time"),
                seconds.get("communication_time"),
                by["local_share"].value if "local_share" in by else None,
                by["time"].state,
            )
    order = list(TESTS)
    return dict(
        sorted(
            found.items(),
            key=lambda item: (item[0].npes, order.index(item[0].case.test), PLAIN in item[0].case.variant),
        )
    )


def figures(study: Study) -> dict[Key, dict[str, Measured]]:
    """Those of the leading library in the leading run."""
    return gather(study.first.records) if study.local else {}
