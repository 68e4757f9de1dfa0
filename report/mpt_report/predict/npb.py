# SPDX-License-Identifier: BSD-3-Clause
"""The NAS benchmarks on another number of PEs: computation from one measured time, messages from the simulator.

The measured time of one number of PEs gives the seconds of computation of all PEs (`work`): it is what makes the
simulated iteration take as long. With other numbers of PEs the work is the same, dealt out; what changes is messages,
copies, waves that fill, PEs that have more points than others, and the starts of shorter loops.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .machine import Machine
from .npb_flow import alternating, lu
from .npb_kernels import cg, ep, ft, integer_sort, mg
from .pattern import Pattern
from .problems import PROBLEMS, Problem
from .simulate import run

PATTERNS: dict[str, Callable[[Pattern, Problem, float], None]] = {
    "EP": ep,
    "CG": cg,
    "MG": mg,
    "FT": ft,
    "IS": integer_sort,
    "LU": lu,
    "SP": alternating,
    "BT": alternating,
}
NEAR = 1e-4  # of calibration
TURNS = 20


@dataclass(frozen=True)
class Benchmark:
    """One of the eight, of a class, on a machine by one interface."""

    name: str
    cls: str
    machine: Machine
    interface: str = "shmem"
    home: str | None = None

    @property
    def problem(self) -> Problem:
        return PROBLEMS[self.name, self.cls]

    def iteration(self, pes: int, work: float) -> float:
        made = Pattern(self.machine, self.interface, pes)
        PATTERNS[self.name](made, self.problem, work)
        return run(self.machine, self.interface, pes, made.program.array(), self.home).time

    def seconds(self, pes: int, work: float) -> float:
        return self.problem.iterations * self.iteration(pes, work)

    def work(self, pes: int, seconds: float) -> float:
        """Of an iteration: what makes the benchmark take so many seconds. 0 where messages alone take longer."""
        target = seconds / self.problem.iterations
        low, at_low = 0.0, self.iteration(pes, 0.0)
        guess = max(0.0, (target - at_low) * pes)
        for _ in range(TURNS):
            now = self.iteration(pes, guess)
            if guess == low or abs(now - target) <= NEAR * target:
                break
            slope = (now - at_low) / (guess - low)
            low, at_low, guess = guess, now, max(0.0, guess + (target - now) / slope)
        return guess

    def rate(self, pes: int, seconds: float) -> float:
        """Million operations a second of each PE."""
        return self.problem.flops / seconds / pes / 1e6
