# SPDX-License-Identifier: BSD-3-Clause
"""Ticks to seconds: one clock for all PEs of a host, and hosts brought together by the offsets that were measured."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .format import Kind
from .reader import PeTrace, Trace

NS = 1e-9
SAME_CLOCK_NS = 2_000_000  # PEs of a host whose clocks agree so well read the same one
DRIFT = 50e-6  # by which two crystals run apart in a second
BINS = 1000  # equal parts of the time, of each of which the best measurement is looked at
LONG = 0.5  # seconds that measurements must be apart for their drift to be believed beyond them


@dataclass
class Clock:
    """A PE's ticks in seconds since `origin_ns` (nanoseconds since 1970 by the clock of PE 0's host)."""

    ticks_per_second: int
    ticks: int
    at: float  # seconds at `ticks`, before the correction
    moments: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))  # when the offset was measured, ...
    offsets: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))  # what it was, in seconds, ...
    error: float | None = None  # and by how much it is wrong at most; None: not measured

    def raw(self, ticks: NDArray[np.uint64]) -> NDArray[np.float64]:
        apart = (ticks - np.uint64(self.ticks)).view(np.int64)
        found: NDArray[np.float64] = apart / self.ticks_per_second + self.at
        return found

    def seconds(self, ticks: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Times of an array of ticks. The offset is interpolated between its measurements, and beyond them goes on."""
        found = self.raw(ticks)
        if not len(self.moments):
            return found
        offset = np.interp(found, self.moments, self.offsets)
        span = self.moments[-1] - self.moments[0]
        if span >= LONG:
            drift = (self.offsets[-1] - self.offsets[0]) / span
            offset += drift * (found - np.clip(found, self.moments[0], self.moments[-1]))
        corrected: NDArray[np.float64] = found + offset
        return corrected


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


def best(moments: NDArray[np.float64], errors: NDArray[np.float64]) -> NDArray[np.int64]:
    """Those of the measurements, in order of time, that none nearby betters by more than the clocks can have drifted
    apart in between."""
    by_error = np.argsort(errors, kind="stable")
    part = np.floor((moments - moments.min()) / max(float(np.ptp(moments)), 1e-9) * BINS)
    by_error = by_error[np.sort(np.unique(part[by_error], return_index=True)[1])]
    kept: list[int] = []
    for one in by_error.tolist():
        if all(errors[one] <= errors[had] + DRIFT * abs(moments[one] - moments[had]) for had in kept):
            kept.append(one)
    return np.array(sorted(kept, key=lambda one: float(moments[one])), np.int64)


def measure(clock: Clock, records: list[NDArray[np.void]]) -> None:
    """Takes the offset of a host's clock from all records CLOCK of its PEs."""
    every = np.concatenate(records)
    moments = clock.raw(every["begin"])
    errors: NDArray[np.float64] = every["bytes"].astype(np.float64) * NS
    chosen = best(moments, errors)
    clock.moments = moments[chosen]
    clock.offsets = every["value"].view(np.int64)[chosen].astype(np.float64) * NS
    clock.error = float(errors[chosen].max())


def clocks(trace: Trace) -> dict[int, Clock]:
    """A clock for each PE."""
    told = references(trace)
    origin = min(one.epoch_ns for one in told.values())
    made = {
        one.pe: Clock(one.ticks_per_second, one.ticks, (one.epoch_ns - origin) * NS)
        for one in trace.pes
        if told[one.pe] is one
    }
    first = told[next((pe.pe for pe in trace.pes if trace.job.host(pe.pe) == trace.job.host(0)), trace.pes[0].pe)]
    made[first.pe].error = 0.0
    records: dict[int, list[NDArray[np.void]]] = {}
    for pe in trace.pes:
        found = pe.records[pe.records["kind"] == Kind.CLOCK]
        if len(found) and told[pe.pe] is not first:
            records.setdefault(told[pe.pe].pe, []).append(found)
    for number, several in records.items():
        measure(made[number], several)
    return {pe.pe: made[told[pe.pe].pe] for pe in trace.pes}


def problems(trace: Trace, found: dict[int, Clock]) -> list[str]:
    """Which hosts' clocks nobody has compared with that of PE 0's host."""
    unknown = sorted({trace.job.host(pe) or f"of PE {pe}" for pe, clock in found.items() if clock.error is None})
    return [f"clocks that were not compared with that of PE 0's host: {', '.join(unknown)}"] if unknown else []


def error(found: dict[int, Clock]) -> float:
    """By how many seconds times of two hosts may be wrong against each other; 0 where all read one clock."""
    worst = sorted({id(clock): clock.error or 0.0 for clock in found.values()}.values())
    return sum(worst[-2:])
