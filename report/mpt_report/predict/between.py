# SPDX-License-Identifier: BSD-3-Clause
"""Time between a PE's calls, as computation and as marks where the program's regions begin and end.

From each time what the recorder takes itself is subtracted. Clocks have ticks of some nanoseconds, so short times may
come out as less than nothing; what is missing then is taken from the next ones, but not more than a few calls' worth.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..trace.events import Events
from ..trace.format import Kind
from .program import Op, Program

MOST_OWED = 4  # times what the recorder takes for a call


def marks_of(region: int) -> tuple[int, int]:
    """The marks at which a region of this number begins and ends."""
    return 2 * region, 2 * region + 1


@dataclass
class Regions:
    """Of each region the seconds in it, each time that a PE was in it, by PE."""

    names: list[str] = field(default_factory=list)
    times: dict[str, list[list[float]]] = field(default_factory=dict)

    def whole(self, name: str) -> float:
        """Of the PE that was longest in it."""
        return max(sum(times) for times in self.times[name])

    def each(self, name: str) -> list[float]:
        """Each time, of the PE that took longest then; all PEs must have been in it as often."""
        return [max(times) for times in zip(*self.times[name], strict=True)]


def recorded_regions(events: Events) -> Regions:
    rows = np.flatnonzero(events.kind == Kind.REGION)
    names = sorted({events.names[call] for call in events.call[rows].tolist()})
    times: dict[str, list[list[float]]] = {name: [[] for _ in range(events.pes)] for name in names}
    for row in rows.tolist():
        times[events.names[events.call[row]]][events.pe[row]].append(float(events.time[row]))
    return Regions(names, times)


def predicted_regions(names: list[str], pes: int, marks: dict[tuple[int, int], list[float]]) -> Regions:
    def of_pe(region: int, pe: int) -> list[float]:
        begins, ends = (marks.get((pe, mark), []) for mark in marks_of(region))
        return [end - begin for begin, end in zip(begins, ends, strict=True)]

    return Regions(names, {name: [of_pe(region, pe) for pe in range(pes)] for region, name in enumerate(names)})


class Between:
    """Of one lane. `first` and `last`: the end of the job's start, and of the call before."""

    def __init__(self, program: Program, events: Events, rows: slice, names: list[str], factor: float):
        self.program, self.factor = program, factor
        self.pe = int(events.pe[rows.start])
        self.cost = events.recorder.get(self.pe, 0.0)
        self.owed = self.computed = 0.0
        self.first = self.last = float(events.begin[rows.start])
        self.marks = self.marks_in(events, rows, {name: region for region, name in enumerate(names)})

    @staticmethod
    def marks_in(events: Events, rows: slice, number: dict[str, int]) -> list[tuple[float, int]]:
        """When regions begin and end, the last one first."""
        found = []
        for row in (rows.start + np.flatnonzero(events.kind[rows] == Kind.REGION)).tolist():
            begin, end = marks_of(number[events.names[events.call[row]]])
            found += [(float(events.begin[row]), begin), (float(events.end[row]), end)]
        return sorted(found, key=lambda mark: mark[0], reverse=True)

    def start(self, end: float) -> None:
        """The job's start, which is left out, ends."""
        self.first = self.last = end

    def compute(self, seconds: float) -> None:
        if seconds:
            self.computed += seconds
            self.program.add(self.pe, Op.COMPUTE, seconds=seconds * self.factor)

    def call(self, begin: float, end: float, most: float) -> None:
        """A call comes; of the time until then the processor has computed at most so many seconds."""
        whole = max(0.0, begin - self.last)
        left = whole - self.cost + self.owed
        self.owed = max(min(0.0, left), -MOST_OWED * self.cost)
        left = min(max(0.0, left), most)
        while self.marks and self.marks[-1][0] <= begin:
            time, mark = self.marks.pop()
            before = min(left, max(0.0, time - self.last) * left / whole) if whole else 0.0
            self.compute(before)
            left, whole, self.last = left - before, whole - max(0.0, time - self.last), max(self.last, time)
            self.program.add(self.pe, Op.MARK, tag=mark)
        self.compute(left)
        self.last = max(self.last, end)

    def end(self) -> float:
        """After the last call; seconds since the start."""
        time = self.last - self.first
        for at, mark in reversed(self.marks):
            self.compute(max(0.0, at - self.last))
            self.last = max(self.last, at)
            self.program.add(self.pe, Op.MARK, tag=mark)
        return time
