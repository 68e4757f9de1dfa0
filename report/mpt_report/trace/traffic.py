# SPDX-License-Identifier: BSD-3-Clause
"""Who moved how many bytes to whom: messages, stores into other PEs' memory, and loads from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import kinds
from .analysis import Analysis
from .events import Events
from .format import Kind, Role
from .match import Rows

INTERFACES = (("MPI", "mpi_"), ("PVM", "pvm_"), ("OpenSHMEM", "shmem"), ("AM", "am_"), ("Split-C", "sc_"))


@dataclass(frozen=True)
class Traffic:
    """One row for each transfer: `row` is that of the trace; a fraction of bytes comes from collectives."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    bytes: NDArray[np.float64]
    row: Rows

    def matrix(self, pes: int, weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """pes x pes, from whom (row) to whom (column): bytes, or sums of weights."""
        flat = np.bincount(
            self.source.astype(np.int64) * pes + self.target, self.bytes if weights is None else weights, pes * pes
        )
        found: NDArray[np.float64] = flat.reshape(pes, pes).astype(np.float64)
        return found

    def counts(self, pes: int) -> NDArray[np.float64]:
        return self.matrix(pes, np.ones(len(self.row)))


def interface_of(name: str) -> str:
    low = name.lower()
    return next((interface for interface, prefix in INTERFACES if low.startswith(prefix)), "other")


def joined(parts: list[Traffic]) -> Traffic:
    return Traffic(
        np.concatenate([part.source for part in parts]),
        np.concatenate([part.target for part in parts]),
        np.concatenate([part.bytes for part in parts]),
        np.concatenate([part.row for part in parts]),
    )


def part(source: NDArray[Any], target: NDArray[Any], moved: NDArray[Any], row: Rows) -> Traffic:
    return Traffic(source.astype(np.int32), target.astype(np.int32), moved.astype(np.float64), row)


def traffic(analysis: Analysis, rows: Rows) -> Traffic:
    """What the calls `rows` moved from one PE to another. A message counts where it was sent; one whose sender has
    left no record, where it arrived."""
    events = analysis.events
    wanted = np.zeros(len(events), np.bool_)
    wanted[rows] = True
    wanted = wanted[np.maximum(events.owner, 0)] & (events.owner >= 0)
    towards = events.peer >= 0
    ends = (events.kind == Kind.CALL) | (events.kind == Kind.SEND)
    sends = np.flatnonzero(events.has(Role.SENDS) & ends & towards & wanted)
    stores = np.flatnonzero(events.has(Role.STORES) & events.is_call & towards & wanted)
    loads = np.flatnonzero(events.has(Role.LOADS) & events.is_call & towards & wanted)
    arrived = analysis.messages.only_received[wanted[analysis.messages.only_received]]
    return joined(
        [part(events.pe[outward], events.peer[outward], events.bytes[outward], outward) for outward in (sends, stores)]
        + [part(events.peer[inward], events.pe[inward], events.bytes[inward], inward) for inward in (loads, arrived)]
    )


def spread(analysis: Analysis, rows: Rows) -> Traffic:
    """Collective calls as if each member sent its bytes straight to those that need them: from the root to each other
    member, from each to the root, or from each to all others in equal parts. What the algorithm sends differs."""
    events, found = analysis.events, analysis.collectives
    wanted = np.zeros(len(events), np.bool_)
    wanted[rows] = True
    wanted |= (events.kind == Kind.START) & (events.owner >= 0) & wanted[np.maximum(events.owner, 0)]
    wanted &= (events.bytes > 0) & ~kinds.only_made(events)
    parts = []
    for number in range(len(found)):
        members = found.rows[found.first[number] : found.first[number + 1]]
        if len(members) > 1 and wanted[members].any():
            parts.append(spread_one(events, members[wanted[members]], members))
    return joined(parts) if parts else part(*(np.zeros(0),) * 3, np.zeros(0, np.int64))


def spread_one(events: Events, senders: Rows, members: Rows) -> Traffic:
    form = kinds.form_of(events.names[events.call[members[0]]])
    root = int(events.peer[members].max())
    pes = events.pe[members]
    if form == "from root" and root >= 0:
        targets = members[pes != root]
        return part(np.full(len(targets), root), events.pe[targets], events.bytes[targets], targets)
    if form == "to root" and root >= 0:
        from_here = senders[events.pe[senders] != root]
        return part(events.pe[from_here], np.full(len(from_here), root), events.bytes[from_here], from_here)
    row = np.repeat(senders, len(members))
    target = np.tile(pes, len(senders))
    apart = events.pe[row] != target
    each = events.bytes[row] / (len(members) - 1)
    return part(events.pe[row][apart], target[apart], each[apart], row[apart])
