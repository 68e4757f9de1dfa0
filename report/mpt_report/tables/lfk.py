# SPDX-License-Identifier: BSD-3-Clause
"""The statistics block of the Livermore kernels, for each compiler and set of options beside what the T3E report
printed with the like: as a table, and as text in the report's own layout.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..runs import published
from ..runs.records import Record
from ..runs.study import Study
from ..words import ABSENT, divide, figure, printed, times
from .seeds import short
from .table import Row, Table

TEST = "LFK"
# The lines of the block, in the test's own words and order, and its names in a table's head.
LINES = (
    ("max", "Maximum   Rate", "maximum"),
    ("quartile_q3", "Quartile  Q3  ", "quartile Q3"),
    ("arithmetic_mean", "Average   Rate", "average"),
    ("geometric_mean", "GEOMETRIC MEAN", "geometric mean"),
    ("median_q2", "Median    Q2  ", "median Q2"),
    ("harmonic_mean", "Harmonic  Mean", "harmonic mean"),
    ("quartile_q1", "Quartile  Q1  ", "quartile Q1"),
    ("min", "Minimum   Rate", "minimum"),
)
METRICS = tuple(metric for metric, _, _ in LINES)
NOTE = (
    "Mflop/s of 72 samples: 24 kernels over long, medium and short spans, which weigh 1, 2 and 1; quartiles are "
    "interpolated over the weights. Each set of options stands beside the paper's that did the like; of some the paper "
    "has the geometric mean only, of -O1 nothing."
)


@dataclass(frozen=True)
class Block:
    """The statistics of one set of options, Mflop/s by metric, and those of the paper's with the like."""

    options: str
    here: dict[str, float]
    beside: str
    machine: str
    then: dict[str, float]


def printed_by(options: str) -> tuple[str, dict[str, float]]:
    """What the paper printed for a set of its options, and of which machine."""
    found = [
        fact
        for fact in published.load()
        if fact["test"] == TEST and fact["metric"] in METRICS and fact["params"].get("options") == options
    ]
    return (short(found[0]["machine"]) if found else "", {fact["metric"]: fact["value"] for fact in found})


def of_options(records: list[Record]) -> dict[str, dict[str, Record]]:
    found: dict[str, dict[str, Record]] = {}
    for record in records:
        if record.test == TEST and record.metric in METRICS and record.get("samples"):
            found.setdefault(str(record.get("options")), {}).setdefault(record.metric, record)
    return found


def blocks(study: Study) -> list[Block]:
    """In the order of their records."""
    run = study.first.run if study.local else study.runs[0] if study.runs else None
    out = []
    for options, by in of_options([one for one in run.records if not one.origin] if run else []).items():
        beside = str(next(iter(by.values())).get("beside") or "")
        machine, then = printed_by(beside)
        out.append(
            Block(
                options,
                {metric: by[metric].in_unit("Mflop/s") for metric in METRICS if metric in by},
                beside.split(";")[0],
                machine,
                then,
            )
        )
    return out


def table(study: Study) -> Table | None:
    rows = []
    for one in blocks(study):
        here = [one.options, "this machine", *(figure(one.here.get(metric)) for metric in METRICS)]
        rows.append(Row(f"{one.options}/here", here))
        if one.then:
            then = [one.options, f"{one.machine}, {one.beside}", *(printed(one.then.get(metric)) for metric in METRICS)]
            rows.append(Row(f"{one.options}/then", then))
            gains = [divide(one.here.get(metric), one.then.get(metric)) for metric in METRICS]
            better = [one.options, "better", *(times(gain) if gain else ABSENT for gain in gains)]
            rows.append(Row(f"{one.options}/better", better, "better"))
    header = ["Options", "System", *(words for _, _, words in LINES)]
    return (
        Table(
            "lfk",
            "Livermore kernels: the block of statistics, Mflop/s",
            header,
            rows,
            NOTE,
            "ll" + "r" * len(LINES),
            grouped=True,
            verdict=1,
        )
        if rows
        else None
    )


def plain(study: Study) -> str:
    """The blocks as the test prints them, the paper's figures at the right."""
    out = []
    for one in blocks(study):
        beside = f", beside {one.machine}, {one.beside}" if one.then else ""
        out += ["", f" {one.options}{beside}", ""]
        for metric, words, _ in LINES:
            if metric in one.here:
                then = f"{one.then[metric]:13.4f}" if metric in one.then else ""
                out.append(f"         {words} = {one.here[metric]:11.4f} Mega-Flops/Sec.{then}")
    return "\n".join(["Livermore kernels, 72 samples, weights 1, 2, 1", *out, ""]) if out else ""
