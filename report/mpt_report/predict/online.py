# SPDX-License-Identifier: BSD-3-Clause
"""A program run here, with many more PEs than there are cores, to be predicted for a machine that has them.

Each number of PEs is one run as tasks (mptrun --tasks), recorded with the processor time of each task into a folder
that is removed afterwards. What the program writes goes to standard error, as standard output has the prediction.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .machine import Machine, MachineError
from .recorded import Prediction, predict

GRACE_S = 10.0  # for a job to end when it is asked to
OUTPUT = 2  # the program's: standard error
REFUSED = 2  # status of the launcher: no PE has begun


class JobError(Exception):
    """The program did not end as it should."""

    def __init__(self, words: str, status: int):
        super().__init__(words)
        self.status = status


@dataclass(frozen=True)
class Asked:
    """What is run, and for which machine."""

    machine: Machine
    interface: str | None
    words: list[str]
    tasks: bool
    runs: int
    factor: float
    home: str | None


def launcher(home: str | None) -> str:
    """That of the build or installation to which this belongs, or else the one that is found."""
    ours = (Path(home) if home else Path(__file__).resolve().parents[3] / "build") / "bin" / "mptrun"
    found = str(ours) if os.access(ours, os.X_OK) else shutil.which("mptrun")
    if not found:
        raise MachineError("mptrun is not on PATH")
    return found


def rewound() -> int:
    """Each run reads a file that is our input from its begin; of other input there is only one, so they have none."""
    with suppress(OSError, ValueError):
        if stat.S_ISREG(os.fstat(0).st_mode):
            os.lseek(0, 0, os.SEEK_SET)
            return 0
    return subprocess.DEVNULL


def status_of(command: list[str]) -> int:
    """Runs it. 128 + n where a signal has ended it."""
    environment = {**os.environ, "MPT_TRACE_COUNTERS": "software", "MPT_TASKS": "0"}
    with subprocess.Popen(command, stdin=rewound(), stdout=OUTPUT, env=environment) as process:
        try:
            status = process.wait()
        except BaseException:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE_S)
            process.kill()
            raise
    return status if status >= 0 else 128 - status


def record(asked: Asked, pes: int, folder: Path) -> None:
    """One run of the program. JobError where it is not a whole job of this library."""
    how = ["--tasks"] if asked.tasks else []
    command = [launcher(asked.home), "-q", *how, "--trace", str(folder), "-n", str(pes), "--", *asked.words]
    status = status_of(command)
    if status:
        advice = (
            "; --processes runs the PEs as processes"
            if asked.tasks and status == REFUSED and not folder.exists()
            else ""
        )
        raise JobError(f"{asked.words[0]} with {pes} PEs ended with status {status}{advice}", status)
    if not any(folder.glob("pe.*.trace")):
        raise JobError(f"{asked.words[0]} with {pes} PEs recorded nothing: it calls nothing of the library", 1)


def once(asked: Asked, pes: int) -> Prediction:
    with tempfile.TemporaryDirectory(prefix="mpt-predict-") as name:
        record(asked, pes, Path(name) / "trace")
        return predict(Path(name) / "trace", asked.machine, asked.factor, asked.interface, asked.home)


def each(asked: Asked, counts: list[int]) -> Iterator[Prediction]:
    """A prediction for each number of PEs: of the run with the least computation, which was disturbed least."""
    sys.stdout.flush()
    for pes in counts:
        yield min((once(asked, pes) for _ in range(asked.runs)), key=lambda one: one.mean)
