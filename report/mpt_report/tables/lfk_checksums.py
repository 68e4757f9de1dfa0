# SPDX-License-Identifier: BSD-3-Clause
"""The checksums of the Livermore kernels: each as it should be, and where it was least exact."""

from __future__ import annotations

from ..runs.records import Record
from ..runs.study import Study
from .table import Table

TEST = "LFK checksums"


def exact(value: float) -> str:
    """All its digits."""
    return f"{value:.16e}"


def table(study: Study) -> Table | None:
    """A row for each kernel and span of the run that leads; spans of one length differ in their weight."""
    found: dict[tuple[int, int, int], dict[str, list[Record]]] = {}
    for record in study.runs[0].records if study.runs else ():
        if record.test == TEST:
            of = found.setdefault((record.get("kernel"), -record.get("span"), record.get("weight")), {})
            of.setdefault(record.metric, []).append(record)
    rows, copies = [], set()
    for (kernel, span, _), of in sorted(found.items()):
        if not all(of.get(metric) for metric in ("checksum", "expected", "precision")):
            continue
        worst = min(of["precision"], key=lambda record: record.value)
        options = worst.get("options")
        got = next((record for record in of["checksum"] if record.get("options") == options), None)
        alike = all(record.value == worst.value for record in of["precision"])
        copies |= {record.get("options") for record in of["precision"]}
        rows.append(
            [
                str(kernel),
                str(-span),
                exact(of["expected"][0].value),
                exact(got.value) if got else "-",
                f"{worst.value:.2f}",
                "all" if alike else str(options),
            ]
        )
    if not rows:
        return None
    return Table(
        "lfk-checksums",
        "Livermore kernels: checksums",
        ["kernel", "span", "expected", "least exact", "digits", "by"],
        rows,
        note=f"{len(rows)} checksums by {len(copies)} copies of the kernels; the least exact of all copies, where "
        "16.90 digits are all; of kernel 4 the results count, too.",
        align="rrrrrl",
    )
