# SPDX-License-Identifier: BSD-3-Clause
"""All records of all PEs as columns, with names, lines and groups that are the same on all PEs, and one clock.

events = events_of(reader.read(folder))
events.name[events.call[row]]       # "MPI_Send"
events.end[row] - events.begin[row] # seconds
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import clocks
from .counted import COUNTED, taken
from .definitions import Group
from .dense import numbered
from .format import FIRST_WINDOW, NO_RECORD, SPACE_SHIFT, Kind, Role
from .reader import PeTrace, Trace
from .sites import Sites

KEPT = (Kind.CALL, Kind.SEND, Kind.RECEIVE, Kind.SENT, Kind.HANDLER, Kind.REGION, Kind.START, Kind.DONE)
MOST_UNDER_WAY = 16  # of a PE; only damage makes more
OFFSETS = (1 << SPACE_SHIFT) - 1


@dataclass
class Events:
    """Columns of equal length, sorted by lane (a thread of a PE), then by time. Rows of calls, and of what lies within
    them.

    `begin` and `end` are seconds since the first record. `call`, `site` and `group` are places in `names`, `lines` and
    `groups`. `owner` is the row of the call in which a row lies, -1 if it is unknown, and itself for a call.
    `starter` is, for a message that arrived, the row of the call that began to receive it, or -1. `lane` is a place in
    `lanes`, which are pairs of PE and thread.
    """

    pes: int
    kind: NDArray[np.uint8]
    role: NDArray[np.uint8]
    pe: NDArray[np.int32]
    lane: NDArray[np.int32]
    call: NDArray[np.int32]
    result: NDArray[np.uint16]
    begin: NDArray[np.float64]
    end: NDArray[np.float64]
    peer: NDArray[np.int32]
    tag: NDArray[np.int32]
    bytes: NDArray[np.int64]
    group: NDArray[np.int32]
    site: NDArray[np.int32]
    message: NDArray[np.uint64]
    value: NDArray[np.uint64]
    owner: NDArray[np.int64]
    starter: NDArray[np.int64]
    names: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    lanes: list[tuple[int, int]] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)
    sources: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)  # of a PE in a group: its neighbours
    counted: NDArray[np.void] = field(default_factory=lambda: np.zeros(0, COUNTED))  # between calls, in order of lanes
    under_way: list[str] = field(default_factory=list)  # calls in which PEs ended, a line each
    problems: list[str] = field(default_factory=list)
    clock_error: float = 0.0  # seconds by which times of two hosts may be wrong against each other
    recorder: dict[int, float] = field(default_factory=dict)  # by PE: seconds it takes between two calls, where known

    def __len__(self) -> int:
        return len(self.kind)

    def has(self, role: int) -> NDArray[np.bool_]:
        """Which rows have one of these roles."""
        found: NDArray[np.bool_] = (self.role & np.uint8(role)) != 0
        return found

    @cached_property
    def is_call(self) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self.kind == Kind.CALL
        return found

    @cached_property
    def time(self) -> NDArray[np.float64]:
        """Seconds of each row."""
        return self.end - self.begin

    @cached_property
    def lane_rows(self) -> list[slice]:
        """The rows of each lane."""
        bounds = np.searchsorted(self.lane, np.arange(len(self.lanes) + 1)).tolist()
        return [slice(first, last) for first, last in pairwise(bounds)]

    def lane_name(self, lane: int) -> str:
        pe, thread = self.lanes[lane]
        return f"{pe}" if thread == 0 else f"{pe} thread {thread}"

    def where(self, row: int) -> str:
        """A row's call and line, as one names it: `MPI_Send at a.c:7 in main`."""
        line = self.lines[self.site[row]]
        return f"{self.names[self.call[row]]} at {line}" if line else self.names[self.call[row]]


class Table:
    """Numbers for things as they are first met."""

    def __init__(self, *first: object) -> None:
        self.numbers: dict[object, int] = {one: number for number, one in enumerate(first)}

    def number(self, key: object) -> int:
        return self.numbers.setdefault(key, len(self.numbers))


def mapped(local: NDArray[np.generic], known: dict[int, int]) -> NDArray[np.int32]:
    """Each local number's own one; `known` has one for each that occurs."""
    numbers, places = numbered(local)
    table = np.array([known[one] for one in numbers.tolist()], np.int32)
    found: NDArray[np.int32] = table[places] if len(table) else np.zeros(0, np.int32)
    return found


class Merger:
    """Brings PEs together, one after the other."""

    def __init__(self, trace: Trace):
        self.trace = trace
        self.clocks = clocks.clocks(trace)
        self.sites = Sites(trace)
        self.names, self.lines, self.keys = Table(), Table(""), Table(None)
        self.groups = [Group(0, tuple(range(trace.job.pes)), "all PEs")]
        self.lanes: list[tuple[int, int]] = []
        self.sources: dict[tuple[int, int], tuple[int, ...]] = {}
        self.counted: list[NDArray[np.void]] = []
        self.under_way: list[str] = []
        self.problems: list[str] = clocks.problems(trace, self.clocks)
        self.recorder: dict[int, float] = {}

    def group(self, pe: PeTrace, local: int) -> int:
        """Number 0 and what isn't defined are all PEs."""
        found = pe.known.groups.get(local)
        if found is None:
            return 0
        number = self.keys.number(found.key)
        if number == len(self.groups):
            self.groups.append(found)
        return number

    def unfinished(self, pe: PeTrace) -> None:
        """Says in which calls the PE ended."""
        for row in pe.under_way()[:MOST_UNDER_WAY]:
            name, line = pe.calls.get(int(row["call"]), "a call"), self.sites.text(pe, int(row["site"]))
            self.under_way.append(f"PE {pe.pe} ended within {name}" + (f" at {line}" if line else ""))

    def measured(self, pe: PeTrace) -> None:
        """What the recorder found that it takes itself."""
        for row in pe.records[pe.records["kind"] == Kind.RECORDER][:1]:
            if row["bytes"]:
                self.recorder[pe.pe] = float(row["value"]) / float(row["bytes"]) / pe.ticks_per_second

    def kept(self, pe: PeTrace) -> NDArray[np.int64]:
        kinds = pe.records["kind"]
        known = {
            *KEPT,
            Kind.NONE,
            Kind.COUNTERS,
            Kind.CLOCK,
            Kind.RECORDER,
            Kind.MORE,
            *range(Kind.DEF_CALL, Kind.DEF_SOURCES + 1),
        }
        table = np.zeros(256, np.bool_)
        table[list(known)] = True
        strange = int((~table[kinds]).sum())
        if strange:
            self.problems.append(f"PE {pe.pe}: records of an unknown kind: {strange}")
        table[:] = False
        table[list(KEPT)] = True
        return np.flatnonzero(table[kinds])

    def columns(self, pe: PeTrace) -> dict[str, NDArray[Any]]:
        """The PE's rows, sorted; `owner` and `starter` count from the PE's first row."""
        self.unfinished(pe)
        self.measured(pe)
        places = self.kept(pe)
        rows = pe.records[places]
        if (rows["thread"] != 0).any() or (rows["begin"][1:] < rows["begin"][:-1]).any():
            order = np.lexsort((places, rows["begin"], rows["thread"]))
            rows, places = rows[order], places[order]
        clock = self.clocks[pe.pe]
        begin, end = clock.seconds(rows["begin"]), clock.seconds(rows["end"])
        self.count(pe, "records that end before they begin", end < begin)
        peer = rows["peer"].copy()
        wrong = (peer < -2) | (peer >= self.trace.job.pes)
        self.count(pe, "records with a peer that isn't in the job", wrong)
        peer[wrong] = -1
        threads, lane = numbered(rows["thread"])
        lane = lane + len(self.lanes)
        of_thread = {thread: len(self.lanes) + place for place, thread in enumerate(threads.tolist())}
        self.counted.append(taken(pe.records, clock, of_thread))
        self.lanes += [(pe.pe, thread) for thread in threads.tolist()]
        calls = {
            one: self.names.number(pe.calls.get(one) or f"call {one}") for one in numbered(rows["call"])[0].tolist()
        }
        sites = {one: self.lines.number(self.sites.text(pe, one)) for one in numbered(rows["site"])[0].tolist()}
        groups = {one: self.group(pe, one) for one in numbered(rows["group"])[0].tolist()}
        self.sources |= {(pe.pe, self.group(pe, one)): found for one, found in pe.known.sources.items()}
        made = {name: rows[name].copy() for name in ("kind", "role", "result", "tag", "value")}
        owner = owners(made["kind"], lane, begin, end)
        return made | {
            "pe": np.full(len(rows), pe.pe, np.int32),
            "lane": lane.astype(np.int32),
            "call": mapped(rows["call"], calls),
            "site": mapped(rows["site"], sites),
            "group": mapped(rows["group"], groups),
            "begin": begin,
            "end": np.maximum(begin, end),
            "peer": peer,
            "bytes": np.minimum(rows["bytes"], np.uint64(2**62)).astype(np.int64),
            "message": self.addresses(pe, rows),
            "owner": owner,
            "starter": starters(rows, places, len(pe.records), owner),
        }

    def addresses(self, pe: PeTrace, rows: NDArray[np.void]) -> NDArray[np.uint64]:
        """`message`, in which windows have their common number in place of the PE's own."""
        found: NDArray[np.uint64] = rows["message"].copy()
        remote = np.flatnonzero((rows["role"] & int(Role.STORES | Role.LOADS | Role.WAITS)) != 0)
        spaces = (found[remote] >> np.uint64(SPACE_SHIFT)).astype(np.int64)
        windows = remote[spaces >= FIRST_WINDOW]
        if len(windows):
            local = (found[windows] >> np.uint64(SPACE_SHIFT)).astype(np.int64) - FIRST_WINDOW
            common = mapped(local, {one: self.group(pe, one) for one in set(local.tolist())}).astype(np.uint64)
            found[windows] &= np.uint64(OFFSETS)
            found[windows] |= (common + np.uint64(FIRST_WINDOW)) << np.uint64(SPACE_SHIFT)
        return found

    def count(self, pe: PeTrace, what: str, which: NDArray[np.bool_]) -> None:
        number = int(which.sum())
        if number:
            self.problems.append(f"PE {pe.pe}: {what}: {number}")


def owners(
    kind: NDArray[np.uint8], lane: NDArray[np.int64], begin: NDArray[np.float64], end: NDArray[np.float64]
) -> NDArray[np.int64]:
    """For each row the call before it in its lane, if the row begins within it."""
    rows = np.arange(len(kind))
    last = np.maximum.accumulate(np.where(kind == Kind.CALL, rows, -1)) if len(kind) else rows
    had = np.maximum(last, 0)
    inside = (last >= 0) & (lane[had] == lane) & (begin <= end[had]) if len(kind) else last >= 0
    inside &= kind != Kind.REGION
    found: NDArray[np.int64] = np.where(inside, last, -1)
    return found


def starters(
    rows: NDArray[np.void], places: NDArray[np.int64], records: int, owner: NDArray[np.int64]
) -> NDArray[np.int64]:
    """For messages that arrived the row of the call that began to receive them: a blocking call is its own."""
    found = np.where(rows["kind"] == Kind.CALL, owner, -1)
    told = np.flatnonzero((rows["kind"] == Kind.RECEIVE) & (rows["value"] != np.uint64(NO_RECORD)))
    index = rows["value"][told]
    fits = index < np.uint64(records)
    row_of = np.full(records, -1, np.int64)
    row_of[places] = np.arange(len(places))
    found[told[fits]] = row_of[index[fits].astype(np.int64)]
    return found


def events_of(trace: Trace) -> Events:
    """All PEs of a trace."""
    merger = Merger(trace)
    parts, total = [], 0
    for pe in trace.pes:
        part = merger.columns(pe)
        for name in ("owner", "starter"):
            part[name][part[name] >= 0] += total
        total += len(part["kind"])
        parts.append(part)
    columns = {name: np.concatenate([part.pop(name) for part in parts]) for name in list(parts[0])}
    first = columns["begin"].min() if total else 0.0
    columns["begin"] -= first
    columns["end"] -= first
    counted = np.concatenate(merger.counted) if merger.counted else np.zeros(0, COUNTED)
    counted["begin"] -= first
    counted["end"] -= first
    return Events(
        pes=trace.job.pes,
        names=[str(one) for one in merger.names.numbers],
        lines=[str(one) for one in merger.lines.numbers],
        groups=merger.groups,
        lanes=merger.lanes,
        hosts=[trace.job.host(pe) for pe in range(trace.job.pes)],
        sources=merger.sources,
        counted=counted,
        under_way=merger.under_way,
        problems=[*trace.problems, *merger.problems],
        clock_error=clocks.error(merger.clocks),
        recorder=merger.recorder,
        **columns,
    )
