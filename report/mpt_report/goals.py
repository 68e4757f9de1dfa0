# SPDX-License-Identifier: BSD-3-Clause
"""What the library is meant to reach, each goal with its measured figure and its distance.

A goal compares a figure with what the machine or the network itself does, or with an absolute time. Rows whose
test was not run are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from . import goals_lab, goals_mpi, goals_splitc, goals_written
from .goal import Figure, Goal, bytes_text, in_us, nearest, same_run
from .provider import Provider
from .study import Limits, Series, Study
from .table import Table, divide, figure, times, unit_text


def each_ns(series: Series, test: str = "put_get", **where) -> float | None:
    """Time of one streamed operation, from its rate."""
    record = series.one(test, "rate", **where)
    return divide(1000.0, record.value) if record and record.unit == "Mop/s" else None


@dataclass(frozen=True)
class Row:
    """A goal that is one figure against one bar."""

    what: str
    unit: str
    measure: Figure
    bar: Callable[[Limits], float | None]
    basis: str
    has_target: bool = True
    waits: bool = False          # must stand other load on the machine


def scaled(factor: float, limit: Callable[[Limits], float | None], unit: str) -> Callable[[Limits], float | None]:
    scale = {"us": 1.0, "ns": 1000.0}[unit] * factor

    def bar(limits: Limits) -> float | None:
        found = limit(limits)
        return None if found is None else found * scale

    return bar


def handover(limits: Limits) -> float | None:
    return limits.handover


def put_handover(limits: Limits) -> float | None:
    return limits.put_handover


def fetch_add(limits: Limits) -> float | None:
    return limits.time("fetch_add")


def ns(value: float | None) -> float | None:
    return None if value is None else value * 1000.0


ROWS = (
    Row("one-word put ping-pong, one way", "ns",
        lambda s, w: ns(in_us(s, "pingpong", "latency", call="shmem_long_p", npes=2, **w)),
        scaled(1.15, put_handover, "ns"), "1.15 x cache-line hand-over, two lines", waits=True),
    Row("streamed shmem_long_p", "ns", lambda s, w: each_ns(s, op="p", npes=2, **w), lambda _: 3.0, "3 ns each"),
    Row("streamed 8-byte shmem_putmem", "ns",
        lambda s, w: each_ns(s, op="put", message_bytes=8, npes=2, **w), lambda _: 6.0, "6 ns each"),
    Row("remote fetch-add, no contention", "ns",
        lambda s, w: each_ns(s, "atomics", op="fetch_add", contention="none", type="long", npes=2, **w),
        scaled(1.3, fetch_add, "ns"), "1.3 x local lock xadd"),
    Row("barrier, 2 PEs", "ns", lambda s, w: ns(in_us(s, "barrier", "barrier_time", npes=2, **w)),
        scaled(3, handover, "ns"), "3 x cache-line hand-over", has_target=False, waits=True),
    Row("1-word reduce, 2 PEs", "ns",
        lambda s, w: ns(in_us(s, "one-word global reduction", "time", npes=2, operation="GSUM",
                              algorithm="library", **w)),
        scaled(5, handover, "ns"), "5 x cache-line hand-over", has_target=False, waits=True),
    Row("lock, all of 8 PEs contending", "us",
        lambda s, w: in_us(s, "lock", "time", contention="all", npes=8, **w), lambda _: 20.0, "20 µs a section",
        waits=True),
    Row("start and stop of 2 PEs", "ms", lambda s, w: launch_ms(s, 2, w), lambda _: 5.0, "5 ms", has_target=False),
    Row("start and stop of 64 PEs", "ms", lambda s, w: launch_ms(s, 64, w), lambda _: 100.0, "100 ms",
        has_target=False),
)

COPY_SHARE = 0.95
COPY_RANGE = (4096, 64 << 20)
IDLE_PERCENT = 2.0
LOAD_FACTOR = 3.0
SAME_FACTOR = 1.15
PEER_FACTOR = 10


def launch_ms(series: Series, npes: int, where: dict) -> float | None:
    record = series.one("launch", "time", npes=npes, **where)
    return record.in_unit("ms") if record else None


def spawn_ms(series: Series, where: dict) -> float | None:
    record = series.one("pvm_spawn", "time", tasks=1, **where)
    return record.in_unit("ms") if record else None


def shmem_figures(study: Study) -> Iterator[Goal]:
    return single_figures(study, ROWS)


def pvm_figures(study: Study) -> Iterator[Goal]:
    return single_figures(study, PVM_ROWS)


def single_figures(study: Study, rows: tuple[Row, ...]) -> Iterator[Goal]:
    for row in rows:
        value, bar = row.measure(study.first, {}), row.bar(study.limits)
        if value is not None and bar is not None:
            yield Goal(row.what, value, row.unit, bar, row.basis)


def copies(study: Study) -> Iterator[Goal]:
    """The size where put and get are farthest from the best copy."""
    for op, target in product(("put", "get"), ("heap", "global")):
        shares = []
        found = study.first.by("message_bytes", "put_get", "bandwidth", op=op, npes=2, target=target)
        for size, record in found.items():
            limit, rate = study.limits.copy(size), record.in_unit("MB/s")
            if limit and COPY_RANGE[0] <= size <= COPY_RANGE[1]:
                shares.append((rate / limit, size, rate, limit))
        if shares:
            _, size, rate, limit = min(shares)
            where = ", on a global" if target == "global" else ""
            yield Goal(f"{op} bandwidth, worst size ({bytes_text(size)}){where}", rate, "MB/s", COPY_SHARE * limit,
                       f"{COPY_SHARE} x best copy", higher=True)


def crowded(study: Study, burner: bool = False) -> dict[int, float]:
    """Barrier times with more PEs than cores, us."""
    found = study.first.by("npes", "barrier", "barrier_time", burner=burner)
    cores = study.limits.cores or 0
    return {npes: record.in_unit("us") for npes, record in found.items() if npes > cores > 0}


def shared_core_barriers(study: Study) -> Iterator[Goal]:
    for npes, time in crowded(study).items():
        limit = study.limits.barrier(npes)
        if limit:
            yield Goal(f"barrier, {npes} PEs on {study.limits.cores} cores", time, "us", 2.0 * limit,
                       "2 x P/C hand-overs between processes")


def against_peers(study: Study) -> Iterator[Goal]:
    """With more PEs than cores the other libraries of the same run poll."""
    for other in study.others:
        if other.run is not study.first.run:
            continue
        theirs = other.by("npes", "barrier", "barrier_time")
        for npes, time in crowded(study).items():
            if npes in theirs:
                yield Goal(f"barrier, {npes} PEs, against {other.name}", time, "us",
                           theirs[npes].in_unit("us") / PEER_FACTOR, f"1/{PEER_FACTOR} of the other's")


def idle(study: Study) -> Iterator[Goal]:
    for wait, record in study.first.by("wait", "wake", "cpu_share").items():
        yield Goal(f"{record.get('npes')} PEs idle in {wait}", record.value, "%", IDLE_PERCENT, "2 % of one core")


def other_target(study: Study) -> Iterator[Goal]:
    """The same figure on a global as on the heap."""
    for row in ROWS:
        heap, other = (row.measure(study.first, {"target": target}) for target in ("heap", "global"))
        if row.has_target and heap is not None and other is not None:
            yield Goal(f"{row.what}, on a global", other, row.unit, heap * SAME_FACTOR,
                       f"{SAME_FACTOR} x the heap's figure")


def under_load(study: Study) -> Iterator[Goal]:
    """What waits must not suffer from another process that burns a core."""
    basis = f"{LOAD_FACTOR:g} x without load"
    for row in ROWS:
        calm, loaded = (row.measure(study.first, {"burner": burner}) for burner in (False, True))
        if row.waits and calm is not None and loaded is not None:
            yield Goal(f"{row.what}, one core burning", loaded, row.unit, calm * LOAD_FACTOR, basis)
    quiet = crowded(study)
    for npes, time in crowded(study, burner=True).items():
        if npes in quiet:
            yield Goal(f"barrier, {npes} PEs, one core burning", time, "us", quiet[npes] * LOAD_FACTOR, basis)


PVM_ROWS = (
    Row("PVM, round trip of an empty raw message, against the hardware", "ns",
        lambda s, w: ns(in_us(s, "pvm_pingpong", "round_trip", method="clean", encoding="Raw", message_bytes=0, **w)),
        scaled(6, handover, "ns"), "6 x cache-line hand-over"),
    Row("PVM, round trip of an empty raw message", "us",
        lambda s, w: in_us(s, "pvm_pingpong", "round_trip", method="clean", encoding="Raw", message_bytes=0, **w),
        lambda _: 1.0, "1 µs"),
    Row("PVM, join a group and leave it", "us",
        lambda s, w: in_us(s, "pvm_group", "join_leave", contention="none", **w), lambda _: 2.0, "2 µs"),
    Row("PVM, spawn of a task to its first message", "ms", lambda s, w: spawn_ms(s, w), lambda _: 5.0, "5 ms"),
)
PVM_XDR_FACTOR, PVM_XDR_SIZE = 2.0, 80 << 10
PVM_COPY_SHARE, PVM_COPY_SIZE = 0.8, 1 << 20
PVM_BARRIER_FACTOR, PVM_BARRIER_TASKS = 1.5, 8


def pvm_messages(study: Study) -> Iterator[Goal]:
    """Converting against sending as it is, and one copy against the machine's."""
    def by_size(metric: str, encoding: str) -> dict[int, float]:
        found = study.first.by("message_bytes", "pvm_pingpong", metric, method="clean", encoding=encoding)
        return {size: record.value for size, record in found.items()}

    xdr, raw = by_size("round_trip", "Default"), by_size("round_trip", "Raw")
    size = nearest(PVM_XDR_SIZE, set(xdr) & set(raw) - {0})
    if size is not None:
        yield Goal(f"PVM, round trip of {bytes_text(size)} of doubles in XDR", xdr[size], "us",
                   PVM_XDR_FACTOR * raw[size], f"{PVM_XDR_FACTOR:g} x raw")
    for encoding in ("Raw", "InPlace"):
        rates = by_size("bandwidth", encoding)
        size = nearest(PVM_COPY_SIZE, set(rates) & set(study.limits.copies))
        if size is not None:
            yield Goal(f"PVM bandwidth, {encoding}, {bytes_text(size)}", rates[size], "MB/s",
                       PVM_COPY_SHARE * study.limits.copies[size], f"{PVM_COPY_SHARE} x best copy", higher=True)


def pvm_barriers(study: Study) -> Iterator[Goal]:
    for group in ("by name", "null"):
        own = in_us(study.first, "pvm_barrier", "barrier_time", npes=PVM_BARRIER_TASKS, group=group, mode="stand-alone")
        shmem = in_us(study.first, "barrier", "barrier_time", npes=PVM_BARRIER_TASKS)
        if own is not None and shmem is not None:
            yield Goal(f"PVM barrier, {PVM_BARRIER_TASKS} tasks, group {group}", own, "us", PVM_BARRIER_FACTOR * shmem,
                       f"{PVM_BARRIER_FACTOR} x the SHMEM barrier")


WORD_ROUND_TRIPS = 1.25
RATE_SHARE, RATE_SIZE = 0.9, 1 << 20
BARRIER_ROUND_TRIPS, BARRIER_PES = 1.5, 4
TWO_NODES = re.compile(r"\b2 (nodes|hosts)$")


def over_network(series: Series, limit: Provider) -> Iterator[Goal]:
    """What goes over a network against the network's own ping-pong, measured in turns with it."""
    own = "the network's own" + (", which met other load" if limit.loaded() else "")
    word = series.one("put_get", "latency", op="p") or series.one("put_get", "latency", op="put", message_bytes=8)
    trip, tail = limit.round_trip, f", {series.network}"
    if word and trip:
        yield Goal(f"one-word put and quiet{tail}", word.in_unit("us"), "us", WORD_ROUND_TRIPS * trip,
                   f"{WORD_ROUND_TRIPS} x a round trip of {own}")
    rates = series.by("message_bytes", "put_get", "bandwidth", op="put")
    size = nearest(RATE_SIZE, set(rates) & set(limit.bandwidth))
    if size is not None:
        yield Goal(f"put bandwidth, {bytes_text(size)}{tail}", rates[size].in_unit("MB/s"), "MB/s",
                   RATE_SHARE * limit.bandwidth[size], f"{RATE_SHARE} x {own}", higher=True)
    barrier = series.one("barrier", "barrier_time", npes=BARRIER_PES)
    if barrier and trip and TWO_NODES.search(series.network):
        yield Goal(f"barrier, {BARRIER_PES} PEs{tail}", barrier.in_unit("us"), "us", BARRIER_ROUND_TRIPS * trip,
                   f"{BARRIER_ROUND_TRIPS} x a round trip of {own}")


def networks(study: Study) -> Iterator[Goal]:
    for series in study.networks:
        limit, leading = study.provider(series), study.leading
        if limit and series.run is leading.run and series.implementation == leading.implementation:
            yield from over_network(series, limit)


BASES = ("A hand-over, a copy and an exchange between processes are those that the bare program of the limits does on "
         "this machine. Of several sizes the one farthest from its goal is shown.")
# What a goal is about, as its users call it, and what makes the goals of it.
PARTS: tuple[tuple[str, tuple[Callable[[Study], Iterator[Goal]], ...]], ...] = (
    ("OpenSHMEM", (shmem_figures, copies, shared_core_barriers, against_peers, idle, other_target, under_load,
                   *goals_written.SHMEM)),
    ("MPI", (*goals_mpi.KINDS, *goals_written.MPI)),
    ("PVM", (pvm_figures, pvm_messages, pvm_barriers, *goals_written.PVM)),
    ("Active Messages and Split-C", (*goals_splitc.KINDS, *goals_written.AM)),
    ("Laboratory", goals_lab.KINDS),
)


def goals(study: Study) -> list[Goal]:
    """All goals of the leading library whose tests were run."""
    shared = [replace(goal, part=part) for part, kinds in PARTS for kind in kinds for goal in kind(study)] \
        if study.first else []
    return [*shared, *(replace(goal, part="Network") for goal in networks(study))]


def counts(found: list[Goal]) -> tuple[int, int]:
    """How many are met, of how many that are judged."""
    judged = [goal for goal in found if goal.judged]
    return sum(goal.met for goal in judged), len(judged)


def table(study: Study) -> Table | None:
    found = goals(study)
    if not found:
        return None
    rows = [
        [goal.part, goal.what, f"{figure(goal.value)} {unit_text(goal.unit)}", goal.bar_text, goal.basis,
         times(divide(goal.value, goal.bar)), goal.verdict]
        for goal in found
    ]
    met, judged = counts(found)
    title = f"All {judged} goals met" if met == judged else f"{met} of {judged} goals met"
    title = title if judged else "Figures beside their limits"
    notes = [BASES]
    if judged < len(found):
        notes.append("What only stands beside its limit has no goal in this run and does not count.")
    if study.leading.run.contended:
        notes.append("Other load was on the machine during this run; what waits or shares a core is slower for it.")
    if len(study.runs) > 1:
        title += f" in {study.leading.run.label}"
    if study.first and not same_run(study):
        notes.append("Goals that are set against other libraries need them measured beside: mpt bench --vs.")
    return Table(title, ["Part", "What", "Measured", "Goal", "Made of", "measured/goal", ""], rows, " ".join(notes),
                 "llrrlrl", grouped=True)
