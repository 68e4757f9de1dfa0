# SPDX-License-Identifier: BSD-3-Clause
"""Runs the simulator, `mptsim`."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .machine import Machine

LIMIT_S = 3600


class SimulationError(RuntimeError):
    """The simulator is not there, or says what is wrong."""


@dataclass
class Outcome:
    """Seconds: of each PE at its end, and of each at the marks that it passed, in order."""

    clocks: list[float]
    marks: dict[tuple[int, int], list[float]] = field(default_factory=dict)
    events: int = 0

    @property
    def time(self) -> float:
        return max(self.clocks)

    def between(self, pe: int, first: int = 0, last: int = 1) -> float:
        """From the first mark `first` of a PE to its last mark `last`."""
        return self.marks[pe, last][-1] - self.marks[pe, first][0]


Simulator = Callable[[Machine, str, int, np.ndarray, str | None], Outcome]
"""How long these steps take on a machine whose PEs use an interface: `run` below, and smpi.py's."""


def find(home: str | None) -> Path:
    """In MPT_SIMULATOR, a build folder or an installation."""
    here = Path(home) if home else Path(__file__).resolve().parents[3] / "build"
    asked = os.environ.get("MPT_SIMULATOR")
    for file in [Path(asked)] if asked else [here / "bin/mptsim", here / "libexec/mpt/mptsim"]:
        if os.access(file, os.X_OK):
            return file
    raise SimulationError(f"no simulator (mptsim) in {asked or here}: build it, or name it in MPT_SIMULATOR")


def read(text: str) -> Outcome:
    clocks: list[float] = []
    marks: dict[tuple[int, int], list[float]] = {}
    events = 0
    for line in text.splitlines():
        match line.split():
            case ["clock", _, seconds]:
                clocks.append(float(seconds))
            case ["mark", pe, tag, seconds]:
                marks.setdefault((int(pe), int(tag)), []).append(float(seconds))
            case ["events", number]:
                events = int(number)
    return Outcome(clocks, marks, events)


def run(machine: Machine, interface: str, pes: int, steps: np.ndarray, home: str | None = None) -> Outcome:
    """How long these steps take."""
    program = find(home)
    with tempfile.TemporaryDirectory(prefix="mpt-predict-") as name:
        folder = Path(name)
        (folder / "machine").write_text(machine.text(interface, pes), encoding="utf-8")
        steps.tofile(folder / "program")
        done = subprocess.run(
            [program, folder / "machine", folder / "program"], capture_output=True, text=True, timeout=LIMIT_S
        )
    if done.returncode:
        raise SimulationError(done.stderr.strip() or f"mptsim ended with status {done.returncode}")
    return read(done.stdout)
