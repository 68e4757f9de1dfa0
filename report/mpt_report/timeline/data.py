# SPDX-License-Identifier: BSD-3-Clause
"""What the page is given: columns for calls, messages, collectives, regions, and the levels of each lane."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..trace.format import Role
from ..trace.reader import Job
from . import kinds, levels
from .pack import Pack
from .select import Arrows, Rows, Shown

NS = 1e9


def units(shown: Shown, seconds: NDArray[np.float64]) -> NDArray[np.int64]:
    """Whole nanoseconds since the page's begin."""
    return np.rint((seconds - shown.origin) * NS).astype(np.int64)


def positions(rows: Rows, length: int) -> Rows:
    """For each row of the events its place in `rows`, or -1."""
    found = np.full(length + 1, -1, np.int64)  # the last is what -1 leads to
    found[rows] = np.arange(len(rows))
    return found


def add_calls(pack: Pack, shown: Shown) -> None:
    """Begins are differences to the call before in the lane; the first of a lane counts from the page's begin."""
    events, rows = shown.events, shown.calls
    begin, end = units(shown, events.begin[rows]), units(shown, events.end[rows])
    lane = events.lane[rows]
    fresh = np.concatenate(([True], lane[1:] != lane[:-1])) if len(rows) else np.zeros(0, np.bool_)
    pack.add("gap", np.where(fresh, begin, np.diff(begin, prepend=0)))
    pack.add("time", end - begin)
    pack.add("counts", np.array([int((lane == one).sum()) for one in shown.lanes]))
    pack.add("kind", kinds.kinds_of(events)[rows])
    for name in ("role", "call", "site", "peer", "tag", "bytes", "group", "result"):
        pack.add(name, getattr(events, name)[rows])


def add_arrows(pack: Pack, name: str, arrows: Arrows, shown: Shown, place: Rows) -> None:
    """From a begin to an end, sorted by begin; `from` and `to` are calls, -1 where none is known."""
    events = shown.events
    order = np.argsort(events.begin[arrows.source], kind="stable")
    source, target = arrows.source[order], arrows.target[order]
    pack.add(f"{name}.begin", units(shown, events.begin[source]).astype(np.float64))
    pack.add(f"{name}.time", units(shown, events.end[target]) - units(shown, events.begin[source]))
    pack.add(f"{name}.from", place[events.owner[source]])
    pack.add(f"{name}.to", place[events.owner[target]])
    pack.add(f"{name}.fromLane", events.lane[source])
    pack.add(f"{name}.toLane", events.lane[target])
    pack.add(f"{name}.bytes", events.bytes[source])
    pack.add(f"{name}.tag", events.tag[target])
    starter = place[events.starter[target]]
    pack.add(f"{name}.starter", np.where(starter == place[events.owner[target]], -1, starter))


def add_spans(pack: Pack, shown: Shown) -> None:
    """Regions and handlers: what lies over and within calls; those that enclose others come first."""
    events = shown.events
    rows = np.concatenate((shown.regions, shown.handlers))
    order = np.lexsort((-events.end[rows], events.begin[rows], events.lane[rows]))
    rows = rows[order]
    pack.add("span.begin", units(shown, events.begin[rows]).astype(np.float64))
    pack.add("span.time", units(shown, events.end[rows]) - units(shown, events.begin[rows]))
    pack.add("span.lane", events.lane[rows])
    pack.add("span.name", events.call[rows])
    pack.add("span.peer", events.peer[rows])
    pack.add("span.kind", np.isin(rows, shown.regions).astype(np.uint8))


def add_levels(pack: Pack, shown: Shown) -> None:
    events, rows = shown.events, shown.calls
    lane, kind = events.lane[rows], kinds.kinds_of(events)[rows]
    parts, bins = [], []
    for one in shown.lanes:
        first, last = np.searchsorted(lane, (one, one + 1)).tolist()
        mine = rows[first:last]
        begin = np.clip(events.begin[mine] - shown.origin, 0.0, shown.whole)
        end = np.clip(events.end[mine] - shown.origin, 0.0, shown.whole)
        bins.append(levels.finest(len(mine)))
        parts.append(levels.pyramid(levels.shares(begin, end, kind[first:last], shown.whole, bins[-1])))
    pack.add("bins", np.array(bins))
    pack.add("levels", np.concatenate(parts).reshape(-1) if parts else np.zeros(0, np.uint8))


def described(shown: Shown, job: Job) -> dict[str, Any]:
    """All that is text."""
    events = shown.events
    return {
        "command": " : ".join(" ".join(words) for words in job.command),
        "began": job.began,
        "status": job.status,
        "origin": shown.origin,
        "whole": shown.whole,
        "kinds": list(kinds.NAMES),
        "names": events.names,
        "lines": events.lines,
        "groups": [f"{group.name or 'group'} ({len(group.members)} PEs)" for group in events.groups],
        "lanes": [
            {
                "id": lane,
                "pe": events.lanes[lane][0],
                "thread": events.lanes[lane][1],
                "host": job.host(events.lanes[lane][0]),
            }
            for lane in shown.lanes
        ],
        "problems": events.problems,
        "roles": {role.name: int(role) for role in Role},
    }


def packed(shown: Shown, job: Job) -> tuple[dict[str, Any], str]:
    """The page's description, which says where each column lies, and the columns."""
    pack = Pack()
    place = positions(shown.calls, len(shown.events))
    add_calls(pack, shown)
    add_arrows(pack, "message", shown.messages, shown, place)
    add_arrows(pack, "store", shown.stores, shown, place)
    pack.add("band.call", place[shown.band_rows])
    pack.add("band.end", place[shown.band_ends])
    pack.add("band.first", shown.band_first)
    add_spans(pack, shown)
    add_levels(pack, shown)
    return described(shown, job) | {"columns": pack.columns, "size": pack.size}, pack.text()
