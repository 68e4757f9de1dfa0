# SPDX-License-Identifier: BSD-3-Clause
"""LINPACK by order beside HPL, both over the same number of PEs."""

from __future__ import annotations

from ..runs.linpack import counts, orders, split
from ..runs.study import Study
from ..words import divide, figure, times
from .table import Table

NOTE = (
    "Gflop/s of all PEs, 2/3 n³ + 3/2 n² operations, every residual below 16. HPL is that of hpcc with the same "
    "OpenBLAS. Peak: multiply-adds in registers on all PEs at once."
)


def table(study: Study) -> Table | None:
    ours, theirs = split(study)
    rows = []
    for npes in counts([*ours, *theirs]):
        mine, other = orders(ours, npes), orders(theirs, npes)
        peak = next(
            (record.in_unit("Gflop/s") for record in ours if record.metric == "rpeak" and record.get("npes") == npes),
            None,
        )
        for n in sorted(set(mine) | set(other)):
            rates = [found[n].in_unit("Gflop/s") if n in found else None for found in (mine, other)]
            rows.append(
                [
                    str(npes),
                    f"{n:,}",
                    *map(figure, rates),
                    times(divide(*rates)),
                    f"{divide(rates[0], peak):.0%}" if rates[0] and peak else "-",
                ]
            )
    if not rows:
        return None
    header = ["PEs", "Order", study.first.name, "HPL", "of HPL", "of the peak"]
    note = NOTE if theirs else NOTE + " HPL was not measured in this run; it needs hpcc and an MPI to start it."
    return Table("linpack", "LINPACK by order, beside HPL", header, rows, note, "rrrrrr")
