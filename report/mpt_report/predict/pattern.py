# SPDX-License-Identifier: BSD-3-Clause
"""What the programs of npb_kernels.py, npb_flow.py and partition.py are made of: grids of PEs, exchanges, transposes.

Amounts are bytes for one PE; work is seconds of computation, without loops' starts and copies, which are the machine's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .machine import Machine
from .program import Op, Program
from .units import quantity

LONG = 1024  # from here on the steps of a transpose follow each other, as the messages would be in each other's way
STEPS = 48  # of a long transpose that are simulated: each stands for several
GOLDEN = 0.6180339887498949  # its multiples spread the steps evenly, and in line with no side of a torus


@dataclass
class Pattern:
    """A program under construction: one iteration of a benchmark on so many PEs."""

    machine: Machine
    interface: str
    pes: int
    program: Program = field(init=False)
    gather: float = field(init=False)
    loop: float = field(init=False)
    combine: float = field(init=False)
    overhead: float = field(init=False)

    def __post_init__(self) -> None:
        self.program = Program(self.pes)
        own = self.machine.data["processor"]
        self.gather = 1 / quantity(own["gather"]) if "gather" in own else 0.0
        self.loop = quantity(own.get("loop", "0"), self.machine.clock)
        way = self.machine.data["interface"][self.interface]
        self.overhead = sum(quantity(way.get(key, "0"), self.machine.clock) for key in ("send", "latency", "receive"))
        self.combine = 1 / quantity(own["combine"]) if "combine" in own else 0.0

    def compute(self, pe: int, seconds: float, loops: float = 0.0) -> None:
        """So much work, in so many loops: each start of a loop costs."""
        self.program.add(pe, Op.COMPUTE, seconds=seconds + loops * self.loop)

    def exchange(self, pe: int, peers: Iterable[int], n_bytes: float, packed: bool = True) -> None:
        """With each peer, which does the same; `packed`: what is sent is gathered before, and scattered after."""
        peers = [peer for peer in peers if peer != pe]
        copy = len(peers) * n_bytes * self.gather if packed else 0.0
        if copy:
            self.program.add(pe, Op.COMPUTE, seconds=copy)
        for peer in peers:
            self.program.add(pe, Op.IRECEIVE, peer, int(n_bytes))
        for peer in peers:
            self.program.add(pe, Op.ISEND, peer, int(n_bytes))
        self.program.add(pe, Op.WAIT)
        if copy:
            self.program.add(pe, Op.COMPUTE, seconds=copy)

    def send(self, pe: int, peer: int, n_bytes: float) -> None:
        """Gathered, then sent."""
        if self.gather:
            self.program.add(pe, Op.COMPUTE, seconds=n_bytes * self.gather)
        self.program.add(pe, Op.SEND, peer, int(n_bytes))

    def receive(self, pe: int, peer: int, n_bytes: float) -> None:
        """Received, then scattered."""
        self.program.add(pe, Op.RECEIVE, peer, int(n_bytes))
        if self.gather:
            self.program.add(pe, Op.COMPUTE, seconds=n_bytes * self.gather)

    def transpose(self, pe: int, group: list[int], n_bytes: float) -> None:
        """All of the group exchange n_bytes, in equal parts; the part of the PE itself is only copied.

        Of many steps with long messages some are simulated, with the bytes of those that they stand for: the same
        distances and links, in fewer events. The others' overheads are added.
        """
        n, part = len(group), n_bytes / len(group)
        self.program.add(pe, Op.COMPUTE, seconds=n_bytes * self.gather)
        if part >= LONG:
            taken = min(STEPS, n - 1)
            for k in range(taken):
                step = k if taken == n - 1 else int(k * GOLDEN % 1 * (n - 1))
                self.shift(pe, group, 1 + step, part * (n - 1) / taken)
                self.program.add(pe, Op.WAIT)
            self.program.add(pe, Op.COMPUTE, seconds=(n - 1 - taken) * self.overhead)
        else:
            for step in range(1, n):
                self.shift(pe, group, step, part)
        self.program.add(pe, Op.WAIT)
        self.program.add(pe, Op.COMPUTE, seconds=n_bytes * self.gather)

    def shift(self, pe: int, group: list[int], step: int, n_bytes: float) -> None:
        """To the PE that is so many places further in the group, from the one as far before."""
        me, n = group.index(pe), len(group)
        self.program.add(pe, Op.IRECEIVE, group[me - step], int(n_bytes))
        self.program.add(pe, Op.ISEND, group[(me + step) % n], int(n_bytes))

    def sum(self, pe: int, group: list[int], n_bytes: float) -> None:
        """A sum over the group, a power of two of PEs, by recursive doubling."""
        me, mask = group.index(pe), 1
        while mask < len(group):
            self.exchange(pe, [group[me ^ mask]], n_bytes, packed=False)
            self.program.add(pe, Op.COMPUTE, seconds=n_bytes * self.combine)
            mask *= 2


def near_square(pes: int) -> tuple[int, int]:
    """Two factors of a number, as near to each other as can be, the larger first."""
    small = next(n for n in range(int(pes**0.5), 0, -1) if pes % n == 0)
    return pes // small, small


def halvings(pes: int, dimensions: int = 3) -> list[int]:
    """A power of two dealt out to the dimensions in turn: the last of them first."""
    sides, at = [1] * dimensions, dimensions - 1
    while pes > 1:
        sides[at] *= 2
        pes //= 2
        at = at - 1 if at else dimensions - 1
    return sides


def share(n: int, parts: int) -> int:
    """Of the PE that has most."""
    return -(-n // parts)
