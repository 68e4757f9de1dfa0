# SPDX-License-Identifier: BSD-3-Clause
"""What to do, where the figures carry it: each suggestion names the figure that it follows from, and none is made of
less than 5 % of the time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import dense, traffic
from .analysis import Analysis
from .profile import Facts, imbalance
from .selection import Selection
from .waitstates import KINDS

WORTH = 0.05  # of the time of all PEs
UNEVEN = 1.15  # the slowest PE's time outside calls against the mean
SMALL = 256  # bytes of a message that costs its overhead, and hardly more
MANY = 1000
OFTEN = 20  # calls of each PE; fewer are a program's beginning and end
POLLS = ("test", "probe")

Rule = Callable[[Analysis, Selection, Facts], Facts | None]


def percent(share: float) -> str:
    return f"{share * 100:.1f} %"


def kind(facts: Facts, *names: str) -> float:
    """The share of the time that waits of these kinds cost."""
    return sum(float(one["share"]) for one in facts["waits"] if one["kind"] in names)


def made(rule: str, share: float, figure: str, text: str) -> Facts:
    return {"rule": rule, "share": share, "figure": figure, "text": text}


def worst(facts: Facts, name: str) -> Facts | None:
    return next((one for one in facts["causes"] if one["kind"] == name), None)


def is_mpi(found: Facts) -> bool:
    return str(found["waiting"]).startswith("MPI_")


def advice(found: Facts, mpi: str) -> str:
    """What to do in MPI, or what holds for every interface."""
    return mpi if is_mpi(found) else "send before you receive, or change the order in which PEs receive"


def uneven(analysis: Analysis, chosen: Selection, facts: Facts) -> Facts | None:
    """A PE computes longer than the others, and they wait for it."""
    outside = [float(one["outside"]) for one in facts["pes"] if one["thread"] == 0]
    found = imbalance(outside)
    pe = [one["pe"] for one in facts["pes"] if one["thread"] == 0][found["at"]] if outside else -1
    states = analysis.states
    late = float(states.cost[analysis.events.pe[states.by] == pe].sum()) / chosen.total
    if len(outside) < 2 or found["ratio"] < UNEVEN or late < WORTH:
        return None
    return made(
        "imbalance",
        late,
        f"PE {pe} is outside calls for {found['ratio']:.2f} x the mean ({found['max']:.4g} s against "
        f"{found['mean']:.4g} s); others wait {percent(late)} of all time for it",
        f"give PE {pe} less work, or look at what slows it down",
    )


def chained(analysis: Analysis, chosen: Selection, facts: Facts) -> Facts | None:
    """Sends that are late because their PE had itself been waiting: waits hand each other on."""
    states, events = analysis.states, analysis.events
    late = np.flatnonzero(states.kind == KINDS.index("late sender"))
    if not len(late):
        return None
    waiter = np.zeros(len(events), np.bool_)
    waiter[states.row[states.cost > 0]] = True
    calls = np.flatnonzero(events.is_call)
    at = np.searchsorted(calls, events.owner[states.by[late]])
    before = calls[np.maximum(at - 1, 0)]
    same = (at > 0) & (events.lane[before] == events.lane[states.by[late]])
    handed = same & waiter[before]
    gap = events.begin[states.by[late]] - events.end[before]
    handed &= gap < 0.2 * states.cost[late]  # what it did itself in between explains little of the wait
    share = float(states.cost[late[handed]].sum()) / chosen.total
    found = worst(facts, "late sender")
    if share < WORTH or found is None:
        return None
    return made(
        "chain",
        share,
        f"late senders that had just been waiting themselves cost {percent(share)} of all time",
        "the order of sends and receives makes PEs wait in a row: "
        + advice(found, "begin all receives first (MPI_Irecv) and send before waiting, or exchange by MPI_Sendrecv")
        + f"; most at {found['waiting']}",
    )


def late_receiver(analysis: Analysis, chosen: Selection, facts: Facts) -> Facts | None:
    share, found = kind(facts, "late receiver"), worst(facts, "late receiver")
    if share < WORTH or found is None:
        return None
    return made(
        "late receiver",
        share,
        f"senders wait {percent(share)} of all time until their messages are wanted",
        f"begin the receive earlier than {found['late']}"
        + (", or send by MPI_Isend and compute meanwhile" if is_mpi(found) else ""),
    )


def locks(analysis: Analysis, chosen: Selection, facts: Facts) -> Facts | None:
    share, found = kind(facts, "lock contention"), worst(facts, "lock contention")
    if share < WORTH or found is None:
        return None
    return made(
        "lock",
        share,
        f"waits for locks cost {percent(share)} of all time",
        f"hold the lock of {found['waiting']} more briefly, use several locks, or atomics in its place",
    )


def small(analysis: Analysis, chosen: Selection, facts: Facts) -> Facts | None:
    """Many small messages between the same two PEs: their overhead is all they cost."""
    moved = traffic.traffic(analysis, chosen.rows)
    events = analysis.events
    little = moved.bytes <= SMALL
    owner = dense.numbered(events.owner[moved.row[little]])[0]
    seconds = float((chosen.time[owner] - chosen.waited[owner]).sum()) if len(owner) else 0.0
    share, count = seconds / chosen.total, int(little.sum())
    if share < WORTH or count < MANY:
        return None
    return made(
        "small messages",
        share,
        f"{count:,} of {len(moved.row):,} messages have {SMALL} bytes or less; the calls that send them take "
        f"{percent(share)} of all time without their waits, {seconds / count * 1e6:.2f} µs each",
        "send several of them as one",
    )


def polls(analysis: Analysis, chosen: Selection, facts: Facts) -> Facts | None:
    rows = [one for one in facts["calls"] if any(word in one["call"].lower() for word in POLLS)]
    share, count = sum(float(one["share"]) for one in rows), sum(int(one["count"]) for one in rows)
    if share < WORTH or count < MANY:
        return None
    return made(
        "polls",
        share,
        f"{count:,} calls that only look ({rows[0]['call']} and the like) take {percent(share)} of all time",
        "wait instead (MPI_Wait, MPI_Probe, shmem_wait_until), or look more rarely",
    )


def collectives(analysis: Analysis, chosen: Selection, facts: Facts) -> Facts | None:
    """Collective calls that take their time even when all members are there."""
    events, found = analysis.events, analysis.collectives
    mine = dense.among(found.rows, chosen.rows, len(events))
    seconds = chosen.time[mine] - chosen.waited[mine]
    share = float(seconds.sum()) / chosen.total
    if share < 2 * WORTH or not len(mine):
        return None
    sums = np.bincount(events.call[mine], seconds)
    call = int(np.argmax(sums))
    count = int((events.call[mine] == call).sum())
    if count < OFTEN * events.pes:
        return None
    return made(
        "collectives",
        share,
        f"collective calls take {percent(share)} of all time without waits for late members, most of it {count:,} x "
        f"{events.names[call]}, {sums[call] / count * 1e6:.1f} µs each",
        "combine several into one, or begin them early as nonblocking ones",
    )


RULES: tuple[Rule, ...] = (uneven, chained, late_receiver, locks, small, polls, collectives)


def suggestions(analysis: Analysis, chosen: Selection, facts: Facts) -> list[Facts]:
    """The most expensive first; none where nothing costs enough."""
    found = [one for rule in RULES if (one := rule(analysis, chosen, facts))]
    return sorted(found, key=lambda one: -float(one["share"]))
