# SPDX-License-Identifier: BSD-3-Clause
"""All that is asked of a trace, worked out once: what belongs together, who waited for whom, the critical path."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from . import critical, events, match, reader, regions, waitstates
from .events import Events
from .format import Kind
from .reader import Trace


@dataclass(frozen=True)
class Analysis:
    """`waited` and `on_path` have seconds for each row of `events`; both are 0 in rows that aren't calls."""

    trace: Trace
    events: Events
    messages: match.Messages
    collectives: match.Collectives
    waits: match.Waits
    states: waitstates.WaitStates
    path: critical.Path
    regions: regions.Regions
    waited: NDArray[np.float64]
    on_path: NDArray[np.float64]
    moved: NDArray[np.int64]  # bytes of each call, or of the messages in it


def moved_bytes(found: Events) -> NDArray[np.int64]:
    """A call's own bytes; where it has none, those of the messages that left and arrived in it."""
    inner = np.flatnonzero(((found.kind == Kind.SEND) | (found.kind == Kind.RECEIVE)) & (found.owner >= 0))
    sums = np.bincount(found.owner[inner], found.bytes[inner], len(found)).astype(np.int64)
    return np.where(found.is_call, np.where(found.bytes > 0, found.bytes, sums), 0)


def analyse(trace: Trace) -> Analysis:
    """Works on any trace that could be read."""
    found = events.events_of(trace)
    messages, collectives, waits = match.messages(found), match.collectives(found), match.waits(found)
    states = waitstates.wait_states(found, messages, collectives, waits)
    path = critical.critical_path(found, states)
    waited, on_path = np.zeros(len(found)), np.zeros(len(found))
    waited[states.row] = states.cost
    for lane, rows in enumerate(found.lane_rows):
        on_path[rows] = path.covered(lane, found.begin[rows], found.end[rows])
    on_path[~found.is_call] = 0.0
    return Analysis(
        trace,
        found,
        messages,
        collectives,
        waits,
        states,
        path,
        regions.regions_of(found),
        waited,
        on_path,
        moved_bytes(found),
    )


def load(folder: Path) -> Analysis:
    """Reads and analyses. TraceError and OSError as reader.read."""
    return analyse(reader.read(folder))
