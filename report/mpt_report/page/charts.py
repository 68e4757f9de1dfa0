# SPDX-License-Identifier: BSD-3-Clause
"""The plots of the page, as plotly figures without colours of their own background: the page's
script lays the light or dark theme over them.

Every chart function returns None when nothing was measured for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from ..runs import published
from ..runs.records import FACES, TIME_IN_US, Record
from ..runs.study import Series, Study
from ..tables import paper
from ..words import bytes_text
from . import headlines

# Told apart by colour-blind readers, and legible on white and on black.
SERIES_COLOURS = ("#3b82f6", "#e8812a", "#17a673", "#c95fd0", "#d9a400", "#e0526b")
LIMIT_COLOUR = "#8a8f98"
PUBLISHED_COLOURS = {"T3D": "#b07aa1", "J90": "#9c755f", "T3E": "#6b9e96"}
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
FACE_NAMES = tuple(face for face in FACES if face != "Split-C")  # interfaces of messages, a curve each
MOST_IN_LEGEND = 8
FOREMOST = ("hardware limit", "T3D")  # beginnings of names that a legend never leaves out


@dataclass
class Chart:
    """A figure with its title in words and what to know when reading it."""

    name: str
    title: str
    figure: go.Figure
    note: str = ""

    def __post_init__(self) -> None:
        left = (self.figure.layout.meta or {}).get("left", 0)
        if left:
            self.note = f"{self.note} Curves that stand in the tables only: {left}.".strip()


def colour(study: Study, series: Series) -> str:
    return SERIES_COLOURS[study.series.index(series) % len(SERIES_COLOURS)]


def looks(study: Study, series: Series, face: str, place: int) -> tuple[str, str]:
    """Colour and dash of one of a library's curves. On the whole page a library has one colour where there are others,
    else an interface does; dashes tell apart what has one colour."""
    if len(study.series) == 1:
        return SERIES_COLOURS[FACES.index(face) if face in FACES else 0], DASHES[place % len(DASHES)]
    return colour(study, series), DASHES[place % len(DASHES)]


def byte_ticks(sizes: list[int]) -> dict[str, Any]:
    """Tick marks at powers of eight, named in binary units."""
    if not sizes:
        return {}
    ticks = [1 << shift for shift in range(0, 31, 3) if min(sizes) <= 1 << shift <= max(sizes)]
    return {"tickvals": ticks, "ticktext": [bytes_text(tick).replace("iB", "") for tick in ticks]}


def value_text(value: float, unit: str) -> str:
    """A value with its unit as titles have it; without one that titles have, the number."""
    if unit in TIME_IN_US:
        return headlines.time_text(value * TIME_IN_US[unit])
    return headlines.rate_text(value) if unit == "MB/s" else f"{value:,.10g}"


def log_ticks(values: list[float], unit: str = "") -> dict[str, Any]:
    """Decades, or 1-2-5 steps where there would be fewer than three decades to see."""
    positive = [value for value in values if value]
    low, high = math.floor(math.log10(min(positive))), math.ceil(math.log10(max(positive)))
    steps = (1,) if high - low > 3 else (1, 2, 5)
    ticks = [step * 10.0**decade for decade in range(low, high + 1) for step in steps]
    return {"tickvals": ticks, "ticktext": [value_text(tick, unit) for tick in ticks]}


def at_most(figure: go.Figure, most: int) -> go.Figure:
    """Only so many curves that a legend names, what goes with the others left out, too."""
    named = [trace for trace in figure.data if trace.name and trace.showlegend is not False]

    def later(trace: Any) -> tuple[bool, bool]:
        return not trace.name.startswith(FOREMOST), trace.visible == "legendonly"

    kept = {trace.name for trace in sorted(named, key=later)[:most]}
    gone = [trace.name for trace in named if trace.name not in kept]
    if gone:
        figure.data = [
            trace
            for trace in figure.data
            if trace.name not in gone and not (trace.name or "").startswith(tuple(f"{name}: " for name in gone))
        ]
    return figure.update_layout(meta={"left": len(gone)})


def finish(figure: go.Figure, unit: str = "") -> go.Figure:
    """Once all curves are in: no more than a legend can hold, and the vertical ticks with their unit."""
    at_most(figure, MOST_IN_LEGEND)
    values = [value for trace in figure.data if trace.visible != "legendonly" for value in trace.y]
    return figure.update_yaxes(log_ticks(values, unit)) if values else figure


def spread(records: Iterable[Record], unit: str) -> dict[str, Any] | None:
    """Error bars from the lower to the upper quartile; None where no program gave any."""
    found = list(records)
    if not any("p25" in record.stats for record in found):
        return None
    ends = [
        [max(sign * (record.in_unit(unit, name) - record.in_unit(unit)), 0.0) for record in found]
        for name, sign in (("p75", 1.0), ("p25", -1.0))
    ]
    return {
        "type": "data",
        "symmetric": False,
        "array": [float(f"{value:.3g}") for value in ends[0]],
        "arrayminus": [float(f"{value:.3g}") for value in ends[1]],
        "thickness": 1.5,
        "width": 0,
    }


def blank(x_title: str, y_title: str, x_axis: dict[str, Any] | None = None, log_y: bool = True) -> go.Figure:
    """An empty log-log figure: the legend under the plot leaves a phone its whole width."""
    return go.Figure(
        layout={
            "template": "none",
            "xaxis": {"title": {"text": x_title}, "type": "log", **(x_axis or {})},
            "yaxis": {"title": {"text": y_title}, "type": "log" if log_y else "linear", "automargin": True},
            "legend": {"orientation": "h", "yanchor": "top", "y": -0.2, "x": 0},
            "margin": {"l": 56, "r": 12, "t": 12, "b": 56},
            "hovermode": "closest",
            "height": 440,
        }
    )


def line(
    figure: go.Figure,
    name: str,
    xs: list[Any],
    ys: list[Any],
    colour: str,
    dash: str = "solid",
    unit: str = "",
    mode: str = "lines+markers",
    hidden: bool = False,
    texts: list[str] | None = None,
    bars: dict[str, Any] | None = None,
) -> None:
    figure.add_trace(
        go.Scatter(
            x=xs,
            y=ys,
            name=name,
            mode=mode,
            visible="legendonly" if hidden else None,
            text=texts,
            line={"color": colour, "dash": dash, "width": 2},
            marker={"color": colour, "size": 6},
            error_y=bars,
            hovertemplate=("%{text}" if texts else "%{x}") + f": %{{y:.4~g}} {unit}<extra>{name}</extra>",
        )
    )


def by_size(
    figure: go.Figure,
    name: str,
    points: dict[int, float],
    colour: str,
    dash: str,
    unit: str,
    bars: dict[str, Any] | None = None,
) -> None:
    line(
        figure,
        name,
        list(points),
        list(points.values()),
        colour,
        dash,
        unit,
        texts=[bytes_text(size) for size in points],
        bars=bars,
    )


def off_cache(
    figure: go.Figure, series: Series, name: str, colour: str, test: str, metric: str, unit: str, **where: Any
) -> None:
    """The same with buffers that rotate, where that was measured."""
    records = series.by("message_bytes", test, metric, cache="rotating", **where)
    if len(records) > 1:
        by_size(
            figure,
            f"{name}, out of cache",
            {size: record.in_unit(unit) for size, record in records.items()},
            colour,
            "dashdot",
            "µs" if unit == "us" else unit,
        )


def latency(study: Study) -> Chart | None:
    """Half a round trip against size."""
    found = {
        series.name: series.by("message_bytes", "pingpong", "latency", call=("shmem_putmem", None))
        for series in study.series
    }
    sizes = sorted({size for records in found.values() for size in records})
    if len(sizes) < 2:
        return None
    figure = blank("message size, bytes", "one way", byte_ticks(sizes))
    for series in study.series:
        points = {size: record.in_unit("us") for size, record in found[series.name].items()}
        bars = spread(found[series.name].values(), "us")
        by_size(figure, series.name, points, colour(study, series), "solid", "µs", bars)
        off_cache(
            figure, series, series.name, colour(study, series), "pingpong", "latency", "us", call=("shmem_putmem", None)
        )
    hand = study.limits.put_handover
    if hand:
        least = {8: hand}
        least |= {size: hand + size / rate for size, rate in study.limits.copies.items() if size <= max(sizes)}
        by_size(figure, "hardware limit", least, LIMIT_COLOUR, "dash", "µs")
    return Chart(
        "latency",
        headlines.latency(study),
        finish(figure, "us"),
        "Half the round trip of a put that the other side waits for. Limit: hand-over of one cache line "
        "plus the best copy of the message.",
    )


def bandwidth(study: Study) -> Chart | None:
    """Streamed puts and gets against size."""
    lines = [
        (series, op, series.by("message_bytes", "put_get", "bandwidth", op=op))
        for series in study.series
        for op in ("put", "get")
    ]
    sizes = sorted({size for _, _, records in lines for size in records})
    if len(sizes) < 2:
        return None
    figure = blank("transfer size, bytes", "rate", byte_ticks(sizes))
    for series, op, records in lines:
        if records:
            points = {size: record.in_unit("MB/s") for size, record in records.items()}
            dash, bars = "solid" if op == "put" else "dot", spread(records.values(), "MB/s")
            by_size(figure, f"{series.name}, {op}", points, colour(study, series), dash, "MB/s", bars)
            mark_crossing(figure, f"{series.name}, {op}", points, colour(study, series))
        if op == "put":
            off_cache(
                figure, series, f"{series.name}, put", colour(study, series), "put_get", "bandwidth", "MB/s", op=op
            )
    for limits in study.all_limits:
        label = "hardware limit" + (f" ({limits.label})" if len(study.all_limits) > 1 else "")
        if limits.copies:
            by_size(figure, label, limits.copies, LIMIT_COLOUR, "dash", "MB/s")
    for machine, key in (("CRAY T3D 1996", "T3D"), ("CRAY J90 1996", "J90")):
        rate = published.value("mpt", "point-to-point ping-pong", "bandwidth", key, "SHMEM")
        line(figure, machine, [sizes[0], sizes[-1]], [rate, rate], PUBLISHED_COLOURS[key], "dot", "MB/s", "lines")
    return Chart(
        "bandwidth",
        headlines.bandwidth(study),
        finish(figure, "MB/s"),
        "One PE streams to another. Diamonds: N½, the size from which half of the largest rate is reached. "
        "Limit: the fastest of all copy methods at each size. Dotted level lines: the asymptotic rates printed "
        "in 1996.",
    )


def half_size(points: dict[int, float]) -> tuple[float, float] | None:
    """Where a curve first reaches half of its largest rate, between two sizes as the logarithms go."""
    half, before = max(points.values()) / 2.0, None
    for size, rate in sorted(points.items()):
        if rate >= half:
            if before is None:
                return None  # the smallest size is past it
            grows = 0 < before[1] < rate
            share = math.log(half / before[1]) / math.log(rate / before[1]) if grows else 1.0
            return before[0] * (size / before[0]) ** share, half
        before = (size, rate)
    return None


def mark_crossing(figure: go.Figure, name: str, points: dict[int, float], colour: str) -> None:
    found = half_size(points)
    if found:
        line(
            figure,
            f"{name}: N½",
            [found[0]],
            [found[1]],
            colour,
            unit="MB/s",
            mode="markers",
            texts=[bytes_text(round(found[0]))],
        )
        figure.data[-1].update(
            showlegend=False, marker={"symbol": "diamond", "size": 11, "line": {"width": 1.5, "color": "#808080"}}
        )


def half_rate(study: Study) -> Chart | None:
    """The search for N one-half: rate against size, one pair and all pairs."""
    figure = blank("message size, bytes", "rate of each sending PE")
    sizes: set[int] = set()
    for series in study.series:
        for test, dash in (("single_pairs", "solid"), ("multiple_pairs", "dot")):
            records = series.by("message_bytes", test, "bandwidth")
            if not records:
                continue
            sizes |= set(records)
            name = f"{series.through(next(iter(records.values())).library).name}, {test}"
            points = {size: one.in_unit("MB/s") for size, one in records.items()}
            by_size(figure, name, points, colour(study, series), dash, "MB/s", spread(records.values(), "MB/s"))
            mark_half(figure, series, test, colour(study, series))
    if not sizes:
        return None
    for test, symbol in (("single_pairs", "diamond"), ("multiple_pairs", "square")):
        size = published.value("newsletter", test, "n_half_bytes")
        rate = published.value("newsletter", test, "rate_at_n_half")
        if size is None or rate is None:
            continue
        line(
            figure,
            f"T3D 1996, N½ of {test}",
            [size],
            [rate],
            PUBLISHED_COLOURS["T3D"],
            "solid",
            "MB/s",
            "markers",
            texts=[bytes_text(round(size))],
        )
        figure.data[-1].marker.symbol = symbol
        figure.data[-1].marker.size = 10
    figure.update_xaxes(byte_ticks(sorted(sizes)))
    return Chart("half", headlines.half(study), finish(figure, "MB/s"))


def mark_half(figure: go.Figure, series: Series, test: str, colour: str) -> None:
    """A diamond where half of the largest rate is reached, a square with all PEs sending."""
    size, rate = (series.one(test, metric, npes=series.npes(test)) for metric in ("n_half_bytes", "rate_at_n_half"))
    if size is None or rate is None:
        return
    name = series.through(size.library).name
    line(
        figure,
        f"{name}, N½ of {test}",
        [size.value],
        [rate.value],
        colour,
        unit="MB/s",
        mode="markers",
        texts=[bytes_text(round(size.value))],
    )
    figure.data[-1].marker.update(
        symbol="diamond" if test == "single_pairs" else "square", size=11, line={"width": 1.5, "color": "#808080"}
    )
    figure.data[-1].showlegend = False


def pe_axis(counts: set[int]) -> dict[str, Any]:
    ticks = sorted(counts)
    return {"tickvals": ticks, "ticktext": [str(tick) for tick in ticks]}


def barrier(study: Study) -> Chart | None:
    """Barrier time against PEs, with the machines of the papers."""
    found = [(series, face, paper.barrier_times(series, face)) for series in study.series for face in FACE_NAMES]
    if not any(records for _, _, records in found):
        return None
    counts = {npes for _, _, records in found for npes in records} | {2, 4, 8, 16, 32, 64}
    figure = blank("PEs", "time of a barrier", pe_axis(counts))
    for series, face, records in found:
        if records:
            hue, dash = looks(study, series, face, FACE_NAMES.index(face) if len(study.series) > 1 else 0)
            line(
                figure,
                series.through(face).name,
                list(records),
                [one.in_unit("us") for one in records.values()],
                hue,
                dash,
                "µs",
                bars=spread(records.values(), "us"),
            )
    for limits in study.all_limits[:1]:
        least = {npes: limits.barrier(npes) for npes in sorted(counts)}
        least = {npes: time for npes, time in least.items() if time}
        line(figure, "hardware limit", list(least), list(least.values()), LIMIT_COLOUR, "dash", "µs")
    for name, seed, test, machine, library, hidden in PUBLISHED_BARRIERS:
        facts = published.find(seed, test, "barrier_time", machine, library)
        line(
            figure,
            name,
            [fact["params"]["npes"] for fact in facts],
            [fact["value"] for fact in facts],
            PUBLISHED_COLOURS[machine[:3]],
            "dot",
            "µs",
            hidden=hidden,
        )
    return Chart(
        "barrier",
        headlines.barrier(study),
        finish(figure, "us"),
        "With more PEs than cores each PE must be scheduled once in every barrier: the limit then is P/C "
        "hand-overs between processes.",
    )


PUBLISHED_BARRIERS = (
    ("T3D 1996 (barrier hardware)", "mpt", "barrier", "T3D", "", False),
    ("J90 1996 (MPT)", "mpt", "barrier", "J90", "", False),
    ("T3E 1999, SHMEM", "t3e", "SYNCH1", "T3E", "SHMEM", False),
    ("T3E 1999, PVM", "t3e", "SYNCH1", "T3E", "PVM", True),
    ("T3E 1999, MPI", "t3e", "SYNCH1", "T3E", "MPI", True),
)


def pair_latencies(series: Series) -> dict[tuple[int, int], float]:
    """One word between each pair, us, at the largest PE count; the preferred interface, call and target only."""
    chosen: dict[tuple[int, int], float] = {}
    for record in series.find("pingpong", "latency", npes=series.npes("pingpong"), message_bytes=(8, None)):
        if record.pair is not None:
            chosen.setdefault(record.pair, record.in_unit("us"))
    return chosen


def heat_map(name: str, title: str, found: dict[tuple[int, int], float]) -> Chart:
    npes = max(max(pair) for pair in found) + 1
    rows = [[found.get((a, b), found.get((b, a))) for b in range(npes)] for a in range(npes)]
    names = [str(pe) for pe in range(npes)]
    low, high = min(found.values()), max(found.values())
    flat = high < 1.02 * low  # a scale of its own for noise would show a pattern where there is none
    figure = blank("to PE", "from PE", log_y=False)
    figure.add_trace(
        go.Heatmap(
            z=rows,
            x=names,
            y=names,
            zmin=0.8 * low if flat else low,
            zmax=1.2 * high if flat else high,
            colorscale="Viridis",
            reversescale=True,
            hoverongaps=False,
            xgap=1,
            ygap=1,
            texttemplate="%{z:.3~g}" if npes <= 8 else None,
            colorbar={"title": {"text": "µs"}, "thickness": 12},
            hovertemplate="PE %{y} and PE %{x}: %{z:.4~g} µs<extra></extra>",
        )
    )
    figure.update_xaxes(type="category", dtick=max(1, npes // 16))
    figure.update_yaxes(type="category", autorange="reversed", dtick=max(1, npes // 16))
    figure.update_layout(height=400)
    return Chart(name, title, figure)


def heat_maps(study: Study) -> list[Chart]:
    """Latency by pair, one map for each interface of each library; two PEs are no map."""
    found = []
    for index, series in enumerate(study.series):
        mine = [
            (f"pairs{index}" if place == 0 else f"pairs{index}-{face.lower()}", series.through(face))
            for place, face in enumerate(series.faces("pingpong"))
        ]
        latencies = [(name, one, pair_latencies(one)) for name, one in mine]
        found += [item for item in latencies if len({pe for pair in item[2] for pe in pair}) > 2]
    return [
        heat_map(
            name,
            headlines.pairs(study, pairs) if len(found) == 1 else f"{one.name}: {headlines.pairs(study, pairs)}",
            pairs,
        )
        for name, one, pairs in found
    ]


def strides(study: Study) -> Chart | None:
    """Strided puts and gets."""
    figure = blank("stride, words", "rate of payload")
    strides_seen: set[int] = set()
    for series in study.series:
        for op, dash in (("iput", "solid"), ("iget", "dot")):
            records = series.by("stride", "put_get", "bandwidth", op=op)
            if records:
                strides_seen |= set(records)
                line(
                    figure,
                    f"{series.name}, {op}",
                    list(records),
                    [one.in_unit("MB/s") for one in records.values()],
                    colour(study, series),
                    dash,
                    "MB/s",
                    bars=spread(records.values(), "MB/s"),
                )
    if len(strides_seen) < 2:
        return None
    figure.update_xaxes(pe_axis({stride for stride in strides_seen if stride & (stride - 1) == 0}))
    return Chart("strides", headlines.strides(study), finish(figure, "MB/s"))


def launch(study: Study) -> Chart | None:
    """Start and stop of a job against PEs."""
    found = [(series, series.by("npes", "launch", "time", npes=headlines.JOBS)) for series in study.series]
    counts = {npes for _, records in found for npes in records}
    if len(counts) < 2:
        return None
    figure = blank("PEs", "start and stop", pe_axis(counts))
    for series, records in found:
        if records:
            line(
                figure,
                series.name,
                list(records),
                [one.in_unit("ms") for one in records.values()],
                colour(study, series),
                unit="ms",
                bars=spread(records.values(), "ms"),
            )
    return Chart("launch", headlines.launch(study), finish(figure, "ms"))
