# SPDX-License-Identifier: BSD-3-Clause
"""Where the time went: by call, by source line, by PE, by region. Plain dictionaries, in seconds and bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import dense
from .analysis import Analysis
from .selection import Selection

Facts = dict[str, Any]


def grouped(
    analysis: Analysis, chosen: Selection, keys: NDArray[np.int64], name: Callable[[int], Facts]
) -> list[Facts]:
    """The chosen calls by key, those with the most time first; `keys` has one for each row of the trace."""
    rows = chosen.rows
    if not len(rows):
        return []
    first, place = dense.grouped(keys[rows])
    time = chosen.time[rows]
    count = np.bincount(place)
    sums = [np.bincount(place, column[rows]) for column in (chosen.time, chosen.waited, chosen.on_path, analysis.moved)]
    longest = np.zeros(len(first))
    np.maximum.at(longest, place, time)
    found = []
    for at in np.argsort(-sums[0], kind="stable").tolist():
        seconds, waited, on_path, moved = (float(column[at]) for column in sums)
        found.append(
            name(int(rows[first[at]]))
            | {
                "count": int(count[at]),
                "seconds": seconds,
                "share": seconds / chosen.total,
                "waited": waited,
                "critical": on_path,
                "bytes": int(moved),
                "mean": seconds / int(count[at]),
                "max": float(longest[at]),
            }
        )
    return found


def by_call(analysis: Analysis, chosen: Selection) -> list[Facts]:
    events = analysis.events
    return grouped(analysis, chosen, events.call.astype(np.int64), lambda row: {"call": events.names[events.call[row]]})


def by_line(analysis: Analysis, chosen: Selection) -> list[Facts]:
    """By call and line together: one line may have several calls."""
    events = analysis.events
    keys = events.site.astype(np.int64) * len(events.names) + events.call
    return grouped(
        analysis,
        chosen,
        keys,
        lambda row: {"call": events.names[events.call[row]], "line": events.lines[events.site[row]] or "?"},
    )


def path_seconds(analysis: Analysis, chosen: Selection, lane: int) -> float:
    """How much of the critical path lies on a lane, within what is chosen."""
    regions = analysis.regions
    bounds = np.append(regions.times[lane], lane_end(analysis, lane)).clip(chosen.begin, chosen.end)
    found = analysis.path.covered(lane, bounds[:-1], bounds[1:])
    if chosen.wanted.region:
        found = found[regions.paths_with(chosen.wanted.region)[regions.ids[lane]]]
    return float(found.sum())


def by_pe(analysis: Analysis, chosen: Selection) -> list[Facts]:
    """Lanes: a PE, or a thread of it. `outside` is the time between calls."""
    events, rows = analysis.events, chosen.all_rows
    lanes = len(events.lanes)
    inside, waited, on_path, moved = (
        np.bincount(events.lane[rows], column[rows], lanes)
        for column in (chosen.time, chosen.waited, chosen.on_path, analysis.moved)
    )
    count = np.bincount(events.lane[rows], minlength=lanes)
    found = []
    for place, lane in enumerate(chosen.lanes):
        span = float(chosen.spans[place])
        critical = path_seconds(analysis, chosen, lane)
        pe, thread = events.lanes[lane]
        found.append(
            {
                "pe": pe,
                "thread": thread,
                "host": events.hosts[pe],
                "count": int(count[lane]),
                "seconds": span,
                "inside": float(inside[lane]),
                "outside": max(0.0, span - float(inside[lane])),
                "waited": float(waited[lane]),
                "critical": critical,
                "critical_outside": max(0.0, critical - float(on_path[lane])),
                "bytes": int(moved[lane]),
            }
        )
    return found


def imbalance(values: list[float]) -> Facts:
    """How unevenly PEs are loaded; `percent` is the share of the other PEs that idles while the slowest one works:
    (max - mean) / max * n / (n - 1), as DeRose, Homer and Johnson define it (Euro-Par 2007)."""
    if not values:
        return {"mean": 0.0, "max": 0.0, "at": 0, "ratio": 1.0, "percent": 0.0}
    mean, most, count = sum(values) / len(values), max(values), len(values)
    percent = (most - mean) / most * count / (count - 1) * 100 if most > 0 and count > 1 else 0.0
    return {
        "mean": mean,
        "max": most,
        "at": values.index(most),
        "ratio": most / mean if mean > 0 else 1.0,
        "percent": percent,
    }


def by_region(analysis: Analysis, chosen: Selection) -> list[Facts]:
    """Each region with all that lies within it, inner regions too."""
    events, regions, rows = analysis.events, analysis.regions, chosen.all_rows
    path = regions.of_row[rows]
    spans = [regions.seconds(lane, chosen.begin, min(chosen.end, lane_end(analysis, lane))) for lane in chosen.lanes]
    found = []
    for name in regions.names:
        paths = regions.paths_with(name)
        mine = rows[paths[path]]
        inside = np.bincount(events.lane[mine], chosen.time[mine], len(events.lanes))
        seconds = [float(span[paths].sum()) for span in spans]
        outside = [max(0.0, time - float(inside[lane])) for time, lane in zip(seconds, chosen.lanes, strict=True)]
        visits = np.flatnonzero((events.kind == 6) & (events.call == events.names.index(name)))
        found.append(
            {
                "region": name,
                "count": len(visits),
                "seconds": sum(seconds),
                "share": sum(seconds) / chosen.total,
                "outside": sum(outside),
                "waited": float(chosen.waited[mine].sum()),
                "bytes": int(analysis.moved[mine].sum()),
                "imbalance": imbalance(outside) | {"pe": slowest(analysis, chosen, outside)},
            }
        )
    return sorted(found, key=lambda one: -float(one["seconds"]))


def lane_end(analysis: Analysis, lane: int) -> float:
    return float(analysis.events.end[analysis.events.lane_rows[lane]].max())


def slowest(analysis: Analysis, chosen: Selection, values: list[float]) -> int:
    """The PE of the lane with the largest value; values: one for each chosen lane."""
    return analysis.events.lanes[chosen.lanes[values.index(max(values))]][0] if values else -1
