# SPDX-License-Identifier: BSD-3-Clause
"""One line for each test and interface: how this machine stands against its own limit, each other library and each
machine of the 1990s. All ratios are geometric means over the figures that both sides have; above 1 is in our favour.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from ..limits import bounds, npb
from ..runs import join
from ..runs.join import Measured
from ..runs.records import FACES, Record
from ..runs.study import Study
from ..words import ABSENT, bytes_text, name_text, pes, quantity, times
from .compare import Pair
from .seeds import short
from .table import Row, Table, without_empty_columns

HEAD = {
    "ping_pong": "latency_avg",
    "single_pairs": "latency_avg",
    "multiple_pairs": "latency_avg",
    "LFK": "geometric_mean",
    "LogGP": "L",
    "LINPACK (HPC)": "rmax",
    "load time": "latency_ns",
}
LEFT_OUT = ("limits", "provider")  # what the others are held against


def mean(ratios: Iterable[float | None]) -> float | None:
    """The geometric mean: ratios are never averaged otherwise."""
    logs = [math.log(ratio) for ratio in ratios if ratio and ratio > 0]
    return math.exp(sum(logs) / len(logs)) if logs else None


TOLD = ("function", "routine", "operation", "method", "variant", "mode", "direction", "call", "encoding", "cls", "npes")
MOST_TOLD = 2
SAYING: dict[str, Callable[[Any], str]] = {"npes": pes, "cls": lambda cls: f"class {cls}"}


def example(record: Record) -> str:
    """What the figure shown for a test is of."""
    words = [SAYING.get(name, str)(record.get(name)) for name in TOLD if record.get(name) not in (None, "")][:MOST_TOLD]
    size = record.get("message_bytes")
    words += [bytes_text(size)] if isinstance(size, int) else []
    return ", ".join([name_text(record.metric), *words])


def against_limit(study: Study, machine: bounds.Machine, test: str, records: list[Record]) -> float | None:
    """How many times the limit; that of the NAS benchmarks is a model."""
    return mean(npb.ratios(study, test) if test in npb.MODELS else bounds.ratios(machine, records))


def against_machine(here: Measured, test: str, machine: str) -> float | None:
    """All figures of a test that a machine of the papers and ours have; rates per PE on whatever number of PEs."""
    ratios = []
    for group in join.groups():
        varying = group.varying
        for fact in group.facts:
            if fact["test"] != test or short(fact["machine"]) != machine:
                continue
            record = here.one(fact, varying)
            if record is None and fact["metric"].endswith("_per_pe"):
                record = join.best(here.find(fact, varying, frozenset({"npes"})), fact["unit"], fact["metric"])
            ratios.append(join.gain(fact, join.in_its_unit(record, fact["unit"])) if record else None)
    return mean(ratios)


def against_peer(ours: list[Record], theirs: list[Record]) -> float | None:
    index: dict[tuple[Any, ...], Record] = {}
    for record in theirs:
        index.setdefault(record.key, record)
    return mean(Pair(index[record.key], record).gain for record in ours if record.key in index)


def of_test(here: Measured, test: str) -> list[Record]:
    return [record for (name, _), records in here.index.items() if name == test for record in records]


def headline(records: list[Record]) -> Record | None:
    """The figure shown for a test: its preferred one, of the largest message or the most PEs last."""
    test = records[0].test if records else ""
    wanted = HEAD.get(test) or ("rate_per_pe" if test.startswith("NPB ") else None)
    fitting = [record for record in records if record.metric == wanted] or records
    return min(fitting, key=lambda record: join.order(record, {}), default=None)


def machines() -> list[str]:
    """Those with figures to compare, by their short names, in the order of the papers."""
    found = dict.fromkeys(short(machine) for group in join.groups() for machine in group.machines)
    return list(found)


def tests_of(here: Measured) -> list[str]:
    """Those that were measured, in the order of the papers."""
    every = dict.fromkeys(
        [
            *(test for group in join.groups() for test in group.tests),
            *(test for test, _ in here.index if test not in LEFT_OUT),
        ]
    )
    return [test for test in every if of_test(here, test)]


def by_interface(here: Measured, test: str) -> list[tuple[str, Measured]]:
    """What a line is made of: figures of two interfaces have no mean. Models are of a test as a whole."""
    records = of_test(here, test)
    faces = [face for face in FACES if any(record.library == face for record in records)]
    if len(faces) < 2 or test in npb.MODELS:
        return [("", here)]
    return [(face, Measured(here.name, [one for one in records if one.library == face])) for face in faces]


def table(study: Study) -> Table | None:
    whole = join.ours(study)
    if whole is None:
        return None
    others, then, machine, rows = join.peers(study), machines(), bounds.Machine(study, whole), []
    lines = [(test, *one) for test in tests_of(whole) for one in by_interface(whole, test)]
    for test, face, here in lines:
        records = of_test(here, test)
        head = headline(records)
        if head is None:
            continue
        peer_ratios = [against_peer(records, of_test(other, test)) for other in others]
        limit = against_limit(study, machine, test, records)
        ratios = [(name, ratio) for name in then if (ratio := against_machine(here, test, name))]
        if not (limit or ratios or any(peer_ratios)):
            continue
        rows.append(
            Row(
                f"{test}/{face}" if face else test,
                [
                    f"{test}, {face}" if face else test,
                    example(head),
                    quantity(head.value, head.unit),
                    times(limit) if limit else bounds.without(test),
                    *map(times, peer_ratios),
                    ", ".join(f"{name} {times(ratio)}" for name, ratio in ratios) or ABSENT,
                ],
            )
        )
    header = [
        "Test",
        "for example",
        "here",
        "of the limit, mean",
        *(f"faster than {other.name}, mean" for other in others),
        "better than, mean",
    ]
    note = (
        "Ratios are geometric means over all figures of a test that both sides have, so of all sizes and numbers of "
        "PEs, not of the example beside them; above 1 is in favour of this machine. Of "
        "the limit: 1 is what a bare program reaches here, 2 takes twice as long or moves half as much; the table "
        f"of limits says what each is made of; {bounds.NO_LIMIT}: nothing bounds the test that could be measured; "
        f"{bounds.UNMEASURED}: what its limit is made of is not in this run. Tests that have nothing to stand beside "
        "are found among all figures only."
    )
    made = Table(
        "tests",
        "Every test against the hardware, other libraries and the machines of the 1990s",
        header,
        rows,
        note,
        align="lll" + "r" * (len(header) - 4) + "l",
        columns=("test", "example", "here", "limit", *(f"peer/{other.name}" for other in others), "papers"),
    )
    return without_empty_columns(made) if rows else None


def tables(study: Study) -> list[Table]:
    """That table and what the limits in it are made of; empty where nothing was measured."""
    found = table(study)
    tests = dict.fromkeys(row.id.partition("/")[0] for row in found.rows if isinstance(row, Row)) if found else {}
    return [found, meaning(tests)] if found else []


def meaning(tests: Iterable[str]) -> Table:
    """What the limit of each of these tests is, or why it has none."""
    told: dict[str, list[str]] = {}
    for test in tests:
        words = [one.words for one in bounds.BOUNDS if test in one.tests]
        words += [bounds.MODEL] if test in npb.MODELS else []
        for one in dict.fromkeys(words or [f"none: {bounds.NONE.get(test, 'nothing measured bounds it')}"]):
            told.setdefault(one, []).append(test)
    rows = [[words, "; ".join(names)] for words, names in told.items()]
    return Table("limits", "What the limit of each test is made of", ["Limit", "Tests"], rows, align="ll")
