# SPDX-License-Identifier: BSD-3-Clause
"""Plots against the number of PEs: each operation of one library with PEs as processes and as tasks, and of the other
libraries, on one plot.
"""

from __future__ import annotations

from ..runs import scaling
from ..runs.study import Study
from ..words import unit_text
from . import headlines
from .charts import LIMIT_COLOUR, SERIES_COLOURS, Chart, blank, colour, finish, line, pe_axis, spread

TASKS_COLOUR = SERIES_COLOURS[-1]  # others keep that of the whole page
DASHES = {"MPI": "solid", "SHMEM": "dash"}


def title_of(study: Study, operation: scaling.Operation, found: list[scaling.Curve]) -> str:
    """What the most PEs of tasks do that also ran as processes."""
    words = operation.what[:1].upper() + operation.what[1:]
    plain = next((curve for curve in found if study.local and curve.series is study.first), None)
    own = next((curve for curve in found if curve.series.tasks and plain and curve.face == plain.face), None)
    common = sorted(set(plain.records) & set(own.records)) if plain and own else []
    if not plain or not own or not common:
        return f"{words}, against the number of PEs"
    one, two = (curve.records[common[-1]] for curve in (own, plain))
    if operation.metric == scaling.RATE:
        figures = f"{headlines.brief(one.value)} Mop/s as tasks, {headlines.brief(two.value)} as processes"
    else:
        times = [headlines.time_text(record.in_unit("us")) for record in (one, two)]
        figures = f"{times[0]} as tasks, {times[1]} as processes"
    return f"{words}, {common[-1]} PEs: {figures}"


def axis(counts: set[int]) -> dict[str, object]:
    """A mark for each number of PEs, less those that would lie on others."""
    kept: set[int] = set()
    for npes in sorted(counts):
        if not kept or npes >= 1.5 * max(kept):
            kept.add(npes)
    return pe_axis(kept)


def chart(study: Study, operation: scaling.Operation, face: str = "") -> Chart | None:
    """Of one interface, or of all."""
    found = [curve for curve in scaling.curves(study, operation) if face in ("", curve.face)]
    counts = {npes for curve in found for npes in curve.records}
    if len(counts) < 2:
        return None
    unit = unit_text(operation.unit)
    figure = blank("PEs", unit if operation.metric == scaling.RATE else "time", axis(counts))
    for curve in found:
        values = [record.in_unit(operation.unit) for record in curve.records.values()]
        several = len(operation.calls) > 1 and not face
        name = f"{curve.series.name}, {curve.face}" if several else curve.series.name
        hue = TASKS_COLOUR if curve.series.tasks else colour(study, curve.series)
        dash = "solid" if face else DASHES[curve.face]
        bars = spread(curve.records.values(), operation.unit)
        line(figure, name, list(curve.records), values, hue, dash, unit, bars=bars)
    note = "A library's curve ends where more PEs were not tried or did not come to an end in their time."
    if operation.id == "barrier" and study.local:
        least = {npes: study.limits.barrier(npes) for npes in sorted(counts)}
        told = {npes: time for npes, time in least.items() if time}
        if told:
            line(figure, "limit of processes", list(told), list(told.values()), LIMIT_COLOUR, "dot", unit)
            note += " Limit: P/C hand-overs between processes, which tasks do not need."
    return Chart(f"tasks-{operation.id}", title_of(study, operation, found), finish(figure, operation.unit), note)


def charts(study: Study) -> list[Chart]:
    return [made for operation in scaling.OPERATIONS if (made := chart(study, operation))]
