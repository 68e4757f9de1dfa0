# SPDX-License-Identifier: BSD-3-Clause
"""What most readers come for, so the page begins with it: MPI's latency, bandwidth and collectives beside other
libraries, and what happens with more processes than cores. Cards have the figures of all libraries; no ratio, no mean.
"""

from __future__ import annotations

from collections.abc import Callable

import plotly.graph_objects as go

from ..runs import scaling
from ..runs.records import Record
from ..runs.study import Series, Study
from ..words import bytes_text
from . import message_charts, task_charts
from .charts import Chart, blank, colour, log_ticks, spread
from .headlines import rate_text, time_text

Card = tuple[str, str, str]
LATENCY, BANDWIDTH = message_charts.MESSAGES[:2]
MPI, WORD_BYTES = "MPI", 8
BARRIER, SUM = "MPI_Barrier", "MPI_Allreduce"


def of_collective(series: Series, call: str, size: int, npes: int) -> Record | None:
    return series.one(scaling.MPI, scaling.TIME, call=call, message_bytes=size, npes=npes)


def counts(study: Study) -> list[int]:
    """Of the ranks that our library's collectives were measured with."""
    return list(study.first.by("npes", scaling.MPI, scaling.TIME, call=BARRIER))


def few(study: Study) -> int | None:
    """The most ranks that have a core each."""
    cores = study.limits.cores
    return max((npes for npes in counts(study) if cores and npes <= cores), default=None)


def crowd(study: Study) -> int | None:
    """The most ranks without a core each that all libraries came to an end with."""
    cores = study.limits.cores
    common = [
        npes
        for npes in counts(study)
        if cores and npes > cores and all(of_collective(one, BARRIER, 0, npes) for one in with_mpi(study))
    ]
    return max(common, default=None)


def with_mpi(study: Study) -> list[Series]:
    return [one for one in study.series if any(record.test == scaling.MPI for record in one.records)]


def card(study: Study, label: str, find: Callable[[Series], Record | None], unit: str = "us") -> list[Card]:
    """Our figure, and below it those of the other libraries."""
    found = [(series, record) for series in study.series if (record := find(series))]
    if not found or found[0][0] is not study.first:
        return []
    text = time_text if unit == "us" else rate_text
    (_, ours), *others = [(series.name, text(record.in_unit(unit))) for series, record in found]
    return [(label, ours, "\n".join(f"{name}: {value}" for name, value in others))]


def fastest(series: Series) -> Record | None:
    found = series.find("mpi_bandwidth", "bandwidth")
    return max(found, key=lambda record: record.in_unit("MB/s"), default=None)


def cards(study: Study) -> list[Card]:
    """All are medians of one size; the rate is that of the best size."""
    out = card(
        study,
        f"MPI message of {WORD_BYTES} B, one way, median",
        lambda one: one.one("mpi_latency", "latency", message_bytes=WORD_BYTES),
    )
    out += card(study, "MPI bandwidth, median of the best size", fastest, "MB/s")
    small, large = few(study), crowd(study)
    if small:
        out += card(
            study,
            f"MPI sum of 8 B, {small} processes, median",
            lambda one: of_collective(one, SUM, WORD_BYTES, small),
        )
    if large:
        out += card(
            study,
            f"MPI barrier, {large} processes on {study.limits.cores} cores, median",
            lambda one: of_collective(one, BARRIER, 0, large),
        )
    return out


def rows(study: Study, npes: int) -> list[tuple[str, dict[str, Record]]]:
    """Each collective with the record of each library."""
    out = []
    for operation in scaling.OPERATIONS:
        for test, calls, size in operation.calls if operation.metric == scaling.TIME else ():
            found = {one.name: of_collective(one, calls[0], size, npes) for one in study.series}
            told = {name: record for name, record in found.items() if record}
            if test == scaling.MPI and study.first.name in told:
                name = calls[0].removeprefix("MPI_")
                out.append((f"{name}, {bytes_text(size)}" if size else name, told))
    return out


def collectives(study: Study, npes: int | None) -> Chart | None:
    """A line for each collective, a dot for each library."""
    found = rows(study, npes) if npes else []
    if not found:
        return None
    figure = blank("time of the slowest rank", "", log_y=False)
    for series in study.series:
        mine = [(what, records[series.name]) for what, records in found if series.name in records]
        figure.add_trace(
            go.Scatter(
                x=[record.in_unit("us") for _, record in mine],
                y=[what for what, _ in mine],
                name=series.name,
                mode="markers",
                marker={"color": colour(study, series), "size": 11},
                error_x=spread([record for _, record in mine], "us"),
                text=[time_text(record.in_unit("us")) for _, record in mine],
                hovertemplate=f"%{{y}}: %{{text}}<extra>{series.name}</extra>",
            )
        )
    every = [value for trace in figure.data for value in trace.x]
    figure.update_xaxes(log_ticks(every, "us"))
    figure.update_yaxes(type="category", autorange="reversed")
    what, records = found[-1]
    ours = time_text(records[study.first.name].in_unit("us"))
    return Chart(
        "first-collectives",
        f"Collectives of {npes} processes on {study.limits.cores} cores: {what} takes {ours}",
        figure,
        "Medians with their quartiles; further left is faster.",
    )


def crowded(study: Study) -> Chart | None:
    """A barrier against the number of processes, with few and many for each core."""
    made, npes = task_charts.chart(study, scaling.OPERATIONS[0], MPI), crowd(study)
    ours = of_collective(study.first, BARRIER, 0, npes) if npes else None
    if made:
        made.name = "first-barrier"
        made.title = "MPI barrier, against the number of processes"
    if made and ours:
        time = time_text(ours.in_unit("us"))
        made.title = f"More processes than cores: a barrier of {npes} on {study.limits.cores} cores takes {time}"
    return made


def charts(study: Study) -> list[Chart]:
    made = [
        message_charts.chart(study, LATENCY),
        message_charts.chart(study, BANDWIDTH),
        collectives(study, few(study)),
        crowded(study),
    ]
    return [one for one in made if one]


def shown(study: Study) -> bool:
    """Whether there is anything to begin with."""
    return study.local and any(record.library == MPI for record in study.first.records)
