# SPDX-License-Identifier: BSD-3-Clause
"""Figures whose time is that of writing, moving and reading: they stand in tables of their own, beside the same by
other libraries and by a bare program, and in no ratio with figures of buffers that nobody touches.
"""

from __future__ import annotations

from typing import Any

from ..goals import written as goals_written
from ..runs.records import WRITTEN, Record
from ..runs.study import Series, Study
from ..words import ABSENT, bytes_text, divide, figure, times
from .compare import describe
from .table import Table

SIZES = (64 << 10, 1 << 20, 4 << 20, 16 << 20)
BARE = {1: "one process, write, copy and read", 2: "two processes, one copy between them"}
HIDDEN = ("message_bytes", "cache", "target", "npes", "mode")
WORDS = (
    "MB/s: bytes over the whole time in which the sender writes all of a message, it is moved, and the receiver "
    "reads all of it. Between two processes, one message at a time."
)
COLLECTIVE = "mpi_collective"


def of(series: Series) -> list[Record]:
    return [record for record in series.records if record.cache == WRITTEN and not record.get("burner")]


def name_of(record: Record) -> str:
    """What is measured, but for its size."""
    left = {name: value for name, value in record.params.items() if name not in HIDDEN}
    words = describe(Record(record.test, record.library, "", left, record.metric, record.unit, record.value), ())
    return f"{record.library}, {record.test}: {words}" if words else f"{record.library}, {record.test}"


def cells(found: dict[int, float], sizes: list[int]) -> list[str]:
    return [figure(found.get(size)) for size in sizes]


def limit_rows(study: Study) -> list[tuple[str, dict[int, float]]]:
    """The best way of one process, and of two."""
    by: dict[int, dict[int, float]] = {}
    for record in study.limits.records:
        if record.get("operation") == "written copy" and record.get("method") == "best":
            by.setdefault(record.get("processes"), {})[record.get("message_bytes")] = record.in_unit("MB/s")
    return [(BARE.get(processes, str(processes)), by[processes]) for processes in sorted(by)]


def messages(study: Study) -> Table | None:
    """A row for each way of sending and each library, a column for some sizes."""
    rates: dict[str, dict[str, dict[int, float]]] = {}
    for series in study.series:
        for record in of(series):
            size = record.get("message_bytes")
            if record.metric == "bandwidth" and size in SIZES and record.get("npes", 2) == 2:
                of_it = rates.setdefault(name_of(record), {}).setdefault(series.name, {})
                of_it.setdefault(size, record.in_unit("MB/s"))
    if not rates:
        return None
    bare, limits = limit_rows(study), study.limits.written
    sizes = [size for size in SIZES if any(size in one for by in rates.values() for one in by.values())]
    rows = [["bare program", name, *cells(found, sizes), ABSENT] for name, found in bare]
    for what, by in rates.items():
        for name, found in by.items():
            shares = [share for size in sizes if (share := divide(found.get(size), limits.get(size)))]
            rows.append([what, name, *cells(found, sizes), f"{min(shares):.0%}" if shares else ABSENT])
    header = ["What", "by", *map(bytes_text, sizes), "of the bare program's, worst"]
    align = "ll" + "r" * (len(sizes) + 1)
    return Table(
        "written-messages", "Messages that are written and read, MB/s", header, rows, WORDS, align, grouped=True
    )


def collectives(study: Study) -> Table | None:
    """Times of collectives, input written and output read."""
    found: dict[tuple[Any, ...], dict[str, Record]] = {}
    for series in study.series:
        for record in of(series):
            if record.test == COLLECTIVE:
                key = (record.get("npes"), record.get("call"), record.get("message_bytes"))
                found.setdefault(key, {}).setdefault(series.name, record)
    if not found:
        return None
    names = [series.name for series in study.series if any(series.name in by for by in found.values())]
    rows = []
    for (npes, call, size), by in sorted(found.items()):
        values = [by[name].in_unit("us") if name in by else None for name in names]
        others = [value for value in values[1:] if value]
        rows.append(
            [
                str(npes),
                call,
                bytes_text(size),
                *map(figure, values),
                times(divide(min(others, default=None), values[0])),
            ]
        )
    return Table(
        "written-collectives",
        "Collectives whose input is written and whose output is read, µs",
        ["ranks", "call", "bytes", *names, "the best other's over ours"],
        rows,
        "",
        "rlr" + "r" * (len(names) + 1),
    )


def sorts(study: Study) -> Table | None:
    """The sort beside so many strangers."""
    found: dict[tuple[Any, ...], dict[str, Record]] = {}
    for series in study.series:
        for record in series.find(goals_written.SORT, "time"):
            key = (record.get("npes"), record.get("keys"), record.get("burners"))
            found.setdefault(key, {}).setdefault(series.name, record)
    if not found:
        return None
    names = [series.name for series in study.series if any(series.name in by for by in found.values())]
    rows = [
        [
            str(npes),
            f"{keys:,}",
            str(burners),
            *(figure(by[name].in_unit("ms") if name in by else None) for name in names),
        ]
        for (npes, keys, burners), by in sorted(found.items())
    ]
    return Table(
        "sort",
        "Integer sort beside processes that burn cores, ms",
        ["ranks", "keys", "burners", *names],
        rows,
        "Ten iterations; the slowest rank's time. Burners are strangers in a session of their own.",
        "r" * (3 + len(names)),
    )


def tables(study: Study) -> list[Table]:
    return [made for made in (messages(study), collectives(study), sorts(study)) if made]
