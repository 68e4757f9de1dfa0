# SPDX-License-Identifier: BSD-3-Clause
"""The few shapes of HTML the page is made of; every text that comes from outside is escaped here."""

from __future__ import annotations

import re
from html import escape

from ..table import Table
from .charts import Chart

MARKED = {"met", "missed", "better", "worse"}
# A figure and its unit stay on one line; so do a size in bytes and a number of times.
QUANTITY = re.compile(r"(?<=\d) (?=(?:ns|µs|ms|s|B|KiB|MiB|[MG]B/s|[MG]flop/s|Mop/s|PEs?|x|%)(?![\w/]))")
LONG = 24                    # from so many characters on a cell may be broken into lines


def kept(text: str) -> str:
    """Escaped, with no line broken between a figure and its unit."""
    return QUANTITY.sub("\u00a0", escape(text))


def cell(text: str, tag: str, left: bool) -> str:
    classes = [name for name, on in (("l", left), ("w", left and len(text) > LONG),
                                  (text, tag == "td" and text in MARKED)) if on]
    attribute = (' scope="col"' if tag == "th" else "") + (f' class="{" ".join(classes)}"' if classes else "")
    return f"<{tag}{attribute}>{kept(text)}</{tag}>"


def anchor(text: str) -> str:
    """A name for a place on the page, made of its heading."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))


def row(cells: list[str], table: Table, tag: str) -> str:
    first = 1 if table.grouped else 0
    made = (cell(text, tag, table.justify(column) == "left") for column, text in enumerate(cells) if column >= first)
    return f"<tr>{''.join(made)}</tr>"


def group_row(name: str, table: Table) -> str:
    return f'<tr class="group"><th scope="rowgroup" colspan="{len(table.header) - 1}">{escape(name)}</th></tr>'


def rows_of(table: Table) -> list[str]:
    """The lines of a table, each group's under its name."""
    out, before = [], None
    for cells in table.rows:
        if table.grouped and cells[0] != before:
            out.append(group_row(cells[0], table))
            before = cells[0]
        out.append(row(cells, table, "td"))
    return out


def grid(table: Table) -> str:
    """The table alone, in a box that scrolls sideways on a phone."""
    body, label = "\n".join(rows_of(table)), escape(table.title)
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (f'<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table aria-label="{label}"><thead>'
            f"{row(table.header, table, 'th')}</thead>\n<tbody>\n{body}\n</tbody></table></div>{note}\n")


def titled(table: Table) -> str:
    return f"<h3>{escape(table.title)}</h3>\n{grid(table)}"


def folded(table: Table) -> str:
    """A long table behind its title."""
    return f"<details><summary>{escape(table.title)} ({len(table.rows)} rows)</summary>{grid(table)}</details>\n"


def group(title: str, parts: list[str]) -> str:
    """Several things behind one title."""
    return f"<details><summary>{escape(title)}</summary>{''.join(parts)}</details>\n"


def plot(chart: Chart) -> str:
    """The plot's place and its data; the page's script brings both together."""
    legend = sum(1 for trace in chart.figure.data if trace.name)
    figure = chart.figure.update_layout(meta={"curves": legend})
    data = figure.to_json().replace("</", "<\\/")
    note = f'<p class="note">{escape(chart.note)}</p>' if chart.note else ""
    return (f'<div class="chart" data-spec="spec-{chart.name}" role="img" aria-label="{escape(chart.title)}"></div>\n'
            f'<script type="application/json" id="spec-{chart.name}">{data}</script>\n{note}\n')


def heading(text: str) -> str:
    """Above a plot or a part of a section."""
    return f'<h3 class="says">{kept(text)}</h3>\n'


def section(title: str, *parts: str) -> str:
    """A part of the page with a name of its own, or nothing where nothing is in it."""
    inside = "".join(parts)
    return f'<section id="{anchor(title)}"><h2>{escape(title)}</h2>\n{inside}</section>\n' if inside else ""


def contents(text: str) -> str:
    """Links to the sections of a page's text."""
    found = re.findall(r'<section id="([^"]+)"><h2>(.*?)</h2>', text)
    links = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in found)
    return f'<nav aria-label="contents"><ul>{links}</ul></nav>\n' if len(found) > 1 else ""


def cards(items: list[tuple[str, str, str]]) -> str:
    made = [f'<div class="card"><span>{kept(label)}</span><b>{kept(figure)}</b><span>{kept(words)}</span></div>'
            for label, figure, words in items]
    return f'<div class="cards">{"".join(made)}</div>\n' if made else ""


def warning(text: str) -> str:
    return f'<p class="warning">{escape(text)}</p>\n'


def document(title: str, lead: str, body: str, style: str, scripts: list[str]) -> str:
    """The whole page; nothing in it refers to anything outside of it."""
    code = "\n".join(f"<script>{script}</script>" for script in scripts)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style></head>\n<body>\n"
        f'<header><div><h1>{escape(title)}</h1><p class="soft">{kept(lead)}</p></div>'
        '<button id="theme" type="button" aria-label="switch between light and dark">light / dark</button></header>\n'
        f"{body}\n{code}\n</body></html>\n"
    )
