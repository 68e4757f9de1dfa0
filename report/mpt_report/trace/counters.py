# SPDX-License-Identifier: BSD-3-Clause
"""Processor counters of the time between calls (MPT_TRACE_COUNTERS), summed up by the calls that lie before and behind,
and by PE."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .analysis import Analysis
from .dense import grouped
from .profile import Facts
from .selection import Selection

MOST = 30  # rows of a list


def placed(analysis: Analysis, chosen: Selection) -> tuple[NDArray[np.void], NDArray[np.int64], NDArray[np.int64]]:
    """What was counted within what is chosen, with the rows of the calls before and behind it."""
    events, counted = analysis.events, analysis.events.counted
    parts = []
    wanted = np.zeros(len(events), np.bool_)
    wanted[chosen.all_rows] = True
    for lane in chosen.lanes:
        rows = events.lane_rows[lane]
        calls = rows.start + np.flatnonzero(events.is_call[rows])
        mine = np.flatnonzero(counted["lane"] == lane)
        behind = np.searchsorted(events.begin[calls], counted["end"][mine] - 1e-9)
        fits = (behind > 0) & (behind < len(calls))
        mine, behind = mine[fits], behind[fits]
        fits = wanted[calls[behind]] & wanted[calls[behind - 1]]
        parts.append((mine[fits], calls[behind[fits] - 1], calls[behind[fits]]))
    columns = [np.concatenate(one) for one in zip(*parts, strict=True)] if parts else [np.zeros(0, np.int64)] * 3
    return counted[columns[0]], columns[1], columns[2]


def summed(counted: NDArray[np.void], places: NDArray[np.int64], number: int) -> list[Facts]:
    """For each group its sums."""
    seconds = np.bincount(places, counted["end"] - counted["begin"], number)
    sums = {name: np.bincount(places, counted[name], number) for name in ("cycles", "done", "missed")}
    software = np.bincount(places, counted["software"], number) > 0
    count = np.bincount(places, minlength=number)
    return [one(float(seconds[at]), int(count[at]), bool(software[at]), sums, at) for at in range(number)]


def one(seconds: float, count: int, software: bool, sums: dict[str, NDArray[Any]], at: int) -> Facts:
    cycles, done, missed = (float(sums[name][at]) for name in ("cycles", "done", "missed"))
    known = None if np.isnan(missed) else int(missed)
    if software:
        return {
            "seconds": seconds, "count": count, "kind": "software", "processor_seconds": cycles,
            "turns": int(done), "faults": known,
        }  # fmt: skip
    return {
        "seconds": seconds, "count": count, "kind": "hardware", "cycles": int(cycles), "instructions": int(done),
        "cache_misses": known, "per_cycle": done / cycles if cycles else None,
        "misses_per_1000": None if known is None or not done else known / done * 1000,
    }  # fmt: skip


def between(analysis: Analysis, chosen: Selection) -> list[Facts]:
    """By the calls and lines before and behind, the longest first."""
    events = analysis.events
    counted, before, behind = placed(analysis, chosen)
    if not len(counted):
        return []
    columns = (events.call[before], events.site[before], events.call[behind], events.site[behind])
    first, places = grouped(counted["software"], *columns)
    found = [
        {"after": events.where(int(before[row])), "before": events.where(int(behind[row]))} | sums
        for row, sums in zip(first.tolist(), summed(counted, places, len(first)), strict=True)
    ]
    return sorted(found, key=lambda row: -float(row["seconds"]))[:MOST]


def by_pe(analysis: Analysis, chosen: Selection) -> list[Facts]:
    events = analysis.events
    counted, _, _ = placed(analysis, chosen)
    if not len(counted):
        return []
    first, places = grouped(counted["software"], counted["lane"])
    return [
        {"pe": events.lanes[int(counted["lane"][row])][0], "thread": events.lanes[int(counted["lane"][row])][1]} | sums
        for row, sums in zip(first.tolist(), summed(counted, places, len(first)), strict=True)
    ]
