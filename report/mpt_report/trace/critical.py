# SPDX-License-Identifier: BSD-3-Clause
"""The critical path: what the job's time was made of, from its end backward. Where the PE on the path had waited, the
path goes over to the PE that was late, at the moment at which that one began what was waited for (Boehme et al.,
"Scalable critical-path based performance analysis", IPDPS 2012)."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .events import Events
from .waitstates import WaitStates


@dataclass(frozen=True)
class Path:
    """Pieces of the path in order of time: each lies on one lane from `begin` to `end`, in seconds."""

    lane: NDArray[np.int64]
    begin: NDArray[np.float64]
    end: NDArray[np.float64]
    changes: int  # how often the path goes from one lane to another

    @property
    def length(self) -> float:
        return float((self.end - self.begin).sum())

    def covered(self, lane: int, begin: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
        """How many seconds of each of the intervals of a lane are on the path."""
        mine = self.lane == lane
        if not mine.any():
            return np.zeros(len(begin))
        bounds = np.column_stack((self.begin[mine], self.end[mine])).ravel()
        sums = np.repeat(np.append(0.0, np.cumsum(self.end[mine] - self.begin[mine])), 2)[1:-1]
        found: NDArray[np.float64] = np.interp(end, bounds, sums) - np.interp(begin, bounds, sums)
        return found


def latest(events: Events) -> tuple[int, float]:
    """The lane that ended last, and when."""
    row = int(np.argmax(events.end))
    return int(events.lane[row]), float(events.end[row])


def critical_path(events: Events, waits: WaitStates) -> Path:
    """From the end of the last call to the first record of the lane that the path reaches."""
    if not len(events):
        return Path(np.zeros(0, np.int64), np.zeros(0), np.zeros(0), 0)
    ends, rows = [], []
    lane_of = events.lane[waits.row]
    for lane in range(len(events.lanes)):
        mine = np.flatnonzero(lane_of == lane)
        order = mine[np.argsort(events.end[waits.row[mine]], kind="stable")]
        ends.append(events.end[waits.row[order]].tolist())
        rows.append(order.tolist())
    starts = [float(events.begin[rows_of.start]) for rows_of in events.lane_rows]
    until = np.minimum(waits.until, events.end[waits.row])
    lane, now = latest(events)
    pieces = []
    left = [len(one) for one in ends]  # waits beyond it are behind the path: it goes back in time only
    while True:
        at = min(bisect_right(ends[lane], now), left[lane]) - 1
        if at < 0:
            pieces.append((lane, min(starts[lane], now), now))
            break
        left[lane] = at
        wait = rows[lane][at]
        turn = min(float(until[wait]), now)
        pieces.append((lane, turn, now))
        lane, now = int(events.lane[waits.by[wait]]), turn
    pieces.reverse()
    where, begin, end = (np.array(column) for column in zip(*pieces, strict=True))
    return Path(where.astype(np.int64), begin.astype(float), end.astype(float), len(pieces) - 1)
