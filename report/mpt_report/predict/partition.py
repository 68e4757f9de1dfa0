# SPDX-License-Identifier: BSD-3-Clause
"""Seed 004's finite differences on a cube dealt out to a grid of PEs: computation by the memory's rate, faces by
messages.

A cell has two doubles; the last dimension is contiguous. A sweep reads both and writes one, then neighbours exchange
cells of their faces. Those of the last dimension have their cells apart: they go at the rate `strided` of the
interface.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod

from .machine import Machine
from .program import Op, Program
from .simulate import Simulator, run
from .units import quantity

CELL, SWEPT = 16, 24  # bytes of a cell; bytes that a sweep moves for it

Shape = tuple[int, int, int]


def shapes(pes: int, dimensions: int) -> list[Shape]:
    """Grids of so many PEs that divide the first so many dimensions."""
    sides = [n for n in range(1, pes + 1) if pes % n == 0]
    found = [(x, y, z) for x, y, z in product(sides, repeat=3) if x * y * z == pes]
    return [shape for shape in found if all((side > 1) == (d < dimensions) for d, side in enumerate(shape))]


@dataclass(frozen=True)
class Cube:
    """A cube of n cells a side on a machine."""

    machine: Machine
    interface: str
    n: int
    home: str | None = None
    simulator: Simulator = run

    def seconds(self, shape: Shape) -> float:
        """Of a sweep and its exchange."""
        pes = prod(shape)
        program, apart = Program(pes), self.apart()
        sweep = SWEPT * self.n**3 / pes / quantity(self.machine.data["processor"]["sweep"])
        for pe in range(pes):
            at = (pe // (shape[1] * shape[2]), pe // shape[2] % shape[1], pe % shape[2])
            program.add(pe, Op.COMPUTE, seconds=sweep)
            near, packing = [], 0.0
            for d, scale in enumerate((shape[1] * shape[2], shape[2], 1)):
                n_bytes = CELL * self.n**2 * shape[d] // pes
                for way in (-1, 1):
                    if 0 <= at[d] + way < shape[d]:
                        near.append((pe + way * scale, n_bytes))
                        packing += apart * n_bytes if d == 2 else 0.0
            program.add(pe, Op.COMPUTE, seconds=packing)
            for peer, n_bytes in near:
                program.add(pe, Op.IRECEIVE, peer, n_bytes)
            for peer, n_bytes in near:
                program.add(pe, Op.ISEND, peer, n_bytes)
            program.add(pe, Op.WAIT)
            program.add(pe, Op.COMPUTE, seconds=packing)
        return self.simulator(self.machine, self.interface, pes, program.array(), self.home).time

    def apart(self) -> float:
        """Seconds a byte that either side spends more where cells lie apart."""
        own = self.machine.data["interface"][self.interface]
        return max(0.0, 1 / quantity(own["strided"]) - 1 / quantity(own["rates"][-1][1])) / 2

    def best(self, pes: int, dimensions: int) -> float:
        """Of the grids of so many dimensions."""
        return min(self.seconds(shape) for shape in shapes(pes, dimensions))
