# SPDX-License-Identifier: BSD-3-Clause
"""The shapes of HTML that the page is made of: each function fills a template, which escapes all that it is given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ..tables.table import Table
from .charts import Chart

MARKED = frozenset({"met", "missed", "better", "worse"})
# A figure and its unit stay on one line; so do a size in bytes and a number of times.
QUANTITY = re.compile(r"(?<=\d) (?=(?:ns|µs|ms|s|B|KiB|MiB|[MG]B/s|[MG]flop/s|Mop/s|PEs?|x|%)(?![\w/]))")
LONG = 24  # from so many characters on a cell may be broken into lines


@dataclass(frozen=True)
class Section:
    """A part of the page; `id` names its place there, `parts` are finished HTML."""

    id: str
    title: str
    parts: tuple[Markup, ...]


def kept(text: str) -> str:
    """No line is broken between a figure and its unit."""
    return QUANTITY.sub("\u00a0", text)


def spec(chart: Chart) -> Markup:
    """The plot's data as JSON that nothing in it can end: a script's text is not unescaped by browsers."""
    curves = sum(1 for trace in chart.figure.data if trace.name and trace.showlegend is not False)
    text: str = chart.figure.update_layout(meta={"curves": curves}).to_json()
    return Markup(text.replace("<", "\\u003c"))


def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("mpt_report.page"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {"kept": kept, "spec": spec}
    made.globals |= {"LONG": LONG, "MARKED": MARKED}
    return made


TEMPLATES = environment()
PARTS = TEMPLATES.get_template("parts.html").module


def part(name: str, *values: object) -> Markup:
    """What one of the macros of parts.html makes of the values."""
    made: Markup = getattr(PARTS, name)(*values)
    return made


def grid(table: Table) -> Markup:
    """The table alone, in a box that scrolls sideways on a phone."""
    return part("grid", table)


def titled(*tables: Table | None) -> Markup:
    """Tables under their titles, without those that are None."""
    return Markup().join(part("titled", table) for table in tables if table)


def folded(table: Table) -> Markup:
    """A long table behind its title."""
    return part("folded", table)


def group(title: str, parts: Iterable[Markup]) -> Markup:
    """Several things behind one title."""
    return part("group", title, parts)


def heading(text: str) -> Markup:
    """Above a plot or a part of a section."""
    return part("heading", text)


def plot(chart: Chart) -> Markup:
    """The plot's place and its data; the page's script brings both together."""
    return part("plot", chart)


def plots(*found: Chart | None) -> Markup:
    """Plots under their titles, two beside each other where there is room; nothing where all are None."""
    made = [chart for chart in found if chart]
    return part("pair", made) if made else Markup()


def cards(items: Sequence[tuple[str, str, str]]) -> Markup:
    """Key figures: what is meant, the figure, what to know of it."""
    return part("cards", items) if items else Markup()


def section(name: str, title: str, *parts: Markup) -> Section | None:
    """A part of the page, or None where nothing is in it."""
    return Section(name, title, parts) if any(parts) else None


def page(**values: Any) -> str:
    """The whole page; the names are those of page.html."""
    return TEMPLATES.get_template("page.html").render(values)
