# SPDX-License-Identifier: BSD-3-Clause
"""Programs for the simulator: the steps of each PE, and the file that src/predict/sim.h describes."""

from __future__ import annotations

import struct
from enum import IntEnum

import numpy as np

STEP = np.dtype([("pe", "<u4"), ("op", "<u4"), ("peer", "<i4"), ("tag", "<i4"), ("bytes", "<u8"), ("seconds", "<f8")])
PACK = struct.Struct("<IIiiQd").pack


class Op(IntEnum):
    """As enum sim_op."""

    COMPUTE = 0
    SEND = 1
    RECEIVE = 2
    ISEND = 3
    IRECEIVE = 4
    WAIT = 5
    PUT = 6
    GET = 7
    BARRIER = 8
    BROADCAST = 9
    REDUCE = 10
    ALLREDUCE = 11
    ALLTOALL = 12
    MARK = 13
    IPUT = 14
    IGET = 15
    QUIET = 16


class Program:
    """Steps are added PE by PE in any order; those of one PE keep theirs."""

    def __init__(self, pes: int) -> None:
        self.pes = pes
        self.steps = [bytearray() for _ in range(pes)]  # as STEP

    def add(self, pe: int, op: Op, peer: int = -1, bytes: int = 0, tag: int = 0, seconds: float = 0.0) -> None:
        self.steps[pe] += PACK(pe, op, peer, tag, bytes, seconds)

    def all(self, op: Op, bytes: int = 0, peer: int = -1) -> None:
        """A collective of all PEs."""
        for pe in range(self.pes):
            self.add(pe, op, peer, bytes)

    def array(self) -> np.ndarray:
        return np.frombuffer(bytearray().join(self.steps), dtype=STEP)
