# SPDX-License-Identifier: BSD-3-Clause
"""The sections of the page, each made of tables and plots of one subject."""

from __future__ import annotations

from markupsafe import Markup

from ..runs.study import Study, study
from ..tables import (
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
    pvm,
    seeds,
    summary,
    tasks,
    where,
    written,
)
from . import (
    app_charts,
    charts,
    first,
    headlines,
    html,
    memory_charts,
    message_charts,
    network_charts,
    task_charts,
)
from .charts import Chart
from .html import Section


def in_pairs(found: list[Chart]) -> list[Markup]:
    """Two plots a row."""
    return [html.plots(*found[at : at + 2]) for at in range(0, len(found), 2)]


def cards(whole: Study) -> Markup:
    """Key figures, for each run on its own."""
    if not whole.local:
        return Markup()
    if len(whole.runs) == 1:
        return html.cards([*first.cards(whole), *headlines.cards(whole)])
    singles = [study([run]) for run in whole.runs]
    return Markup().join(
        html.heading(one.runs[0].label) + html.cards(headlines.cards(one)) for one in singles if one.local
    )


def over_network(whole: Study) -> Section | None:
    """Shared memory, the network, its own limit and other libraries, together."""
    tables, first = network.tables(whole), network.summaries(whole)
    if not tables:
        return None
    found = network_charts.charts(whole)
    return html.section(
        "network",
        "The same programs over the network",
        html.titled(*first),
        *in_pairs(found),
        *(html.folded(table) for table in tables[len(first) :]),
    )


def against_pes(whole: Study) -> Section | None:
    """PEs as processes and as tasks and the other libraries, against the number of PEs."""
    found = tasks.tables(whole)
    if not found:
        return None
    return html.section(
        "tasks",
        "Many PEs: as processes, as tasks, and other libraries",
        *in_pairs(task_charts.charts(whole)),
        *map(html.folded, found),
    )


def comparison(whole: Study) -> Section | None:
    if len(whole.runs) != 2:
        return None
    old, new = whole.runs
    return html.section(
        "changes",
        f"What changed from {old.label} to {new.label}",
        html.grid(compare.summary(old, new)),
        html.folded(compare.table(old, new)),
    )


def every_test(whole: Study) -> Section | None:
    """One line a test, and what its limit is made of."""
    found = summary.tables(whole)
    if not found:
        return None
    return html.section("tests", found[0].title, html.grid(found[0]), *map(html.folded, found[1:]))


def all_goals(whole: Study) -> Section | None:
    found = goals.table(whole)
    return html.section("goals", found.title, html.grid(found)) if found else None


def of_the_papers(whole: Study) -> Section | None:
    """Every table of the papers: those with figures of this machine, then, folded together, the rest. What stands above
    in a layout of its own isn't repeated."""
    above = {table.id for table in paper.tables(whole)}
    made = [(table, measured) for table, measured in seeds.all_tables(whole) if table.id not in above]
    rest = [table for table, measured in made if not measured]
    parts = [html.folded(table) for table, measured in made if measured]
    found = machines.file_systems(whole)
    parts += [html.folded(one) for one in (found, machines.table(whole)) if one]
    if rest:
        parts.append(html.group(f"Not measured in this run: {len(rest)} tables", list(map(html.titled, rest))))
    return html.section("papers", "Every table of the papers, with this machine's rows", *parts)


def applications(whole: Study) -> Section | None:
    return html.section(
        "applications",
        "Applications: Split-C beside SHMEM and MPI",
        html.plots(app_charts.shares(whole)),
        html.titled(*apps.tables(whole)),
    )


def kernels(whole: Study) -> Section | None:
    return html.section(
        "kernels",
        "Kernels and solvers, beside what bounds them",
        html.titled(npb.table(whole), linpack.table(whole), lfk.table(whole), partition.table(whole)),
    )


def everything(whole: Study) -> Section | None:
    return html.section(
        "all-figures",
        "All figures",
        *(html.folded(table) for table in [*lab.tables(whole), lfk_checksums.table(whole)] if table),
        *(html.folded(table) for table in figures.tables(whole)),
    )


def machine(whole: Study) -> Section | None:
    return html.section(
        "machine",
        "Memory and arithmetic of this machine",
        html.plots(memory_charts.roofline(whole), memory_charts.load_times(whole)),
    )


def at_first(whole: Study) -> Section | None:
    """MPI beside other libraries, and more processes than cores."""
    if not first.shown(whole):
        return None
    return html.section("first", "MPI, and more processes than cores", *in_pairs(first.charts(whole)))


def messages(whole: Study) -> Section | None:
    """Curves of each interface but MPI's, which are the first on the page; then COMMS' patterns over all of them."""
    others = tuple(plot for plot in message_charts.MESSAGES if plot not in (first.LATENCY, first.BANDWIDTH))
    sets = (others, message_charts.PATTERNS)
    parts = [row for some in sets for row in in_pairs(message_charts.charts(whole, some))]
    return html.section("messages", "Messages against size, by interface", *parts)


def messages_written(whole: Study) -> Section | None:
    """The same of messages that are written and read, which stand in no plot with others."""
    found = message_charts.charts(whole, message_charts.WRITTEN_ONES)
    return html.section(
        "messages-written",
        "Messages that are written and read",
        *in_pairs(found),
        html.titled(*written.tables(whole)),
    )


def tests_of_the_newsletter(whole: Study) -> Section | None:
    return html.section(
        "newsletter",
        "The tests of 1996, beside the T3D and the hardware",
        html.titled(*newsletter.tables(whole)),
        html.plots(charts.latency(whole), charts.bandwidth(whole)),
        html.plots(charts.half_rate(whole), charts.barrier(whole)),
        html.plots(*charts.heat_maps(whole), charts.strides(whole), charts.launch(whole)),
    )


def the_paper(whole: Study) -> Section | None:
    return html.section("paper-1996", "The tables of the 1996 paper on MPT", html.titled(*paper.tables(whole)))


def the_pvms(whole: Study) -> Section | None:
    return html.section("pvm", "PVM, beside the papers", html.titled(*pvm.tables(whole)))


def measured_where(whole: Study) -> Section | None:
    parts = [html.grid(where.table(whole)), *map(html.folded, where.settings(whole))]
    return html.section("where", "Where it was measured", *parts)


# In reading order: what most come for, how the machine stands, then the papers' tests, then all the rest.
EVERY = (
    comparison,
    at_first,
    every_test,
    all_goals,
    tests_of_the_newsletter,
    against_pes,
    messages,
    messages_written,
    machine,
    over_network,
    applications,
    kernels,
    the_paper,
    the_pvms,
    of_the_papers,
    everything,
    measured_where,
)
# Where all went over a network nothing else has figures.
OF_NETWORKS = (
    comparison,
    every_test,
    all_goals,
    against_pes,
    over_network,
    machine,
    kernels,
    of_the_papers,
    everything,
    measured_where,
)


def sections(whole: Study) -> list[Section]:
    """Those with something in them."""
    made = (make(whole) for make in (EVERY if whole.local else OF_NETWORKS))
    return [one for one in made if one]
