# SPDX-License-Identifier: BSD-3-Clause
"""One run of the program, and whether it failed."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field

from .plot import Plot

FINDINGS = 86  # exit status of a job in which --check has found something
OUT_OF_TIME = 124
GRACE_S = 10.0


@dataclass(frozen=True)
class Program:
    """What is run, and what it must do."""

    launcher: str
    options: tuple[str, ...]  # of the launcher
    words: tuple[str, ...]  # program and arguments
    limit_s: float
    expected: tuple[str, ...] | None = None  # lines of standard output, sorted; None: any

    def command(self, plot: Plot | None) -> list[str]:
        """As a user would type it."""
        adversary = ["--adversary", str(plot)] if plot else []
        return [self.launcher, *adversary, *self.options, "--", *self.words]


@dataclass(frozen=True)
class Trial:
    """How a run ended. `problem` is empty when it did what it must."""

    plot: Plot | None
    problem: str
    seconds: float
    out: str = field(default="", repr=False)
    err: str = field(default="", repr=False)


def lines_of(text: str) -> tuple[str, ...]:
    """PEs print in any order."""
    return tuple(sorted(text.splitlines()))


def problem_of(program: Program, status: int, out: str) -> str:
    """What is wrong with that."""
    if status == OUT_OF_TIME:
        return f"not ended after {program.limit_s:g} s"
    if status == FINDINGS:
        return "findings of --check"
    if status > 128:
        with suppress(ValueError):
            return f"signal {signal.Signals(status - 128).name}"
    if status != 0:
        return f"exit status {status}"
    if program.expected is not None and lines_of(out) != program.expected:
        return "wrong output"
    return ""


def text_of(raw: bytes | None) -> str:
    """What a program has written, whatever it was."""
    return (raw or b"").decode(errors="replace")


def run(program: Program, plot: Plot | None) -> Trial:
    """Run it once. The launcher ends it after the time limit and says where it waited."""
    words = program.command(plot)
    words[1:1] = ["--timeout", f"{max(1, round(program.limit_s))}"]
    environment = {name: value for name, value in os.environ.items() if name != "MPT_ADVERSARY"}
    began = time.monotonic()
    with subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(timeout=program.limit_s + GRACE_S)
            status = process.returncode if process.returncode >= 0 else 128 - process.returncode
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            status = OUT_OF_TIME
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            raise
    seconds = time.monotonic() - began
    return Trial(plot, problem_of(program, status, text_of(out)), seconds, text_of(out), text_of(err))
