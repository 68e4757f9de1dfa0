# SPDX-License-Identifier: BSD-3-Clause
"""Records of processor counters (MPT_TRACE_COUNTERS) as columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .clocks import Clock
from .format import NO_RECORD, Kind

COUNTED = np.dtype(
    [
        ("lane", "i4"),
        ("software", "?"),
        ("begin", "f8"),
        ("end", "f8"),
        ("cycles", "f8"),
        ("done", "f8"),
        ("missed", "f8"),
    ]
)


def taken(records: NDArray[np.void], clock: Clock, lanes: dict[int, int]) -> NDArray[np.void]:
    """Those of one PE. lanes: by thread. `cycles` are seconds of processor time and `done` turns of others where the
    system has counted; `missed` are cache misses, or page faults; NaN: not counted."""
    rows = records[records["kind"] == Kind.COUNTERS]
    rows = rows[np.isin(rows["thread"], list(lanes))]
    found = np.zeros(len(rows), COUNTED)
    found["lane"] = [lanes[thread] for thread in rows["thread"].tolist()]
    found["software"] = rows["tag"] == 1
    found["begin"], found["end"] = clock.seconds(rows["begin"]), clock.seconds(rows["end"])
    found["cycles"] = rows["bytes"] * np.where(found["software"], 1e-9, 1.0)
    found["done"] = rows["message"]
    found["missed"] = np.where(rows["value"] == np.uint64(NO_RECORD), np.nan, rows["value"])
    return found[found["begin"] <= found["end"]]
