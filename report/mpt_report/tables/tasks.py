# SPDX-License-Identifier: BSD-3-Clause
"""PEs as tasks beside PEs as processes: figures against the number of PEs, with the other libraries, and for every test
how many times better tasks are.
"""

from __future__ import annotations

from ..goals import tasks as bars
from ..runs import scaling
from ..runs.records import Record
from ..runs.study import Study
from ..words import divide, figure, times, unit_text
from .table import Row, Table


def of_operation(study: Study, operation: scaling.Operation) -> list[list[str]]:
    """A line for each interface and number of PEs; how far each library came shows by what is absent."""
    found = list(scaling.curves(study, operation))
    rows: list[list[str]] = []
    for face in dict.fromkeys(curve.face for curve in found):
        by = {id(curve.series): curve.records for curve in found if curve.face == face}
        for npes in sorted({npes for records in by.values() for npes in records}):
            cells = [by.get(id(series), {}).get(npes) for series in scaling.columns(study)]
            rows.append(
                Row(
                    f"{operation.id}/{face}/{npes}",
                    [f"{operation.what}, {face}, {unit_text(operation.unit)}", str(npes), *map(shown, cells)],
                )
            )
    return rows


def shown(record: Record | None) -> str:
    """The figure, in brackets where other load was on the machine while it was measured."""
    if record is None:
        return figure(None)
    words = figure(record.value)
    return f"({words})" if record.contended else words


def against_pes(study: Study) -> Table | None:
    rows = [row for operation in scaling.OPERATIONS for row in of_operation(study, operation)]
    if not rows:
        return None
    names = [series.name for series in scaling.columns(study)]
    return Table(
        "scaling",
        "Barriers, collectives and message rates against the number of PEs",
        ["What", "PEs", *names],
        rows,
        "Medians; in brackets what was measured while other load was on the machine. Absent: not measured, or so many "
        "PEs did not come to an end in their time.",
        align="lr" + "r" * len(names),
        grouped=True,
        columns=("what", "npes", *names),
    )


def crowded(record: Record) -> bool:
    return record.crowded and not bars.own_processes(record)


def beside_processes(study: Study) -> Table | None:
    """Every test of both kinds, where each PE has a core of its own and where it has none."""
    own = study.own_tasks if study.tasks and study.local else None
    if own is None:
        return None
    alone, shared = (bars.beside_processes(study, own, wanted) for wanted in (bars.own_processes, crowded))
    rows = [
        Row(
            test,
            [
                test,
                *(
                    cell
                    for found in (alone, shared)
                    for cell in (str(len(found.get(test, ()))), times(better(found.get(test, []))))
                ),
            ],
        )
        for test in dict.fromkeys([*alone, *shared])
    ]
    if not rows:
        return None
    return Table(
        "tasks",
        "How many times better tests are with PEs as tasks than as processes",
        ["Test", "figures, a core each", "better", "figures, shared cores", "better"],
        rows,
        "Geometric means over the figures that both have, of times, rates, memory and processor time. Where each PE "
        "has a core it is a process in both cases.",
        align="lrrrr",
        columns=("test", "alone", "alone_better", "shared", "shared_better"),
    )


def better(ratios: list[float]) -> float | None:
    return divide(1.0, bars.mean(ratios)) if ratios else None


def tables(study: Study) -> list[Table]:
    return [made for made in (against_pes(study), beside_processes(study)) if made]
