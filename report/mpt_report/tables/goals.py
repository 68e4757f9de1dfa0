# SPDX-License-Identifier: BSD-3-Clause
"""Every goal with its measured figure and its distance, by what it is about."""

from __future__ import annotations

from ..goals import counts, goals
from ..goals.goal import same_run
from ..runs.study import Study
from ..words import divide, figure, times, unit_text
from .table import Row, Table

BASES = (
    "A hand-over, a copy and an exchange between processes are those that the bare program of the limits does on "
    "this machine. Of several sizes the one farthest from its goal is shown."
)


def table(study: Study) -> Table | None:
    found = goals(study)
    if not found:
        return None
    rows = [
        Row(
            goal.id,
            [
                goal.part,
                goal.what,
                f"{figure(goal.value)} {unit_text(goal.unit)}",
                goal.bar_text,
                goal.basis,
                times(divide(goal.value, goal.bar)),
                goal.verdict,
            ],
            goal.verdict if goal.judged else "",
        )
        for goal in found
    ]
    met, judged = counts(found)
    title = f"All {judged} goals met" if met == judged else f"{met} of {judged} goals met"
    title = title if judged else "Figures beside their limits"
    notes = [BASES]
    if judged < len(found):
        notes.append("What only stands beside its limit has no goal in this run and does not count.")
    if study.leading.run.contended:
        notes.append("Other load was on the machine during this run; what waits or shares a core is slower for it.")
    if len(study.runs) > 1:
        title += f" in {study.leading.run.label}"
    if study.local and not same_run(study):
        notes.append("Goals that are set against other libraries need them measured beside: mpt bench --vs.")
    return Table(
        "goals",
        title,
        ["Part", "What", "Measured", "Goal", "Made of", "measured/goal", ""],
        rows,
        " ".join(notes),
        "llrrlrl",
        grouped=True,
        verdict=-1,
    )
