# SPDX-License-Identifier: BSD-3-Clause
"""Which records of different PEs belong together: both ends of messages, members of collective calls, stores and the
waits that they ended."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .dense import firsts, numbered, without
from .events import Events
from .format import Kind, Role

Rows = NDArray[np.int64]
EMPTY: Rows = np.zeros(0, np.int64)


@dataclass(frozen=True)
class Messages:
    """Rows of both ends, in pairs; and what has no other end."""

    sent: Rows
    received: Rows
    only_sent: Rows
    only_received: Rows
    twice: int  # ends that claim a number which another end has, too


@dataclass(frozen=True)
class Collectives:
    """Calls of groups, and starts of persistent ones: `rows` sorted by call, of which the n-th has
    rows[first[n]:first[n + 1]]; `whole` where all members are there. `done` are records of the end of nonblocking and
    persistent ones, `done_of` their calls."""

    rows: Rows
    first: Rows
    whole: NDArray[np.bool_]
    done: Rows
    done_of: Rows

    def __len__(self) -> int:
        return len(self.whole)

    def of_row(self) -> Rows:
        """For each of `rows` the number of its call."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))


@dataclass(frozen=True)
class Waits:
    """Waits for a change of memory and the stores that ended them, in pairs; `exact` where also the value is the one
    that the wait found. And waits without a store."""

    wait: Rows
    store: Rows
    exact: NDArray[np.bool_]
    alone: Rows


def ranks(*columns: NDArray[np.generic]) -> NDArray[np.int64]:
    """A number for each row that is the same where all columns are, in their order."""
    found = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        values, places = numbered(column)
        if len(values) * float(found.max(initial=0) + 1) > 2**62:
            found = numbered(found)[1]
        found = found * max(len(values), 1) + places
    return found


def messages(events: Events) -> Messages:
    """Both ends by (source, destination, number)."""
    known = (events.peer >= 0) & (events.message > 0)
    ends = (events.kind == Kind.CALL) | (events.kind == Kind.SEND) | (events.kind == Kind.RECEIVE)
    sends = np.flatnonzero(events.has(Role.SENDS) & ends & (events.kind != Kind.RECEIVE) & known)
    arrives = events.has(Role.RECEIVES) & ~(events.has(Role.BEGINS) & events.is_call)
    receives = np.flatnonzero(arrives & ends & (events.kind != Kind.SEND) & known)
    source = np.concatenate((events.pe[sends], events.peer[receives]))
    target = np.concatenate((events.peer[sends], events.pe[receives]))
    keys = ranks(source, target, np.concatenate((events.message[sends], events.message[receives])))
    values, places = numbered(keys)
    one, other = firsts(places[: len(sends)], len(values)), firsts(places[len(sends) :], len(values))
    pairs = np.flatnonzero((one >= 0) & (other >= 0))
    sent, received = sends[one[pairs]], receives[other[pairs]]
    twice = len(keys) - int((one >= 0).sum()) - int((other >= 0).sum())
    return Messages(sent, received, without(sends, sent, len(events)), without(receives, received, len(events)), twice)


def collectives(events: Events) -> Collectives:
    """Calls by (group, number)."""
    known = events.has(Role.COLLECTIVE) & (events.message > 0)
    rows = np.flatnonzero(known & (events.is_call | (events.kind == Kind.START)))
    done = np.flatnonzero(known & (events.kind == Kind.DONE))
    if not len(rows):
        return Collectives(EMPTY, np.zeros(1, np.int64), np.zeros(0, np.bool_), EMPTY, EMPTY)
    both = np.concatenate((rows, done))
    keys = ranks(events.group[both], events.message[both])
    keys, ends = keys[: len(rows)], keys[len(rows) :]
    order = np.argsort(keys, kind="stable")
    rows, keys = rows[order], keys[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1], [True])))
    sizes = np.array([len(group.members) for group in events.groups], np.int64)
    place = np.minimum(np.searchsorted(keys[first[:-1]], ends), len(first) - 2)
    begun = keys[first[place]] == ends
    return Collectives(rows, first, np.diff(first) == sizes[events.group[rows[first[:-1]]]], done[begun], place[begun])


def ended_in(events: Events, found: Collectives) -> Rows:
    """For each of `rows` the call in which that member's operation ended, as far as is known: a blocking call itself,
    else the one that completed it, else the one that began it."""
    ends: Rows = events.owner[found.rows].copy()
    own = found.of_row() * events.pes + events.pe[found.rows]
    theirs = found.done_of * events.pes + events.pe[found.done]
    order = np.argsort(own, kind="stable")
    place = np.minimum(np.searchsorted(own[order], theirs), max(len(own) - 1, 0))
    fits = (own[order][place] == theirs) & (events.owner[found.done] >= 0) if len(own) else theirs < 0
    ends[order[place[fits]]] = events.owner[found.done[fits]]
    return ends


def waits(events: Events) -> Waits:
    """For each wait the last store of its value to its address that began before it ended; if there is none, the last
    store of any value that reached the address."""
    wait = np.flatnonzero(events.has(Role.WAITS) & events.is_call)
    store = np.flatnonzero(events.has(Role.STORES) & events.is_call & (events.peer >= 0))
    if not len(wait) or not len(store):
        return Waits(EMPTY, EMPTY, np.zeros(0, np.bool_), wait)
    pe = np.concatenate((events.pe[wait], events.peer[store]))
    address = np.concatenate((events.message[wait], events.message[store]))
    value = np.concatenate((events.value[wait], events.value[store]))
    place = ranks(pe, address)
    exact = last_before(events, wait, store, ranks(place, value))
    found = np.where(exact >= 0, exact, last_before(events, wait, store, place))
    found = np.where(found >= 0, found, last_covering(events, wait, store, found < 0))
    have = found >= 0
    return Waits(wait[have], store[found[have]], exact[have] >= 0, wait[~have])


def last_before(events: Events, wait: Rows, store: Rows, keys: NDArray[np.int64]) -> Rows:
    """For each wait the place in `store` of the last one of its key that began before the wait ended, or -1. keys: of
    waits, then of stores."""
    mine, theirs = keys[: len(wait)], keys[len(wait) :]
    order = np.lexsort((events.begin[store], theirs))
    begins = events.begin[store][order]
    both = np.concatenate((begins, events.end[wait]))
    turn = numbered(both)[1]
    scale = int(turn.max()) + 1
    sorted_keys = theirs[order] * scale + turn[: len(store)]
    at = np.searchsorted(sorted_keys, mine * scale + turn[len(store) :], side="right") - 1
    place = order[np.maximum(at, 0)]
    return np.where((at >= 0) & (theirs[place] == mine), place, -1)


MOST_COVERING = 20_000  # waits without a store at their own address that are looked up one by one


def last_covering(events: Events, wait: Rows, store: Rows, which: NDArray[np.bool_]) -> Rows:
    """As last_before, for waits on a word within a longer store."""
    found = np.full(len(wait), -1, np.int64)
    long = np.flatnonzero(events.bytes[store] > 8)
    if not len(long):
        return found
    by_pe: dict[int, Rows] = {}
    for place in np.flatnonzero(which)[:MOST_COVERING].tolist():
        row = int(wait[place])
        pe = int(events.pe[row])
        if pe not in by_pe:
            mine = long[events.peer[store[long]] == pe]
            by_pe[pe] = mine[np.argsort(events.begin[store[mine]], kind="stable")]
        mine = by_pe[pe]
        last = int(np.searchsorted(events.begin[store[mine]], events.end[row], side="right"))
        near = mine[max(last - 64, 0) : last]
        apart = events.message[row] - events.message[store[near]]  # wraps where the store lies behind
        inside = near[apart < events.bytes[store[near]].astype(np.uint64)]
        if len(inside):
            found[place] = inside[-1]
    return found
