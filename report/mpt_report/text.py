# SPDX-License-Identifier: BSD-3-Clause
"""The whole report as text: the newsletter's blocks, the paper's tables, the goals, the rest."""

from __future__ import annotations

from .runs.study import Study
from .tables import (
    apps,
    goals,
    lab,
    lfk,
    lfk_checksums,
    linpack,
    network,
    newsletter,
    npb,
    paper,
    partition,
    pvm,
    seeds,
    summary,
    tasks,
    written,
)
from .tables.table import to_text


def head(study: Study) -> list[str]:
    """Who is compared with whom, and on what."""
    env = study.runs[0].environment if study.runs else {}
    words = [str(env[name]) for name in ("cpu", "kernel", "date") if name in env]
    out = [", ".join(words)] if words else []
    if study.local:
        out.append(f"this machine: {study.first.name}")
    out += [f"beside it: {series.name}" for series in (*study.others, *study.tasks, *study.networks)]
    for run in study.runs:
        if run.contended:
            out.append(
                f"{run.label}: other load was on the machine during {run.contended} of {len(run.environments)} programs"
            )
        out += [f"{run.label}: {title} failed: {problem}" for title, problem in run.failures.items()]
    out += study.remarks
    wrong = sum(record.verified is False for run in study.runs for record in run.records)
    if wrong:
        out.append(f"WRONG DATA was delivered in {wrong} of the figures below")
    return [*out, ""] if out else []


def shown_before(name: str) -> bool:
    """The newsletter's blocks and the tables of the 1996 paper stand above in their own layouts."""
    return name.startswith(("000/ping-pong", "003/table"))


def report(study: Study, width: int, everything: bool = True) -> str:
    """`everything` adds the tables that no paper has."""
    tables = summary.tables(study) + paper.tables(study) + pvm.tables(study) + written.tables(study)
    found = goals.table(study)
    if found:
        tables.append(found)
    tables += tasks.tables(study)
    tables += network.tables(study) if everything else network.summaries(study)
    if everything or not study.local:
        tables += [table for table in seeds.tables(study, only_measured=True) if not shown_before(table.id)]
        tables += lab.tables(study)
        kernels = (
            npb.table(study),
            linpack.table(study),
            lfk.table(study),
            lfk_checksums.table(study),
            partition.table(study),
        )
        tables += [*apps.tables(study), *(one for one in kernels if one)]
    parts = ["\n".join(head(study)), newsletter.to_text(study, width)]
    parts += [to_text(table, width) for table in tables]
    return "\n".join(part for part in parts if part)
