# SPDX-License-Identifier: BSD-3-Clause
"""What of a run is done: run.json beside the records, so that the same command goes on where it was stopped.

A step is done when the same command on the same program ended well, or when it was to show how far it gets and its time
was over; another mode, other options or a program built anew measure again.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from ..runs.records import ACCOUNT
from .plan import SECONDS, Step


def age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def fingerprint(step: Step) -> str:
    """Equal for steps that measure the same: the command but for its time and place, the programs it starts."""
    words, skip = [], False
    for word in step.command:
        if not skip and word not in (SECONDS, "--out"):
            words.append(word)
        skip = word in (SECONDS, "--out")
    files = [Path(word) for word in step.command if word.startswith("/") and Path(word).is_file()]
    libraries = [file.parent.parent / "lib" / "libmpt.so" for file in files]
    ages = [age(file) for file in (*files, *libraries)]
    told = json.dumps([words, sorted(step.environment.items()), ages])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


DONE, FAILED, STOPPED = "done", "failed", "stopped"  # stopped: its time was over, and what it measured stands


class Ledger:
    """The steps of one folder by the name of their file."""

    def __init__(self, out: Path):
        self.path = out / ACCOUNT
        self.outgrown: set[str] = set()  # steps of this run that weren't tried
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
            self.steps: dict[str, dict[str, Any]] = dict(found["steps"])
            self.planned: list[str] = [str(name) for name in found.get("planned", ())]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            self.steps, self.planned = {}, []

    def plan(self, steps: list[Step]) -> None:
        """What was asked for, so that a reader sees whether all of it was measured."""
        self.planned = list(dict.fromkeys([*self.planned, *(step.out.stem for step in steps)]))
        self.save()

    def done(self, step: Step) -> bool:
        entry = self.steps.get(step.out.stem)
        return (
            isinstance(entry, dict)
            and (entry.get("status") == STOPPED or (entry.get("status") == DONE and step.out.exists()))
            and entry.get("fingerprint") == fingerprint(step)
        )

    def gave_up(self, stem: str) -> bool:
        """Whether a step had too many PEs: it failed, was stopped, or wasn't tried as one of fewer had."""
        entry = self.steps.get(stem)
        return stem in self.outgrown or (isinstance(entry, dict) and entry.get("status") in (FAILED, STOPPED))

    def write(self, step: Step, status: str, seconds: float = 0.0, problem: str = "", state: str = "") -> None:
        """Kept after every step: whatever ends the driver, what was done stays done."""
        self.steps[step.out.stem] = {
            "title": step.title,
            "program": step.program,
            "status": status,
            "seconds": round(seconds, 2),
            "problem": problem,
            "state": state,
            "fingerprint": fingerprint(step),
        }
        self.save()

    def save(self) -> None:
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps({"planned": self.planned, "steps": self.steps}, indent=1) + "\n", encoding="utf-8")
        new.replace(self.path)

    def forget(self, stems: set[str]) -> None:
        self.steps = {name: entry for name, entry in self.steps.items() if name not in stems}
        self.planned = [name for name in self.planned if name not in stems]
