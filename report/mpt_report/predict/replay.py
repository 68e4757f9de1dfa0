# SPDX-License-Identifier: BSD-3-Clause
"""A recorded job (mptrun --trace) as a program for the simulator.

Time between calls is computation (between.py); calls become messages, stores, waits and collectives, with the partners
that the trace found. How long calls took when recorded is not used. The job's start (init) is left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from ..trace import match
from ..trace.events import Events
from ..trace.format import Kind, Role
from ..trace.kinds import form_of, only_made
from .between import Between, Regions, recorded_regions
from .machine import Machine
from .program import Op, Program
from .rounds import partners

COLLECTIVE = {"barrier": Op.BARRIER, "fence": Op.BARRIER, "from root": Op.BROADCAST, "to root": Op.REDUCE}
MAKES = re.compile(r"mpi_(?!session_).+_init$")  # persistent operations
ALLOCATES = re.compile(r"alloc|align|free|win_create")  # its bytes are no message
LONG = 1024  # bytes, from which on a blocking store keeps its PE for as long as they are under way
FIRST_TAG = 1
# Numbers in place of members of enumerations, of which each & takes a microsecond.
SENDS, RECEIVES, BEGINS, TOGETHER = (int(one) for one in (Role.SENDS, Role.RECEIVES, Role.BEGINS, Role.COLLECTIVE))
STORES, LOADS, WAITS, SYNC = (int(one) for one in (Role.STORES, Role.LOADS, Role.WAITS, Role.SYNC))
ONE_SIDED = STORES | LOADS


class ReplayError(ValueError):
    """A trace that cannot be carried out by the simulator."""


@dataclass
class Replay:
    """The program; seconds that were recorded, of the PE that took longest, and those of them between calls."""

    program: Program
    recorded: float
    computed: list[float]
    interface: str
    left_out: int  # calls whose partner the trace does not have
    regions: Regions  # of the program, as recorded


def refuse(events: Events) -> None:
    if len(events.lanes) > len({pe for pe, _ in events.lanes}):
        raise ReplayError("a PE has several threads: only programs with one are carried out")
    if (events.kind == Kind.HANDLER).any():
        raise ReplayError("active messages: when handlers run is not in the trace, so they are not carried out")
    if events.under_way:
        raise ReplayError(f"the job did not end: {events.under_way[0]}")
    missing = set(range(events.pes)) - {pe for pe, _ in events.lanes}
    if missing:
        raise ReplayError(f"there are no records of PE {min(missing)}")


def interface_of(events: Events, machine: Machine) -> str:
    """What the program's calls belong to, if the machine has it; else the machine's first."""
    names = [events.names[call] for call in np.unique(events.call[events.is_call]).tolist()]
    for prefix, interface in (("mpi", "mpi"), ("shmem", "shmem"), ("pvm", "pvm"), ("", "splitc")):
        if interface in machine.interfaces and any(name.lower().startswith(prefix) for name in names):
            return interface
    return machine.interfaces[0]


def processor_seconds(events: Events) -> dict[int, float]:
    """Processor time before a call, by its row, where the system has counted it (MPT_TRACE_COUNTERS=software): without
    the turns of others on the same core."""
    found: dict[int, float] = {}
    counted = events.counted[events.counted["software"]]
    for lane in np.unique(counted["lane"]).tolist():
        rows = events.lane_rows[lane]
        calls = rows.start + np.flatnonzero(events.is_call[rows])
        mine = counted[counted["lane"] == lane]
        place = np.searchsorted(events.begin[calls], mine["end"] - 1e-9)
        inside = place < len(calls)
        found |= dict(zip(calls[place[inside]].tolist(), mine["cycles"][inside].tolist(), strict=True))
    return found


class Maker:
    """Steps of all PEs."""

    def __init__(self, events: Events, factor: float):
        refuse(events)
        self.events, self.factor = events, factor
        self.program = Program(events.pes)
        self.columns: dict[str, memoryview] = {  # elements are Python's own numbers, without a list of all of them
            name: np.ascontiguousarray(getattr(events, name)).data
            for name in ("kind", "role", "pe", "call", "begin", "end", "peer", "bytes", "message", "group", "owner")
        }
        names = [name.lower() for name in events.names]
        self.forms = [form_of(name) for name in events.names]
        makes = MAKES.match
        self.is_init = ["init" in name and "finalize" not in name and not makes(name) for name in names]
        self.only_made = only_made(events).tolist()
        self.is_quiet = [name.startswith("shmem_barrier") or name in ("shmem_finalize",) for name in names]
        self.is_order = [name.endswith("_fence") and "win" not in name for name in names]
        self.is_later = [name.endswith("_nbi") or name.startswith("mpi_") for name in names]
        self.on_processor = processor_seconds(events)
        self.tag: dict[int, int] = {}  # of rows whose partner is known
        self.next_tag = FIRST_TAG
        self.begun: dict[int, list[int]] = defaultdict(list)  # rows of receives, by the row that began them
        self.inner: dict[int, list[int]] = defaultdict(list)  # rows within a call
        self.store_of: dict[int, int] = {}  # rows of stores that a wait waits for, by tag
        self.of_group: dict[tuple[int, int], int] = {}  # tags of collectives of some PEs
        self.stored: dict[int, set[int]] = defaultdict(set)  # by PE: to whom, since it waited for that
        self.fenced: dict[int, set[int]] = defaultdict(set)  # ... and a fence was called
        self.ended: dict[int, list[int]] = defaultdict(
            list
        )  # ends of nonblocking collectives, by the row of their call
        self.under_way: dict[tuple[int, int, int], int] = {}  # ... and their requests, while they are
        self.awaited: set[tuple[int, int, int]] = set()  # PE, group and number of these
        self.left_out = 0
        self.pair()

    def key(self, row: int) -> tuple[int, int, int]:
        """Of a member's part in a collective call."""
        return (self.columns["pe"][row], self.columns["group"][row], self.columns["message"][row])

    def new_tag(self) -> int:
        self.next_tag += 1
        return self.next_tag - 1

    def pair(self) -> None:
        """Gives both ends of a message, and a store and its wait, one tag."""
        found = match.messages(self.events)
        starter = self.starter = self.events.starter.tolist()
        for sent, received in zip(found.sent.tolist(), found.received.tolist(), strict=True):
            self.tag[sent] = self.tag[received] = self.new_tag()
            if starter[received] >= 0 and starter[received] != self.columns["owner"][received]:
                self.begun[starter[received]].append(received)
        waits, used = match.waits(self.events), set()
        for wait, store in zip(waits.wait.tolist(), waits.store.tolist(), strict=True):
            if store not in used:
                used.add(store)
                self.tag[wait] = self.tag[store] = self.new_tag()
                self.store_of[self.tag[wait]] = store
        self.left_out = len(found.only_sent) + len(found.only_received) + len(waits.alone)
        sends = {}  # SENT has the number and peer of its SEND
        kind, owner, pe, peer, message = (self.columns[name] for name in ("kind", "owner", "pe", "peer", "message"))
        for row in found.sent.tolist():
            sends[pe[row], peer[row], message[row]] = self.tag[row]
        for row, what in enumerate(kind):
            if what in (Kind.SEND, Kind.RECEIVE, Kind.SENT, Kind.START) and owner[row] >= 0:
                self.inner[owner[row]].append(row)
                if what == Kind.SENT:
                    self.tag[row] = sends.get((pe[row], peer[row], message[row]), 0)
            elif what == Kind.DONE and owner[row] >= 0:
                self.ended[owner[row]].append(row)
                self.awaited.add(self.key(row))
        self.sent_later = {self.tag[row] for row, what in enumerate(kind) if what == Kind.SENT}

    def make(self) -> Replay:
        computed, recorded = [0.0] * self.events.pes, 0.0
        kind, call, begin, end = (self.columns[name] for name in ("kind", "call", "begin", "end"))
        regions = recorded_regions(self.events)
        for lane in self.events.lane_rows:
            between = Between(self.program, self.events, lane, regions.names, self.factor)
            for row in range(lane.start, lane.stop):
                if kind[row] != Kind.CALL:
                    continue
                if self.is_init[call[row]]:
                    between.start(end[row])
                    continue
                between.call(begin[row], end[row], self.on_processor.get(row, np.inf))
                self.carry_out(row)
            recorded = max(recorded, between.end())
            computed[between.pe] += between.computed
        return Replay(self.program, recorded, computed, "", self.left_out, regions)

    def carry_out(self, row: int) -> None:
        role, pe, call = self.columns["role"][row], self.columns["pe"][row], self.columns["call"][row]
        if self.only_made[row]:
            return
        if role & TOGETHER:
            self.collective(row)
        elif role & ~ONE_SIDED or row in self.inner or row in self.begun:
            self.alone(row, role, pe, call)
        elif role:
            self.one_sided(row, role)
        for done in self.ended.get(row, ()):
            for _ in range(self.under_way.pop(self.key(done), 0)):
                self.program.add(pe, Op.WAIT, tag=self.group_tag(done))

    def alone(self, row: int, role: int, pe: int, call: int) -> None:
        """A call of one PE."""
        if role & SENDS:
            self.send(row, Op.ISEND if role & BEGINS else Op.SEND)
        for received in self.begun.get(row, ()):
            self.step(received, Op.IRECEIVE)
        self.complete(row)
        if role & RECEIVES and not role & BEGINS and row in self.tag:
            self.step(row, Op.RECEIVE)
        if role & ONE_SIDED:
            self.one_sided(row, role)
        if role & WAITS and row in self.tag:
            self.receive_store(row)
        if role & SYNC and self.is_order[call]:
            self.fenced[pe] |= self.stored[pe]
        elif role & SYNC:
            self.quiet(pe)

    def quiet(self, pe: int) -> None:
        self.program.add(pe, Op.QUIET)
        self.stored[pe].clear()
        self.fenced[pe].clear()

    def step(self, row: int, op: Op) -> None:
        peer, n_bytes = self.columns["peer"][row], self.columns["bytes"][row]
        self.program.add(self.columns["pe"][row], op, peer, n_bytes, self.tag[row])

    def send(self, row: int, op: Op) -> None:
        if row in self.tag:
            self.step(row, op)
        elif self.columns["peer"][row] >= 0:
            self.program.add(self.columns["pe"][row], Op.IPUT, self.columns["peer"][row], self.columns["bytes"][row])

    def complete(self, row: int) -> None:
        """What lies within a call: messages leave, are received, requests end."""
        inner = self.inner.get(row, ())
        kind, pe = self.columns["kind"], self.columns["pe"][row]
        sends = [one for one in inner if kind[one] == Kind.SEND]
        for one in sends:
            self.send(one, Op.ISEND)
        for one in inner:
            if kind[one] == Kind.SENT and self.tag[one]:
                self.program.add(pe, Op.WAIT, tag=self.tag[one])
            elif kind[one] == Kind.START:
                self.collective(one)
            elif kind[one] == Kind.RECEIVE and one in self.tag:
                if one in self.begun.get(self.starter[one], ()):
                    self.program.add(pe, Op.WAIT, tag=self.tag[one])
                else:
                    self.step(one, Op.RECEIVE)
        for one in sends:
            if one in self.tag and self.tag[one] not in self.sent_later:
                self.program.add(pe, Op.WAIT, tag=self.tag[one])

    def one_sided(self, row: int, role: int) -> None:
        columns = self.columns
        pe, peer, n_bytes = columns["pe"][row], columns["peer"][row], columns["bytes"][row]
        if peer < 0:
            return
        if role & LOADS:
            later = self.is_later[self.columns["call"][row]] and not role & STORES
            self.program.add(pe, Op.IGET if later else Op.GET, peer, n_bytes)
        elif row in self.tag:
            if peer in self.fenced[pe]:  # it is not there before what was stored before the fence
                self.quiet(pe)
            self.step(row, Op.ISEND)
        elif n_bytes >= LONG and not self.is_later[self.columns["call"][row]]:
            self.program.add(pe, Op.PUT, peer, n_bytes)
        else:
            self.stored[pe].add(peer)
            self.program.add(pe, Op.IPUT, peer, n_bytes)

    def receive_store(self, row: int) -> None:
        """The store's PE is the peer of its message."""
        store = self.store_of[self.tag[row]]
        self.program.add(
            self.columns["pe"][row], Op.RECEIVE, self.columns["pe"][store], self.columns["bytes"][store], self.tag[row]
        )

    # ---- collectives ----

    def collective(self, row: int) -> None:
        call, pe, peer, n_bytes = (self.columns[name][row] for name in ("call", "pe", "peer", "bytes"))
        if self.inner.get(row):
            self.complete(row)
            return
        if self.is_quiet[call] or self.columns["role"][row] & SYNC:
            self.quiet(pe)
        members = self.events.groups[self.columns["group"][row]].members
        op = COLLECTIVE.get(self.forms[call]) or self.of_all(call, n_bytes)
        if self.key(row) in self.awaited:
            self.later(row, op, list(members), n_bytes)
        elif len(members) == self.events.pes:
            each = n_bytes // len(members) if op == Op.ALLTOALL else n_bytes
            self.program.add(pe, op, peer if op in (Op.BROADCAST, Op.REDUCE) else -1, each)
        else:
            self.some(row, op, list(members), n_bytes)

    def of_all(self, call: int, n_bytes: int) -> Op:
        """Of reductions the messages of a reduction, of what gathers those of an exchange of all; without bytes, and
        where memory is allocated, a barrier."""
        name = self.events.names[call].lower()
        if not n_bytes or ALLOCATES.search(name):
            return Op.BARRIER
        return Op.ALLTOALL if any(word in name for word in ("gather", "alltoall", "collect")) else Op.ALLREDUCE

    def some(self, row: int, op: Op, members: list[int], n_bytes: int) -> None:
        """Of a part of the PEs: as rounds, in each of which a PE sends to one at twice the distance; an exchange of
        all as pairs."""
        pe, n = self.columns["pe"][row], len(members)
        tag, each = self.group_tag(row), n_bytes // n if op == Op.ALLTOALL else n_bytes
        for to, source in zip(*partners(op, n, members.index(pe), None), strict=True):
            self.program.add(pe, Op.ISEND, members[to], each, tag)
            self.program.add(pe, Op.RECEIVE, members[source], each, tag)

    def later(self, row: int, op: Op, members: list[int], n_bytes: int) -> None:
        """A nonblocking one: all its messages leave where it begins; the call that completes it waits for them."""
        pe, root, n = self.columns["pe"][row], self.columns["peer"][row], len(members)
        tag, each = self.group_tag(row), n_bytes // n if op == Op.ALLTOALL else n_bytes
        place = members.index(root) if root in members else None
        sends, receives = partners(op, n, members.index(pe), place)
        for source in receives:
            self.program.add(pe, Op.IRECEIVE, members[source], each, tag)
        for to in sends:
            self.program.add(pe, Op.ISEND, members[to], each, tag)
        self.under_way[self.key(row)] = len(sends) + len(receives)

    def group_tag(self, row: int) -> int:
        """The same on all members."""
        key = (self.columns["group"][row], self.columns["message"][row])
        if key not in self.of_group:
            self.of_group[key] = self.new_tag()
        return self.of_group[key]


def replay(events: Events, machine: Machine, factor: float = 1.0) -> Replay:
    """Computation takes `factor` times as long as it was recorded."""
    made = Maker(events, factor).make()
    made.interface = interface_of(events, machine)
    return made
