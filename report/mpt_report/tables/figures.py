# SPDX-License-Identifier: BSD-3-Clause
"""Whatever else was measured: a plain table for each test that has no layout of its own, a column for each maker."""

from __future__ import annotations

from typing import Any

from ..runs import join
from ..runs.records import FACES, Record
from ..runs.study import Study
from ..words import bytes_text, figure, name_text, unit_text
from .table import Table

# Tests with tables of their own. Those of the papers show only what answers a figure of theirs, so all of it is here.
ELSEWHERE = frozenset(
    {
        "limits",
        "provider",
        "put_get",
        "atomics",
        "lock",
        "wake",
        "launch",
        "mpi_launch",
        "pingpong",
        "ping_pong",
        "single_pairs",
        "multiple_pairs",
        "barrier algorithms",
        "one-word global reduction",
        "global vector sum",
        "pvm_pingpong",
        "pvm_group",
        "pvm_spawn",
        "LFK checksums",
    }
)
MOST_ROWS = 1500


Made = list[tuple[str, Record]]  # who measured, as the column says it, and what


def makers(study: Study, made: Made) -> list[str]:
    """The columns: our library and the others in the study's order, then compilers and what else there is."""
    names = list(dict.fromkeys(series.name for series in study.series))
    found = dict.fromkeys(name for name, _ in made)
    return [name for name in names if name in found] + [name for name in found if name not in names]


def by_test(study: Study) -> dict[str, Made]:
    found: dict[str, Made] = {}
    for run in study.runs:
        for record in run.records:
            if record.test not in ELSEWHERE and not record.get("network"):
                name = record.implementation + (f" ({run.label})" if len(study.runs) > 1 else "")
                found.setdefault(record.test, []).append((name, record))
    return found


def telling(records: list[Record]) -> list[str]:
    """The parameters that are not the same in all records."""
    names = dict.fromkeys(name for record in records for name in record.params)
    return [name for name in names if name != "time_of" and len({str(record.get(name)) for record in records}) > 1]


def shown(name: str, value: object) -> str:
    if value is None:
        return ""
    if name.endswith("bytes") and isinstance(value, int):
        return bytes_text(value)
    return "yes" if value is True else "no" if value is False else str(value)


def table(study: Study, test: str, made: Made) -> Table:
    """A row for what was measured, a column for who measured it; the first of two that say the same."""
    records = [record for _, record in made]
    names, who = telling(records), makers(study, made)
    faces = len({record.library for record in records if record.library in FACES}) > 1
    rows: dict[tuple[Any, ...], dict[str, Record]] = {}
    for maker, record in made:
        pair = f"{record.pair[0]}-{record.pair[1]}" if record.pair else ""
        key = (
            record.library if faces else "",
            *(shown(name, record.get(name)) for name in names),
            pair,
            record.metric,
            record.unit,
        )
        rows.setdefault(key, {}).setdefault(maker, record)
    heads = ["library", *names, "pair", "figure", "unit"]
    kept = [index for index, head in enumerate(heads) if any(key[index] for key in rows) or head == "figure"]
    lines = []
    for key, found in list(rows.items())[:MOST_ROWS]:
        words = [
            unit_text(key[index])
            if heads[index] == "unit"
            else name_text(key[index])
            if heads[index] == "figure"
            else key[index]
            for index in kept
        ]
        marks = {one.state for one in found.values()} - {"clean"}
        lines.append(
            [*words, *(figure(found[name].value if name in found else None) for name in who), ", ".join(sorted(marks))]
        )
    note = f"The first {MOST_ROWS} of {len(rows)} figures." if len(rows) > MOST_ROWS else ""
    header = [*(name_text(heads[index].removesuffix("_bytes")) for index in kept), *who, "state"]
    align = "l" * len(kept) + "r" * len(who) + "l"
    if not any(line[-1] for line in lines):
        header, lines, align = header[:-1], [line[:-1] for line in lines], align[:-1]
    return Table(f"figures/{test}", test, header, lines, note, align)


def tables(study: Study) -> list[Table]:
    """In the order of the papers, then by first appearance."""
    found = by_test(study)
    order = [test for group in join.groups() for test in group.tests if test in found]
    return [table(study, test, found[test]) for test in dict.fromkeys([*order, *found])]
