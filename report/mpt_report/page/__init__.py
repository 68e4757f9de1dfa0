# SPDX-License-Identifier: BSD-3-Clause
"""The report as one HTML file that needs nothing else: no network, no fonts, no other file.

Plotly draws: readers zoom, switch curves off and read exact values, and its text keeps its size on
a phone, where a picture's would shrink. Its script, about 5 MB, is inside the file.
"""

from __future__ import annotations

import re
from importlib import resources

from plotly.offline import get_plotlyjs

from .. import (
    apps,
    compare,
    figures,
    goals,
    lab,
    lfk,
    lfk_checksums,
    linpack,
    machines,
    network,
    newsletter,
    npb,
    paper,
    partition,
    published,
    pvm,
    seeds,
    summary,
    where,
    written,
)
from ..study import Study, study
from ..table import Table
from . import app_charts, charts, headlines, html, memory_charts, message_charts, network_charts

MOST_WARNINGS = 20


def notices(whole: Study) -> str:
    """What a reader must know before believing a figure."""
    out = []
    wrong = sum(record.verified is False for run in whole.runs for record in run.records)
    if wrong:
        out.append(f"Figures that come from transfers which delivered wrong data: {wrong}.")
    for run in whole.runs:
        if run.contended:
            out.append(f"{run.label}: other load was on the machine during {run.contended} of "
                       f"{len(run.environments)} programs; the medians stand, the slowest samples don't.")
        out += [f"{run.label}: {title} failed: {problem}." for title, problem in run.failures.items()]
    out += whole.remarks
    out += whole.warnings[:MOST_WARNINGS]
    if len(whole.warnings) > MOST_WARNINGS:
        out.append(f"{len(whole.warnings) - MOST_WARNINGS} more lines could not be read.")
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


def titled(*tables: Table | None) -> str:
    return "".join(html.titled(table) for table in tables if table)


def over_network(whole: Study) -> str:
    """Shared memory, the network, its own limit and other libraries, together."""
    tables, first = network.tables(whole), network.summaries(whole)
    if not tables:
        return ""
    found = network_charts.charts(whole)
    return html.section("The same programs over the network", titled(*first),
                        *(plots(*found[at:at + 2]) for at in range(0, len(found), 2)),
                        *(html.folded(table) for table in tables[len(first):]))


def comparison(whole: Study) -> str:
    if len(whole.runs) != 2:
        return ""
    old, new = whole.runs
    return html.section(f"What changed from {old.label} to {new.label}", html.grid(compare.summary(old, new)),
                        html.folded(compare.table(old, new)))


def one_table(table: Table | None) -> str:
    """A section that is a single table."""
    return html.section(table.title, html.grid(table)) if table else ""


def every_test(whole: Study) -> str:
    """One line a test, and what its limit is made of."""
    found = summary.tables(whole)
    return html.section(found[0].title, html.grid(found[0]), *map(html.folded, found[1:])) if found else ""


def of_the_papers(whole: Study) -> str:
    """Every table of the papers: those with figures of this machine, then, folded together, the rest. What stands above
    in a layout of its own isn't repeated."""
    above = {table.title.split(".")[0] for table in paper.tables(whole)}
    made = [(table, measured) for table, measured in seeds.all_tables(whole)
            if not any(table.title.startswith(f"{seeds.PAPERS['003']}. {title}:") for title in above)]
    rest = [table for table, measured in made if not measured]
    parts = [html.folded(table) for table, measured in made if measured]
    found = machines.file_systems(whole)
    parts += [html.folded(one) for one in (found, machines.table(whole)) if one]
    if rest:
        parts.append(html.group(f"Not measured in this run: {len(rest)} tables", list(map(html.titled, rest))))
    return html.section("Every table of the papers, with this machine's rows", *parts)


def applications(whole: Study) -> str:
    return html.section("Applications: Split-C beside SHMEM and MPI", plots(app_charts.shares(whole)),
                        titled(*apps.tables(whole)))


def kernels(whole: Study) -> str:
    return html.section("Kernels and solvers, beside what bounds them", titled(
        npb.table(whole), linpack.table(whole), lfk.table(whole), partition.table(whole)))


def everything(whole: Study) -> str:
    return html.section("All figures", *(html.folded(table) for table in [*lab.tables(whole), lfk_checksums.table(whole)] if table),
                        *(html.folded(table) for table in figures.tables(whole)))


def machine(whole: Study) -> str:
    return html.section("Memory and arithmetic of this machine",
                        plots(memory_charts.roofline(whole), memory_charts.load_times(whole)))


def messages(whole: Study) -> str:
    """Curves of each interface, then the three patterns of COMMS over all of them."""
    parts = [plots(*found[at:at + 2]) for found in map(lambda some: message_charts.charts(whole, some),
                                                     (message_charts.MESSAGES, message_charts.PATTERNS))
             for at in range(0, len(found), 2)]
    return html.section("Messages against size, by interface", *parts)


def messages_written(whole: Study) -> str:
    """The same of messages that are written and read, which stand in no plot with others."""
    found = message_charts.charts(whole, message_charts.WRITTEN_ONES)
    return html.section("Messages that are written and read", *(plots(*found[at:at + 2]) for at in range(0, len(found), 2)),
                        titled(*written.tables(whole)))


def tests_of_the_newsletter(whole: Study) -> str:
    return html.section(
        "The tests of 1996, beside the T3D and the hardware", titled(*newsletter.tables(whole)),
        plots(charts.latency(whole), charts.bandwidth(whole)), plots(charts.half_rate(whole), charts.barrier(whole)),
        plots(*charts.heat_maps(whole), charts.strides(whole), charts.launch(whole)))


def sections(whole: Study) -> str:
    """In reading order: how the machine stands, then the papers' tests, then all the rest."""
    start = comparison(whole) + every_test(whole) + one_table(goals.table(whole))
    end = (of_the_papers(whole) + everything(whole)
           + html.section("Where it was measured", html.grid(where.table(whole))))
    if whole.first is None:
        return start + over_network(whole) + machine(whole) + kernels(whole) + end
    return "".join([
        start, tests_of_the_newsletter(whole), messages(whole), messages_written(whole), machine(whole),
        over_network(whole), applications(whole), kernels(whole),
        html.section("The tables of the 1996 paper on MPT", titled(*paper.tables(whole))),
        html.section("PVM, beside the papers", titled(*pvm.tables(whole))), end])


def body(whole: Study) -> str:
    """Key figures and warnings, the contents, the sections."""
    text = sections(whole)
    return (cards(whole) if whole.first else "") + notices(whole) + html.contents(text) + text


METHOD = ("Figures are medians of many batches after warm-up; the transfers' data is checked in an untimed pass. As in "
          "the papers, rmax of LINPACK is the best of all orders, the time of opening files the best of all samples, "
          "and latency_avg and bandwidth_avg_one_word of pairs are means over all pairs. A ratio to the hardware limit "
          "compares with the best a bare program does on the same machine.")


def footer() -> str:
    sources = "; ".join(published.SOURCES.values())
    return f'<footer class="note"><p>{METHOD}</p><p>Published figures: {sources}.</p></footer>'


def lead(whole: Study) -> str:
    env = whole.runs[0].environment
    words = [str(env[name]) for name in ("cpu",) if name in env]
    if "cores" in env:
        words.append(f"{env['cores']} cores")
    words.append(re.sub(r"^([\d-]{10})T(\d\d:\d\d):\d\dZ$", "\\1 \\2 UTC", str(env.get("date", ""))))
    return ", ".join(word for word in words if word)


def asset(name: str) -> str:
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")


def build(whole: Study) -> str:
    """The page's text."""
    return html.document(headlines.page_title(whole), lead(whole), body(whole) + footer(), asset("style.css"),
                         [get_plotlyjs(), asset("page.js")])
