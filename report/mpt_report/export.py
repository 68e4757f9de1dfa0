# SPDX-License-Identifier: BSD-3-Clause
"""A run in the formats of other programs: a table for spreadsheets, the papers' own layout, the arrays that keep a
history of benchmarks, and test results for a CI.
"""

from __future__ import annotations

import csv
import io
import json
import platform
from collections.abc import Callable
from xml.sax.saxutils import escape, quoteattr

from .runs.records import FACES, STATISTICS, Record, direction
from .runs.study import Study
from .tables import apps, lfk, newsletter, paper, seeds
from .tables.compare import describe
from .tables.table import to_text

COLUMNS = ("run", "test", "library", "implementation", "metric", "unit", "value", "state", "verified", "pair")


def cell(value: object) -> object:
    return json.dumps(value) if isinstance(value, (list, dict, bool)) else "" if value is None else value


def as_csv(study: Study) -> str:
    """A row for each record, a column for each statistic and each parameter that occurs."""
    records = [(run.label, record) for run in study.runs for record in run.records]
    params = list(dict.fromkeys(name for _, record in records for name in record.params))
    out = io.StringIO()
    sheet = csv.writer(out, lineterminator="\n")
    sheet.writerow([*COLUMNS, *STATISTICS, *(f"params.{name}" for name in params), "samples"])
    for label, one in records:
        pair = f"{one.pair[0]}-{one.pair[1]}" if one.pair else ""
        sheet.writerow(
            [
                label,
                one.test,
                one.library,
                one.implementation,
                one.metric,
                one.unit,
                one.value,
                one.state,
                cell(one.verified),
                pair,
                *(one.stats.get(name, "") for name in STATISTICS),
                *(cell(one.get(name)) for name in params),
                " ".join(f"{value:g}" for value in one.samples),
            ]
        )
    return out.getvalue()


def as_1996(study: Study) -> str:
    """The newsletter's lines and the Livermore kernels' blocks as they were printed, the tables of the papers with this
    machine's rows."""
    parts = [newsletter.plain(study)] + [to_text(table) for table in paper.tables(study)] + [lfk.plain(study)]
    parts += [to_text(table) for table in (*apps.tables(study), *seeds.tables(study, only_measured=True))]
    return "\n".join(part for part in parts if part)


def name_of(record: Record) -> str:
    library = f"{record.implementation} {record.library}" if record.library in FACES else record.implementation
    words = [library, record.test, record.metric, describe(record, usual=())]
    return " / ".join(word for word in words if word)


class Names:
    """A name for each figure that no other has, as a history of benchmarks must tell them apart; a search that measured
    a point twice gets a number for the second."""

    def __init__(self) -> None:
        self.seen: dict[str, int] = {}

    def of(self, record: Record) -> str:
        name = name_of(record)
        self.seen[name] = self.seen.get(name, 0) + 1
        return name if self.seen[name] == 1 else f"{name} #{self.seen[name]}"


def spread(record: Record) -> str:
    low, high = record.interval or (record.value, record.value)
    return f"± {max(record.value - low, high - record.value):.4g}"


def as_benchmark_json(study: Study) -> str:
    """What github-action-benchmark calls customSmallerIsBetter: [{name, unit, value, range, extra}]. A rate, of which
    more is better, goes in as the time it needs: the unit says so.
    """
    rows, names = [], Names()
    for run in study.runs:
        for record in run.records:
            better = direction(record.metric, record.unit)
            if not better or (better > 0 and record.value <= 0):
                continue
            value, unit = (record.value, record.unit) if better < 0 else (1.0 / record.value, f"1/({record.unit})")
            rows.append(
                {
                    "name": names.of(record),
                    "unit": unit,
                    "value": value,
                    "range": spread(record) if better < 0 else "",
                    "extra": f"{record.value:.6g} {record.unit}, {record.state}, "
                    f"n={record.stats.get('n', 1):.0f}, {platform.machine()}",
                }
            )
    return json.dumps(rows, indent=1) + "\n"


def case(record: Record, name: str) -> str:
    start = f"<testcase classname={quoteattr(record.test)} name={quoteattr(name)}"
    said = f"<system-out>{escape(f'{record.value:.6g} {record.unit}, {record.state}')}</system-out>"
    if record.verified is False:
        return f'{start}><failure message="wrong data was delivered"/>{said}</testcase>'
    if record.verified is None:
        return f'{start}><skipped message="nothing to verify"/>{said}</testcase>'
    return f"{start}>{said}</testcase>"


def failed_programs(study: Study) -> list[str]:
    """A suite of those that ended badly; nothing where none did."""
    cases = [
        f'<testcase classname="programs" name={quoteattr(title)}><error message={quoteattr(problem)}/></testcase>'
        for run in study.runs
        for title, problem in run.failures.items()
    ]
    head = f'<testsuite name="programs" tests="{len(cases)}" failures="0" errors="{len(cases)}" skipped="0">'
    return [head, *cases, "</testsuite>"] if cases else []


def as_junit(study: Study) -> str:
    """A suite for each test, a case for each figure: it fails where data was wrong. A failed program is an error."""
    suites: dict[str, list[Record]] = {}
    names = Names()
    for run in study.runs:
        for record in run.records:
            suites.setdefault(record.test, []).append(record)
    out = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", *failed_programs(study)]
    for test, records in suites.items():
        bad = sum(record.verified is False for record in records)
        idle = sum(record.verified is None for record in records)
        out.append(
            f'<testsuite name={quoteattr(test)} tests="{len(records)}" failures="{bad}" errors="0" skipped="{idle}">'
        )
        out += [case(record, names.of(record)) for record in records]
        out.append("</testsuite>")
    return "\n".join([*out, "</testsuites>"]) + "\n"


FORMATS: dict[str, Callable[[Study], str]] = {
    "csv": as_csv,
    "1996": as_1996,
    "benchmark-json": as_benchmark_json,
    "junit": as_junit,
}
HELP = {
    "csv": "a row for each figure, with its statistics, parameters and samples",
    "1996": "the layout of the papers of the 1990s",
    "benchmark-json": "customSmallerIsBetter of github-action-benchmark",
    "junit": "test results: a case for each figure, failed where data was wrong",
}
