# SPDX-License-Identifier: BSD-3-Clause
"""What of a trace is shown: a stretch of time, some of the PEs; and how rows of events become the page's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..trace import match
from ..trace.events import Events
from ..trace.format import Kind

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Choice:
    """Seconds from the trace's begin, and PEs; None is all."""

    first: float | None = None
    last: float | None = None
    pes: frozenset[int] | None = None


@dataclass(frozen=True)
class Arrows:
    """Rows of `events` in pairs, from where to where."""

    source: Rows
    target: Rows


@dataclass(frozen=True)
class Shown:
    """Rows of events, by what they become. `messages` and `stores` lead from row to row. `band_rows` are collective
    calls, the n-th from band_first[n] to band_first[n + 1], `band_ends` the calls in which they ended; `origin` and
    `whole` are seconds."""

    events: Events
    origin: float
    whole: float
    lanes: list[int]
    calls: Rows
    handlers: Rows
    regions: Rows
    messages: Arrows
    stores: Arrows
    band_rows: Rows
    band_ends: Rows
    band_first: Rows


def chosen(events: Events, choice: Choice) -> NDArray[np.bool_]:
    found = np.ones(len(events), np.bool_)
    if choice.first is not None:
        found &= events.end >= choice.first
    if choice.last is not None:
        found &= events.begin <= choice.last
    if choice.pes is not None:
        found &= np.isin(events.pe, list(choice.pes))
    return found


def arrows(source: Rows, target: Rows, kept: NDArray[np.bool_]) -> Arrows:
    both = kept[source] & kept[target]
    return Arrows(source[both], target[both])


def bands(events: Events, kept: NDArray[np.bool_]) -> tuple[Rows, Rows, Rows]:
    """Collective calls of which at least two members are shown, in the order of their lanes, and the calls in which
    they ended."""
    found = match.collectives(events)
    number = found.of_row()
    begun, ended = events.owner[found.rows], match.ended_in(events, found)
    have = kept[np.maximum(begun, 0)] & kept[np.maximum(ended, 0)] & (begun >= 0) & (ended >= 0)
    rows, ended, number = begun[have], ended[have], number[have]
    sizes = np.bincount(number, minlength=len(found)) if len(rows) else np.zeros(len(found), np.int64)
    several = sizes[number] > 1
    rows, ended, number = rows[several], ended[several], number[several]
    order = np.lexsort((events.lane[rows], number))
    first = np.concatenate(([0], np.cumsum(sizes[sizes > 1])))
    return rows[order], ended[order], first.astype(np.int64)


def shown(events: Events, choice: Choice) -> Shown:
    """Raises ValueError where nothing is left."""
    kept = chosen(events, choice)
    if not kept.any():
        raise ValueError("nothing of the trace is left by --from, --to and --pe")
    sent = match.messages(events)
    waits = match.waits(events)
    band_rows, band_ends, band_first = bands(events, kept)
    begin = events.begin[kept].min() if choice.first is None else choice.first
    end = events.end[kept].max() if choice.last is None else min(choice.last, float(events.end[kept].max()))
    kinds = [np.flatnonzero(kept & (events.kind == kind)) for kind in (Kind.CALL, Kind.HANDLER, Kind.REGION)]
    return Shown(
        events=events,
        origin=float(begin),
        whole=max(float(end - begin), 1e-9),
        lanes=np.unique(events.lane[kept]).tolist(),
        calls=kinds[0],
        handlers=kinds[1],
        regions=kinds[2],
        messages=arrows(sent.sent, sent.received, kept),
        stores=arrows(waits.store, waits.wait, kept),
        band_rows=band_rows,
        band_ends=band_ends,
        band_first=band_first,
    )
