# SPDX-License-Identifier: BSD-3-Clause
"""Measures the picture's figures: libraries take turns, so that a change of load on the machine meets all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..drive import child, plan, programs
from ..runs.records import Record, Run, load_run
from .data import Picture, library_of

PROGRAM = "mpi_glance"
SECONDS = {2: 1.5}  # of a run of two ranks, which has messages, too
CROWDED_S = 0.4


def counts(order: plan.Order) -> tuple[int, ...]:
    row = programs.named(PROGRAM)
    assert row is not None  # it is in the table
    return order.scale or row.pes


def turn(libraries: list[plan.Library], number: int) -> list[plan.Library]:
    """Another one begins in each round."""
    first = number % len(libraries)
    return libraries[first:] + libraries[:first]


def step(library: plan.Library, npes: int, number: int, out: Path) -> plan.Step:
    path = library.program(PROGRAM)
    if path is None:
        raise FileNotFoundError(f"{library.name}: no program {PROGRAM} in {library.folder}")
    seconds = SECONDS.get(npes, CROWDED_S)
    file = out / f"{library.name}-{npes:03d}-{number}.jsonl"
    words = (*library.start(npes, path), *library.arguments, "--out", str(file), plan.SECONDS, f"{seconds:g}")
    return plan.Step(f"{library.name}, {npes} ranks, round {number + 1}", words, file, seconds, library.variables(npes))


def rounds(
    libraries: list[plan.Library], pes: tuple[int, ...], times: int, out: Path, say: Callable[[str], None]
) -> dict[str, list[Run]]:
    """All runs of each library. One that did not end in time is not tried with as many ranks or more again."""
    found: dict[str, list[Run]] = {library.name: [] for library in libraries}
    most: dict[str, int] = {}
    out.mkdir(parents=True, exist_ok=True)
    for number in range(times):
        for npes in pes:
            for library in turn(libraries, number):
                if npes >= most.get(library.name, npes + 1):
                    continue
                made = step(library, npes, number, out)
                outcome = child.run_step(made, lambda *_: None, out / "programs.log")
                if outcome.problem:
                    say(f"{made.title}: {outcome.problem}")
                    most[library.name] = npes
                elif made.out.exists():
                    found[library.name].append(load_run(made.out))
        say(f"round {number + 1} of {times}")
    return found


def picture_of(found: dict[str, list[Run]], times: int) -> Picture:
    """Raises LookupError where nothing was measured."""
    every = [run for runs in found.values() for run in runs]
    if not every:
        raise LookupError("nothing was measured")
    env = every[0].environment
    libraries = []
    for runs in found.values():
        records: list[Record] = [record for run in runs for record in run.records]
        if records:
            libraries.append(library_of(records[0].implementation, records))
    return Picture(
        str(env.get("cpu", "unknown processor")),
        int(env.get("cores", plan.cores())),
        str(env.get("date", ""))[:10],
        times,
        len(every),
        sum(run.contended for run in every),
        libraries,
    )
