# SPDX-License-Identifier: BSD-3-Clause
"""Published figures beside measured ones: a join on test, metric and parameters, less what only names the machine.

A parameter that the paper varies must be equal. One it states once (its PE count, its array size) must be equal where
our record states it, too; one that our record does not state is taken as met. What the paper's compiler or file system
was told says nothing about ours and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from . import published
from .published import Fact
from .records import FACES, WRITTEN, Record, UnitError, convert, direction
from .study import Study, rank

# Told to the paper's compiler, file system or library, or a remark of whoever read the paper.
OF_THE_MACHINE = frozenset(
    {
        "options",
        "compiler",
        "offset",
        "clock_mhz",
        "assign",
        "pairs",
        "all_pes_active",
        "flops",
        "variable",
        "value",
        "samples",
        "weight",
        "max_changes",
        "formula",
        "problem",
        "threads_per_node",
    }
)
SHOWN_KINDS = ("measured", "derived", "vendor")
# What a paper only says in words, where our programs tell the same: a size, stride or setting that nobody is better at.
SAID = frozenset(
    {
        "message_size_for_peak_bandwidth",
        "message_size_where_buffered_bandwidth_falls",
        "alltoall_load_at_saturation",
        "stride_from_which_bandwidth_constant",
        "optimal_setting",
    }
)
SAID_KINDS = ("claim", "setting")
LIBRARIES = FACES
REFERENCE = "reference"  # how the programs name Netlib's own routines


# What of ours answers to a paper's compiler options: the first word found in theirs says what must be in ours.
CORRESPONDING = (
    ("hand", "by hand"),
    ("split", "-floop-nest-optimize"),
    ("lmfastv", "-Ofast"),
    ("-a pad", "-malign-data"),
    ("pipeline", "-fmodulo-sched"),
    ("unroll", "-funroll-loops"),
    ("-O3", "-O3"),
    ("-O2", "-O2"),
)
# Programs whose tests have other names than the papers', as they stand beside those of another interface.
ALIASES = {"pvm point-to-point ping-pong": "point-to-point ping-pong"}


def shown(fact: dict[str, Any]) -> bool:
    """Whether a figure stands in a table: all that tests gave, and some of what is only said."""
    said = fact["kind"] in SAID_KINDS and fact["metric"] in SAID
    return fact["test"] != "hardware" and (said or fact["kind"] in SHOWN_KINDS)


@dataclass(frozen=True)
class Group:
    """The figures of one table of one paper, and what varies among those of each test."""

    seed: str  # the first digits of its file
    label: str
    facts: tuple[dict[str, Any], ...]

    @property
    def id(self) -> str:
        """A name that is good for code: 002/table-7."""
        return f"{self.seed}/{'-'.join(re.findall('[a-z0-9]+', self.label.lower()))}"

    @property
    def tests(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(fact["test"] for fact in self.facts))

    @property
    def machines(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(fact["machine"] for fact in self.facts))

    @cached_property
    def varying(self) -> list[str]:
        """Parameters with more than one value, in the order of their first appearance."""
        values: dict[str, list[Any]] = {}
        for fact in self.facts:
            for name, value in fact["params"].items():
                seen = values.setdefault(name, [])
                if value not in seen:
                    seen.append(value)
        partly = {name for name in values if any(name not in fact["params"] for fact in self.facts)}
        return [
            name
            for name, seen in values.items()
            if name not in OF_THE_MACHINE and (len(seen) > 1 or (name in partly and name in VARIANTS))
        ]


VARIANTS = frozenset({"variant", "mode", "data", "direction"})


@lru_cache(maxsize=1)
def groups() -> tuple[Group, ...]:
    """Every table of the papers, in their order; remarks in their text are tables of their own."""
    found: dict[tuple[str, str], list[Fact]] = {}
    for fact in published.load():
        if shown(fact):
            found.setdefault((fact["seed_file"][:3], fact["table"]), []).append(fact)
    return tuple(Group(seed, label, tuple(facts)) for (seed, label), facts in sorted(found.items(), key=place))


def place(item: tuple[tuple[str, str], list[Fact]]) -> tuple[Any, ...]:
    (seed, _), facts = item
    return (seed, min(fact["line"] for fact in facts))


def same(one: Any, two: Any) -> bool:
    """Equal as numbers or as what they are; 8 and 8.0 are one size."""
    return bool(one == two)


def same_library(fact: Fact, record: Record) -> bool:
    """A figure of PVM answers to PVM only; one of a library that nobody has today, to any."""
    then = next((name for name in LIBRARIES if fact["library"] == name), None)
    return then is None or record.library not in FACES or record.library == then


def meets(fact: Fact, record: Record, varying: Iterable[str], free: frozenset[str] = frozenset()) -> bool:
    """Whether the record measures what the fact tells; parameters in `free` may differ."""
    if record.test != fact["test"] or record.metric != fact["metric"] or not same_library(fact, record):
        return False
    for name, value in fact["params"].items():
        if name in OF_THE_MACHINE or name in free:
            continue
        here = record.get(name)
        if here is None:
            if name in varying:
                return False
        elif name == "npes" and name not in varying:
            continue  # the size of their machine, not of the test
        elif not same(value, here):
            return False
    # What our record tells apart and the paper's figure does not is another figure.
    return not any(name in record.params and name not in fact["params"] and name not in free for name in varying)


def in_its_unit(record: Record, unit: str) -> float | None:
    try:
        return convert(record.value, record.unit, unit)
    except UnitError:
        return None


def best(records: list[Record], unit: str, metric: str, told: dict[str, Any] | None = None) -> Record | None:
    """The preferred among those that answer alike, then the best: a paper prints its best measured figure. `told` are
    the paper's parameters."""
    fitting = [record for record in records if in_its_unit(record, unit) is not None]
    if not fitting:
        return None
    first = min(order(record, told or {}) for record in fitting)
    better = direction(metric, unit) or 1
    return max(
        (record for record in fitting if order(record, told or {}) == first),
        key=lambda record: better * record.in_unit(unit),
    )


def unlike(told: dict[str, Any], record: Record) -> tuple[Any, ...]:
    """How far what our machine was told is from what the paper's was: one of ours may have been told the very same. Of
    a compiler's options the like must do; the papers' language was Fortran."""
    other = sum(record.get(name) not in (None, value) for name, value in told.items() if name in OF_THE_MACHINE)
    options, here = str(told.get("options", "")), str(record.get("options", ""))
    if not options or not here:
        return (other,)
    wanted = next((ours for theirs, ours in CORRESPONDING if theirs in options), "")
    by_hand = "by hand" in here and wanted != "by hand"
    return (other, wanted not in here, by_hand, record.get("language") != "Fortran", len(here))


def order(record: Record, told: dict[str, Any]) -> tuple[Any, ...]:
    return (*unlike(told, record), *rank(record))


def label(record: Record, name: str) -> str:
    """What made a figure: our library, or the compiler's options, or another program that measured; of files also the
    file system and how they were written."""
    if record.get("filesystem"):
        library = [name] if record.library in FACES and name else []
        told = [str(record.get(one)) for one in ("filesystem", "mode", "engine") if record.get(one)]
        return ", ".join([*library, *told])
    for maker in (record.get("options"), record.get("by")):
        if isinstance(maker, str):
            return maker
    return name if record.library in FACES else record.implementation or name


class Measured:
    """The records of one library of the first run, and of all that is no library; by test and metric."""

    def __init__(self, name: str, records: Iterable[Record]):
        self.name = name
        self.index: dict[tuple[str, str], list[Record]] = {}
        for record in records:
            if not record.get("burner") and not record.get("network") and not record.tasks:
                test = ALIASES.get(record.test, record.test)
                self.index.setdefault((test, record.metric), []).append(
                    record if test == record.test else replace(record, test=test)
                )

    def find(self, fact: Fact, varying: Iterable[str], free: frozenset[str] = frozenset()) -> list[Record]:
        return [
            record
            for record in self.index.get((fact["test"], fact["metric"]), ())
            if meets(fact, record, varying, free)
        ]

    def one(self, fact: Fact, varying: Iterable[str]) -> Record | None:
        return best(self.find(fact, varying), fact["unit"], fact["metric"], fact["params"])


def ours(study: Study) -> Measured | None:
    """This machine's figures: our library's and those of no library, in the run that leads."""
    run = study.first.run if study.local else study.runs[0] if study.runs else None
    if run is None:
        return None
    name = study.first.implementation if study.local else "this machine"
    return Measured(
        name,
        (
            record
            for record in run.records
            if not record.origin
            and not plain(record)
            and record.cache != WRITTEN
            and (record.library not in FACES or record.implementation == name)
        ),
    )


def plain(record: Record) -> bool:
    """What the reference library did, which shows what the compiler alone makes of the routines."""
    return bool(record.get("by") == REFERENCE)


def references(study: Study) -> list[Measured]:
    """The reference library's figures, to stand beside the best one's."""
    records = [record for run in study.runs[:1] for record in run.records if plain(record)]
    return [Measured(REFERENCE, records)] if records else []


def peers(study: Study) -> list[Measured]:
    """The other libraries of all runs; a second run's machine figures stand with its library."""
    return [
        Measured(series.name, (record for record in series.records if record.cache != WRITTEN))
        for series in study.others
    ]


def gain(fact: Fact, value: float | None) -> float | None:
    """How many times better than the paper's figure; None where neither way is better."""
    better = 0 if fact["metric"] in SAID else direction(fact["metric"], fact["unit"])
    if value is None or not better or not fact["value"] or value <= 0 or fact["value"] < 0:
        return None
    then = float(fact["value"])
    return then / value if better < 0 else value / then
