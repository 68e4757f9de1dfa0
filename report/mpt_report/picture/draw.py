# SPDX-License-Identifier: BSD-3-Clause
"""The picture as SVG: two plots with logarithmic axes, in the reader's light or dark scheme, and what was measured
where below them. It needs no script and no font of its own, so that a README may show it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import escape

from ..page.charts import SERIES_COLOURS
from ..page.headlines import time_text
from ..words import bytes_text
from .data import BARRIER, LATENCY, Library, Picture

WIDTH, HEIGHT = 960, 452
TOP, FLOOR = 122, 358  # of the plots
STYLE = """
svg { font: 14px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
.paper { fill: #ffffff; stroke: #dfe2e6; } .ink { fill: #1c1f24; } .soft { fill: #5c636e; }
.grid { stroke: #e6e8eb; } .title { font-size: 16px; font-weight: 600; } .small { font-size: 12.5px; }
.value { fill: #1c1f24; font-size: 12.5px; font-weight: 600; paint-order: stroke; stroke: #ffffff; stroke-width: 5px;
  stroke-linejoin: round; }
@media (prefers-color-scheme: dark) {
  .paper { fill: #14161a; stroke: #343a43; } .ink { fill: #e8eaed; } .soft { fill: #a0a7b2; } .grid { stroke: #2b3038; }
  .value { fill: #e8eaed; stroke: #14161a; }
}
"""


@dataclass(frozen=True)
class Panel:
    """A plot's place and what it shows."""

    metric: str
    title: str
    x_title: str
    left: int
    right: int
    low: float  # of the values, us: whole decades
    high: float
    ats: list[int]

    def x(self, at: int) -> float:
        first, last = math.log(self.ats[0]), math.log(self.ats[-1])
        return self.left + (math.log(at) - first) / max(last - first, 1e-9) * (self.right - self.left)

    def y(self, us: float) -> float:
        share = (math.log(us) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        return FLOOR - share * (FLOOR - TOP)


def text(x: float, y: float, words: str, kind: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def panel_of(picture: Picture, metric: str, title: str, x_title: str, left: int, right: int) -> Panel:
    every = [
        one
        for library in picture.libraries
        for point in library.points.get(metric, ())
        for one in (point.low, point.high)
    ]
    low, high = (10.0 ** turn(math.log10(of)) for turn, of in ((math.floor, min(every)), (math.ceil, max(every))))
    return Panel(metric, title, x_title, left, right, low, max(high, 10 * low), picture.ats(metric))


def at_text(panel: Panel, at: int) -> str:
    return bytes_text(at) if panel.metric == LATENCY else str(at)


def frame(panel: Panel) -> Iterable[str]:
    """Title, axes and their marks."""
    yield text(panel.left - 52, TOP - 22, panel.title, "ink title")
    decades = round(math.log10(panel.high / panel.low))
    for place in range(decades + 1):
        us = panel.low * 10.0**place
        y = panel.y(us)
        yield f'<line class="grid" x1="{panel.left}" x2="{panel.right}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield text(panel.left - 8, y + 4.5, time_text(us), "soft small", "end")
    step = 2 if len(panel.ats) > 6 else 1
    for at in panel.ats[::step]:
        yield text(panel.x(at), FLOOR + 20, at_text(panel, at), "soft small", "middle")
    yield text((panel.left + panel.right) / 2, FLOOR + 42, panel.x_title, "soft small", "middle")


def curve(panel: Panel, library: Library, colour: str) -> Iterable[str]:
    """The band between the quartiles, the line, a dot for each figure."""
    points = library.points.get(panel.metric, [])
    if not points:
        return
    above = " ".join(f"{panel.x(point.at):.1f},{panel.y(point.high):.1f}" for point in points)
    below = " ".join(f"{panel.x(point.at):.1f},{panel.y(point.low):.1f}" for point in reversed(points))
    line = " ".join(f"{panel.x(point.at):.1f},{panel.y(point.value):.1f}" for point in points)
    yield f'<polygon points="{above} {below}" fill="{colour}" fill-opacity="0.22"/>'
    yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.2" stroke-linejoin="round"/>'
    for point in points:
        told = f"{library.name}, {at_text(panel, point.at)}: {time_text(point.value)}"
        yield (
            f'<circle cx="{panel.x(point.at):.1f}" cy="{panel.y(point.value):.1f}" r="3.4" fill="{colour}">'
            f"<title>{escape(told)}</title></circle>"
        )


APART = 16  # of two labels, at least
ABOVE = 12  # the line that a label belongs to


def ends(panel: Panel, libraries: list[Library], at: int, x: float, lift: float = 0.0) -> Iterable[str]:
    """The figures at one end of the curves, none on another."""
    found = [(point.value, panel.y(point.value)) for one in libraries if (point := one.point(panel.metric, at))]
    found.sort(key=lambda one: one[1])
    last = -math.inf
    for value, y in found:
        last = max(y, last + APART)
        yield text(x, last + 4.5 - lift, time_text(value), "value")


def legend(picture: Picture) -> Iterable[str]:
    x = 24.0
    for place, library in enumerate(picture.libraries):
        colour = SERIES_COLOURS[place % len(SERIES_COLOURS)]
        yield f'<line x1="{x}" x2="{x + 22}" y1="62" y2="62" stroke="{colour}" stroke-width="3"/>'
        yield f'<circle cx="{x + 11}" cy="62" r="4" fill="{colour}"/>'
        yield text(x + 30, 67, library.name, "ink")
        x += 56 + 8.2 * len(library.name)


def caption(picture: Picture) -> tuple[str, str]:
    cores = f"{picture.cores} core{'s' if picture.cores != 1 else ''}"
    where = f"{picture.machine}, {cores}, {picture.date}. Both axes are logarithmic; lower is better."
    many = f"{picture.rounds} round{'s' if picture.rounds != 1 else ''}"
    load = f" The machine was shared in {picture.contended} of {picture.runs} runs." if picture.contended else ""
    how = f"Medians of {many} in which the libraries took turns; bands: quartiles over the rounds.{load}"
    return where, how


def svg(picture: Picture) -> str:
    """The whole picture."""
    more = [at for at in picture.ats(BARRIER) if at > picture.cores]
    panels = [
        panel_of(picture, LATENCY, "MPI message, one way", "message size", 76, 430),
        panel_of(
            picture,
            BARRIER,
            f"MPI barrier, up to {max(picture.ats(BARRIER)) // picture.cores} processes for each core"
            if more
            else "MPI barrier",
            f"processes, on {picture.cores} cores",
            566,
            870,
        ),
    ]
    first, second = panels
    parts = [f'<rect class="paper" x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="12"/>']
    parts += [text(24, 36, "Latency, and more processes than cores", "ink title"), *legend(picture)]
    for panel in panels:
        parts += frame(panel)
        for place, library in reversed(list(enumerate(picture.libraries))):  # ours above the others
            parts += curve(panel, library, SERIES_COLOURS[place % len(SERIES_COLOURS)])
    parts += ends(first, picture.libraries, first.ats[0], first.left + 6, ABOVE) if len(first.ats) > 1 else []
    parts += ends(second, picture.libraries, second.ats[-1], second.right + 10)
    parts += [text(24, HEIGHT - 32 + 18 * row, words, "soft small") for row, words in enumerate(caption(picture))]
    told = "MPI latency and barrier: " + ", ".join(library.name for library in picture.libraries)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" aria-label="{escape(told)}">\n<style>{STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n"
    )
