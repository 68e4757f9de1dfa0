# SPDX-License-Identifier: BSD-3-Clause
"""A table as plain data, so that text and page show the same rows, and how figures are written."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from ..words import ABSENT


class Row(list[str]):
    """The cells of a line. `id` names it for code and tests, whatever its words are; `mark` says how it stands: one of
    the classes that the page colours."""

    def __init__(self, name: str, cells: Iterable[str], mark: str = ""):
        super().__init__(cells)
        self.id, self.mark = name, mark


@dataclass
class Table:
    """Rows of finished text under a header of as many cells. Names that don't depend on words: `id` of the table,
    those of rows that are a Row, `columns` of its columns where somebody asks for them. `align` has one letter a
    column: l or r."""

    id: str
    title: str
    header: list[str]
    rows: Sequence[list[str]] = ()
    note: str = ""
    align: str = ""
    grouped: bool = False  # the first column names groups of rows that follow one another
    columns: tuple[str, ...] = ()
    verdict: int | None = None  # the column in which a row's mark shows, counted from the end where below 0

    def justify(self, column: int) -> Literal["left", "right"]:
        letter = self.align[column] if column < len(self.align) else ("l" if column == 0 else "r")
        return "left" if letter == "l" else "right"

    def row(self, name: str) -> Row:
        """The row of this id; KeyError where there is none."""
        for row in self.rows:
            if isinstance(row, Row) and row.id == name:
                return row
        raise KeyError(f"{self.id} has no row {name}")

    def cell(self, row: str, column: str) -> str:
        """What stands in a row and a column, by their ids; KeyError or ValueError where it isn't there."""
        return self.row(row)[self.columns.index(column)]

    def mark(self, row: list[str], column: int) -> str:
        """The mark that shows in this cell of a row; empty in all others."""
        shown = self.verdict is not None and column == self.verdict % len(self.header)
        return row.mark if shown and isinstance(row, Row) else ""


def without_empty_columns(table: Table) -> Table:
    """Drop the columns that hold no figure, as those of a library that did not run the test."""
    kept = [
        column
        for column in range(len(table.header))
        if column == 0 or any(row[column] not in (ABSENT, "") for row in table.rows)
    ]
    return replace(
        table,
        header=[table.header[column] for column in kept],
        rows=[narrowed(row, kept) for row in table.rows],
        align="".join(table.justify(column)[0] for column in kept),
        columns=tuple(table.columns[column] for column in kept) if table.columns else (),
    )


def narrowed(row: list[str], kept: list[int]) -> list[str]:
    cells = [row[column] for column in kept]
    return Row(row.id, cells, row.mark) if isinstance(row, Row) else cells


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
    console = Console(
        file=stream, width=width, color_system=None, force_terminal=False, markup=False, emoji=False, highlight=False
    )
    console.print(table.title)
    console.print(shown)
    if table.note:
        console.print(table.note)
    lines = [line.rstrip() for line in stream.getvalue().splitlines()]
    return "\n".join(lines).rstrip() + "\n"
