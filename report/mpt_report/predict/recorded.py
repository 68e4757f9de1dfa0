# SPDX-License-Identifier: BSD-3-Clause
"""A recorded job on a machine: what the simulator says of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..trace import reader
from ..trace.events import events_of
from . import simulate
from .between import Regions, predicted_regions
from .machine import Machine
from .replay import ReplayError, replay


@dataclass(frozen=True)
class Prediction:
    """Seconds: recorded and predicted, each of the PE that took longest; of each PE the computation that was recorded,
    and its end on the machine. `left_out`: calls whose other end the trace does not have."""

    pes: int
    interface: str
    recorded: float
    seconds: float
    computed: list[float]
    clocks: list[float]
    factor: float
    left_out: int
    regions: Regions = field(default_factory=Regions)  # of the program, recorded
    there: Regions = field(default_factory=Regions)  # ... and on the machine

    @property
    def most(self) -> float:
        """Computation, of the PE that has most of it."""
        return max(self.computed)

    @property
    def mean(self) -> float:
        return sum(self.computed) / len(self.computed)

    @property
    def communication(self) -> float:
        """The part of all PEs' time on the machine that is not computation: messages, and waiting for others."""
        return 1 - min(1.0, self.mean * self.factor / self.seconds) if self.seconds else 0.0

    def as_json(self, with_clocks: bool) -> dict[str, Any]:
        told: dict[str, Any] = {
            "pes": self.pes,
            "recorded": self.recorded,
            "computed": self.most,
            "computed_mean": self.mean,
            "seconds": self.seconds,
            "communication": self.communication,
            "left_out": self.left_out,
        }
        if self.regions.names:
            told["regions"] = {
                name: {"recorded": self.regions.whole(name), "seconds": self.there.whole(name)}
                for name in self.regions.names
            }
        return told | ({"clocks": self.clocks} if with_clocks else {})


def predict(folder: Path, machine: Machine, factor: float, interface: str | None, home: str | None) -> Prediction:
    """Of what lies in this folder (mptrun --trace)."""
    trace = reader.read(folder)
    if trace.dropped:
        raise ReplayError(f"{trace.dropped} records had no room and are missing: MPT_TRACE_SIZE gives them more")
    events = events_of(trace)
    made = replay(events, machine, factor)
    used = interface or made.interface
    found = simulate.run(machine, used, events.pes, made.program.array(), home)
    there = predicted_regions(made.regions.names, events.pes, found.marks)
    return Prediction(
        events.pes,
        used,
        made.recorded,
        found.time,
        made.computed,
        found.clocks,
        factor,
        made.left_out,
        made.regions,
        there,
    )
