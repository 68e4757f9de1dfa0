# SPDX-License-Identifier: BSD-3-Clause
"""What PEs as tasks are meant to reach: against absolute times, against other libraries, and against PEs that are
processes in the same run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ..runs.records import Record, direction
from ..runs.study import Series, Study
from ..words import bytes_text, divide
from .goal import Goal, best_peer, finding, same_run, worst

SWITCH_NS = 50.0
BARRIER_US = {8: 0.6, 32: 1.5, 64: 3.0, 256: 20.0, 1000: 200.0}
SHORT_US = {8: 1.2, 64: 6.0}  # of MPI's barrier and its allreduce of one word
SHORT_CALLS = {"MPI_Barrier": 0, "MPI_Allreduce": 8}
PEER, OF_PEER, PEER_PES = "Open MPI", 20, range(8, 65)
LONG_CALLS = {"MPI_Allreduce": 64 << 10, "MPI_Bcast": 64 << 10, "MPI_Alltoall": 1 << 10}
LONG_PES, LONG_OF_PEER = (8, 32), 0.2
LATENCY_NS = 120.0
SAME_WITHIN = 1.03
START_MS = {64: 40.0, 1000: 600.0}
MEMORY_PES, MEMORY_KIB = 1000, 256.0
NPB_PES, NPB_FEW, NPB_TIMES = 64, 2, 1.15
NPB_TESTS = ("NPB EP", "NPB CG", "NPB MG", "NPB FT", "NPB IS")
IDLE_PES, IDLE_PERCENT = 1000, 2.0
AS_PROCESSES = "as processes"


def switch(study: Study, tasks: Series) -> Iterator[Goal]:
    """Between two of one process, less what the put and the wait take by themselves."""
    record = tasks.one("handover", "switch_time", npes=2, processes=1)
    if record:
        yield Goal(
            "tasks/switch",
            "switch between two waiting tasks",
            record.value,
            "ns",
            SWITCH_NS,
            "50 ns; a word handed over, less the calls",
        )
    turn = tasks.one("handover", "handover_time", npes=2, processes=1, how="sched_yield")
    if turn:
        yield Goal(
            "tasks/yield",
            "turn of two tasks by sched_yield",
            turn.value,
            "ns",
            SWITCH_NS,
            "the same, with nothing to wait for",
            judged=False,
        )


def call_time(series: Series, test: str, call: str | tuple[str, ...], size: int, npes: int) -> float | None:
    record = series.one(test, "time", call=call, message_bytes=size, npes=npes)
    return record.in_unit("us") if record else None


def barriers(study: Study, tasks: Series) -> Iterator[Goal]:
    for npes, bar in BARRIER_US.items():
        time = call_time(tasks, "scaling", "shmem_barrier_all", 0, npes)
        if time is not None:
            yield Goal(f"tasks/barrier/{npes}", f"SHMEM barrier, {npes} PEs", time, "us", bar, f"{bar:g} µs")


def short_calls(study: Study, tasks: Series) -> Iterator[Goal]:
    for call, size in SHORT_CALLS.items():
        for npes, bar in SHORT_US.items():
            time = call_time(tasks, "mpi_scaling", call, size, npes)
            if time is not None:
                yield Goal(f"tasks/{call}/{npes}", f"{named(call, size)}, {npes} ranks", time, "us", bar, f"{bar:g} µs")


def named(call: str, size: int) -> str:
    return f"{call}, {bytes_text(size)}" if size else call


def short_beside_peer(study: Study, tasks: Series) -> Iterator[Goal]:
    """Of all PE counts that both have the farthest from the goal."""
    for other in same_run(study):
        for call, size in SHORT_CALLS.items() if other.implementation.startswith(PEER) else ():
            every = []
            for npes in PEER_PES:
                mine, theirs = (call_time(one, "mpi_scaling", call, size, npes) for one in (tasks, other))
                if mine is not None and theirs is not None:
                    every.append(
                        Goal(
                            f"tasks/{call}/peer",
                            f"{named(call, size)}, {npes} ranks, against {other.name}",
                            mine,
                            "us",
                            theirs / OF_PEER,
                            f"1/{OF_PEER} of the other's",
                        )
                    )
            yield from worst(every)


def long_calls(study: Study, tasks: Series) -> Iterator[Goal]:
    for call, size in LONG_CALLS.items():
        for npes in LONG_PES:
            time = call_time(tasks, "mpi_scaling", call, size, npes)
            find = finding("mpi_scaling", "time", call=call, message_bytes=size, npes=npes)
            peer = best_peer(study, False, find)
            if time is not None and peer:
                yield Goal(
                    f"tasks/{call}/{npes}/peer",
                    f"{named(call, size)}, {npes} ranks, against {peer[0]}",
                    time,
                    "us",
                    LONG_OF_PEER * peer[1].in_unit("us"),
                    f"{LONG_OF_PEER} x the better peer",
                )


def latency(study: Study, tasks: Series) -> Iterator[Goal]:
    """Between two tasks of one process, and of two."""
    within, across = (
        tasks.one("mpi_latency", "latency", message_bytes=8, npes=2, processes=processes) for processes in (1, 2)
    )
    plain = study.first.one("mpi_latency", "latency", message_bytes=8) if study.local else None
    if within:
        yield Goal(
            "tasks/latency/1",
            "8-byte message, one way, two tasks of a process",
            1000 * within.in_unit("us"),
            "ns",
            LATENCY_NS,
            f"{LATENCY_NS:g} ns",
        )
    if across and plain:
        yield Goal(
            "tasks/latency/2",
            "8-byte message, one way, of two processes",
            1000 * across.in_unit("us"),
            "ns",
            SAME_WITHIN * 1000 * plain.in_unit("us"),
            f"{SAME_WITHIN} x {AS_PROCESSES}",
        )


def starts(study: Study, tasks: Series) -> Iterator[Goal]:
    for npes, bar in START_MS.items():
        record = tasks.one("launch", "time", npes=npes)
        if record:
            yield Goal(
                f"tasks/start/{npes}",
                f"start and stop of {npes} PEs",
                record.in_unit("ms"),
                "ms",
                bar,
                f"{bar:g} ms",
            )


def memory(study: Study, tasks: Series) -> Iterator[Goal]:
    """With the page tables: they are memory that nobody else can have."""
    for face in ("SHMEM", "MPI"):
        series = tasks.through(face)
        found = [series.one("footprint", metric, npes=MEMORY_PES) for metric in ("memory", "page_tables")]
        both = [record.in_unit("bytes") / 1024 for record in found if record]
        if len(both) == 2:
            yield Goal(
                f"tasks/memory/{face}",
                f"memory for each of {MEMORY_PES} PEs, {face}",
                sum(both),
                "KiB",
                MEMORY_KIB,
                f"{MEMORY_KIB:g} KiB, {both[1]:.0f} of them page tables",
            )


def idle(study: Study, tasks: Series) -> Iterator[Goal]:
    for wait, record in tasks.by("wait", "wake", "cpu_share", npes=IDLE_PES).items():
        yield Goal(
            f"tasks/idle/{wait}",
            f"{IDLE_PES} PEs idle in {wait}",
            record.value,
            "%",
            IDLE_PERCENT,
            "2 % of one core",
        )


def nas(study: Study, tasks: Series) -> Iterator[Goal]:
    """The same work by so many more PEs."""
    for test in NPB_TESTS if study.local else ():
        many = tasks.one(test, "time", cls="A", npes=NPB_PES)
        few = study.first.one(test, "time", cls="A", npes=NPB_FEW)
        if many and few:
            yield Goal(
                f"tasks/{test}",
                f"{test}, class A, {NPB_PES} PEs",
                many.in_unit("s"),
                "s",
                NPB_TIMES * few.in_unit("s"),
                f"{NPB_TIMES} x {NPB_FEW} PEs {AS_PROCESSES}",
            )


def told_apart(record: Record) -> tuple[Any, ...]:
    """What two records have in common that differ only in what their PEs are."""
    params = {name: value for name, value in record.params.items() if name not in ("pes", "processes", "launcher")}
    return replace(record, params=params).key


def beside_processes(study: Study, tasks: Series, wanted: Callable[[Record], bool]) -> dict[str, list[float]]:
    """By test how many times as long each figure takes as tasks, or how many times lower a rate is."""
    plain: dict[tuple[Any, ...], Record] = {}
    for record in study.first.records if study.local else ():
        plain.setdefault(told_apart(record), record)
    found: dict[str, list[float]] = {}
    for record in tasks.records:
        other, better = plain.get(told_apart(record)), direction(record.metric, record.unit)
        if other is None or not better or not wanted(record) or other.unit != record.unit:
            continue
        ratio = divide(record.value, other.value) if better < 0 else divide(other.value, record.value)
        if ratio and ratio > 0:
            found.setdefault(record.test, []).append(ratio)
    return found


def mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def own_processes(record: Record) -> bool:
    """Started as tasks where each PE has a core, so as a process."""
    return record.get("processes") is not None and record.get("processes") == record.get("npes")


def no_worse(study: Study, tasks: Series) -> Iterator[Goal]:
    """What tasks must not cost where each PE has a core."""
    found = {test: mean(ratios) for test, ratios in beside_processes(study, tasks, own_processes).items()}
    yield from worst(
        Goal(
            "tasks/no-worse",
            f"{test}, each PE with a core, mean of its figures",
            ratio,
            f"x {AS_PROCESSES}",
            SAME_WITHIN,
            f"{SAME_WITHIN} x {AS_PROCESSES}",
        )
        for test, ratio in found.items()
    )


MAKERS = (
    switch,
    barriers,
    short_calls,
    short_beside_peer,
    long_calls,
    latency,
    starts,
    memory,
    nas,
    no_worse,
    idle,
)


def tasks(study: Study) -> Iterator[Goal]:
    own = study.own_tasks if study.tasks else None
    if own:
        for make in MAKERS:
            yield from make(study, own)
