# SPDX-License-Identifier: BSD-3-Clause
"""An OTF2 archive, which Vampir, Score-P's tools and otf2-print read: by the Open Trace Format's own library.

A host is a node of the system tree, a PE a process, each of its threads a location. Calls and regions of the program
are regions, with the line they were called from as an attribute of `enter`. Messages of which both ends are known are
MpiSend and MpiRecv, whatever interface sent them; collective calls MpiCollectiveBegin and -End where OTF2 has the
operation, nonblocking ones NonBlockingCollectiveRequest where they begin and -Complete in the call that completes them.
Puts, gets and atomic operations are on one window, `memory of other PEs`. Times are nanoseconds.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..trace.format import Role
from ..trace.reader import Job
from . import kinds
from .kinds import CallKind
from .select import Shown

Act = Callable[[Any, int], None]  # with the location's writer and a time

# The first word that a call's name holds.
PARADIGMS = (("MPI", "MPI"), ("shmem", "SHMEM"), ("pvm", "MPI"), ("region", "USER"))
ROLES = {
    CallKind.SEND: "POINT2POINT",
    CallKind.RECEIVE: "POINT2POINT",
    CallKind.COLLECTIVE: "COLL_OTHER",
    CallKind.PUT: "RMA",
    CallKind.GET: "RMA",
    CallKind.SYNC: "RMA",
}
# OTF2's operations by names of calls, the longer one first.
OPERATIONS = (
    (re.compile(r"reduce_?scatter_block", re.I), "REDUCE_SCATTER_BLOCK"),
    (re.compile(r"reduce_?scatter", re.I), "REDUCE_SCATTER"),
    (re.compile(r"allreduce|to_all|sum_reduce|prod_reduce|(min|max|and|or|xor)_reduce", re.I), "ALLREDUCE"),
    (re.compile(r"reduce", re.I), "REDUCE"),
    (re.compile(r"exscan", re.I), "EXSCAN"),
    (re.compile(r"scan", re.I), "SCAN"),
    (re.compile(r"alltoallw", re.I), "ALLTOALLW"),
    (re.compile(r"alltoallv", re.I), "ALLTOALLV"),
    (re.compile(r"alltoall", re.I), "ALLTOALL"),
    (re.compile(r"allgatherv|_collect(?!ive)", re.I), "ALLGATHERV"),
    (re.compile(r"allgather|fcollect", re.I), "ALLGATHER"),
    (re.compile(r"gatherv", re.I), "GATHERV"),
    (re.compile(r"gather", re.I), "GATHER"),
    (re.compile(r"scatterv", re.I), "SCATTERV"),
    (re.compile(r"scatter", re.I), "SCATTER"),
    (re.compile(r"bcast|broadcast", re.I), "BCAST"),
    (re.compile(r"barrier|shmem_(team_)?sync", re.I), "BARRIER"),
)
ROOTED = {"BCAST", "GATHER", "GATHERV", "SCATTER", "SCATTERV", "REDUCE"}


def operation(name: str) -> str | None:
    """OTF2's collective operation for a call; None where it has none."""
    return next((found for words, found in OPERATIONS if words.search(name)), None)


class Archive:
    """The definitions of a job, and what its locations write."""

    def __init__(self, otf2: Any, writer: Any, shown: Shown, job: Job):
        self.otf2, self.shown, self.events = otf2, shown, shown.events
        self.make = writer.definitions
        self.locations = self.places(job)
        everybody = self.make.group(
            "all PEs",
            group_type=otf2.GroupType.COMM_LOCATIONS,
            paradigm=otf2.Paradigm.MPI,
            members=[self.locations[pe, 0] for pe in range(self.events.pes)],
        )
        self.comms = [self.make.comm("all PEs", group=everybody)] + [
            self.make.comm(group.name, group=self.members(group.members), parent=None)
            for group in self.events.groups[1:]
        ]
        self.memory = self.make.rma_win("memory of other PEs", comm=self.comms[0])
        self.line = self.make.attribute("line", "where the program calls", otf2.Type.STRING)
        kind = kinds.kinds_of(self.events)
        self.regions = {
            (call, what): self.region(self.events.names[call], CallKind(what))
            for call, what in {*zip(self.events.call.tolist(), kind.tolist(), strict=True)}
        }
        self.kind = kind

    def places(self, job: Job) -> dict[tuple[int, int], Any]:
        """A location for each thread of each PE, also of PEs of which nothing is known."""
        root = self.make.system_tree_node("job", class_name="machine")
        nodes: dict[str, Any] = {}
        found: dict[tuple[int, int], Any] = {}
        threads = {(pe, 0) for pe in range(self.events.pes)} | set(self.events.lanes)
        groups: dict[int, Any] = {}
        for pe, thread in sorted(threads):
            host = job.host(pe) or "host"
            if host not in nodes:
                nodes[host] = self.make.system_tree_node(host, class_name="node", parent=root)
            if pe not in groups:
                groups[pe] = self.make.location_group(f"PE {pe}", system_tree_parent=nodes[host])
            name = "main thread" if thread == 0 else f"thread {thread}"
            found[pe, thread] = self.make.location(f"PE {pe}, {name}", group=groups[pe])
        return found

    def members(self, pes: tuple[int, ...]) -> Any:
        return self.make.group(
            group_type=self.otf2.GroupType.COMM_GROUP,
            paradigm=self.otf2.Paradigm.MPI,
            members=[self.locations[pe, 0] for pe in pes],
        )

    def region(self, name: str, kind: CallKind) -> Any:
        paradigm = next((found for word, found in PARADIGMS if name.startswith(word)), "USER")
        role = (
            "BARRIER" if operation(name) == "BARRIER" and kind == CallKind.COLLECTIVE else ROLES.get(kind, "FUNCTION")
        )
        return self.make.region(
            name,
            region_role=getattr(self.otf2.RegionRole, role),
            paradigm=getattr(self.otf2.Paradigm, paradigm),
        )

    def rank(self, group: int, pe: int) -> int:
        """A PE's rank in a group; of one that isn't a member (an intercommunicator's) its number in the job."""
        members = self.events.groups[group].members
        return pe if group == 0 or pe not in members else members.index(pe)

    def comm(self, group: int, *pes: int) -> int:
        """The group, if these PEs are members; else all PEs."""
        return group if all(pe in self.events.groups[group].members for pe in pes) else 0


class Acts:
    """What happens within a row, besides its begin and its end: first after the one, last before the other."""

    def __init__(self, archive: Archive):
        self.archive, self.events = archive, archive.events
        self.first: dict[int, list[Act]] = defaultdict(list)
        self.last: dict[int, list[Act]] = defaultdict(list)
        self.left_out = 0  # messages that lie in no call
        self.messages()
        self.collectives()
        self.accesses()

    def messages(self) -> None:
        events, arrows = self.events, self.archive.shown.messages
        for source, target in zip(arrows.source.tolist(), arrows.target.tolist(), strict=True):
            sends, receives = int(events.owner[source]), int(events.owner[target])
            if sends < 0 or receives < 0:
                self.left_out += 1
                continue
            of, to = int(events.pe[source]), int(events.pe[target])
            group = self.archive.comm(int(events.group[source]), of, to)
            comm, tag, size = self.archive.comms[group], int(events.tag[source]) & 0xFFFFFFFF, int(events.bytes[source])
            self.first[sends].append(self.sent(self.archive.rank(group, to), comm, tag, size))
            self.last[receives].append(self.received(self.archive.rank(group, of), comm, tag, size))

    @staticmethod
    def sent(rank: int, comm: Any, tag: int, size: int) -> Act:
        return lambda writer, time: writer.mpi_send(time, rank, comm, tag, size)

    @staticmethod
    def received(rank: int, comm: Any, tag: int, size: int) -> Act:
        return lambda writer, time: writer.mpi_recv(time, rank, comm, tag, size)

    def collectives(self) -> None:
        events, shown = self.events, self.archive.shown
        begins = events.has(Role.BEGINS)
        for request, (row, ended) in enumerate(zip(shown.band_rows.tolist(), shown.band_ends.tolist(), strict=True)):
            name = operation(events.names[events.call[row]])
            if name is None:
                continue
            group, root, size = int(events.group[row]), int(events.peer[row]), int(events.bytes[row])
            rank = self.archive.rank(group, root) if name in ROOTED and root >= 0 else 0xFFFFFFFF
            what, comm = getattr(self.archive.otf2.CollectiveOp, name), self.archive.comms[group]
            if begins[row]:
                self.first[row].append(self.requested(request))
                self.last[ended].append(self.completed(what, comm, rank, size, request))
            else:
                self.first[row].append(lambda writer, time: writer.mpi_collective_begin(time))
                self.last[row].append(self.collective(what, comm, rank, size))

    @staticmethod
    def collective(what: Any, comm: Any, root: int, size: int) -> Act:
        return lambda writer, time: writer.mpi_collective_end(time, what, comm, root, size, size)

    @staticmethod
    def requested(request: int) -> Act:
        return lambda writer, time: writer.non_blocking_collective_request(time, request)

    @staticmethod
    def completed(what: Any, comm: Any, root: int, size: int, request: int) -> Act:
        return lambda writer, time: writer.non_blocking_collective_complete(time, what, comm, root, size, size, request)

    def accesses(self) -> None:
        events, calls = self.events, self.archive.shown.calls
        remote = events.has(Role.STORES | Role.LOADS) & ~events.has(Role.COLLECTIVE) & (events.peer >= 0)
        for number, row in enumerate(calls[remote[calls]].tolist()):
            role, peer, size = int(events.role[row]), int(events.peer[row]), int(events.bytes[row])
            self.first[row].append(self.access(role, peer, size, number))
            self.last[row].append(self.accessed(number))

    def access(self, role: int, peer: int, size: int, number: int) -> Act:
        window = self.archive.memory
        if role & Role.STORES and role & Role.LOADS:
            kind = self.archive.otf2.RmaAtomicType.ACCUMULATE
            return lambda writer, time: writer.rma_atomic(time, window, peer, kind, size, size, number)
        if role & Role.STORES:
            return lambda writer, time: writer.rma_put(time, window, peer, size, number)
        return lambda writer, time: writer.rma_get(time, window, peer, size, number)

    def accessed(self, number: int) -> Act:
        window = self.archive.memory
        return lambda writer, time: writer.rma_op_complete_blocking(time, window, number)


def in_turn(shown: Shown, lane: int, rows: np.ndarray) -> Iterator[tuple[bool, int, int]]:
    """(enters, row, time) of a lane's calls and regions, one within the other; times never go back."""
    events = shown.events
    rows = rows[events.lane[rows] == lane]
    rows = rows[np.lexsort((-events.end[rows], events.begin[rows]))]
    begin = np.maximum(np.rint((events.begin[rows] - shown.origin) * 1e9), 0).astype(np.int64).tolist()
    end = np.maximum(np.rint((events.end[rows] - shown.origin) * 1e9), 0).astype(np.int64).tolist()
    now = 0
    within: list[tuple[int, int]] = []  # row and end
    for row, first, last in zip(rows.tolist(), begin, end, strict=True):
        while within and within[-1][1] <= first:
            done, until = within.pop()
            now = max(now, until)
            yield False, done, now
        now = max(now, first)
        yield True, row, now
        within.append((row, min(last, within[-1][1]) if within else last))
    for done, until in reversed(within):
        now = max(now, until)
        yield False, done, now


def write_lane(archive: Archive, acts: Acts, writer: Any, lane: int, rows: np.ndarray) -> None:
    events = archive.events
    for enters, row, time in in_turn(archive.shown, lane, rows):
        region = archive.regions[int(events.call[row]), int(archive.kind[row])]
        if enters:
            line = events.lines[events.site[row]]
            writer.enter(time, region, attributes={archive.line: line} if line else None)
            for act in acts.first.get(row, ()):
                act(writer, time)
        else:
            for act in acts.last.get(row, ()):
                act(writer, time)
            writer.leave(time, region)


def write(shown: Shown, job: Job, folder: Path) -> int:
    """Makes the archive in `folder`, which must not be there. Returns how many messages were left out, as they lie in
    no call. Raises ImportError where the library isn't there, FileExistsError where the folder is."""
    import otf2
    import otf2.writer

    folder.mkdir(parents=True, exist_ok=False)
    with otf2.writer.open(str(folder), timer_resolution=1_000_000_000) as out:
        archive = Archive(otf2, out, shown, job)
        acts = Acts(archive)
        rows = np.concatenate((shown.calls, shown.regions))
        for lane in shown.lanes:
            location = archive.locations[shown.events.lanes[lane]]
            write_lane(archive, acts, out.event_writer_from_location(location), lane, rows)
    return acts.left_out
