# SPDX-License-Identifier: BSD-3-Clause
"""A part of a trace: some PEs, calls, a span of time, a region. What belongs together was found in the whole before."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import translate

import numpy as np
from numpy.typing import NDArray

from .analysis import Analysis
from .reader import TraceError


@dataclass(frozen=True)
class Wanted:
    """What was asked for; None and empty: all. `call` is a shell pattern, or a part of a name."""

    pes: frozenset[int] | None = None
    call: str = ""
    begin: float | None = None
    end: float | None = None
    region: str = ""

    def words(self) -> str:
        """The choice as one reads it."""
        parts = []
        if self.pes is not None:
            parts.append("PEs " + ", ".join(map(str, sorted(self.pes))))
        if self.call:
            parts.append(f"calls {self.call}")
        if self.begin is not None or self.end is not None:
            parts.append(f"from {self.begin or 0:g} s" + (f" to {self.end:g} s" if self.end is not None else ""))
        if self.region:
            parts.append(f"region {self.region}")
        return ", ".join(parts)


@dataclass(frozen=True)
class Selection:
    """`rows` are the calls that are wanted, `all_rows` those of all names; `time`, `waited` and `on_path` are seconds
    of each row of the trace within the span. `lanes` are those of the PEs; `spans` the seconds of each."""

    wanted: Wanted
    rows: NDArray[np.int64]
    all_rows: NDArray[np.int64]
    time: NDArray[np.float64]
    waited: NDArray[np.float64]
    on_path: NDArray[np.float64]
    lanes: list[int]
    spans: NDArray[np.float64]
    begin: float
    end: float

    @property
    def total(self) -> float:
        """Seconds of all lanes together; never 0, so that shares can be had of it."""
        return float(self.spans.sum()) or 1e-12


def pattern(call: str) -> re.Pattern[str]:
    text = translate(call) if set(call) & set("*?[") else ".*" + re.escape(call)
    return re.compile(text, re.IGNORECASE)


def names_wanted(names: list[str], call: str) -> NDArray[np.bool_]:
    """Which names a pattern, or a part of a name, fits. TraceError if it fits none."""
    wanted = pattern(call)
    found = np.array([bool(wanted.match(name)) for name in names], np.bool_)
    if not found.any():
        some = ", ".join(names[:6])
        raise TraceError(
            f"--call {call}: no call of that name in the trace; there are {some}{', ...' * (len(names) > 6)}"
        )
    return found


def check(analysis: Analysis, wanted: Wanted) -> None:
    """TraceError for what isn't in the trace at all."""
    events = analysis.events
    have = {pe for pe, _ in events.lanes}
    for pe in sorted(wanted.pes or ()):
        if pe not in have:
            raise TraceError(f"--pe {pe}: no records of this PE; the job has PEs 0 to {events.pes - 1}")
    if wanted.region and wanted.region not in analysis.regions.names:
        there = ", ".join(analysis.regions.names) or "none at all"
        raise TraceError(f"--region {wanted.region}: no such region in the trace; there are: {there}")
    if wanted.begin is not None and wanted.end is not None and wanted.begin >= wanted.end:
        raise TraceError(f"--from {wanted.begin:g} --to {wanted.end:g}: nothing lies between them")


def lane_span(analysis: Analysis, lane: int, begin: float, end: float, region: str) -> float:
    """The lane's seconds between two moments, within a region if one is named."""
    rows = analysis.events.lane_rows[lane]
    first, last = float(analysis.events.begin[rows.start]), float(analysis.events.end[rows].max())
    if region:
        seconds = analysis.regions.seconds(lane, begin, min(end, last))
        return float(seconds[analysis.regions.paths_with(region)].sum())
    return max(0.0, min(end, last) - max(begin, first))


def select(analysis: Analysis, wanted: Wanted) -> Selection:
    """TraceError if nothing can be what is wanted."""
    check(analysis, wanted)
    events = analysis.events
    begin = 0.0 if wanted.begin is None else wanted.begin
    end = float(events.end.max(initial=0.0)) if wanted.end is None else wanted.end
    chosen = events.is_call & (events.begin <= end) & (events.end >= begin)
    lanes = [lane for lane, (pe, _) in enumerate(events.lanes) if wanted.pes is None or pe in wanted.pes]
    if wanted.pes is not None:
        chosen &= np.isin(events.pe, sorted(wanted.pes))
    if wanted.region:
        chosen &= analysis.regions.paths_with(wanted.region)[analysis.regions.of_row]
    rows = chosen
    if wanted.call:
        rows = chosen & names_wanted(events.names, wanted.call)[events.call]
    spans = np.array([lane_span(analysis, lane, begin, end, wanted.region) for lane in lanes])
    time, waited, on_path = events.time, analysis.waited, analysis.on_path
    if wanted.begin is not None or wanted.end is not None:
        left, right = np.clip(events.begin, begin, end), np.clip(events.end, begin, end)
        time, waited = right - left, np.clip(events.begin + waited, begin, end) - left
        on_path = np.zeros(len(events))
        for lane, of_lane in enumerate(events.lane_rows):
            on_path[of_lane] = analysis.path.covered(lane, left[of_lane], right[of_lane])
    found, all_rows = np.flatnonzero(rows), np.flatnonzero(chosen)
    return Selection(wanted, found, all_rows, time, waited, on_path, lanes, spans, begin, end)
