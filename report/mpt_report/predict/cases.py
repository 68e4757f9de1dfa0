# SPDX-License-Identifier: BSD-3-Clause
"""Programs with a name, which `mpt predict --case` runs on a machine: the tests of the papers.

Each returns seconds for one of what it counts; amounts are in bytes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

from .machine import Machine
from .program import Op, Program
from .simulate import Outcome, Simulator, run
from .units import quantity

ROUNDS = 10
COLLECTIVES = {
    "barrier": Op.BARRIER,
    "broadcast": Op.BROADCAST,
    "reduce": Op.REDUCE,
    "allreduce": Op.ALLREDUCE,
    "alltoall": Op.ALLTOALL,
}


@dataclass(frozen=True)
class Asked:
    """Machine, interface, PEs, bytes of a message, the PE that PE 0 talks to (-1: the next), and who simulates."""

    machine: Machine
    interface: str
    pes: int
    bytes: int = 8
    peer: int = -1
    home: str | None = None
    simulator: Simulator = run

    @property
    def other(self) -> int:
        return self.peer if self.peer >= 0 else self.pes - 1 if self.pes < 3 else 1

    def run(self, program: Program) -> Outcome:
        return self.simulator(self.machine, self.interface, self.pes, program.array(), self.home)


def one_sided(asked: Asked, op: Op) -> float:
    program = Program(asked.pes)
    for _ in range(ROUNDS):
        program.add(0, op, asked.other, asked.bytes)
    return asked.run(program).clocks[0] / ROUNDS


def fetch(asked: Asked) -> float:
    """A remote word (or more bytes) fetched: the whole time."""
    return one_sided(asked, Op.GET)


def put(asked: Asked) -> float:
    """A put, until it is there."""
    return one_sided(asked, Op.PUT)


def ping_pong(asked: Asked, loads: float) -> float:
    """Half of a round trip of a put that the other PE waits for by loading the word from memory: so many loads pass
    behind its arrival."""
    load = asked.machine.data["processor"].get("load", "0")
    return put(asked) + loads * quantity(load, asked.machine.clock)


def all_put(asked: Asked) -> float:
    """The same while each PE puts to its neighbour on another node: their mean."""
    program = Program(asked.pes)
    step = asked.pes // 2
    for _ in range(ROUNDS):
        for pe in range(asked.pes):
            program.add(pe, Op.PUT, (pe + step) % asked.pes, asked.bytes)
    clocks = asked.run(program).clocks
    return sum(clocks) / len(clocks) / ROUNDS


def add_echo(program: Program, other: int, n_bytes: int, rounds: int) -> None:
    program.add(0, Op.MARK, tag=0)
    for _ in range(rounds):
        program.add(0, Op.SEND, other, n_bytes)
        program.add(0, Op.RECEIVE, other, n_bytes)
        program.add(other, Op.RECEIVE, 0, n_bytes)
        program.add(other, Op.SEND, 0, n_bytes)
    program.add(0, Op.MARK, tag=1)


def echo(asked: Asked) -> float:
    """Half of a round trip."""
    program = Program(asked.pes)
    add_echo(program, asked.other, asked.bytes, ROUNDS)
    return asked.run(program).between(0) / ROUNDS / 2


def exchange(program: Program, pes: list[int], n_bytes: int, order: str) -> None:
    """All of `pes` send to all others: step by step in pairs; with all receives first and the sends in a row; or all at
    once (`order`: pairs, row, once)."""
    for rank, pe in enumerate(pes):
        if order != "pairs":
            for step in range(1, len(pes)):
                program.add(pe, Op.IRECEIVE, pes[rank - step], n_bytes)
        for step in range(1, len(pes)):
            if order == "pairs":
                program.add(pe, Op.IRECEIVE, pes[rank - step], n_bytes)
            program.add(pe, Op.SEND if order == "row" else Op.ISEND, pes[(rank + step) % len(pes)], n_bytes)
            if order == "pairs":
                program.add(pe, Op.WAIT)
        if order != "pairs":
            program.add(pe, Op.WAIT)


def loaded_echo(asked: Asked, load: int, order: str = "pairs") -> float:
    """The same while all others exchange `load` bytes with each other, over and over until the echo is done."""
    program = Program(asked.pes)
    add_echo(program, asked.other, asked.bytes, 1)
    others = [pe for pe in range(asked.pes) if pe not in (0, asked.other)]
    for _ in range({"pairs": 6, "row": 2, "once": 1}[order]):
        exchange(program, others, load, order)
    return asked.run(program).between(0) / 2


def collective(asked: Asked, op: Op) -> float:
    """Of those with a root one alone: in a row, PEs that have done their part would begin the next."""
    rooted = op in (Op.BROADCAST, Op.REDUCE)
    program = Program(asked.pes)
    rounds = 1 if rooted else ROUNDS
    for _ in range(rounds):
        program.all(op, asked.bytes, peer=0 if rooted else -1)
    return asked.run(program).time / rounds


def gather_at_zero(asked: Asked, local: float) -> float:
    """Seed 003's reduction of a word: all put to PE 0, PE 0 works for `local` s, and all fetch the result.

    PE 0 loads each word, which lies in memory and not in its cache (`load`); its memory serves one remote access after
    the other (`serve`).
    """
    own, clock = asked.machine.data, asked.machine.clock
    serve = quantity(own["interface"][asked.interface].get("serve", "0"), clock)
    load = quantity(own["processor"].get("load", "0"), clock)
    program = Program(asked.pes)
    for op in (Op.PUT, Op.GET):
        for pe in range(1, asked.pes):
            program.add(pe, Op.COMPUTE, seconds=(pe - 1) * serve)
            program.add(pe, op, 0, asked.bytes)
        if op == Op.PUT:
            program.all(Op.BARRIER)
            program.add(0, Op.COMPUTE, seconds=local + (asked.pes - 1) * load)
            program.all(Op.BARRIER)
    return asked.run(program).time


CASES: dict[str, Callable[[Asked], float]] = {
    "fetch": fetch,
    "put": put,
    "all-put": all_put,
    "echo": echo,
    **{name: functools.partial(collective, op=op) for name, op in COLLECTIVES.items()},
}
