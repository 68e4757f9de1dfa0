# SPDX-License-Identifier: BSD-3-Clause
"""Two runs against each other, figure by figure.

A difference counts only when the confidence intervals of the two medians do not touch, and never
when either figure was measured while other load was on the machine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .goals import bytes_text
from .records import Record, Run, UnitError, convert
from .study import implementations
from .table import Table, divide, figure, times, unit_text

LOWER_IS_BETTER = {"ns", "us", "ms", "s", "%", "% of one core", "64-bit words", "bytes"}
SAME_WITHIN = 0.02

BETTER, WORSE, SAME, UNCLEAR = "better", "worse", "same", "unclear"


@dataclass(frozen=True)
class Pair:
    """The same measurement in both runs."""

    old: Record
    new: Record

    @property
    def ratio(self) -> float | None:
        try:
            return divide(convert(self.new.value, self.new.unit, self.old.unit), self.old.value)
        except UnitError:
            return None

    @property
    def gain(self) -> float | None:
        """Above 1 when the new run is better."""
        if not self.ratio:
            return None
        return 1.0 / self.ratio if self.old.unit in LOWER_IS_BETTER else self.ratio

    @property
    def verdict(self) -> str:
        gain = self.gain
        if gain is None:
            return UNCLEAR
        if abs(math.log(gain)) <= math.log(1.0 + SAME_WITHIN) or overlap(self.old.interval, self.new.interval):
            return SAME
        if self.old.contended or self.new.contended:
            return UNCLEAR
        return BETTER if gain > 1.0 else WORSE


def overlap(one: tuple[float, float] | None, two: tuple[float, float] | None) -> bool:
    """False when either interval is unknown: then the medians alone must decide."""
    if one is None or two is None:
        return False
    return one[0] <= two[1] and two[0] <= one[1]


def identity(record: Record, same_library: bool) -> tuple:
    """Without the library's name when the runs are of different libraries."""
    return (record.implementation, *record.key) if same_library else record.key


def leading(run: Run) -> list[Record]:
    """The machine's records and those of the run's first library."""
    names = implementations(run)
    return [record for record in run.records
            if record.library == "hardware" or (names and record.implementation == names[0])]


def first_of_each(records: list[Record], same_library: bool) -> dict[tuple, Record]:
    """A search may measure the same point twice; the first time is the one of the regular sweep."""
    index: dict[tuple, Record] = {}
    for record in records:
        index.setdefault(identity(record, same_library), record)
    return index


def pairs(old: Run, new: Run) -> list[Pair]:
    """Every measurement both runs hold.

    Libraries that are in both runs are compared with themselves; when there is none, the first
    library of each run with the other's.
    """
    common = set(implementations(old)) & set(implementations(new))
    if common:
        olds, news = old.records, new.records
    else:
        olds, news = leading(old), leading(new)
    before, after = (first_of_each(records, bool(common)) for records in (olds, news))
    return [Pair(before[key], record) for key, record in after.items() if key in before]


def describe(record: Record) -> str:
    """The parameters in a few words."""
    words = []
    for name, value in record.params.items():
        if name in ("pairs", "all_pes_active", "message_words", "cache"):
            continue
        if name == "message_bytes" and isinstance(value, int):
            words.append(bytes_text(value))
        elif isinstance(value, str):
            words.append(value)
        else:
            words.append(f"{name}={value}")
    if record.pair:
        words.append(f"pair {record.pair[0]}-{record.pair[1]}")
    return ", ".join(words)


def table(old: Run, new: Run, every_pair: bool = False) -> Table:
    """One row for each measurement both runs hold."""
    rows = []
    for pair in pairs(old, new):
        if pair.old.pair and pair.old.pair != (0, 1) and not every_pair:
            continue
        after = pair.new.value if pair.ratio is None else pair.ratio * pair.old.value
        rows.append([pair.new.test, describe(pair.new), pair.new.metric, unit_text(pair.old.unit),
                     figure(pair.old.value), figure(after), times(pair.ratio), pair.verdict])
    return Table(f"{old.label} against {new.label}",
                 ["Test", "Parameters", "Metric", "unit", old.label, new.label, "new/old", ""], rows,
                 align="llllrrrl")


def summary(old: Run, new: Run) -> Table:
    """For each test how many figures got better or worse, and the geometric mean of the gains."""
    tests: dict[str, list[Pair]] = {}
    for pair in pairs(old, new):
        tests.setdefault(pair.new.test, []).append(pair)
    rows = []
    for test, found in tests.items():
        verdicts = [pair.verdict for pair in found]
        gains = [math.log(pair.gain) for pair in found if pair.gain]
        mean = math.exp(sum(gains) / len(gains)) if gains else None
        rows.append([test, str(len(found)), *(str(verdicts.count(word)) for word in (BETTER, WORSE, SAME, UNCLEAR)),
                     times(mean)])
    return Table(
        "By test", ["Test", "figures", BETTER, WORSE, SAME, UNCLEAR, "mean gain"], rows,
        note="Mean gain: geometric, above 1 when the new run is better. Unclear: other load was on the machine.")
