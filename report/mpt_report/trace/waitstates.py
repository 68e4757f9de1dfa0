# SPDX-License-Identifier: BSD-3-Clause
"""Wait states: for each call until when it could not go on, because of which record of another PE.

The kinds are those of Scalasca (Geimer et al., "The Scalasca performance toolset architecture", 2010; its pattern
reference has the definitions). The cost of a wait is the time from the call's begin to the begin of what it needed, and
no more than the call took. A call that needed several things waited for the last.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from . import kinds
from .events import Events
from .format import PARTITION, Kind, Role
from .match import EMPTY, Collectives, Messages, Rows, Waits, last_before, ranks

# Earlier ones win where two reasons end at the same moment.
KINDS = (
    "late sender",
    "late receiver",
    "wait at barrier",
    "wait at NxN",
    "late broadcast",
    "early reduce",
    "early scan",
    "late neighbour",
    "wait at fence",
    "late put",
    "lock contention",
    "late post",
    "late complete",
)
NUMBER = {name: number for number, name in enumerate(KINDS)}
POLL_APART = 20e-6  # seconds between tests of a loop that does nothing else
AT_ALL = {"barrier": "wait at barrier", "all": "wait at NxN", "fence": "wait at fence"}


@dataclass(frozen=True)
class WaitStates:
    """One row for each call that waited: `row` the call, `cost` in seconds, `kind` a place in KINDS, `by` the row that
    was late, `until` its begin. In the order of `row`."""

    row: Rows
    cost: NDArray[np.float64]
    kind: NDArray[np.int64]
    by: Rows
    until: NDArray[np.float64]


@dataclass
class Reasons:
    """What calls may have waited for."""

    events: Events
    rows: list[Rows] = field(default_factory=list)
    causes: list[Rows] = field(default_factory=list)
    numbers: list[NDArray[np.int64]] = field(default_factory=list)

    def add(self, kind: str, row: Rows, by: Rows) -> None:
        """Calls of `row` need what begins at the rows `by` of other PEs."""
        fits = (row >= 0) & (by >= 0)
        fits &= self.events.pe[row] != self.events.pe[by]
        row, by = row[fits], by[fits]
        polled = self.polls[row] >= 0
        self.rows += [row, self.polls[row[polled]]]
        self.causes += [by, by[polled]]
        self.numbers.append(np.full(len(row) + int(polled.sum()), NUMBER[kind], np.int64))

    @cached_property
    def polls(self) -> Rows:
        """For each row that is a test which found what it looked for: the same test in vain directly before, or -1."""
        events = self.events
        found = np.full(len(events), -1, np.int64)
        calls = np.flatnonzero(events.is_call)
        looks = np.array([bool(re.search(r"_Test|Parrived", name)) for name in events.names], np.bool_)
        if not len(calls) or not looks.any():
            return found
        before, row = calls[:-1], calls[1:]
        same = (events.lane[before] == events.lane[row]) & (events.call[before] == events.call[row])
        same &= (events.site[before] == events.site[row]) & looks[events.call[row]]
        same &= (events.value[before] > 0) & (events.value[row] == 0) & (events.role[before] == 0)
        same &= events.begin[row] - events.end[before] <= POLL_APART
        found[row[same]] = before[same]
        return found

    def last(self) -> WaitStates:
        """For each call the reason that lasted longest, where it was later than the call."""
        row, by = np.concatenate((EMPTY, *self.rows)), np.concatenate((EMPTY, *self.causes))
        kind = np.concatenate((EMPTY, *self.numbers))
        until = self.events.begin[by]
        later = until > self.events.begin[row]
        row, by, kind, until = row[later], by[later], kind[later], until[later]
        order = np.lexsort((-kind, until, row))
        row, by, kind, until = row[order], by[order], kind[order], until[order]
        latest = np.flatnonzero(np.append(row[1:] != row[:-1], True)) if len(row) else EMPTY
        row, by, kind, until = row[latest], by[latest], kind[latest], until[latest]
        cost = np.minimum(until, self.events.end[row]) - self.events.begin[row]
        return WaitStates(row, cost, kind, by, until)


def probes(reasons: Reasons, found: Messages) -> None:
    """A probe that waits for a message has found what the next call of its thread receives."""
    events = reasons.events
    asks = np.array([name in ("MPI_Probe", "MPI_Mprobe") for name in events.names], np.bool_)
    calls = np.flatnonzero(events.is_call)
    if not len(calls):
        return
    previous = np.full(len(events), -1, np.int64)  # the call before each call
    previous[calls[1:]] = np.where(events.lane[calls[1:]] == events.lane[calls[:-1]], calls[:-1], -1)
    before = previous[np.maximum(events.owner[found.received], 0)]
    fits = (before >= 0) & (events.owner[found.received] >= 0)
    fits &= asks[events.call[np.maximum(before, 0)]]
    reasons.add("late sender", before[fits], found.sent[fits])


def partitions(events: Events, sent: Rows) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = events.message[sent] >= np.uint64(PARTITION)
    return found


def completed(events: Events, sent: Rows) -> Rows:
    """For each message that left the call in which its sender waited until it was gone: a blocking send itself, else
    that of its record SENT; -1 if there is none."""
    done = np.flatnonzero(events.kind == Kind.SENT)
    keys = ranks(*(np.concatenate((column[sent], column[done])) for column in (events.pe, events.peer, events.message)))
    order = np.argsort(keys[len(sent) :], kind="stable")
    theirs = keys[len(sent) :][order]
    at = np.searchsorted(theirs, keys[: len(sent)])
    found = np.full(len(sent), -1, np.int64)
    if len(theirs):
        place = np.minimum(at, len(theirs) - 1)
        has = theirs[place] == keys[: len(sent)]
        found[has] = events.owner[done[order[place[has]]]]
    owner = events.owner[sent]
    begins = events.has(Role.BEGINS)
    blocking = (found < 0) & (owner >= 0) & ~begins[sent] & ~begins[np.maximum(owner, 0)] & ~partitions(events, sent)
    found[blocking] = owner[blocking]
    return found


def late_receivers(reasons: Reasons, found: Messages) -> None:
    """Senders that had to wait until their message was wanted. A call that also receives, or completes several
    requests, is one only if messages of that size have been seen to wait for their receivers; partitions always do."""
    events = reasons.events
    sent, received = found.sent, found.received
    post = np.where(events.starter[received] >= 0, events.starter[received], events.owner[received])
    waits = completed(events, sent)
    known = (waits >= 0) & (post >= 0)
    sent, post, waits = sent[known], post[known], waits[known]
    wanted = events.begin[post]
    early = events.end[waits] < wanted
    parts = partitions(events, sent)
    eager = int(events.bytes[sent[early & ~parts]].max(initial=-1))
    alone = waits == sent
    which = ~early & (alone | parts | (events.bytes[sent] > eager))
    reasons.add("late receiver", waits[which], post[which])


def last_member(events: Events, found: Collectives) -> Rows:
    """For each collective call the row of the member that came last."""
    order = np.lexsort((events.begin[found.rows], found.of_row()))
    latest: Rows = found.rows[order][found.first[1:] - 1]
    return latest


def waiting(events: Events, found: Collectives) -> tuple[Rows, Rows]:
    """Calls that last until an operation of a group can end, and the operations' numbers: blocking calls, and those
    that complete nonblocking and persistent ones."""
    blocking = events.is_call[found.rows] & ~events.has(Role.BEGINS)[found.rows]
    owner = events.owner[found.done]
    return (
        np.concatenate((found.rows[blocking], owner[owner >= 0])),
        np.concatenate((found.of_row()[blocking], found.done_of[owner >= 0])),
    )


def at_collectives(reasons: Reasons, found: Collectives) -> None:
    """Who left before the last one came did not wait for it: the operation needed less."""
    events = reasons.events
    if not len(found):
        return
    form_of = np.array([kinds.form_of(name) for name in events.names])
    form = form_of[events.call[found.rows[found.first[:-1]]]]
    root = np.maximum.reduceat(events.peer[found.rows], found.first[:-1])
    form[(root < 0) & ((form == "from root") | (form == "to root"))] = "all"
    row, call = waiting(events, found)
    last = last_member(events, found)

    def add(kind: str, which: NDArray[np.bool_], by: Rows) -> None:
        stayed = events.begin[by] <= events.end[row[which]] + events.clock_error
        reasons.add(kind, row[which], np.where(stayed, by, -1))

    for one, kind in AT_ALL.items():
        which = form[call] == one
        add(kind, which, last[call[which]])
    of_row = found.of_row()
    is_root = events.pe[found.rows] == root[of_row]
    root_row = np.full(len(found), -1, np.int64)
    root_row[of_row[is_root]] = found.rows[is_root]
    which = (form[call] == "from root") & (events.pe[row] != root[call])
    add("late broadcast", which, root_row[call[which]])
    which = (form[call] == "to root") & (events.pe[row] == root[call])
    add("early reduce", which, last[call[which]])
    for one, kind, needed in (("scan", "early scan", before_in_scan), ("neighbours", "late neighbour", last_neighbour)):
        which = form[call] == one
        add(kind, which, needed(events, found, row[which], call[which]))


def members_of(found: Collectives, call: int) -> Rows:
    rows: Rows = found.rows[found.first[call] : found.first[call + 1]]
    return rows


def before_in_scan(events: Events, found: Collectives, row: Rows, call: Rows) -> Rows:
    """For calls that wait in scans the last of the members before their own; members come in the order of their PEs."""
    by = np.full(len(row), -1, np.int64)
    for number in np.unique(call).tolist():
        members = members_of(found, number)
        members = members[np.argsort(events.pe[members], kind="stable")]
        latest = np.maximum.accumulate(events.begin[members])
        mine = np.flatnonzero(call == number)
        before = np.searchsorted(events.pe[members], events.pe[row[mine]])  # how many come before
        for place, count in zip(mine.tolist(), before.tolist(), strict=True):
            if count:
                by[place] = members[int(np.searchsorted(latest, latest[count - 1]))]
    return by


def last_neighbour(events: Events, found: Collectives, row: Rows, call: Rows) -> Rows:
    """For neighbourhood calls the last of those from which the PE receives; -1 where the trace doesn't have them."""
    by = np.full(len(row), -1, np.int64)
    for place, (one, number) in enumerate(zip(row.tolist(), call.tolist(), strict=True)):
        members = members_of(found, number)
        sources = events.sources.get((int(events.pe[one]), int(events.group[members[0]])), ())
        mine = members[np.isin(events.pe[members], sources)]
        if len(mine):
            by[place] = mine[np.argmax(events.begin[mine])]
    return by


def after(reasons: Reasons, kind: str, waiting: Rows, releasing: Rows, *columns: NDArray[np.generic]) -> None:
    """Calls that wait for the last of the releasing ones that began before they ended, the same in all columns."""
    if not len(waiting) or not len(releasing):
        return
    both = np.concatenate((waiting, releasing))
    place = last_before(reasons.events, waiting, releasing, ranks(*(column[both] for column in columns)))
    reasons.add(kind, waiting, np.where(place >= 0, releasing[np.maximum(place, 0)], -1))


def at_locks(reasons: Reasons) -> None:
    """Locks of windows are told apart by window and target, those of OpenSHMEM by their address."""
    events = reasons.events
    lock, unlock = (np.flatnonzero(kinds.by_name(events, form)) for form in ("lock", "unlock"))
    windows = np.array(["win_" in name.lower() for name in events.names], np.bool_)
    in_window = windows[events.call] if len(windows) else events.is_call
    peer = np.where(in_window, events.peer, -1)
    address = np.where(in_window, np.uint64(0), events.message)
    after(reasons, "lock contention", lock, unlock, in_window, events.group, peer, address)


def at_epochs(reasons: Reasons) -> None:
    """Post, start, complete and wait of one window: the last call of the other kind is taken for the partner's."""
    events = reasons.events
    post, start, complete, wait = (
        np.flatnonzero(kinds.by_name(events, form)) for form in ("post", "start", "complete", "wait")
    )
    after(reasons, "late post", np.concatenate((start, complete)), post, events.group)
    after(reasons, "late complete", wait, complete, events.group)


def wait_states(events: Events, messages: Messages, collectives: Collectives, waits: Waits) -> WaitStates:
    """All that can be told from records that belong together."""
    reasons = Reasons(events)
    reasons.add("late sender", events.owner[messages.received], messages.sent)
    probes(reasons, messages)
    late_receivers(reasons, messages)
    at_collectives(reasons, collectives)
    reasons.add("late put", waits.wait, waits.store)
    at_locks(reasons)
    at_epochs(reasons)
    return reasons.last()
