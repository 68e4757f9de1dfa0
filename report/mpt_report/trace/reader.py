# SPDX-License-Identifier: BSD-3-Clause
"""Reads the folder of a trace as it lies there: job.json and the files of the PEs, whole or damaged.

    trace = reader.read(Path("DIR"))
    for pe in trace.pes:
        calls = pe.records[pe.records["kind"] == Kind.CALL]     # mapped, not copied
        names = [pe.calls[number] for number in calls["call"]]

What cannot be read is left out and said in `problems`; only a folder in which there is nothing to read, or a file of
another version, is a TraceError.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import definitions
from .definitions import Definitions
from .format import HEADER, MAGIC, MOST_RING, RECORD, SIZE, TAIL, TAIL_AT, TAIL_MAGIC, VERSION, Kind

FILE = re.compile(r"pe\.(\d{1,9})\.trace")
MOST_NAMED = 8  # PEs in one message


class TraceError(ValueError):
    """There is no trace, or none that this reader knows."""


@dataclass
class Job:
    """What job.json says; `status` is None where the launcher didn't live to write it, lists lack what isn't known."""

    command: list[list[str]] = field(default_factory=list)
    pes: int = 0
    hosts: list[str] = field(default_factory=list)
    cores: list[Any] = field(default_factory=list)
    began: str = ""
    ended: str = ""
    status: int | None = None
    tasks: int = 0

    def host(self, pe: int) -> str:
        """The name of a PE's host; empty if unknown."""
        return self.hosts[pe] if pe < len(self.hosts) else ""


@dataclass
class PeTrace:
    """A file of one PE. `records` are all of its records, in the order of the file, as the file has them."""

    pe: int
    pes: int
    ticks_per_second: int
    ticks: int
    epoch_ns: int
    dropped: int
    pid: int
    records: NDArray[np.void]
    known: Definitions
    problems: list[str]

    def under_way(self) -> NDArray[np.void]:
        """Records of calls that had not returned when the PE ended."""
        found: NDArray[np.void] = self.records[(self.records["kind"] == Kind.NONE) & (self.records["begin"] != 0)]
        return found

    @property
    def calls(self) -> dict[int, str]:
        """Names of calls and regions by their numbers."""
        return self.known.calls


@dataclass
class Trace:
    """A folder: PEs in the order of their numbers, without those that have no file."""

    folder: Path
    job: Job
    pes: list[PeTrace]
    problems: list[str]

    @property
    def records(self) -> int:
        """How many records are complete, definitions included."""
        return sum(int(np.count_nonzero(pe.records["kind"])) for pe in self.pes)

    @property
    def dropped(self) -> int:
        return sum(pe.dropped for pe in self.pes)


def words(value: object) -> list[str]:
    return [str(word) for word in value] if isinstance(value, list) else []


def number(value: object, least: int = 0) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= least else 0


def job_of(raw: dict[str, Any]) -> Job:
    """Takes what is well formed; a missing key is as bad as a wrong one."""
    commands = raw.get("command")
    status = raw.get("status")
    cores = raw.get("cores")
    return Job(
        command=[words(one) for one in commands] if isinstance(commands, list) else [],
        pes=number(raw.get("pes")),
        hosts=words(raw.get("hosts")),
        cores=cores if isinstance(cores, list) else [],
        began=str(raw.get("began") or ""),
        ended=str(raw.get("ended") or ""),
        status=status if isinstance(status, int) else None,
        tasks=number(raw.get("tasks")),
    )


def read_job(folder: Path, problems: list[str]) -> Job:
    path = folder / "job.json"
    try:
        raw = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    except FileNotFoundError:
        problems.append("job.json is missing: command, hosts and the end of the job are unknown")
        return Job()
    except (ValueError, RecursionError) as error:
        problems.append(f"job.json is damaged: {error}")
        return Job()
    if not isinstance(raw, dict):
        problems.append("job.json is damaged: it holds no object")
        return Job()
    version = raw.get("version")
    if version != VERSION:
        raise TraceError(f"{path}: version {version!r} of the format; this reader knows {VERSION}")
    return job_of(raw)


def with_tail(path: Path, records: NDArray[np.void], problems: list[str]) -> NDArray[np.void]:
    """The records of a file, and behind them those that a PE which was killed had not yet written there."""
    tail = path.with_suffix(".tail")
    try:
        raw = tail.read_bytes() if tail.stat().st_size <= TAIL_AT + MOST_RING * SIZE else b""
    except FileNotFoundError:
        return records
    head = np.frombuffer(raw[: TAIL.itemsize].ljust(TAIL.itemsize, b"\0"), TAIL)[0]
    ring_n, written, room = (int(head[name]) for name in ("ring_n", "written", "room"))
    whole = max(len(raw) - TAIL_AT, 0) // SIZE
    ring = np.frombuffer(raw, RECORD, whole, TAIL_AT) if whole else np.zeros(0, RECORD)
    fits = head["magic"] == TAIL_MAGIC and len(ring) == ring_n and 0 <= room - written <= ring_n
    if not fits or not 1 <= written <= len(records) + 1:
        problems.append(f"{tail.name} is damaged: the last records of this PE are missing")
        return records
    slots = np.arange(written, room) % ring_n
    return np.concatenate((records[: written - 1], ring[slots]))


def read_pe(path: Path, pe: int) -> PeTrace:
    """One file. Raises TraceError where its header can't be read; a file may end anywhere behind it."""
    size = path.stat().st_size
    if size < SIZE:
        raise TraceError(f"{path.name}: {size} bytes, less than a header")
    with path.open("rb") as file:
        head = np.frombuffer(file.read(SIZE), HEADER)[0]
    if head["magic"] != MAGIC:
        raise TraceError(f"{path.name}: no trace: it begins with {bytes(head['magic'])!r}")
    if head["version"] != VERSION:
        raise TraceError(f"{path.name}: version {head['version']} of the format; this reader knows {VERSION}")
    if head["record_n"] != SIZE:
        raise TraceError(f"{path.name}: records of {head['record_n']} bytes; this reader knows {SIZE}")
    if head["ticks_per_second"] == 0:
        raise TraceError(f"{path.name}: a clock of 0 ticks per second")
    problems = []
    if head["pe"] != pe:
        problems.append(f"{path.name}: its header is that of PE {head['pe']}")
    if (size - SIZE) % SIZE:
        problems.append(f"{path.name}: ends within a record")
    count = (size - SIZE) // SIZE
    records = np.memmap(path, RECORD, "r", SIZE, (count,)) if count else np.zeros(0, RECORD)
    records = with_tail(path, records, problems)
    found = definitions.find(records, path.name, problems)
    values = {name: int(head[name]) for name in ("pes", "ticks_per_second", "ticks", "epoch_ns", "dropped", "pid")}
    return PeTrace(pe=pe, records=records, known=found, problems=problems, **values)


def listed(numbers: list[int]) -> str:
    """PEs in a message: the first few, and how many more."""
    shown = ", ".join(str(one) for one in numbers[:MOST_NAMED])
    return shown + (f" and {len(numbers) - MOST_NAMED} more" if len(numbers) > MOST_NAMED else "")


def missing(job: Job, found: list[PeTrace]) -> list[int]:
    have = {one.pe for one in found}
    return [pe for pe in range(min(job.pes, 1 << 20)) if pe not in have]


def read(folder: Path) -> Trace:
    """The trace in a folder. TraceError: none is there, or it is of another version; OSError as from the system."""
    if not folder.is_dir():
        raise TraceError(f"{folder}: no folder with a trace (mptrun --trace DIR makes one)")
    paths = sorted((int(match[1]), path) for path in folder.iterdir() if (match := FILE.fullmatch(path.name)))
    if not paths:
        raise TraceError(f"{folder}: no files pe.N.trace in it (mptrun --trace DIR makes them)")
    problems: list[str] = []
    job = read_job(folder, problems)
    found, refused = [], []
    for pe, path in paths:
        try:
            found.append(read_pe(path, pe))
        except (TraceError, OSError) as error:
            refused.append(str(error))
    if not found:
        raise TraceError(f"{folder}: {refused[0]}")
    problems += refused
    job.pes = max(job.pes, found[-1].pe + 1)
    absent = missing(job, found)
    if absent:
        problems.append(f"no trace of {len(absent)} of {job.pes} PEs: {listed(absent)}")
    for one in found:
        problems += one.problems
    return Trace(folder, job, found, problems)
