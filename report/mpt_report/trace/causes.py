# SPDX-License-Identifier: BSD-3-Clause
"""Wait states summed up: by kind, and by the line that waited and the line that was late; what the critical path was
made of; which messages there were."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import traffic
from .analysis import Analysis
from .dense import grouped
from .match import Rows
from .profile import Facts
from .selection import Selection
from .waitstates import KINDS

MOST = 30  # rows of a list


def chosen_states(analysis: Analysis, chosen: Selection) -> Rows:
    """Places in `states` of calls that are wanted and waited within the span."""
    wanted = np.zeros(len(analysis.events), np.bool_)
    wanted[chosen.rows] = True
    return np.flatnonzero(wanted[analysis.states.row] & (chosen.waited[analysis.states.row] > 0))


def by_kind(analysis: Analysis, chosen: Selection) -> list[Facts]:
    """The kinds that occur, the most expensive first."""
    states = analysis.states
    places = chosen_states(analysis, chosen)
    cost = chosen.waited[states.row[places]]
    count = np.bincount(states.kind[places], minlength=len(KINDS))
    sums = np.bincount(states.kind[places], cost, len(KINDS))
    longest = np.zeros(len(KINDS))
    np.maximum.at(longest, states.kind[places], cost)
    return [
        {
            "kind": KINDS[kind],
            "count": int(count[kind]),
            "seconds": float(sums[kind]),
            "share": float(sums[kind]) / chosen.total,
            "mean": float(sums[kind] / count[kind]),
            "max": float(longest[kind]),
        }
        for kind in np.argsort(-sums, kind="stable").tolist()
        if count[kind]
    ]


def by_lines(analysis: Analysis, chosen: Selection) -> list[Facts]:
    """Pairs of the line that waited and the line that was late, and the PE that was late at most cost."""
    states, events = analysis.states, analysis.events
    places = chosen_states(analysis, chosen)
    row, by = states.row[places], states.by[places]
    late = np.where(events.owner[by] >= 0, events.owner[by], by)
    cost = chosen.waited[row]
    columns = (states.kind[places], events.call[row], events.site[row], events.call[late], events.site[late])
    if not len(places):
        return []
    first, place = grouped(*columns)
    sums, count = np.bincount(place, cost), np.bincount(place)
    found = []
    for at in np.argsort(-sums, kind="stable")[:MOST].tolist():
        mine = place == at
        per_pe = np.bincount(events.pe[late[mine]], cost[mine])
        waiting = np.bincount(events.pe[row[mine]], cost[mine])
        found.append(
            {
                "kind": KINDS[int(states.kind[places[first[at]]])],
                "count": int(count[at]),
                "seconds": float(sums[at]),
                "share": float(sums[at]) / chosen.total,
                "waiting": events.where(int(row[first[at]])),
                "waiting_pe": int(np.argmax(waiting)),
                "late": events.where(int(late[first[at]])),
                "late_pe": int(np.argmax(per_pe)),
                "late_pe_share": float(per_pe.max() / sums[at]),
            }
        )
    return found


def gaps(analysis: Analysis, chosen: Selection) -> list[Facts]:
    """The time between calls that is on the critical path, by the calls before and after it."""
    events = analysis.events
    sums: dict[tuple[str, str], list[float]] = {}
    for lane in chosen.lanes:
        rows = events.lane_rows[lane]
        calls = rows.start + np.flatnonzero(events.is_call[rows])
        if len(calls) < 2:
            continue
        begin, end = (
            np.clip(side, chosen.begin, chosen.end) for side in (events.end[calls[:-1]], events.begin[calls[1:]])
        )
        covered = analysis.path.covered(lane, begin, np.maximum(begin, end))
        for key, seconds, count in summed(events.call, events.site, calls, covered):
            name = (events.where(int(calls[key])), events.where(int(calls[key + 1])))
            known = sums.setdefault(name, [0.0, 0])
            known[0] += seconds
            known[1] += count
    found = [
        {"after": after, "before": before, "seconds": seconds, "count": int(count)}
        for (after, before), (seconds, count) in sums.items()
        if seconds > 0
    ]
    return sorted(found, key=lambda one: -float(one["seconds"]))[:MOST]  # type: ignore[arg-type]


def summed(
    call: NDArray[np.int32], site: NDArray[np.int32], calls: Rows, seconds: NDArray[np.float64]
) -> list[tuple[int, float, int]]:
    """Pairs of calls in a row with the same names and lines: the first one's place, the sum, how many."""
    _, at = grouped(call[calls], site[calls])
    first, place = grouped(at[:-1], at[1:])
    sums, count = np.bincount(place, seconds), np.bincount(place)
    return [(int(first[n]), float(sums[n]), int(count[n])) for n in range(len(first)) if sums[n] > 0]


def messages(analysis: Analysis, chosen: Selection, by: str) -> list[Facts]:
    """Transfers from one line of one PE to another PE, most bytes or most messages (`by`: bytes, count) first."""
    events = analysis.events
    moved = traffic.traffic(analysis, chosen.rows)
    if not len(moved.row):
        return []
    owner = events.owner[moved.row]
    columns = (moved.source, moved.target, events.call[owner], events.site[owner])
    first, place = grouped(*columns)
    sums, count = np.bincount(place, moved.bytes), np.bincount(place)
    largest = np.zeros(len(first))
    np.maximum.at(largest, place, moved.bytes)
    return [
        {
            "source": int(moved.source[first[at]]),
            "target": int(moved.target[first[at]]),
            "where": events.where(int(owner[first[at]])),
            "count": int(count[at]),
            "bytes": int(sums[at]),
            "mean": float(sums[at] / count[at]),
            "max": int(largest[at]),
        }
        for at in np.argsort(-(sums if by == "bytes" else count), kind="stable")[:MOST].tolist()
    ]
