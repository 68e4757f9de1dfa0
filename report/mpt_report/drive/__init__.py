# SPDX-License-Identifier: BSD-3-Clause
"""Drives the benchmark programs through a launcher and keeps what they measured.

`measure` runs a plan step by step; a failed step is reported and the next one runs.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.console import Console

from ..runs.records import load_run
from ..runs.study import implementations
from .child import Outcome, run_step
from .display import Estimate, Plain, display
from .fits import hindrance
from .ledger import DONE, FAILED, STOPPED, Ledger
from .load import State
from .plan import LEAST_S, Step


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
    kept: int = 0  # steps that an earlier run had done
    states: list[tuple[str, State]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)  # what this machine has no memory or time for


class Purse:
    """The time of a whole run, from which each step takes its share; None: no limit."""

    def __init__(self, steps: list[Step], seconds: float | None):
        self.until = None if seconds is None else time.monotonic() + seconds
        self.asked = sum(step.seconds + START_S for step in steps)

    def take(self, step: Step) -> Step:
        """The step in what is left for it: all that come after it shrink alike."""
        if self.until is None:
            return step
        share = (self.until - time.monotonic()) / max(self.asked, 1e-9)
        self.asked -= step.seconds + START_S
        return step.within(share - START_S * (1.0 - share) / max(step.seconds, LEAST_S))


START_S = 0.3  # of each step that is no measuring: looking at the machine, start and end of a job


def outgrown(step: Step, ledger: Ledger) -> str:
    """Why more PEs are not tried; empty where they are."""
    if step.smaller is None or not ledger.gave_up(step.smaller.stem):
        return ""
    ledger.outgrown.add(step.out.stem)
    return "fewer PEs did not end in time"


def account(step: Step, outcome: Outcome, result: Result) -> str:
    """Adds what a step left behind to the result; the word for the ledger."""
    if outcome.state:
        result.states.append((step.title, outcome.state))
    if outcome.timed_out and step.grows:
        result.left_out.append(f"{step.title}: {outcome.problem}; what it measured until then stands")
        return STOPPED
    if outcome.problem:
        result.problems.append(f"{step.title}: {outcome.problem}")
        return FAILED
    return DONE


def run_steps(
    steps: list[Step], shown: Plain, estimate: Estimate, result: Result, ledger: Ledger, purse: Purse, log_path: Path
) -> None:
    def report(done: int, total: int, label: str) -> None:
        estimate.advance(done, total)
        shown.update(done, total, label)

    for index, step in enumerate(steps):
        estimate.begin(index)
        shown.begin(index)
        given = purse.take(step)
        why = hindrance(given) or outgrown(given, ledger)
        if why:
            result.left_out.append(f"{step.title}: {why}")
            ledger.forget({step.out.stem})
            ledger.save()
            estimate.finish(0.0)
            shown.end(index, Outcome(0.0, f"left out: {why}"))
            continue
        ledger.write(step, "started")
        outcome = run_step(named(given), report, log_path)
        estimate.finish(outcome.seconds)
        shown.end(index, outcome)
        ledger.write(
            step,
            account(step, outcome, result),
            outcome.seconds,
            outcome.problem,
            outcome.state.word if outcome.state else "",
        )


def measure(
    steps: list[Step], out: Path, console: Console, resume: bool = False, seconds: float | None = None
) -> Result:
    """Run all steps, or with `resume` those that are not done; Ctrl-C ends the run and keeps every record written
    until then. `seconds` bounds the whole."""
    out.mkdir(parents=True, exist_ok=True)
    log_path = out / "programs.log"
    ledger = Ledger(out)
    ledger.plan(steps)
    left = [step for step in steps if not (resume and ledger.done(step))]
    if len(left) == len(steps):
        log_path.write_text("", encoding="utf-8")
    result = Result(kept=len(steps) - len(left))
    estimate = Estimate(left)
    with display(console, left, estimate) as shown:
        try:
            run_steps(left, shown, estimate, result, ledger, Purse(left, seconds), log_path)
        except KeyboardInterrupt:
            result.interrupted = True
    result.files = [step.out for step in steps if step.out.exists()]
    return result
