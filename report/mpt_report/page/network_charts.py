# SPDX-License-Identifier: BSD-3-Clause
"""Plots in which shared memory, the network, the other library and the network's own ping-pong stand together.

A library keeps its colour; the dash says where its PEs are. Grey is what the network itself does.
"""

from __future__ import annotations

from collections.abc import Callable

from ..runs.provider import Provider
from ..runs.records import Record
from ..runs.study import Series, Study
from ..tables import network
from ..words import bytes_text, divide, times
from . import headlines
from .charts import LIMIT_COLOUR, SERIES_COLOURS, Chart, blank, by_size, byte_ticks, finish, line, pe_axis, spread

DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


def looks(study: Study) -> tuple[dict[str, str], dict[str, str]]:
    """Colours by library and dashes by network."""
    every = network.columns(study)
    libraries = list(dict.fromkeys(one.implementation for one in every))
    places = list(dict.fromkeys(["", *(one.network for one in study.networks)]))
    return (
        {name: SERIES_COLOURS[i % len(SERIES_COLOURS)] for i, name in enumerate(libraries)},
        {place: DASHES[i % len(DASHES)] for i, place in enumerate(places)},
    )


def limits(study: Study) -> dict[str, Provider]:
    return {one.network: limit for one in study.networks if (limit := study.provider(one))}


def chart(
    study: Study,
    name: str,
    title: str,
    note: str,
    unit: str,
    find: Callable[[Series], dict[int, Record]],
    own: Callable[[Provider], dict[int, float]],
) -> Chart | None:
    """Figures by size: all series and the networks' own."""
    found = [(series, find(series)) for series in network.columns(study)]
    sizes = sorted({size for _, records in found for size in records})
    if len(sizes) < 2 or not any(records and series.network for series, records in found):
        return None
    colours, dashes = looks(study)
    shown = "µs" if unit == "us" else unit
    figure = blank("message size, bytes", "one way" if unit == "us" else "rate", byte_ticks(sizes))
    for series, records in found:
        points = {size: record.in_unit(unit) for size, record in records.items()}
        if points:
            hue, dash, bars = colours[series.implementation], dashes[series.network], spread(records.values(), unit)
            by_size(figure, network.label(series), points, hue, dash, shown, bars)
    for place, limit in limits(study).items():
        points = own(limit)
        if len(points) > 1:
            by_size(figure, f"{limit.tool}, {place}", points, LIMIT_COLOUR, dashes[place], shown)
    return Chart(name, title, finish(figure, unit), note)


def word_title(study: Study) -> str:
    for series in study.networks:
        limit, word = study.provider(series), series.one("put_get", "latency", op="p")
        if limit and limit.round_trip and word:
            us = word.in_unit("us")
            return (
                f"One word put and completed takes {headlines.time_text(us)} over {series.network}, "
                f"{times(divide(us, limit.round_trip))} the network's own round trip"
            )
    return "A completed put against message size, over the network and over shared memory"


def rate_title(study: Study) -> str:
    for series in study.networks:
        limit, found = study.provider(series), headlines.peak(series)
        if limit and limit.bandwidth and found:
            own = max(limit.bandwidth.values())
            return (
                f"Over {series.network} puts and gets reach {headlines.rate_text(found[0])} at "
                f"{bytes_text(found[1])}; the network's own ping-pong reaches {headlines.rate_text(own)}"
            )
    return "Bandwidth against message size, over the network and over shared memory"


def barrier(study: Study) -> Chart | None:
    """Barrier time against PEs, with the networks' own round trips as level lines."""
    found = [(series, series.by("npes", "barrier", "barrier_time")) for series in network.columns(study)]
    counts = {npes for series, records in found for npes in records if series.network}
    if not counts:
        return None
    colours, dashes = looks(study)
    figure = blank("PEs", "time of a barrier", pe_axis({npes for _, records in found for npes in records}))
    for series, records in found:
        if records:
            line(
                figure,
                network.label(series),
                list(records),
                [one.in_unit("us") for one in records.values()],
                colours[series.implementation],
                dashes[series.network],
                "µs",
                bars=spread(records.values(), "us"),
            )
    for place, limit in limits(study).items():
        if limit.round_trip:
            ends = [min(counts), max({*counts, 2 * min(counts)})]
            line(
                figure,
                f"{limit.tool}, {place}: round trip",
                ends,
                [limit.round_trip] * 2,
                LIMIT_COLOUR,
                dashes[place],
                "µs",
                "lines",
            )
    return Chart(
        "net-barrier",
        "A barrier over the network needs at least half a round trip in each of its steps",
        finish(figure, "us"),
        "Level lines: a round trip of the network's own ping-pong.",
    )


WAY_NOTE = (
    "Half the round trip of a put that the other side waits for. Grey: the network's own ping-pong, which does "
    "the same with messages."
)
DONE_NOTE = (
    "One put and a quiet at a time. Grey: a round trip of the network's own ping-pong with messages of that size."
)
RATE_NOTE = (
    "One PE streams puts to another. Grey: the network's own ping-pong, which has one message on its way at "
    "a time, so a stream may pass it."
)


def charts(study: Study) -> list[Chart]:
    """Every plot there are records for."""
    made = [
        chart(
            study,
            "net-latency",
            "One way against message size: network and shared memory",
            WAY_NOTE,
            "us",
            network.hand_over,
            lambda limit: limit.latency,
        ),
        chart(
            study,
            "net-completed",
            word_title(study),
            DONE_NOTE,
            "us",
            network.completed,
            lambda limit: {size: 2.0 * us for size, us in limit.latency.items()},
        ),
        chart(
            study,
            "net-bandwidth",
            rate_title(study),
            RATE_NOTE,
            "MB/s",
            network.put_rate("put"),
            lambda limit: limit.bandwidth,
        ),
        chart(
            study,
            "net-nonblocking",
            "Bandwidth of nonblocking puts: network and shared memory",
            RATE_NOTE,
            "MB/s",
            network.put_rate("put_nbi"),
            lambda limit: limit.bandwidth,
        ),
        barrier(study),
    ]
    return [one for one in made if one is not None]
