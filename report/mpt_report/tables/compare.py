# SPDX-License-Identifier: BSD-3-Clause
"""Two runs against each other, figure by figure.

A difference counts only when the confidence intervals of the two medians do not touch, and never when either figure has
none or wasn't measured in a clean state.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..runs.records import FACES, TIME_IN_US, Record, Run, UnitError, convert, direction
from ..runs.study import implementations
from ..words import bytes_text, divide, figure, times, unit_text
from .table import Row, Table

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
        better = direction(self.old.metric, self.old.unit)
        if not self.ratio or self.ratio < 0 or not better:
            return None
        return 1.0 / self.ratio if better < 0 else self.ratio

    @property
    def counts(self) -> bool:
        """Times and rates of ours: neither another library's, nor the machine's own, nor a search's sizes."""
        timed = self.new.unit in TIME_IN_US or self.new.unit.endswith("/s")
        return timed and not self.new.origin and self.new.library != "hardware"

    @property
    def certain(self) -> bool:
        """Whether a difference may be held against the new run at all."""
        return all(one.state == "clean" and one.interval is not None for one in (self.old, self.new))

    @property
    def verdict(self) -> str:
        gain = self.gain
        if gain is None:
            return UNCLEAR
        if abs(math.log(gain)) <= math.log(1.0 + SAME_WITHIN) or overlap(self.old.interval, self.new.interval):
            return SAME
        if not self.certain:
            return UNCLEAR
        return BETTER if gain > 1.0 else WORSE


def overlap(one: tuple[float, float] | None, two: tuple[float, float] | None) -> bool:
    """False when either interval is unknown, which proves no difference."""
    if one is None or two is None:
        return False
    return one[0] <= two[1] and two[0] <= one[1]


def identity(record: Record, same_library: bool) -> tuple[Any, ...]:
    """Without the library's name when the runs are of different libraries."""
    return (record.implementation, *record.key) if same_library else record.key


def leading(run: Run) -> list[Record]:
    """The machine's records and those of the run's first library."""
    names = implementations(run)
    return [
        record for record in run.records if record.library not in FACES or (names and record.implementation == names[0])
    ]


def first_of_each(records: list[Record], same_library: bool) -> dict[tuple[Any, ...], Record]:
    """A search may measure the same point twice; the first time is the one of the regular sweep."""
    index: dict[tuple[Any, ...], Record] = {}
    for record in records:
        index.setdefault(identity(record, same_library), record)
    return index


def pairs(old: Run, new: Run) -> list[Pair]:
    """Every measurement both runs hold.

    Libraries that are in both runs are compared with themselves; when there is none, the first
    library of each run with the other's.
    """
    names = [set(implementations(run)) for run in (old, new)]
    common = names[0] & names[1] or not any(names)
    if common:
        olds, news = old.records, new.records
    else:
        olds, news = leading(old), leading(new)
    before, after = (first_of_each(records, bool(common)) for records in (olds, news))
    return [Pair(before[key], record) for key, record in after.items() if key in before]


@dataclass(frozen=True)
class Judgement:
    """What a comparison means for whoever must stop a change: `worse` counts, `excused` does not."""

    worse: list[Pair]  # intervals apart, beyond the bound, both measured in peace
    excused: list[Pair]  # beyond the bound, but measured under load, on shared cores or without an interval


def judge(old: Run, new: Run, bound: float) -> Judgement:
    """The figures that got worse by more than `bound` (0.1: a tenth). Never one that met other load."""
    beyond = [
        pair
        for pair in pairs(old, new)
        if pair.counts
        and pair.gain is not None
        and pair.gain < 1.0 / (1.0 + bound)
        and not overlap(pair.old.interval, pair.new.interval)
    ]
    certain = [pair for pair in beyond if pair.certain]
    return Judgement(certain, [pair for pair in beyond if not pair.certain])


# Parameters that say in words what others say, and what the machine's memory had room for.
REMARKS = ("pairs", "all_pes_active", "message_words", "rotates_over_bytes", "time_of")


def describe(record: Record, usual: tuple[str, ...] = ("hot",)) -> str:
    """The parameters in a few words, but for values that go without saying."""
    words = []
    for name, value in record.params.items():
        if name in REMARKS or value in usual:
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


def rows_of(found: list[Pair]) -> list[list[str]]:
    rows: list[list[str]] = []
    for pair in found:
        after = pair.new.value if pair.ratio is None else pair.ratio * pair.old.value
        rows.append(
            Row(
                " ".join(map(str, pair.new.key)),
                [
                    pair.new.test,
                    describe(pair.new),
                    pair.new.metric,
                    unit_text(pair.old.unit),
                    figure(pair.old.value),
                    figure(after),
                    times(pair.ratio),
                    pair.verdict,
                ],
                pair.verdict,
            )
        )
    return rows


def header(old: Run, new: Run) -> list[str]:
    return ["Test", "Parameters", "Metric", "unit", old.label, new.label, "new/old", ""]


def changed(pair: Pair, bound: float) -> bool:
    """Whether a reader wants to see it: apart by more than the bound, whatever that proves."""
    return pair.verdict != SAME and pair.gain is not None and abs(math.log(pair.gain)) > math.log(1.0 + bound)


def table(old: Run, new: Run, every_pair: bool = False, beyond: float | None = None) -> Table:
    """One row for each measurement both runs hold, or only for those that changed by more than `beyond`."""
    every = [pair for pair in pairs(old, new) if every_pair or pair.old.pair in (None, (0, 1))]
    found = every if beyond is None else [pair for pair in every if changed(pair, beyond)]
    left = len(every) - len(found)
    note = f"{left} of {len(every)} figures are the same or within {beyond:.0%}; --all shows them." if left else ""
    return Table(
        "changes", f"{old.label} against {new.label}", header(old, new), rows_of(found), note, "llllrrrl", verdict=-1
    )


def regressions(old: Run, new: Run, bound: float) -> Table | None:
    """What got worse beyond the bound, for whoever must find the reason; None when nothing did."""
    found = judge(old, new, bound).worse
    title = f"{len(found)} figures are worse by more than {bound:.0%}, their confidence intervals apart"
    return (
        Table("regressions", title, header(old, new), rows_of(found), align="llllrrrl", verdict=-1) if found else None
    )


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
        rows.append(
            [
                test,
                str(len(found)),
                *(str(verdicts.count(word)) for word in (BETTER, WORSE, SAME, UNCLEAR)),
                times(mean),
            ]
        )
    return Table(
        "changes-by-test",
        "By test",
        ["Test", "figures", BETTER, WORSE, SAME, UNCLEAR, "mean gain"],
        rows,
        note="Mean gain: geometric, above 1 when the new run is better. Unclear: other load was on "
        "the machine, more PEs than cores, or no confidence interval.",
    )


def remarks(old: Run, new: Run, bound: float) -> list[str]:
    """The verdict in words, and what was not judged."""
    found = judge(old, new, bound)
    out = []
    for run in (old, new):
        if run.contended:
            out.append(
                f"{run.label}: contended, other load was on the machine during {run.contended} of "
                f"{len(run.environments)} programs; their figures are not judged"
            )
    if found.excused:
        out.append(
            f"{len(found.excused)} figures are worse by more than {bound:.0%} but prove nothing: measured under "
            "load, with more PEs than cores, or without a confidence interval"
        )
    every = [pair for pair in pairs(old, new) if pair.counts]
    judged = sum(pair.certain for pair in every)
    if not judged:
        out.append(
            f"nothing was judged: none of {len(every)} common figures was measured in a clean state, with "
            "a confidence interval, in both runs"
        )
    elif not found.worse:
        out.append(
            f"no figure is significantly worse by more than {bound:.0%}; {judged} of {len(every)} could be judged"
        )
    return out
