# SPDX-License-Identifier: BSD-3-Clause
"""The roofline of one core: how many operations it does for each byte it moves, against what its memory and its
arithmetic allow, with the papers' machine beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from ..limits import roofs
from ..limits.roofs import CACHE, MEMORY, alone, place_of
from ..runs import join, published
from ..runs.join import Measured
from ..runs.records import Record
from ..runs.study import Study, last_level_bytes
from .charts import LIMIT_COLOUR, PUBLISHED_COLOURS, SERIES_COLOURS, Chart, blank, finish, line, log_ticks
from .headlines import brief

INTENSITIES = tuple(2.0**power for power in range(-5, 8))
ARITHMETIC_FROM = 20.0  # operations a byte: on the right edge
TICKS = (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class Point:
    """A test with its operations for each byte; `rate` turns its figure into Mflop/s (None: it is one)."""

    name: str
    test: str
    where: dict[str, Any]
    intensity: Callable[[Record], float]
    flops_a_byte: float | None = None  # of a bandwidth


def fixed(value: float) -> Callable[[Record], float]:
    return lambda _: value


def of_order(scale: float) -> Callable[[Record], float]:
    """Matrix products work on each word as often as the order says."""
    return lambda record: scale * float(record.get("n", 0) or 0)


# Bytes as the papers count them: each operand read once, each result written once, 8 bytes a word.
POINTS = (
    Point("STREAM scale", "STREAM", {"function": "Scale"}, fixed(1 / 16), 1 / 16),
    Point("STREAM add", "STREAM", {"function": "Add"}, fixed(1 / 24), 1 / 24),
    Point("STREAM triad", "STREAM", {"function": "Triad"}, fixed(1 / 12), 1 / 12),
    *(
        Point(f"{name}, {place}", test, {"routine": name}, fixed(value))
        for place, test in (("in cache", "BLAS 1 in cache"), ("from memory", "BLAS asymptotic"))
        for name, value in (("SDOT", 1 / 8), ("SAXPY", 1 / 12), ("SNRM2", 1 / 4))
    ),
    Point("SGEMV", "BLAS asymptotic", {"routine": "SGEMV"}, fixed(1 / 4)),
    Point("SGER", "BLAS asymptotic", {"routine": "SGER"}, fixed(1 / 8)),
    Point("SGEMM", "BLAS asymptotic", {"routine": "SGEMM"}, of_order(1 / 16)),
)
NAMED = {"STREAM triad": -12, "SDOT, in cache": 12, "SGEMV": 12, "SGEMM": 12}  # told on the plot, so far above


def value_of(point: Point, here: Measured, cache: int | None = None) -> tuple[float, float] | None:
    """Intensity and Mflop/s as measured here."""
    metric, unit = ("bandwidth", "MB/s") if point.flops_a_byte else ("rate", "Mflop/s")
    found = [
        record
        for record in here.index.get((point.test, metric), ())
        if alone(record) and all(record.get(name) == value for name, value in point.where.items())
    ]
    if point.test == "STREAM":
        found = [record for record in found if place_of(record, cache) == MEMORY] or found
    record = join.best(found, unit, metric)
    if record is None:
        return None
    return point.intensity(record), record.in_unit(unit) * (point.flops_a_byte or 1.0)


def then_of(point: Point) -> tuple[float, float] | None:
    """The same of the T3E-1200E."""
    metric = "bandwidth" if point.flops_a_byte else "rate"
    found = [
        fact
        for fact in published.load()
        if fact["test"] == point.test
        and fact["metric"] == metric
        and all(fact["params"].get(name) == value for name, value in point.where.items())
    ]
    if not found:
        return None
    best = max(found, key=lambda fact: fact["value"])
    as_record = Record(best["test"], "", "", best["params"], metric, best["unit"], best["value"])
    return point.intensity(as_record), best["value"] * (point.flops_a_byte or 1.0)


def roof(figure: go.Figure, place: str, rate: float, top: float, dash: str) -> None:
    """A slope as steep as the rate, MB/s, up to what one core computes, Mflop/s."""
    points = sorted({*INTENSITIES, top / rate})
    line(
        figure,
        f"roof: {place}, then arithmetic",
        points,
        [min(rate * one, top) for one in points],
        LIMIT_COLOUR,
        dash,
        "Mflop/s",
        "lines",
    )


def roof_title(rates: dict[str, float], top: float) -> str:
    ways = {MEMORY: "to and from memory", CACHE: "within its cache"}
    moved = " and ".join(f"{rate / 1000:.3g} GB/s {ways[place]}" for place, rate in rates.items())
    return f"One core moves up to {moved} and computes up to {top / 1000:.3g} Gflop/s"


def roofline(study: Study) -> Chart | None:
    here = join.ours(study)
    if here is None:
        return None
    cache = last_level_bytes(study.first.run if study.local else study.runs[0])
    found = [(point, value) for point in POINTS if (value := value_of(point, here, cache))]
    rates = {place: rate for place in (MEMORY, CACHE) if (rate := roofs.moved(here, place, cache))}
    if len(found) < 2 or not rates:
        return None
    figure = blank("operations for each byte moved", "Mflop/s")
    top = max([roofs.computed(here) or 0.0, *(rate for _, (_, rate) in found)])
    for place, rate in rates.items():
        roof(figure, place, rate, top, "dash" if place == MEMORY else "dot")
    line(
        figure,
        here.name,
        [x for _, (x, _) in found],
        [y for _, (_, y) in found],
        SERIES_COLOURS[0],
        unit="Mflop/s",
        mode="markers",
        texts=[point.name for point, _ in found],
    )
    then = [(point, value) for point in POINTS if (value := then_of(point))]
    line(
        figure,
        "T3E-1200E, 1999",
        [x for _, (x, _) in then],
        [y for _, (_, y) in then],
        PUBLISHED_COLOURS["T3E"],
        unit="Mflop/s",
        mode="markers",
        texts=[point.name for point, _ in then],
    )
    for point, (x, y) in found:
        if point.name in NAMED:
            figure.add_annotation(
                x=math.log10(x),
                y=math.log10(y),
                text=point.name,
                showarrow=False,
                yshift=NAMED[point.name],
                xanchor="right" if x > ARITHMETIC_FROM else "center",
                font={"size": 11},
            )
    figure.update_xaxes({"tickvals": TICKS, "ticktext": [f"{tick:g}" for tick in TICKS]})
    return Chart(
        "roofline",
        roof_title(rates, top),
        finish(figure),
        "Sloping: the fastest that loads, stores and copies of one core went, with arrays of twice the "
        "last-level cache and more (memory) and with those that fit into it (cache); level: its fastest "
        "routine. What stays in nearer caches may lie above.",
    )


PATHS_TEST = "load time"


def here_by_path(here: Measured) -> dict[str, float]:
    """The shortest time of a load along each way, ns."""
    found: dict[str, float] = {}
    for record in here.index.get((PATHS_TEST, "latency_ns"), ()):
        path, value = str(record.get("path")), record.in_unit("ns")
        found[path] = min(value, found.get(path, value))
    return found


def then_by_path() -> dict[str, float]:
    """The T3D's, from its clock periods."""
    return {
        fact["params"]["path"]: fact["value"] * 1000.0 / fact["params"]["clock_mhz"]
        for fact in published.load()
        if fact["test"] == PATHS_TEST and fact["metric"] == "latency"
    }


def load_times(study: Study) -> Chart | None:
    """What a load takes along each way to the data, beside the T3D's."""
    here = join.ours(study)
    found, then = here_by_path(here) if here else {}, then_by_path()
    if here is None or len(found) < 3:
        return None
    paths = list(reversed(dict.fromkeys([*then, *found])))
    figure = blank("ns a load", "", log_y=False)
    for name, values, colour in (("T3D, 1996", then, PUBLISHED_COLOURS["T3D"]), (here.name, found, SERIES_COLOURS[0])):
        shown = [path for path in paths if path in values]
        figure.add_trace(
            go.Bar(
                x=[values[path] for path in shown],
                y=shown,
                name=name,
                orientation="h",
                marker={"color": colour},
                hovertemplate=f"%{{y}}: %{{x:.4~g}} ns<extra>{name}</extra>",
            )
        )
    figure.update_yaxes(type="category", categoryorder="array", categoryarray=paths)
    figure.update_layout(barmode="group", height=90 + 34 * len(paths), legend={"y": -0.13})
    title = f"A load takes {brief(min(found.values()))} to {brief(max(found.values()))} ns, by where the data is"
    return Chart(
        "loads",
        title,
        figure.update_xaxes(log_ticks([*found.values(), *then.values()])),
        "The ways of the T3D's list, and those it did not have. Remote: memory of the other PE.",
    )
