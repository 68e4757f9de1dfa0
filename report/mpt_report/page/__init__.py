# SPDX-License-Identifier: BSD-3-Clause
"""The report as one HTML file that needs nothing else: no network, no fonts, no other file.

Plotly draws: readers zoom, switch curves off and read exact values, and its text keeps its size on
a phone, where a picture's would shrink. Its script, about 5 MB, is inside the file.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

from plotly.offline import get_plotlyjs

from .. import compare, figures, goals, lab, network, newsletter, paper, published, pvm, seeds, summary
from ..study import Study, study
from ..table import Table
from . import charts, headlines, html, memory_charts, network_charts

LABELS = {
    "date": "date (UTC)", "cpu": "processor", "cores": "cores", "caches": "caches", "memory": "memory",
    "kernel": "kernel", "thp": "huge pages", "thp_shared": "huge pages, shared memory", "clocksource": "clock source",
    "timer_cost_ns": "reading the clock, ns", "compiler": "compiler", "flags": "compiler flags",
    "load_average": "load average", "detour_percent": "time lost to other load, %",
}


def describe(value: Any) -> str:
    """A value of the environment block in one line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, dict):
        return " ".join(describe(item) for item in value.values())
    if isinstance(value, list):
        return ", ".join(describe(item) for item in value)
    return str(value)


def environment(whole: Study) -> Table:
    """What each run ran on; libraries and PE counts of all its programs together."""
    rows = [[LABELS.get(name, name), *(describe(run.environment.get(name, "-")) for run in whole.runs)]
            for name in LABELS if any(name in run.environment for run in whole.runs)]
    libraries = []
    for run in whole.runs:
        names = {str(env.get("implementation")) for env in run.environments if env.get("library") != "hardware"}
        libraries.append(", ".join(sorted(names - {"None"})) or "-")
    rows.append(["libraries", *libraries])
    rows.append(["programs that met other load",
                 *(f"{run.contended} of {len(run.environments)}" for run in whole.runs)])
    return Table("Where it was measured", ["", *(run.label for run in whole.runs)], rows,
                 align="l" * (1 + len(whole.runs)))


def notices(whole: Study) -> str:
    """What a reader must know before believing a figure."""
    out = []
    wrong = sum(record.verified is False for run in whole.runs for record in run.records)
    if wrong:
        out.append(f"{wrong} figures come from transfers that delivered wrong data.")
    for run in whole.runs:
        if run.contended:
            out.append(f"{run.label}: other load was on the machine during {run.contended} of "
                       f"{len(run.environments)} programs; the medians stand, the slowest samples don't.")
        out += [f"{run.label}: {title} failed: {problem}." for title, problem in run.failures.items()]
    out += whole.warnings[:20]
    return "".join(html.warning(text) for text in out)


def plots(*found: charts.Chart | None) -> str:
    """Plots under their titles, two beside each other where there is room."""
    made = [f"<div>{html.heading(chart.title)}{html.plot(chart)}</div>" for chart in found if chart]
    return f'<div class="pair">{"".join(made)}</div>\n' if made else ""


def cards(whole: Study) -> str:
    """Key figures, for each run on its own."""
    if len(whole.runs) == 1:
        return html.cards(headlines.cards(whole))
    singles = [study([run]) for run in whole.runs]
    return "".join(f"{html.heading(one.runs[0].label)}{html.cards(headlines.cards(one))}"
                   for one in singles if one.first)


def over_network(whole: Study) -> str:
    """Shared memory, the network, its own limit and other libraries, together."""
    tables, first = network.tables(whole), network.summaries(whole)
    if not tables:
        return ""
    found = network_charts.charts(whole)
    return (html.heading("The same programs over the network") + "".join(html.titled(table) for table in first)
            + "".join(plots(*found[at:at + 2]) for at in range(0, len(found), 2))
            + "".join(html.folded(table) for table in tables[len(first):]))


def comparison(whole: Study) -> str:
    if len(whole.runs) != 2:
        return ""
    old, new = whole.runs
    return (html.heading(f"What changed from {old.label} to {new.label}") + html.grid(compare.summary(old, new))
            + html.folded(compare.table(old, new)))


def standing(whole: Study) -> str:
    """The summary: every test against the limit, the other libraries and the machines of the papers."""
    found = summary.table(whole)
    return html.heading(found.title) + html.grid(found) if found else ""


def of_the_papers(whole: Study) -> str:
    """Every table of the papers: those with figures of this machine, then, folded together, the rest."""
    made = seeds.all_tables(whole)
    ours = [table for table, measured in made if measured]
    rest = [table for table, measured in made if not measured]
    parts = [html.heading("Every table of the papers, with this machine's rows")]
    parts += [html.folded(table) for table in ours]
    if rest:
        parts.append(html.group(f"Not measured in this run: {len(rest)} tables", list(map(html.titled, rest))))
    return "".join(parts)


def body(whole: Study) -> str:
    """The sections in reading order."""
    found = goals.table(whole)
    if whole.first is None:
        bars = [found] if found else []
        machine = plots(memory_charts.roofline(whole), memory_charts.load_times(whole))
        return (notices(whole) + standing(whole) + over_network(whole) + machine + of_the_papers(whole) + "".join(
            html.titled(table) for table in [*bars, *lab.tables(whole), environment(whole)])
                + "".join(html.folded(table) for table in figures.tables(whole)))
    blocks = newsletter.tables(whole)
    parts = [
        cards(whole), notices(whole), standing(whole), comparison(whole),
        html.heading("The tests of 1996, beside the T3D and the hardware") if blocks else "",
        "".join(html.titled(table) for table in blocks),
        plots(charts.latency(whole), charts.bandwidth(whole)),
        plots(charts.half_rate(whole), charts.barrier(whole)),
        plots(*charts.heat_maps(whole), charts.strides(whole), charts.launch(whole)),
        plots(memory_charts.roofline(whole), memory_charts.load_times(whole)),
        over_network(whole),
    ]
    tables = paper.tables(whole)
    if tables:
        parts += [html.heading("The tables of the 1996 paper on MPT"), *(html.titled(table) for table in tables)]
    messages = pvm.tables(whole)
    if messages:
        parts += [html.heading("PVM, beside the papers"), *(html.titled(table) for table in messages)]
    if found:
        parts += [html.heading(found.title), html.grid(found)]
    parts.append(of_the_papers(whole))
    parts += [html.heading("All figures"), *(html.folded(table) for table in lab.tables(whole)),
              *(html.folded(table) for table in figures.tables(whole))]
    parts += [html.heading("Where it was measured"), html.grid(environment(whole))]
    return "".join(parts)


METHOD = ("Figures are medians of many batches after warm-up, never means; the transfers' data is checked in an "
          "untimed pass. A ratio to the hardware limit compares with the best a bare program does on the same machine.")


def footer() -> str:
    sources = "; ".join(published.SOURCES.values())
    return f'<footer class="note"><p>{METHOD}</p><p>Published figures: {sources}.</p></footer>'


def lead(whole: Study) -> str:
    env = whole.runs[0].environment
    words = [str(env[name]) for name in ("cpu",) if name in env]
    if "cores" in env:
        words.append(f"{env['cores']} cores")
    words.append(str(env.get("date", "")))
    return ", ".join(word for word in words if word)


def asset(name: str) -> str:
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")


def build(whole: Study) -> str:
    """The page's text."""
    return html.document(headlines.page_title(whole), lead(whole), body(whole) + footer(), asset("style.css"),
                         [get_plotlyjs(), asset("page.js")])
