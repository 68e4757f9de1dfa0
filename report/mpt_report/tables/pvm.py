# SPDX-License-Identifier: BSD-3-Clause
"""The figures of PVM beside those the papers print: table 1 of the 1996 paper, with packing and unpacking, and tables 4
and 5 of the T3E report (COMMS1, SYNCH1). Groups and spawning, which no paper measured, follow.
"""

from __future__ import annotations

from typing import Any

from ..runs import published
from ..runs.study import Series, Study
from ..words import divide, figure, printed, times, unit_text
from .paper import PING_PONG, SYSTEMS
from .table import Row, Table

PACKED = "pvm " + PING_PONG
T3E = "CRAY T3E-1200E (1999)"
METHODS = ("as in 1996", "clean")
ENCODINGS = ("Default", "Raw", "InPlace", "psend")
FITS = (("none", "measured"), ("plain", "fit"), ("relative", "fit, relative weights"))
T3E_LIBRARIES = ("MPI", "PVM", "SHMEM")


def of(series: Series, test: str, metric: str, **where: Any) -> float | None:
    record = series.one(test, metric, **where)
    return record.value if record else None


def packed(study: Study) -> Table | None:
    """Table 1, the rows of PVM."""

    def pair(series: Series, **where: Any) -> tuple[float | None, float | None]:
        return of(series, PACKED, "latency", **where), of(series, PACKED, "bandwidth", **where)

    here = pair(study.first, method="as in 1996", encoding="Default")
    measured = []
    for series in study.series:
        for method in METHODS:
            for encoding in ENCODINGS:
                found = pair(series, method=method, encoding=encoding)
                if found != (None, None):
                    measured.append((series.name, f"{method}, {encoding}", figure, found))
    if not measured:
        return None
    then = [
        (
            name,
            "",
            printed,
            tuple(published.value("mpt", PING_PONG, metric, machine, "PVM") for metric in ("latency", "bandwidth")),
        )
        for name, machine in SYSTEMS
    ]
    rows = [
        [name, method, write(latency), write(rate), times(divide(latency, here[0])), times(divide(here[1], rate))]
        for name, method, write, (latency, rate) in then + measured
    ]
    return Table(
        "pvm-packed",
        "Table 1 for PVM. Latency and Bandwidth Rates, packed and unpacked",
        ["System", "Method", "Latency (µs)", "Bandwidth (MB/s)", "times better: latency", "bandwidth"],
        rows,
        align="llrrrr",
        note=f"Times better: {study.first.name}, as in 1996 (a barrier before each message) and in the default "
        "encoding, against the row.",
    )


def comms1(study: Study) -> Table | None:
    """Table 4 of the T3E report."""
    measured = []
    for series in study.series:
        for encoding in ENCODINGS:
            for fit, words in FITS:
                start = of(series, "COMMS1", "startup_zero_length", encoding=encoding, fit=fit)
                rate = of(series, "COMMS1", "bandwidth", encoding=encoding, fit=fit)
                if rate is not None:
                    half = of(series, "COMMS1", "n_half_bytes", encoding=encoding, fit=fit)
                    measured.append([series.name, f"PVM, {encoding}", words, figure(start), figure(rate), figure(half)])
    if not measured:
        return None
    then = [
        [
            T3E,
            library,
            "",
            printed(published.value("t3e", "COMMS1", "startup_zero_length", "T3E", library)),
            printed(published.value("t3e", "COMMS1", "bandwidth", "T3E", library)),
            "",
        ]
        for library in T3E_LIBRARIES
    ]
    return Table(
        "pvm-comms1",
        "T3E report, table 4. COMMS1",
        ["System", "Library", "From", "Zero-length message (µs)", "Bandwidth (MB/s)", "n½ (bytes)"],
        then + measured,
        align="lllrrr",
        note="Half a round trip. A plain fit is ruled by the longest messages: its start-up may be negative. Relative "
        "weights count each size's error as part of its time.",
    )


def synch1(study: Study) -> Table | None:
    """Table 5 of the T3E report, the column of PVM."""
    found = [(series, series.by("npes", "SYNCH1", "barrier_time", call="pvm_barrier")) for series in study.series]
    if not any(records for _, records in found):
        return None
    then = {
        fact["params"]["npes"]: fact["value"] for fact in published.find("t3e", "SYNCH1", "barrier_time", "T3E", "PVM")
    }
    rows = []
    for npes in sorted({*then, *(npes for _, records in found for npes in records)}):
        values = [records[npes].in_unit("us") if npes in records else None for _, records in found]
        rows.append(
            [str(npes), printed(then.get(npes)), *map(figure, values), times(divide(then.get(npes), values[0]))]
        )
    header = ["NPES", f"{T3E} µs", *(f"{series.name} µs" for series, _ in found), f"{study.first.name} faster"]
    return Table("pvm-synch1", "T3E report, table 5. PVM barrier (SYNCH1)", header, rows, align="r" * len(header))


def rest(study: Study) -> Table | None:
    """Groups and spawning."""
    labels: dict[str, tuple[str, str, str, dict[str, Any]]] = {}
    for contention in ("none", "all"):
        for members in ("none", "one"):
            labels[f"join/{contention}/{members}"] = (
                f"join and leave a group, contention {contention}, other members {members}",
                "pvm_group",
                "join_leave",
                {"contention": contention, "other_members": members},
            )
    for tasks in (1, 4, 16):
        words = f"spawn {tasks}, to the last one's first message"
        labels[f"spawn/{tasks}"] = (words, "pvm_spawn", "time", {"tasks": tasks})
    rows = []
    for name, (words, test, metric, where) in labels.items():
        found = [series.one(test, metric, **where) for series in study.series]
        units = [record.unit for record in found if record]
        if units:
            cells = [words, unit_text(units[0]), *(figure(record.value if record else None) for record in found)]
            rows.append(Row(name, cells))
    header = ["What", "unit", *(series.name for series in study.series)]
    return (
        Table("pvm-groups", "PVM: groups and spawning", header, rows, align="ll" + "r" * len(study.series))
        if rows
        else None
    )


def tables(study: Study) -> list[Table]:
    """Those whose tests were run."""
    if not study.local:
        return []
    return [table for table in (build(study) for build in (packed, comms1, synch1, rest)) if table is not None]
