# SPDX-License-Identifier: BSD-3-Clause
"""Drives the benchmark programs through a launcher and keeps what they measured.

`measure` runs a plan step by step; a failed step is reported and the next one runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.console import Console

from ..records import load_run
from ..study import implementations
from .child import run_step
from .display import Estimate, display
from .plan import Step


def named(step: Step) -> Step:
    """Tell a program that is not linked with the library what the others of the run said its name is."""
    files = sorted(step.out.parent.glob(f"{step.named_by}*.jsonl")) if step.named_by else []
    for file in files:
        found = implementations(load_run(file))
        if found:
            return replace(step, command=(*step.command, "--implementation", found[0]))
    return step


@dataclass
class Result:
    """What a measuring run left behind."""

    files: list[Path] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    interrupted: bool = False


def measure(steps: list[Step], out: Path, console: Console) -> Result:
    """Run all steps; Ctrl-C ends the run and keeps every record written until then."""
    out.mkdir(parents=True, exist_ok=True)
    log_path = out / "programs.log"
    log_path.write_text("", encoding="utf-8")
    result = Result()
    estimate = Estimate(steps)
    with display(console, steps, estimate) as shown:

        def report(done: int, total: int, label: str) -> None:
            estimate.advance(done, total)
            shown.update(done, total, label)

        try:
            for index, step in enumerate(steps):
                estimate.begin(index)
                shown.begin(index)
                outcome = run_step(named(step), report, log_path)
                estimate.finish(outcome.seconds)
                shown.end(index, outcome)
                if outcome.problem:
                    result.problems.append(f"{step.title}: {outcome.problem}")
        except KeyboardInterrupt:
            result.interrupted = True
    result.files = [step.out for step in steps if step.out.exists()]
    return result
