# SPDX-License-Identifier: BSD-3-Clause
"""How a lane's time divides among the kinds of call, in bins of every width: what the page draws when single calls are
narrower than a pixel.

A lane's levels have 2^k, 2^(k-1), ..., 1 bins over the whole time. A bin is a share for each kind, 0 to 255, so a bin's
cost is eight bytes and the levels above the finest together cost as much as it does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .kinds import CallKind

FEWEST, MOST = 1 << 8, 1 << 17  # bins of a lane's finest level
PER_BIN = 4  # calls in such a bin, if they were spread evenly
FULL = 255


def finest(calls: int) -> int:
    """Bins of the finest level of a lane with so many calls: a power of two."""
    wanted = max(calls // PER_BIN, 1)
    return min(max(1 << (wanted - 1).bit_length(), FEWEST), MOST)


def shares(
    begin: NDArray[np.float64], end: NDArray[np.float64], kind: NDArray[np.uint8], whole: float, bins: int
) -> NDArray[np.float64]:
    """The share of each of so many bins of [0, whole] that calls of each kind take: bins x kinds, each row at most 1.

    Calls must be sorted and must not overlap. The time spent in a kind before a moment grows linearly within its calls,
    so its differences at the edges are exact.
    """
    edges = np.linspace(0.0, whole, bins + 1)
    found = np.zeros((bins, len(CallKind)))
    for one in np.unique(kind).tolist():
        mine = np.flatnonzero(kind == one)
        spent = np.concatenate(([0.0], np.cumsum(end[mine] - begin[mine])))
        moments = np.empty(2 * len(mine))
        moments[0::2], moments[1::2] = begin[mine], end[mine]
        totals = np.empty(2 * len(mine))
        totals[0::2], totals[1::2] = spent[:-1], spent[1:]
        at = np.interp(edges, np.maximum.accumulate(moments), totals, left=0.0, right=float(spent[-1]))
        found[:, one] = np.diff(at)
    found *= bins / whole
    over = np.maximum(found.sum(axis=1, keepdims=True), 1.0)
    return np.asarray(found / over)


def pyramid(finest_shares: NDArray[np.float64]) -> NDArray[np.uint8]:
    """All levels, the finest first, each half as long as the one before; rows are bins."""
    parts, level = [], finest_shares
    while True:
        parts.append(np.floor(level * FULL + 0.5).astype(np.uint8))
        if len(level) == 1:
            return np.concatenate(parts)
        level = (level[0::2] + level[1::2]) / 2
