# SPDX-License-Identifier: BSD-3-Clause
"""Ticks to seconds: one clock for all PEs of a host, and hosts brought together by the offsets that were measured."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .format import Kind
from .reader import PeTrace, Trace

NS = 1e-9
SAME_CLOCK_NS = 2_000_000  # PEs of a host whose clocks agree so well read the same one


@dataclass
class Clock:
    """A PE's ticks in seconds since `origin_ns` (nanoseconds since 1970 by the clock of PE 0's host)."""

    ticks_per_second: int
    ticks: int
    at: float  # seconds at `ticks`, before the correction
    moments: NDArray[np.float64]  # when the offset was measured, and what it was, in seconds
    offsets: NDArray[np.float64]

    def raw(self, ticks: NDArray[np.uint64]) -> NDArray[np.float64]:
        apart = (ticks - np.uint64(self.ticks)).view(np.int64)
        found: NDArray[np.float64] = apart / self.ticks_per_second + self.at
        return found

    def seconds(self, ticks: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Times of an array of ticks; the offset between hosts is interpolated between its measurements."""
        found = self.raw(ticks)
        if len(self.moments):
            found += np.interp(found, self.moments, self.offsets)
        return found


def epoch(pe: PeTrace) -> int:
    """The nanoseconds since 1970 at which this PE's ticks were 0, by its own header."""
    return pe.epoch_ns - pe.ticks * 1_000_000_000 // pe.ticks_per_second


def references(trace: Trace) -> dict[int, PeTrace]:
    """For each PE the PE whose header tells its time: the first of its host that reads the same clock."""
    firsts: dict[str, list[PeTrace]] = {}
    found = {}
    for pe in trace.pes:
        known = firsts.setdefault(trace.job.host(pe.pe), [])
        same = (
            one
            for one in known
            if one.ticks_per_second == pe.ticks_per_second and abs(epoch(one) - epoch(pe)) < SAME_CLOCK_NS
        )
        found[pe.pe] = next(same, pe)
        if found[pe.pe] is pe:
            known.append(pe)
    return found


def best(moments: NDArray[np.float64], offsets: NDArray[np.float64], errors: NDArray[np.float64]) -> list[int]:
    """The measurement with the shortest round trip of those at the job's start, and that of those at its end."""
    middle = (moments.min() + moments.max()) / 2
    parts = (np.flatnonzero(moments <= middle), np.flatnonzero(moments > middle))
    return [int(part[np.argmin(errors[part])]) for part in parts if len(part)]


def clocks(trace: Trace) -> dict[int, Clock]:
    """A clock for each PE."""
    told = references(trace)
    origin = min(one.epoch_ns for one in told.values())
    made = {
        one.pe: Clock(one.ticks_per_second, one.ticks, (one.epoch_ns - origin) * NS, np.zeros(0), np.zeros(0))
        for one in trace.pes
        if told[one.pe] is one
    }
    measured: dict[int, list[tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]]] = {}
    for pe in trace.pes:
        found = pe.records[pe.records["kind"] == Kind.CLOCK]
        if len(found):
            clock = made[told[pe.pe].pe]
            offsets = found["value"].view(np.int64) * NS
            measured.setdefault(told[pe.pe].pe, []).append((clock.raw(found["begin"]), offsets, found["bytes"] * NS))
    for number, several in measured.items():
        moments, offsets, errors = (np.concatenate(column) for column in zip(*several, strict=True))
        chosen = best(moments, offsets, errors)
        made[number].moments, made[number].offsets = moments[chosen], offsets[chosen]
    return {pe.pe: made[told[pe.pe].pe] for pe in trace.pes}
