# SPDX-License-Identifier: BSD-3-Clause
"""The NAS parallel benchmarks against what bounds them: the traffic to memory that a run cannot do without, at the rate
of STREAM's triad, or its operations at the rate of a matrix product, both measured in the same run.
"""

from __future__ import annotations

from ..limits.npb import MODELS, RATE, limit_of, runs, speeds
from ..runs.study import Study
from ..words import divide, figure, printed
from .table import Row, Table

NOTE = (
    "Operations as NPB 3 counts them (of EP random numbers, of IS keys). The limit is the longer of two times: the "
    "least traffic to memory at the rate of STREAM's triad, and the operations at the rate of the fastest matrix "
    "product, both of one core, times the PEs that have one. Traffic counts each array once read and once written in "
    "a sweep: CG 12 bytes a nonzero in 26 products, MG 12 words a point and V-cycle, FT four passes, IS 12 bytes a "
    "key, LU, SP and BT 60 words a point and step. A share above 100 % means that a class stays in caches faster "
    "than the triad's data."
)


def rows_of(study: Study) -> list[list[str]]:
    known = speeds(study)
    rows: list[list[str]] = []
    peers = [other for other in study.others if other.run is study.first.run]
    for test in MODELS:
        for record in runs(study, test):
            where = {"cls": record.get("cls"), "npes": record.get("npes")}
            rate = study.first.one(test, RATE, **where)
            old = study.first.one(test, "rate_per_pe", **where)
            seconds, npes, cls = record.in_unit("s"), int(where["npes"] or 1), str(where["cls"])
            limit = limit_of(study, test, record, known)
            theirs = [other.one(test, RATE, **where) for other in peers]
            rows.append(
                Row(
                    f"{test}/{cls}/{npes}",
                    [
                        test.removeprefix("NPB "),
                        cls,
                        str(npes),
                        figure(seconds),
                        figure(old.value if old else None),
                        figure(rate.value if rate else None),
                        figure(limit.seconds if limit else None),
                        limit.by if limit else "-",
                        f"{divide(limit.seconds, seconds):.0%}" if limit else "-",
                        *(figure(one.value if one else None) for one in theirs),
                        "" if record.state == "clean" else record.state,
                    ],
                )
            )
    return rows


def table(study: Study) -> Table | None:
    rows = rows_of(study) if study.local else []
    if not rows:
        return None
    known = speeds(study)
    peers = [other.name for other in study.others if other.run is study.first.run]
    header = [
        "Kernel",
        "class",
        "PEs",
        "time, s",
        "Mflop/s a PE (NPB 1)",
        "Mop/s a PE (NPB 3)",
        "limit, s",
        "bound by",
        "of the limit",
        *(f"{name}, Mop/s a PE" for name in peers),
        "state",
    ]
    note = NOTE
    if known.triad and known.product:
        note += f" Here: triad {printed(round(known.triad))} MB/s, product {printed(round(known.product))} Mflop/s."
    lacking = [name for name, value in (("STREAM", known.triad), ("libs", known.product)) if not value]
    if lacking:
        note += f" Not measured in this run: {' and '.join(lacking)}, so some limits are missing."
    return Table(
        "npb",
        "NAS parallel benchmarks against memory and arithmetic",
        header,
        rows,
        note,
        "llrrrrrlr" + "r" * len(peers) + "l",
        columns=(
            "kernel",
            "class",
            "npes",
            "time",
            "npb1",
            "npb3",
            "limit",
            "by",
            "share",
            *(f"peer/{name}" for name in peers),
            "state",
        ),
    )
