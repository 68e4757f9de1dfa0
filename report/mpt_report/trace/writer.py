# SPDX-License-Identifier: BSD-3-Clause
"""Writes traces from Python: for tests, and for programs that have events of their own to show.

    with Writer(folder, pes=2) as out:
        out.call(0, "MPI_Send", 1.0, 1.5, role=Role.SENDS, peer=1, bytes=8, message=1, site="a.c:7 in main")
        out.call(1, "MPI_Recv", 0.5, 1.6, role=Role.RECEIVES, peer=0, bytes=8, message=1)

Times are seconds since the job began.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from .format import HEADER, MAGIC, MORE_BYTES, NO_PEER, RECORD, SIZE, VERSION, Kind

TICKS_PER_SECOND = 1_000_000_000
FIRST_TICK = 1_000_000
EPOCH_NS = 1_700_000_000_000_000_000


class PeWriter:
    """Records of one PE in the order in which they are given."""

    def __init__(self, pe: int, pes: int, ticks_per_second: int = TICKS_PER_SECOND, first_tick: int = FIRST_TICK):
        self.pe, self.pes, self.ticks_per_second, self.first_tick = pe, pes, ticks_per_second, first_tick
        self.dropped, self.epoch_ns = 0, EPOCH_NS
        self.parts: list[bytes] = []
        self.count = 0
        self.numbers: dict[tuple[Kind, object], int] = {}

    def ticks(self, seconds: float) -> int:
        return self.first_tick + round(seconds * self.ticks_per_second)

    def add(self, kind: Kind, begin: float = 0.0, end: float | None = None, **fields: Any) -> int:
        """A record of any kind; fields are named as in the format. Returns its index."""
        record = np.zeros(1, RECORD)
        record["peer"] = NO_PEER
        record["kind"], record["begin"] = kind, self.ticks(begin)
        record["end"] = self.ticks(begin if end is None else end)
        for name, value in fields.items():
            record[name] = value
        self.parts.append(record.tobytes())
        self.count += 1
        return self.count - 1

    def add_many(self, records: NDArray[np.void]) -> int:
        """Finished records, of type RECORD, with ticks for times. Returns the index of the first."""
        assert records.dtype == RECORD
        self.parts.append(records.tobytes())
        self.count += len(records)
        return self.count - len(records)

    def define(self, kind: Kind, data: bytes, **fields: Any) -> None:
        self.add(kind, bytes=len(data), **fields)
        for at in range(0, len(data), MORE_BYTES):
            self.parts.append(bytes((Kind.MORE,)) + data[at : at + MORE_BYTES].ljust(MORE_BYTES, b"\0"))
            self.count += 1

    def number(self, kind: Kind, key: object) -> tuple[int, bool]:
        """The number that stands for a thing, from 1, and whether it is new."""
        known = self.numbers.get((kind, key))
        if known is not None:
            return known, False
        new = 1 + sum(one[0] == kind for one in self.numbers)
        self.numbers[kind, key] = new
        return new, True

    def name(self, name: str) -> int:
        """The number of a call or a region."""
        found, new = self.number(Kind.DEF_CALL, name)
        if new:
            self.define(Kind.DEF_CALL, name.encode(), call=found)
        return found

    def place(self, line: str) -> int:
        """The number of a place, whose text is `file:line in function`; 0 for an empty one."""
        if not line:
            return 0
        found, new = self.number(Kind.DEF_SITE, line)
        if new:
            self.define(Kind.DEF_SITE, b"/program", site=found, value=16 * found)
            self.define(Kind.DEF_LINE, line.encode(), site=found)
        return found

    def group(self, key: int, members: Sequence[int], name: str = "") -> int:
        """The number of a group of PEs; the key tells it from others on all PEs."""
        found, new = self.number(Kind.DEF_GROUP, key)
        if new:
            data = np.array(members, "<i4").tobytes() + name.encode()
            self.define(Kind.DEF_GROUP, data, group=found, message=key, value=len(members))
        return found

    def bytes(self) -> bytes:
        """The file."""
        head = np.zeros(1, HEADER)
        head["magic"], head["version"], head["record_n"] = MAGIC, VERSION, SIZE
        head["pe"], head["pes"], head["dropped"], head["pid"] = self.pe, self.pes, self.dropped, 1000 + self.pe
        head["ticks_per_second"], head["ticks"], head["epoch_ns"] = (
            self.ticks_per_second,
            self.first_tick,
            self.epoch_ns,
        )
        return head.tobytes() + b"".join(self.parts)


class Writer:
    """A whole trace: a context that writes job.json and the files of all PEs at its end. `job` changes keys of
    job.json."""

    def __init__(self, folder: Path, pes: int, **job: Any):
        self.folder = folder
        self.pes = [PeWriter(pe, pes) for pe in range(pes)]
        self.job = {
            "version": VERSION,
            "command": [["./program"]],
            "pes": pes,
            "hosts": ["here"] * pes,
            "cores": [None] * pes,
            "began": "2026-01-01T00:00:00Z",
            "ended": "2026-01-01T00:00:10Z",
            "status": 0,
            "tasks": 0,
        } | job

    def call(self, pe: int, name: str, begin: float, end: float, site: str = "", **fields: Any) -> int:
        """A call, or with `kind` another record that has a name. Returns its index."""
        out = self.pes[pe]
        kind = fields.pop("kind", Kind.CALL)
        numbers = {"call": out.name(name), "site": out.place(site)}
        return out.add(kind, begin, end, **numbers, **fields)

    def region(self, pe: int, name: str, begin: float, end: float) -> int:
        return self.call(pe, name, begin, end, kind=Kind.REGION)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None:
            self.write()

    def write(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "job.json").write_text(json.dumps(self.job), encoding="utf-8")
        for one in self.pes:
            (self.folder / f"pe.{one.pe}.trace").write_bytes(one.bytes())
