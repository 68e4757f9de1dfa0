# SPDX-License-Identifier: BSD-3-Clause
"""Messages against size: of MPI, PVM and Active Messages, and the three patterns of COMMS over all interfaces, beside
other libraries and the hardware. What is plotted is a row of a table; one function draws them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..runs.records import WRITTEN, Record
from ..runs.study import Limits, Series, Study
from ..words import bytes_text, divide
from . import headlines
from .charts import FACE_NAMES, LIMIT_COLOUR, Chart, blank, by_size, byte_ticks, finish, looks, mark_crossing, spread

BANDWIDTH, LATENCY = "bandwidth", "latency"
UNITS = {BANDWIDTH: "MB/s", LATENCY: "us"}
AXES = {BANDWIDTH: "rate", LATENCY: "one way"}
LIBRARY = "library"


@dataclass(frozen=True)
class Plot:
    """A plot of one metric of one test; `apart` is the parameter, or the interface, that tells curves apart."""

    name: str
    what: str
    test: str
    metric: str
    note: str
    where: dict[str, Any] = field(default_factory=dict)
    apart: str = ""
    most: bool = False  # of the largest number of PEs, else of two


HALF = "Diamonds: N½, the size from which half of the largest rate is reached."
COPIES = "Limit: the fastest of all copy methods at each size."
COMMS = "Through each interface, by the library's preferred call. "
MESSAGES = (
    Plot("mpi-latency", "MPI messages", "mpi_latency", LATENCY, "Half the round trip of MPI_Send and MPI_Recv."),
    Plot(
        "mpi-bandwidth",
        "MPI messages",
        "mpi_bandwidth",
        BANDWIDTH,
        f"Windows of MPI_Isend and MPI_Irecv, malloc'd buffers. {HALF} {COPIES}",
    ),
    Plot(
        "pvm-latency",
        "PVM messages",
        "pvm_pingpong",
        LATENCY,
        "Half a round trip, packing and unpacking included.",
        {"method": "clean"},
        "encoding",
    ),
    Plot(
        "pvm-bandwidth",
        "PVM messages",
        "pvm_pingpong",
        BANDWIDTH,
        f"Half a round trip, packing and unpacking included; one curve for each encoding. {HALF} {COPIES}",
        {"method": "clean"},
        "encoding",
    ),
    Plot(
        "am-latency",
        "Active messages",
        "echo test, contiguous",
        LATENCY,
        "Half a round trip, the same buffers again.",
        {LIBRARY: "AM", "cache": "hot"},
        "call",
    ),
    Plot("am-bandwidth", "Active messages", "am", BANDWIDTH, f"A stream of transfers. {HALF} {COPIES}", {}, "call"),
)
PATTERNS = (
    Plot("comms1-time", "COMMS1, to and fro", "message time", LATENCY, COMMS, {"pattern": "COMMS1"}, LIBRARY),
    Plot(
        "comms1",
        "COMMS1, to and fro",
        "message time",
        BANDWIDTH,
        f"{COMMS}{HALF} {COPIES}",
        {"pattern": "COMMS1"},
        LIBRARY,
    ),
    Plot(
        "comms2",
        "COMMS2, both at once",
        "message time",
        BANDWIDTH,
        f"{COMMS}Both messages together. {HALF} {COPIES} Two cores may pass what one of them copies.",
        {"pattern": "COMMS2"},
        LIBRARY,
    ),
    Plot(
        "comms3",
        "COMMS3, all to all",
        "message time",
        BANDWIDTH,
        f"{COMMS}All messages together. {HALF} {COPIES} Several cores may pass what one of them copies.",
        {"pattern": "COMMS3"},
        LIBRARY,
        most=True,
    ),
)
WHOLE = (
    "Bytes over the time of writing, moving and reading. Limit: a bare program's two processes that do the same, with "
    "one copy."
)
FRESH = {"cache": WRITTEN}
WRITTEN_ONES = (
    Plot(
        "mpi-written",
        "MPI messages, written and read",
        "mpi_bandwidth",
        BANDWIDTH,
        f"malloc'd buffers, to and fro. {WHOLE}",
        FRESH,
    ),
    Plot("put-get-written", "Puts and gets, written and read", "put_get", BANDWIDTH, WHOLE, FRESH, "op"),
    Plot(
        "pvm-written",
        "PVM messages, written and read",
        "pvm_pingpong",
        BANDWIDTH,
        WHOLE,
        {"method": "clean", **FRESH},
        "encoding",
    ),
    Plot("am-written", "Active messages, written and read", "am", BANDWIDTH, WHOLE, FRESH, "call"),
    Plot(
        "comms1-written",
        "COMMS1, written and read",
        "message time",
        BANDWIDTH,
        f"{COMMS}{WHOLE}",
        {"pattern": "COMMS1", **FRESH},
        LIBRARY,
    ),
    Plot(
        "comms2-written",
        "COMMS2, written and read",
        "message time",
        BANDWIDTH,
        f"{COMMS}{WHOLE} Two cores may pass what one message at a time reaches.",
        {"pattern": "COMMS2", **FRESH},
        LIBRARY,
    ),
)


@dataclass(frozen=True)
class Curve:
    series: Series
    name: str
    place: int  # among the library's curves
    records: dict[int, Record]
    face: str = ""


def curves(study: Study, plot: Plot) -> Iterator[Curve]:
    """Each library's curves: of each interface, or of each value of a parameter, in the order of preference."""
    for series in study.series:
        where = dict(plot.where)
        face = where.pop(LIBRARY, None)
        one = series.through(face) if face else series
        counts = [record.get("npes", 2) for record in one.records if record.test == plot.test]
        if counts:
            where["npes"] = (max(counts) if plot.most else min(counts), None)
        if plot.apart == LIBRARY:
            for name in one.faces(plot.test):
                through = one.through(name)
                yield Curve(
                    series,
                    f"{series.name}, {name}",
                    FACE_NAMES.index(name),
                    through.by("message_bytes", plot.test, plot.metric, **where),
                    name,
                )
            continue
        values = (
            dict.fromkeys(record.get(plot.apart) for record in one.find(plot.test, plot.metric, **where))
            if plot.apart
            else (None,)
        )
        for place, value in enumerate(values):
            told = {plot.apart: value} if plot.apart else {}
            yield Curve(
                series,
                f"{series.name}, {value}" if value else series.name,
                place,
                one.by("message_bytes", plot.test, plot.metric, **where, **told),
            )


def copies_of(limits: Limits, plot: Plot) -> dict[int, float]:
    """What the bare machine does with the same buffers."""
    return limits.written if plot.where.get("cache") == WRITTEN else limits.copies


def title_of(study: Study, plot: Plot, found: list[Curve]) -> str:
    """What our library's best curve says."""
    ours = [
        (record, size, f", through {curve.face}" if curve.face else "")
        for curve in found
        if curve.series is study.first
        for size, record in curve.records.items()
        if size
    ]
    if not ours:
        return f"{plot.what}: {plot.metric} against size"
    if plot.metric == LATENCY:
        record, size, face = min(ours, key=lambda one: (one[1], one[0].in_unit("us")))
        return f"{plot.what}: {bytes_text(size)} take {headlines.time_text(record.in_unit('us'))} one way{face}"
    best, size, face = max(ours, key=lambda one: one[0].in_unit("MB/s"))
    share = divide(best.in_unit("MB/s"), copies_of(study.limits, plot).get(size))
    share = share if share and share <= 1 else None  # a copy from a nearer cache bounds nothing
    what = "a bare program's" if plot.where.get("cache") == WRITTEN else "the best copy"
    tail = f", {share:.0%} of {what}" if share else ""
    return f"{plot.what}: up to {headlines.rate_text(best.in_unit('MB/s'))} at {bytes_text(size)}{face}{tail}"


def least_times(study: Study, sizes: list[int]) -> dict[int, float]:
    """One way of a message at best: a hand-over, and the best copy of what is long."""
    hand = study.limits.put_handover
    if not hand:
        return {}
    copied = {size: hand + size / rate for size, rate in study.limits.copies.items() if sizes[0] <= size <= sizes[-1]}
    return {max(sizes[0], 1): hand, **copied}


def chart(study: Study, plot: Plot) -> Chart | None:
    found = [curve for curve in curves(study, plot) if any(curve.records)]
    sizes = sorted({size for curve in found for size in curve.records if size})
    if len(sizes) < 2:
        return None
    unit = UNITS[plot.metric]
    shown = "µs" if unit == "us" else unit
    figure = blank("message size, bytes", AXES[plot.metric], byte_ticks(sizes))
    for curve in found:
        points = {size: one.in_unit(unit) for size, one in curve.records.items() if size}
        face = curve.face or next(iter(curve.records.values())).library
        alone = len(study.series) == 1 and plot.apart == LIBRARY  # then colours tell interfaces apart
        colour, dash = looks(study, curve.series, face, 0 if alone else curve.place)
        told = [one for size, one in curve.records.items() if size]
        by_size(figure, curve.name, points, colour, dash, shown, spread(told, unit))
        if plot.metric == BANDWIDTH:
            mark_crossing(figure, curve.name, points, colour)
    copied = {size: rate for size, rate in copies_of(study.limits, plot).items() if sizes[0] <= size <= sizes[-1]}
    limit = copied if plot.metric == BANDWIDTH else least_times(study, sizes)
    if limit:
        by_size(figure, "hardware limit", limit, LIMIT_COLOUR, "dash", shown)
    note = (
        plot.note
        if plot.metric == BANDWIDTH
        else f"{plot.note.strip()} Limit: a cache line handed over and the best copy of the message."
    )
    return Chart(plot.name, title_of(study, plot, found), finish(figure, unit), note)


def charts(study: Study, plots: tuple[Plot, ...] = MESSAGES + PATTERNS) -> list[Chart]:
    return [made for plot in plots if (made := chart(study, plot))]
