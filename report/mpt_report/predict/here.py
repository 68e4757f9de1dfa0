# SPDX-License-Identifier: BSD-3-Clause
"""This machine as a machine file, from short measurements of its two libraries; and how well it predicts itself.

The measurements are bench/'s: LogGP of SHMEM and MPI at 8 bytes, barriers, and the time a byte takes. Their medians go
into the file, so that it says what the machine gives under the load that it has.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..places import PROGRAMS, programs_of
from .machine import Machine, MachineError, load
from .recorded import predict

PES = 2
BAR = 0.10  # of the error of a prediction for the machine itself
ATTEMPTS = 3  # of which the shortest time counts
SHORT = 8  # bytes of the message whose overheads are taken
SECONDS, LIMIT_S = "3", 120
RUN_SECONDS, APP_SECONDS = "0.1", "0.01"
KERNELS = ("ep", "cg", "mg", "ft", "is", "lu", "sp", "bt")
KEYS = ["--keys", "8192"]
APPS = {"mm": [], "sample": KEYS, "radix": KEYS, "em3d": ["--nodes", "512"], "stencil": []}
LIBRARIES = {
    "shmem": ("pt2pt/shmem_loggp", "barrier", "put_get"),
    "mpi": ("mpi_loggp", "mpi_barrier", "mpi_put"),
}


@dataclass(frozen=True)
class Own:
    """Seconds of a timed run of a program here: as it is, recorded, and predicted from what was recorded."""

    program: str
    measured: float
    recorded: float
    predicted: float

    @property
    def error(self) -> float:
        return self.predicted / self.measured - 1


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
    """Medians by test, metric and bytes of a message (0: none); the first where there are several."""
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
    put = 1 / found["put_get", "rate", SHORT] if name == "shmem" else found["mpi_put", "latency", SHORT]
    return [
        f"[interface.{name}]",
        f'send = "{send:.4g} us"',
        f'onesided = "{put:.4g} us"',
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
            yield f"class {cls}", [f"npb/{name}", "--class", cls, "--max-seconds", RUN_SECONDS]
    for library in LIBRARIES:
        for name, size in APPS.items():
            program = f"apps/{library}_{name}"
            if ((programs_of(folder) or folder) / program).is_file():
                yield "", [program, "--quick", "--max-seconds", APP_SECONDS, *size]


def timed(text: str) -> dict[str, float]:
    """What a benchmark printed: the median of each timed run, by the name of its region."""
    found = {}
    for line in text.splitlines():
        row = json.loads(line)
        if row.get("metric") == "time":
            found[", ".join(filter(None, (row["test"], row["params"].get("variant"))))] = float(row["value"])
    return found


def middle(times: list[float]) -> float:
    """The first one may be there to warm up."""
    return statistics.median(times[1:] if len(times) > 2 else times)


def attempt(
    folder: Path, words: list[str], trace: Path, machine: Machine, home: str | None
) -> dict[str, tuple[float, float, float]]:
    """A program run, and recorded and replayed: seconds of each timed run. The trace is removed."""
    measured = timed(start(folder, words))
    try:
        start(folder, words, "--trace", str(trace))
        one = predict(trace, machine, 1.0, None, home)
    finally:
        shutil.rmtree(trace, ignore_errors=True)
    return {
        name: (time, middle(one.regions.each(name)), middle(one.there.each(name))) for name, time in measured.items()
    }


def least(program: str, size: str, made: list[dict[str, tuple[float, float, float]]]) -> Iterator[Own]:
    """Of all attempts the shortest times: other programs on this machine only make them longer. A region's name begins
    with what the program is for, and may go on with the variant."""
    for name in made[0]:
        variant = name.split(", ")[1:]
        title = ", ".join([program, *variant, *([size] if size else [])])
        yield Own(title, *(min(times) for times in zip(*(one[name] for one in made), strict=True)))


def chosen(folder: Path, only: list[str]) -> list[tuple[str, list[str]]]:
    """Those of these names: ep, with both of its classes, or mpi_radix; all if none is given."""
    every = list(programs(folder))
    names = list(dict.fromkeys(Path(words[0]).name for _, words in every))
    if unknown := sorted(set(only) - set(names)):
        raise MachineError(f"--only: there is no program {unknown[0]!r}; there are {', '.join(names)}")
    return [one for one in every if not only or Path(one[1][0]).name in only]


def own(
    home: str | None, machine: Machine | None, say: Callable[[str], None], only: list[str] | None = None
) -> Iterator[Own]:
    """The timed runs of each program with two PEs. Without a machine one is fitted first."""
    folder = build(home)
    every = chosen(folder, only or [])
    with tempfile.TemporaryDirectory(prefix="mpt-predict-") as name:
        if machine is None:
            say("measuring this machine")
            file = Path(name) / "here.toml"
            file.write_text(fit(home), encoding="utf-8")
            machine = load(str(file))
        for size, words in every:
            say(f"{words[0]} {size}")
            made = [attempt(folder, words, Path(name) / "trace", machine, home) for _ in range(ATTEMPTS)]
            yield from least(Path(words[0]).name, size, made)
