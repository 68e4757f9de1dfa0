# SPDX-License-Identifier: BSD-3-Clause
"""This machine as a machine file, from short measurements of its two libraries; and how well it predicts itself.

The measurements are bench/'s: LogGP of SHMEM and MPI at 8 bytes, barriers, and the time a byte takes. Their medians go
into the file, so that it says what the machine gives under the load that it has.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..places import PROGRAMS, programs_of
from ..trace import reader
from ..trace.events import events_of
from .machine import Machine, MachineError, load
from .replay import replay
from .simulate import run

PES = 2
BAR = 0.10  # of the error of a prediction for the machine itself
ATTEMPTS = 3  # of which the one counts that was disturbed least
SHORT = 8  # bytes of the message whose overheads are taken
SECONDS, LIMIT_S = "3", 120
RUN_SECONDS = "0.3"
KERNELS = ("ep", "cg", "mg", "ft", "is", "lu", "sp", "bt")
APPS = ("mm", "sample", "radix", "em3d", "stencil")
LIBRARIES = {"shmem": ("pt2pt/shmem_loggp", "barrier"), "mpi": ("mpi_loggp", "mpi_barrier")}


@dataclass(frozen=True)
class Own:
    """A program that was recorded here, and replayed here."""

    program: str
    recorded: float
    predicted: float

    @property
    def error(self) -> float:
        return self.predicted / self.recorded - 1


def build(home: str | None) -> Path:
    return Path(home) if home else Path(__file__).resolve().parents[3] / "build"


def start(folder: Path, words: list[str], *options: str) -> str:
    """Runs a benchmark with two PEs; what it prints."""
    program = (programs_of(folder) or folder / PROGRAMS[0]) / words[0]
    if not program.is_file():
        raise MachineError(f"{program} is not there: build the benchmarks (MPT_BENCH=ON)")
    command = [str(folder / "bin/mptrun"), *options, "-n", str(PES), str(program), *words[1:]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise MachineError(f"{words[0]} ended with status {done.returncode}{': ' + lines[-1] if lines else ''}")
    return done.stdout


def records(text: str) -> dict[tuple[str, str, int], float]:
    """Medians by test, metric and bytes of a message (0: none)."""
    found: dict[tuple[str, str, int], float] = {}
    for line in text.splitlines():
        row = json.loads(line)
        if "metric" in row:
            key = (row["test"], row["metric"], int(row["params"].get("message_bytes", 0)))
            found.setdefault(key, float(row["value"]))
    return found


def interface(folder: Path, name: str) -> list[str]:
    """The table of one library."""
    found: dict[tuple[str, str, int], float] = {}
    for program in LIBRARIES[name]:
        found |= records(start(folder, [program, "--quick", "--max-seconds", SECONDS]))
    send, receive, latency = (max(0.0, found["LogGP", metric, SHORT]) for metric in ("o_s", "o_r", "L"))
    rate = 1e3 / found["LogGP", "G", 0]
    return [
        f"[interface.{name}]",
        f'send = "{send:.4g} us"',
        f'receive = "{receive:.4g} us"',
        f'latency = "{latency:.4g} us"',
        f'rates = [["1 B", "{rate:.5g} MB/s"]]',
        f'barrier = ["0 us", "{found["SYNCH1", "barrier_time", 0]:.4g} us"]',
        "",
    ]


def fit(home: str | None) -> str:
    """The text of a machine file."""
    folder = build(home)
    lines = [
        "# SPDX-License-Identifier: BSD-3-Clause",
        'name = "this machine"',
        'about = "measured by mpt predict --fit, 2 PEs in shared memory"',
        "",
        "[network]",
        'topology = "crossbar"',
        "pes_per_node = 1024         # all share memory",
        "",
        "[processor]",
        "",
    ]
    for name in LIBRARIES:
        lines += interface(folder, name)
    return "\n".join(lines)


def programs(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """NAS benchmarks of classes S and W, and the applications of both libraries: names and words."""
    for name in KERNELS:
        for cls in "SW":
            yield f"{name} {cls}", [f"npb/{name}", "--class", cls, "--max-seconds", RUN_SECONDS]
    for library in LIBRARIES:
        for name in APPS:
            program = f"apps/{library}_{name}"
            if ((programs_of(folder) or folder) / program).is_file():
                yield f"{library}_{name}", [program, "--quick", "--max-seconds", RUN_SECONDS]


def attempt(
    folder: Path, words: list[str], trace: Path, machine: Machine, home: str | None
) -> tuple[float, float, float]:
    """A program recorded and replayed: seconds recorded, predicted, and between calls. The trace is removed."""
    try:
        start(folder, words, "--trace", str(trace))
        events = events_of(reader.read(trace))
        made = replay(events, machine)
        time = run(machine, made.interface, events.pes, made.program.array(), home).time
        return made.recorded, time, max(made.computed)
    finally:
        shutil.rmtree(trace, ignore_errors=True)


def chosen(folder: Path, only: list[str]) -> list[tuple[str, list[str]]]:
    """Those of these names: ep, with both of its classes, or mpi_radix; all if none is given."""
    every = list(programs(folder))
    names = list(dict.fromkeys(title.split()[0] for title, _ in every))
    if unknown := sorted(set(only) - set(names)):
        raise MachineError(f"--only: there is no program {unknown[0]!r}; there are {', '.join(names)}")
    return [one for one in every if not only or one[0].split()[0] in only]


def own(
    home: str | None, machine: Machine | None, say: Callable[[str], None], only: list[str] | None = None
) -> Iterator[Own]:
    """Each program recorded and replayed with two PEs. Without a machine one is fitted first."""
    folder = build(home)
    every = chosen(folder, only or [])
    with tempfile.TemporaryDirectory(prefix="mpt-predict-") as name:
        if machine is None:
            say("measuring this machine")
            file = Path(name) / "here.toml"
            file.write_text(fit(home), encoding="utf-8")
            machine = load(str(file))
        for number, (title, words) in enumerate(every):
            say(title)
            made = [attempt(folder, words, Path(name) / str(number), machine, home) for _ in range(ATTEMPTS)]
            yield Own(title, *min(made, key=lambda one: one[0] / one[2])[:2])
