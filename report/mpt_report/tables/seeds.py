# SPDX-License-Identifier: BSD-3-Clause
"""Every table of the papers with this machine's rows below theirs.

The layout follows from the figures: PE counts go across, else the metrics where there are three or more, else the
parameter with the most values; what else varies names the rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..runs import join, published
from ..runs.join import Group, Measured
from ..runs.published import Fact
from ..runs.records import Record
from ..runs.study import Study
from ..words import figure, name_text, pes, printed, times, unit_text
from .table import Row, Table, without_empty_columns

PAPERS = {
    "000": "T3D newsletter, 1996",
    "001": "Split-C on the SP, 1996",
    "002": "T3E-1200E report, 1999",
    "003": "MPT on PVP, 1996",
    "004": "T3E-900 and Origin 2000, 1999",
}
SHORT = {
    "CRAY T3D": "T3D",
    "CRAY J90": "J90",
    "CRAY T3E-1200E": "T3E-1200E",
    "CRAY T3E-1200": "T3E-1200",
    "CRAY T3E-900": "T3E-900",
    "SGI Origin 2000": "Origin 2000",
    "IBM RISC System/6000 SP": "SP",
}
METRIC = "metric"
WIDE_METRICS = 3
LONG = 12  # rows from which a parameter goes across
MOST_ACROSS = 12
MOST_ADDED = 6


def short(machine: str) -> str:
    return next((name for start, name in sorted(SHORT.items(), reverse=True) if machine.startswith(start)), machine)


def across(group: Group) -> str | None:
    """What goes across: a parameter's name, METRIC, or nothing."""
    varying = group.varying
    metrics = {fact["metric"] for fact in group.facts}
    if "npes" in varying:
        return "npes"
    if len(metrics) >= WIDE_METRICS:
        return METRIC
    if len(group.facts) < LONG:
        return None
    counts = {name: len({str(fact["params"].get(name)) for fact in group.facts}) for name in varying}
    fitting = [name for name in varying if 3 <= counts[name] <= MOST_ACROSS]
    return max(fitting, key=lambda name: counts[name], default=None)


@dataclass(frozen=True)
class Layout:
    """How a group's figures become rows and columns."""

    group: Group
    pivot: str | None

    @cached_property
    def names(self) -> list[str]:
        """The parameters that name a row; what the paper's compiler was told where nothing else tells two apart."""
        found = [name for name in self.group.varying if name != self.pivot]
        places = {self.place(fact, found) for fact in self.group.facts}
        if len(places) == len(self.group.facts):
            return found
        told = [name for name in join.OF_THE_MACHINE if name not in found]
        values = {name: {str(fact["params"].get(name)) for fact in self.group.facts} for name in told}
        return [*found, *sorted(name for name in told if len(values[name]) > 1)]

    def place(self, fact: Fact, names: list[str]) -> tuple[str, ...]:
        """Row, column and machine of a figure when these parameters name the rows."""
        return (
            fact["machine"],
            self.column(fact),
            fact["metric"],
            self.library(fact),
            fact["test"],
            *(str(fact["params"].get(name, "")) for name in names),
        )

    @cached_property
    def libraries(self) -> set[str]:
        """Those that still exist, where the paper measured more than one."""
        known = {one["library"] for one in self.group.facts} & set(join.LIBRARIES)
        return known if len(known) > 1 else set()

    def library(self, fact: Fact) -> str:
        return fact["library"] if fact["library"] in self.libraries else ""

    def column(self, fact: Fact) -> Any:
        return fact["metric"] if self.pivot == METRIC else fact["params"].get(self.pivot) if self.pivot else ""

    def key(self, fact: Fact) -> tuple[str, ...]:
        """The row a figure stands in: all it says but its machine and its column."""
        metric = "" if self.pivot == METRIC else fact["metric"]
        return (fact["test"], self.library(fact), *(str(fact["params"].get(name, "")) for name in self.names), metric)

    def words(self, key: tuple[str, ...]) -> list[str]:
        """The row's name in cells, without those that are the same in all rows."""
        last = len(key) - 1
        return [name_text(key[index]) if index == last else key[index] for index in self.telling]

    def name(self, key: tuple[str, ...], *more: str) -> str:
        """The id of a row: its words, and of what it is where a kind of figure has several."""
        return "/".join([*self.words(key), *more])

    @cached_property
    def telling(self) -> list[int]:
        keys = {self.key(fact) for fact in self.group.facts}
        return [index for index in range(3 + len(self.names)) if len({key[index] for key in keys}) > 1] if keys else []

    def headings(self) -> list[str]:
        every = ["test", "library", *map(name_text, self.names), "figure"]
        return [every[index] for index in self.telling]


def metric_text(metric: str, unit: str) -> str:
    words = name_text(metric)
    return f"{words}, {unit_text(unit)}" if unit not in ("1", "count") else words


def columns_of(layout: Layout, extra: set[Any]) -> list[Any]:
    found = list(dict.fromkeys(layout.column(fact) for fact in layout.group.facts))
    if layout.pivot == "npes":
        found = sorted({*found, *extra}, key=lambda value: (value is None, value))
    return found


def own_columns(layout: Layout, here: Measured | None) -> set[Any]:
    """PE counts that we measured and the paper did not."""
    if layout.pivot != "npes" or here is None:
        return set()
    varying, free, found = layout.group.varying, frozenset({"npes"}), set()
    for fact in layout.group.facts:
        found |= {record.get("npes") for record in here.find(fact, varying, free)} - {None}
    theirs = {fact["params"].get("npes") for fact in layout.group.facts}
    return set(sorted(found - theirs)[:MOST_ADDED])


def with_column(fact: Fact, layout: Layout, column: Any) -> Fact:
    """The fact as it would be asked for in another column."""
    if layout.pivot in (None, METRIC):
        return fact
    return {**fact, "params": {**fact["params"], layout.pivot: column}}


def measured_row(layout: Layout, facts: dict[Any, Fact], columns: list[Any], by: Measured) -> dict[Any, Record]:
    """This library's records in the columns of a row."""
    varying, out = layout.group.varying, {}
    model = next(iter(facts.values()))
    for column in columns:
        fact = facts.get(column)
        if fact is None and layout.pivot != "npes":
            continue
        fact = fact or with_column(model, layout, column)
        record = by.one(fact, varying)
        if record is not None:
            out[column] = record
    return out


def value_in(column: Any, record: Record, facts: dict[Any, Fact]) -> float:
    fact = facts.get(column) or next(iter(facts.values()))
    return record.in_unit(fact["unit"])


def row_of(
    head: list[str], by: Measured, found: dict[Any, Record], every: dict[Any, Fact], columns: list[Any]
) -> list[str]:
    """The values under the name of what made them; several names are one machine."""
    labels = {join.label(record, by.name) for record in found.values()}
    return [
        *head,
        labels.pop() if len(labels) == 1 else by.name,
        *(figure(value_in(c, found[c], every)) if c in found else "" for c in columns),
    ]


def rows_of(
    layout: Layout, columns: list[Any], here: Measured | None, others: list[Measured]
) -> tuple[list[list[str]], bool]:
    """For each kind of figure: the machines of the paper, this one, how many times better, the other libraries."""
    by_key: dict[tuple[str, ...], dict[str, dict[Any, Fact]]] = {}
    for fact in layout.group.facts:
        by_key.setdefault(layout.key(fact), {}).setdefault(fact["machine"], {})[layout.column(fact)] = fact
    rows: list[list[str]] = []
    any_here = False
    for key, machines in by_key.items():
        head = layout.words(key)
        for machine, facts in machines.items():
            cells = [*head, short(machine), *(printed(facts[c]["value"]) if c in facts else "" for c in columns)]
            rows.append(Row(layout.name(key, "then", short(machine)), cells))
            rows += predicted_rows(layout, key, machine, facts, columns)
        every = {column: fact for facts in machines.values() for column, fact in facts.items()}
        own = measured_row(layout, every, columns, here) if here else {}
        if here and own:
            any_here = True
            rows.append(Row(layout.name(key, "here"), row_of(head, here, own, every, columns)))
            values = {c: value_in(c, own[c], every) for c in own}
            for machine, cells in gains(head, machines, values, columns).items():
                rows.append(Row(layout.name(key, "gain", machine), cells))
        for other in others:
            theirs = measured_row(layout, every, columns, other)
            if theirs:
                rows.append(Row(layout.name(key, "other", other.name), row_of(head, other, theirs, every, columns)))
    return rows, any_here


def predicted_rows(
    layout: Layout, key: tuple[str, ...], machine: str, facts: dict[Any, Fact], columns: list[Any]
) -> list[list[str]]:
    """What the models of `mpt predict` say for the row of a machine; nothing if they can't say it."""
    known = {column: published.predicted().get(fact["id"]) for column, fact in facts.items()}
    if not any(value is not None for value in known.values()):
        return []
    cells = [
        *layout.words(key),
        f"{short(machine)}, predicted",
        *(figure(known[c]) if known.get(c) is not None else "" for c in columns),
    ]
    return [Row(layout.name(key, "predicted", short(machine)), cells)]


def gains(
    head: list[str], machines: dict[str, dict[Any, Fact]], own: dict[Any, float], columns: list[Any]
) -> dict[str, list[str]]:
    """By machine how many times better this one is, in the columns that both have."""
    rows = {}
    for machine, facts in machines.items():
        found = {c: join.gain(facts[c], own[c]) for c in columns if c in facts and c in own}
        if any(found.values()):
            cells = (times(found[c]) if found.get(c) else "" for c in columns)
            rows[short(machine)] = [*head, f"better than {short(machine)}", *cells]
    return rows


def column_text(layout: Layout, column: Any) -> str:
    if layout.pivot == METRIC:
        unit = next(fact["unit"] for fact in layout.group.facts if fact["metric"] == column)
        return metric_text(column, unit)
    if layout.pivot == "npes":
        return pes(column)
    return f"{name_text(str(layout.pivot))} {column}"


def title_of(group: Group) -> str:
    tests = group.tests
    what = ", ".join(tests) if len(tests) <= 3 else f"{tests[0]} and {len(tests) - 1} more"
    return f"{PAPERS[group.seed]}. {group.label[0].upper()}{group.label[1:]}: {what}"


def flat(layout: Layout, here: Measured | None, others: list[Measured]) -> tuple[Table, bool]:
    """One line a figure: the machines of the paper, this one, the other libraries, how many times better."""
    group, varying = layout.group, layout.group.varying
    by_key: dict[tuple[str, ...], dict[str, Fact]] = {}
    for fact in group.facts:
        by_key.setdefault(layout.key(fact), {})[fact["machine"]] = fact
    rows, measured = [], False
    for key, facts in by_key.items():
        fact = next(iter(facts.values()))
        record = here.one(fact, varying) if here else None
        own = join.in_its_unit(record, fact["unit"]) if record else None
        measured = measured or own is not None
        theirs = [other.one(fact, varying) for other in others]
        rows.append(
            Row(
                layout.name(key),
                [
                    *layout.words(key),
                    unit_text(fact["unit"]),
                    *(printed(facts[m]["value"] if m in facts else None) for m in group.machines),
                    *(
                        figure(published.predicted().get(facts[m]["id"]) if m in facts else None)
                        for m in group.machines
                    ),
                    figure(own),
                    *(times(join.gain(facts[m], own) if m in facts else None) for m in group.machines),
                    join.label(record, "") if record else "",
                    *(figure(join.in_its_unit(one, fact["unit"]) if one else None) for one in theirs),
                ],
            )
        )
    machines = [short(machine) for machine in group.machines]
    header = [
        *layout.headings(),
        "unit",
        *machines,
        *(f"{name}, predicted" for name in machines),
        here.name if here else "here",
        *(f"better than {name}" for name in machines),
        "by",
        *(other.name for other in others),
    ]
    align = "".join(
        "l" if name in ("unit", "by") or index < len(layout.headings()) else "r" for index, name in enumerate(header)
    )
    units = {(fact["metric"], fact["unit"]) for fact in group.facts}
    note = "; ".join(sorted(metric_text(*one) for one in units)) + "." if "figure" not in layout.headings() else ""
    names = (
        *(f"key/{index}" for index in range(len(layout.headings()))),
        "unit",
        *(f"then/{name}" for name in machines),
        *(f"predicted/{name}" for name in machines),
        "here",
        *(f"gain/{name}" for name in machines),
        "by",
        *(f"other/{other.name}" for other in others),
    )
    made = Table(group.id, title_of(group), header, rows, note, align, columns=names)
    return without_empty_columns(made), measured


def table_of(group: Group, here: Measured | None, others: list[Measured]) -> tuple[Table, bool]:
    layout = Layout(group, across(group))
    if layout.pivot is None:
        return flat(layout, here, others)
    columns = columns_of(layout, own_columns(layout, here))
    rows, measured = rows_of(layout, columns, here, others)
    heads = layout.headings()
    header = [*heads, "system", *(column_text(layout, column) for column in columns)]
    units = {(fact["metric"], fact["unit"]) for fact in group.facts}
    note = "" if layout.pivot == METRIC else "; ".join(sorted(metric_text(*one) for one in units)) + "."
    align = "l" * (len(heads) + 1) + "r" * len(columns)
    return Table(group.id, title_of(group), header, rows, note if len(units) <= 4 else "", align), measured


def all_tables(study: Study) -> list[tuple[Table, bool]]:
    """Each table of the papers and whether anything of it was measured here."""
    here, others = join.ours(study), [*join.peers(study), *join.references(study)]
    return [table_of(group, here, others) for group in join.groups()]


def tables(study: Study, only_measured: bool = False) -> list[Table]:
    return [table for table, measured in all_tables(study) if measured or not only_measured]
