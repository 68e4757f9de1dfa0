# SPDX-License-Identifier: BSD-3-Clause
"""Shows how far a measuring run is: a live bar on a terminal, plain lines anywhere else.

Time left is what the plan still allows, corrected by how fast the finished steps really were.
"""

from __future__ import annotations

import time
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn
from rich.text import Text

from .child import Outcome
from .load import CONTENDED
from .plan import Step

PLAIN_PERIOD_S = 10.0
TITLE = 44  # a fixed width, else the bar jumps


def clock(seconds: float) -> str:
    whole = max(0, round(seconds))
    return f"{whole // 60}:{whole % 60:02d}"


class Estimate:
    """Time left, from the plan's allowances and what the steps so far took of theirs."""

    def __init__(self, steps: list[Step]):
        self.allowed = [step.seconds for step in steps]
        self.index = 0
        self.fraction = 0.0
        self.spent = 0.0
        self.step_started = time.monotonic()

    def begin(self, index: int) -> None:
        self.index, self.fraction, self.step_started = index, 0.0, time.monotonic()

    def advance(self, done: int, total: int) -> None:
        if total > 0:
            self.fraction = max(self.fraction, min(done / total, 1.0))

    def finish(self, seconds: float) -> None:
        self.spent += seconds
        self.index += 1
        self.fraction = 0.0
        self.step_started = time.monotonic()

    @property
    def total(self) -> float:
        return sum(self.allowed)

    @property
    def done(self) -> float:
        """Allowed seconds worked off; equals `total` at the end."""
        current = self.allowed[self.index] * self.fraction if self.index < len(self.allowed) else 0.0
        return sum(self.allowed[: self.index]) + current

    def left(self) -> float:
        """Seconds: the current step by its own pace, the rest by the pace of the steps before."""
        if self.index >= len(self.allowed):
            return 0.0
        finished = sum(self.allowed[: self.index])
        pace = min(self.spent / finished, 1.5) if finished > 0 else 1.0
        elapsed = time.monotonic() - self.step_started
        here = self.allowed[self.index] * pace
        if self.fraction > 0.1:
            here = elapsed / self.fraction
        rest = sum(self.allowed[self.index + 1 :]) * pace
        return max(here - elapsed, 0.0) + rest


class Plain:
    """Lines for logs and pipes: the start and end of each step and a word now and then."""

    def __init__(self, console: Console, steps: list[Step], estimate: Estimate):
        self.console, self.steps, self.estimate = console, steps, estimate
        self.last = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def say(self, text: str) -> None:
        self.last = time.monotonic()
        self.console.print(text, highlight=False, markup=False, soft_wrap=True)

    def begin(self, index: int) -> None:
        self.say(f"[{index + 1}/{len(self.steps)}] {self.steps[index].title}, about {clock(self.estimate.left())} left")

    def update(self, done: int, total: int, label: str) -> None:
        if time.monotonic() - self.last >= PLAIN_PERIOD_S:
            self.say(f"      {done}/{total} {label}, about {clock(self.estimate.left())} left")

    def end(self, index: int, outcome: Outcome) -> None:
        if outcome.problem:
            self.say(f"      {self.steps[index].title}: {outcome.problem}")
            for line in outcome.last_words:
                self.say(f"        {line}")
        if outcome.state and outcome.state.word == CONTENDED:
            self.say(f"      {self.steps[index].title}: contended: {outcome.state.reasons[0]}")


class TimeLeft(ProgressColumn):
    """Counts down by itself between two words of a program."""

    def __init__(self, estimate: Estimate):
        super().__init__()
        self.estimate = estimate

    def render(self, task: Task) -> Text:
        return Text(f"{clock(self.estimate.left())} left")


class Live(Plain):
    """One bar over the whole run, in units of allowed time."""

    def __init__(self, console: Console, steps: list[Step], estimate: Estimate):
        super().__init__(console, steps, estimate)
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            TaskProgressColumn(),
            TimeLeft(estimate),
            console=console,
            expand=True,
            transient=True,
        )
        self.task = self.progress.add_task("starting", total=estimate.total)

    def __enter__(self) -> Self:
        self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.progress.stop()

    def begin(self, index: int) -> None:
        self.refresh(self.steps[index].title)

    def update(self, done: int, total: int, label: str) -> None:
        title = self.steps[self.estimate.index].title
        self.refresh(f"{title}: {label}" if label else title)

    def refresh(self, text: str) -> None:
        self.progress.update(self.task, completed=self.estimate.done, description=f"{text:<{TITLE}.{TITLE}}")


def display(console: Console, steps: list[Step], estimate: Estimate) -> Plain:
    return (Live if console.is_terminal else Plain)(console, steps, estimate)
