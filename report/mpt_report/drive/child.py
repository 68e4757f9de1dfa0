# SPDX-License-Identifier: BSD-3-Clause
"""Runs one program to its end, its time limit or the user's Ctrl-C, and reports its progress.

The program gets a session of its own: Ctrl-C at the terminal then reaches only this process, which
stops the program in order, so that what it has written so far is kept.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from .load import State, Watch
from .plan import Step

PROGRESS = re.compile(r"progress (\d+)/(\d+)\s*(.*)")
GRACE_S = 3.0

Report = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Outcome:
    """How a step ended: `problem` is empty when it went well."""

    seconds: float
    problem: str = ""
    last_words: tuple[str, ...] = ()
    state: State | None = None  # whether it had the machine to itself; None when it did not start
    timed_out: bool = False


def signal_group(process: subprocess.Popen[str], number: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)


@dataclass(frozen=True)
class Other:
    """A process, which its number alone does not tell from a later one. Its parent may be gone meanwhile."""

    pid: int
    started: int
    parent: int = field(compare=False)
    session: int = field(compare=False)


def everyone() -> list[Other]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, ValueError, IndexError):  # it may end meanwhile
                words = (entry / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
                found.append(Other(int(entry.name), int(words[19]), int(words[1]), int(words[3])))
    return found


def family(leader: int) -> set[Other]:
    """All processes of the leader's session and those that they started, but for the leader itself. Launchers give each
    process of a job a group of its own, and some a session."""
    every, found = everyone(), set[Other]()
    while True:
        pids = {leader, *(one.pid for one in found)}
        more = {one for one in every if one.session == leader or one.parent in pids} - found
        if not more:
            return {one for one in found if one.pid != leader}
        found |= more


def stop(process: subprocess.Popen[str]) -> None:
    """End the program and all that it started: ask first, then insist. A launcher that is killed, or that takes longer
    than it is given, leaves its processes behind."""
    left = family(process.pid)
    signal_group(process, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE_S)
    left |= family(process.pid)
    signal_group(process, signal.SIGKILL)
    while left:
        alive = left & set(everyone())
        for one in alive:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(one.pid, signal.SIGKILL)
        left = family(process.pid) - left  # what was started until the last of them was gone
    process.wait()


def listen(stderr: IO[str], report: Report, log: IO[str]) -> deque[str]:
    """Read a program's stderr to its end: progress lines go to `report`, the rest to the log."""
    words: deque[str] = deque(maxlen=8)
    for line in stderr:
        found = PROGRESS.search(line)
        if found:
            report(int(found[1]), int(found[2]), found[3].strip())
            continue
        log.write(line)
        if any(letter.isalnum() for letter in line):
            words.append(line.rstrip())
    return words


def describe_end(code: int, timed_out: bool, limit: float) -> str:
    if timed_out:
        return f"stopped after its limit of {limit:.0f} s"
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit status {code}" if code else ""


def run_step(step: Step, report: Report, log_path: Path) -> Outcome:
    """Run one step; a KeyboardInterrupt stops the program and is passed on."""
    step.out.unlink(missing_ok=True)
    watch = Watch()
    started = time.monotonic()
    timed_out = threading.Event()
    with log_path.open("a", encoding="utf-8") as log:
        print(f"$ {' '.join(step.command)}", file=log, flush=True)
        try:
            process = subprocess.Popen(
                step.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                start_new_session=True,
                env={**os.environ, **step.environment},
            )
        except OSError as error:
            return Outcome(0.0, f"cannot start {step.command[0]}: {error.strerror}")
        assert process.stderr is not None  # a pipe, as asked for

        def give_up() -> None:
            timed_out.set()
            stop(process)

        timer = threading.Timer(step.hard_limit, give_up)
        timer.daemon = True
        timer.start()
        try:
            words = listen(process.stderr, report, log)
            code = process.wait()
        except BaseException:
            stop(process)
            raise
        finally:
            timer.cancel()
            process.stderr.close()
            if step.out.exists() and step.out.stat().st_size == 0:
                step.out.unlink()
    problem = describe_end(code, timed_out.is_set(), step.hard_limit)
    if not problem and not step.out.exists():
        problem = "wrote no records"
    return Outcome(time.monotonic() - started, problem, tuple(words), watch.end(step.out), timed_out.is_set())
