# SPDX-License-Identifier: BSD-3-Clause
"""LINPACK: Gaussian elimination with partial pivoting of a matrix dealt out in blocks to a grid of PEs.

A step takes a panel of columns: its PEs factor it (a search for the pivot and an exchange of rows for each column),
pass it along the rows of the grid, exchange rows and pass the block row along the columns; then all multiply. Steps do
not overlap.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .machine import Machine
from .pattern import Pattern, near_square
from .program import Op
from .simulate import run
from .units import quantity

WORD, WIDTH = 8, 64  # bytes; columns of a panel, LAPACK's usual block
SIZES = 12  # of what is left of the matrix, that are simulated; between them time is interpolated
HALVINGS = 40


@dataclass
class Linpack:
    """On so many PEs. `multiply`: operations a second of a processor in matrix products; `panel` of processor: in
    panels."""

    machine: Machine
    pes: int
    interface: str = "shmem"
    home: str | None = None
    known: dict[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    def step(self, m: float) -> float:
        """Seconds of a step beside the matrix product, with m rows and columns left."""
        columns, rows = near_square(self.pes)
        made = Pattern(self.machine, self.interface, self.pes)
        rate = quantity(self.machine.data["processor"]["panel"])
        for pe in range(self.pes):
            row, column = divmod(pe, columns)
            mates = [other * columns + column for other in range(rows)]
            if column == 0:
                for _ in range(WIDTH):
                    made.compute(pe, m * WIDTH / rows / rate, loops=WIDTH / 2)
                    made.sum(pe, mates, 2 * WORD)
                    made.exchange(pe, [mates[row ^ 1]] if rows > 1 else [], WORD * WIDTH, packed=False)
            self.pass_on(made, pe, [row * columns + other for other in range(columns)], WORD * WIDTH * m / rows)
            if rows > 1:
                made.transpose(pe, mates, WORD * WIDTH * m / columns)
            self.pass_on(made, pe, mates, WORD * WIDTH * m / columns)
        return run(self.machine, self.interface, self.pes, made.program.array(), self.home).time

    @staticmethod
    def pass_on(made: Pattern, pe: int, group: list[int], n_bytes: float) -> None:
        """From the first of a group to all, by a binomial tree."""
        me, mask = group.index(pe), 1
        while mask < len(group) and not me & mask:
            mask *= 2
        if me:
            made.program.add(pe, Op.RECEIVE, group[me - mask], int(n_bytes))
        mask //= 2
        while mask:
            if me + mask < len(group):
                made.program.add(pe, Op.SEND, group[me + mask], int(n_bytes))
            mask //= 2

    def beside(self, n: float) -> float:
        """Seconds of all steps for a matrix of order n beside the matrix products."""
        scale = max(1, int(np.ceil(np.log2(n))))
        if scale not in self.known:
            sizes = np.geomspace(WIDTH, 2.0**scale, SIZES)
            self.known[scale] = sizes, np.array([self.step(size) for size in sizes])
        left = np.arange(n, 0, -WIDTH, dtype=float)
        return float(np.interp(left, *self.known[scale]).sum())

    def products(self, n: float) -> float:
        """Operations, in matrix products and triangular solves, of the PEs that have most blocks: all steps."""
        columns, rows = near_square(self.pes)
        blocks = np.arange(np.ceil(n / WIDTH), 0, -1)
        mine, across = np.ceil(blocks / rows) * WIDTH, np.ceil(blocks / columns) * WIDTH
        return float((WIDTH * (2 * mine + WIDTH) * across).sum())

    def seconds(self, n: float, multiply: float) -> float:
        return self.beside(n) + self.products(n) / multiply

    def rate(self, n: float, multiply: float) -> float:
        """Operations a second of all PEs."""
        return 2 / 3 * n**3 / self.seconds(n, multiply)

    def multiply(self, n: float, rate: float) -> float:
        """What makes a matrix of order n be solved at this rate."""
        return self.products(n) / (2 / 3 * n**3 / rate - self.beside(n))

    def half(self, n: float, multiply: float) -> float:
        """The order at which the rate is half of that at order n."""
        low, high, goal = float(WIDTH), n, self.rate(n, multiply) / 2
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.rate(middle, multiply) < goal else (low, middle)
        return high
