# SPDX-License-Identifier: BSD-3-Clause
"""A table as plain data, so that text and page show the same rows, and how figures are written."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass, field

from rich import box
from rich.console import Console
from rich.table import Table as RichTable

ABSENT = "-"


@dataclass
class Table:
    """Rows of finished text. `align` has one letter a column: l or r."""

    title: str
    header: list[str]
    rows: list[list[str]] = field(default_factory=list)
    note: str = ""
    align: str = ""
    grouped: bool = False        # the first column names groups of rows that follow one another

    def justify(self, column: int) -> str:
        letter = self.align[column] if column < len(self.align) else ("l" if column == 0 else "r")
        return {"l": "left", "r": "right"}[letter]


def unit_text(unit: str) -> str:
    return {"us": "µs"}.get(unit, unit)


def without_empty_columns(table: Table) -> Table:
    """Drop the columns that hold no figure, as those of a library that did not run the test."""
    kept = [column for column in range(len(table.header))
            if column == 0 or any(row[column] not in (ABSENT, "") for row in table.rows)]
    return Table(table.title, [table.header[column] for column in kept],
                 [[row[column] for column in kept] for row in table.rows], table.note,
                 "".join(table.justify(column)[0] for column in kept), table.grouped)


def figure(value: float | None) -> str:
    """Four significant digits, three of small ones, never an exponent."""
    if value is None:
        return ABSENT
    size = abs(value)
    if size >= 9999.5:
        return f"{value:,.0f}"
    if size == 0:
        return "0"
    digits = (3 if size >= 0.1 else 2) - math.floor(math.log10(size))
    return f"{value:.{max(digits, 0)}f}"


NAMES = {"npes": "PEs", "cls": "class", "nb": "block side", "ngath": "words gathered", "file_mb": "file, MB",
         "clock_mhz": "clock, MHz", "message_bytes": "message, bytes", "message_words": "message, words"}


def name_text(name: str) -> str:
    """A parameter's or a metric's name as one reads it."""
    return NAMES.get(name) or name.replace("_", " ")


def pes(count: object) -> str:
    return "1 PE" if count == 1 else f"{count} PEs"


TIMES = (("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0))


def quantity(value: float, unit: str) -> str:
    """A figure with its unit; a time in the unit that reads best."""
    scale = dict(TIMES).get(unit)
    if scale and value > 0:
        fitting = [one for one in TIMES if one[1] <= value * scale] or [TIMES[0]]
        unit, value = fitting[-1][0], value * scale / fitting[-1][1]
    return f"{figure(value)} {unit_text(unit)}"


def printed(value: float | None) -> str:
    """A published figure, with no more digits than it was printed with."""
    return ABSENT if value is None else f"{value:.10g}"


def times(ratio: float | None) -> str:
    """A ratio, as `1.25 x`, or `1/250 x` when it is far below 1."""
    if ratio is None:
        return ABSENT
    for bound, digits in ((100, 0), (10, 1), (0.1, 2), (0.01, 3)):
        if ratio >= bound:
            return f"{ratio:,.{digits}f} x"
    return f"1/{1.0 / ratio:,.0f} x" if ratio > 0 else "0 x"


def divide(above: float | None, below: float | None) -> float | None:
    """A quotient, or None when either side is missing."""
    if above is None or not below:
        return None
    return above / below


def to_text(table: Table, width: int = 120) -> str:
    """The table in plain characters, at most `width` wide."""
    shown = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for column, name in enumerate(table.header):
        shown.add_column(name, justify=table.justify(column), header_style="", overflow="fold")
    before = None
    for row in table.rows:
        shown.add_row(*(["", *row[1:]] if table.grouped and row[0] == before else row))
        before = row[0]
    stream = io.StringIO()
    console = Console(file=stream, width=width, color_system=None, force_terminal=False, markup=False,
                      emoji=False, highlight=False)
    console.print(table.title)
    console.print(shown)
    if table.note:
        console.print(table.note)
    lines = [line.rstrip() for line in stream.getvalue().splitlines()]
    return "\n".join(lines).rstrip() + "\n"
