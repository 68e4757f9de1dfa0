# SPDX-License-Identifier: BSD-3-Clause
"""The program's own regions (mpt_region_begin): which one a call lies in, and how much time each has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .events import Events
from .format import Kind

OUTSIDE = 0


@dataclass(frozen=True)
class Regions:
    """`paths` are chains of names from the outermost region to the innermost, the first one empty. From times[lane][n]
    on, and until the next of these times, the lane is in the path ids[lane][n]. `of_row` has each row's path."""

    paths: list[tuple[str, ...]]
    times: list[NDArray[np.float64]]
    ids: list[NDArray[np.int64]]
    of_row: NDArray[np.int64]

    @cached_property
    def names(self) -> list[str]:
        return sorted({name for path in self.paths for name in path})

    def paths_with(self, name: str) -> NDArray[np.bool_]:
        """Which paths lead through a region of this name."""
        return np.array([name in path for path in self.paths], np.bool_)

    def seconds(self, lane: int, begin: float, end: float) -> NDArray[np.float64]:
        """Per path the lane's seconds between two moments, inner regions not counted among the outer's."""
        times, ids = self.times[lane], self.ids[lane]
        bounds = np.clip(np.append(times, end), begin, max(begin, end))
        found: NDArray[np.float64] = np.bincount(ids, np.diff(bounds), len(self.paths)).astype(np.float64)
        return found


def boundaries(spans: list[tuple[float, float, int]], first: float) -> tuple[list[float], list[tuple[int, ...]]]:
    """When the chain of open regions changes, and what it is from then on. spans: begin, end, name; outer first."""
    times, chains = [first], [()]  # type: list[float], list[tuple[int, ...]]
    opened: list[tuple[float, int]] = []

    def close(until: float) -> None:
        while opened and opened[-1][0] <= until:
            times.append(opened.pop()[0])
            chains.append(tuple(name for _, name in opened))

    for begin, end, name in spans:
        close(begin)
        opened.append((min(end, opened[-1][0]) if opened else end, name))
        times.append(begin)
        chains.append(tuple(one for _, one in opened))
    close(float("inf"))
    return times, chains


def regions_of(events: Events) -> Regions:
    numbers: dict[tuple[int, ...], int] = {(): OUTSIDE}
    times, ids = [], []
    of_row = np.zeros(len(events), np.int64)
    for rows in events.lane_rows:
        found = rows.start + np.flatnonzero(events.kind[rows] == Kind.REGION)
        found = found[np.lexsort((-events.end[found], events.begin[found]))]
        spans = list(
            zip(events.begin[found].tolist(), events.end[found].tolist(), events.call[found].tolist(), strict=True)
        )
        when, chains = boundaries(spans, float(events.begin[rows.start]))
        times.append(np.array(when))
        ids.append(np.array([numbers.setdefault(chain, len(numbers)) for chain in chains], np.int64))
        at = np.searchsorted(times[-1], events.begin[rows], side="right") - 1
        of_row[rows] = ids[-1][np.maximum(at, 0)]
    paths = [tuple(events.names[name] for name in chain) for chain in numbers]
    return Regions(paths, times, ids, of_row)
