# SPDX-License-Identifier: BSD-3-Clause
"""Regular partitioning: a step's time by how the cube is divided, 1-D, 2-D and 3-D, by interface and method."""

from __future__ import annotations

from typing import Any

from ..runs.study import Study
from ..words import divide, figure, times
from .table import Table, without_empty_columns

TEST = "regular partitioning"
DECOMPOSITIONS = (("x", "1-D, x"), ("y", "1-D, y"), ("z", "1-D, z"), ("2-D", "2-D"), ("3-D", "3-D"))
METRICS = (("step_time", "step"), ("send_initiation_time", "sends started"))
NOTE = (
    "Milliseconds; step: from the first PE's start to the last one's end. Sends started: what the calls that start "
    "sends take. A ratio above 1: the division across rows of single cells (z) costs so much more than that in whole "
    "planes (x), or the best 1-D division so much more than the best in more directions."
)


def table(study: Study) -> Table | None:
    rows: dict[tuple[Any, ...], dict[str, float]] = {}
    for series in study.series:
        for record in series.records:
            if record.test == TEST and record.metric in dict(METRICS):
                way = ", ".join(str(record.get(name)) for name in ("method", "mode") if record.get(name))
                key = (series.name, int(record.get("npes", 0)), record.get("n"), record.library, way, record.metric)
                rows.setdefault(key, {}).setdefault(str(record.get("decomposition")), record.in_unit("ms"))
    lines = []
    for (name, npes, n, library, way, metric), by in sorted(rows.items(), key=lambda item: item[0][1:3]):
        linear = min((by[one] for one in "xyz" if one in by), default=None)
        wide = min((by[one] for one in ("2-D", "3-D") if one in by), default=None)
        lines.append(
            [
                name,
                str(npes),
                f"{n}³",
                library,
                way,
                dict(METRICS)[metric],
                *(figure(by.get(one)) for one, _ in DECOMPOSITIONS),
                times(divide(by.get("z"), by.get("x"))),
                times(divide(linear, wide)),
            ]
        )
    header = [
        "System",
        "PEs",
        "cells",
        "library",
        "method",
        "time of",
        *(words for _, words in DECOMPOSITIONS),
        "z/x",
        "best 1-D/best 2-D, 3-D",
    ]
    return (
        without_empty_columns(
            Table(
                "partition",
                "T3E-900 and Origin 2000, 1999. Section 5 and figure 5: divisions of a cube, ms",
                header,
                lines,
                NOTE,
                "lrrlll" + "r" * 7,
            )
        )
        if lines
        else None
    )
