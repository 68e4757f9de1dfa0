# SPDX-License-Identifier: BSD-3-Clause
"""What a measuring run does: which program, on how many PEs, for how long, in which order.

The tables of `programs` say what there is; this turns their rows and the user's order into commands.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..words import pes
from . import programs
from .programs import Program

OURS = "mpt"  # the name of our own library among those of a run
TASKS = "tasks"  # and of the same library with its PEs as tasks
TASKS_OPTION = "--tasks"  # of its launcher
SECONDS = "--max-seconds"


@dataclass(frozen=True)
class Library:
    """A library under test: where its programs are and how they are started."""

    name: str
    folder: Path
    launcher: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)
    crowded: tuple[str, ...] = ()  # the launcher for more PEs than cores, where it is another
    count: str = "-np"  # what tells the launcher how many; with an empty launcher, the program
    interfaces: tuple[str, ...] = ()  # empty: all
    arguments: tuple[str, ...] = ()  # of each of its programs
    crowded_environment: dict[str, str] = field(default_factory=dict)  # more of it for more PEs than cores

    def program(self, name: str) -> Path | None:
        """The executable of a program; a peer's folder holds all of them side by side."""
        row = programs.named(name)
        for file in dict.fromkeys([row.file, Path(row.file).name, name] if row else [name]):
            path = self.folder / file
            if path.is_file() and os.access(path, os.X_OK):
                return path
        return None

    def start(self, npes: int, path: Path, processes: int = 0) -> tuple[str, ...]:
        """The words that start a program on so many PEs, and if told, as tasks of so many processes."""
        words = self.crowded if self.crowded and npes > cores() else self.launcher
        if processes:
            words = tuple(f"{TASKS_OPTION}={processes}" if word.startswith(TASKS_OPTION) else word for word in words)
        return (*words, self.count, str(npes), str(path)) if words else (str(path), self.count, str(npes))

    def variables(self, npes: int) -> dict[str, str]:
        """What a job of so many PEs finds in its environment."""
        return self.environment | (self.crowded_environment if npes > cores() else {})

    def speaks(self, program: Program) -> bool:
        if self.name == TASKS:
            return not program.not_as_tasks
        return program.runs_with(self.name, self.name == OURS) and (
            not self.interfaces or program.library in self.interfaces
        )


# What a peer needs to run in a container, oversubscribed and as root; known by name.
PEER_LAUNCHER = {"openmpi": "mpirun.openmpi"}
PEER_ENVIRONMENT = {
    "openmpi": {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_memory": "^patcher",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "OMPI_MCA_hwloc_base_binding_policy": "none",
        "SMA_SYMMETRIC_SIZE": "1G",  # the name that its 4.1 reads; as large as ours
    },
}


@dataclass(frozen=True)
class Step:
    """One program run: what is started, what it writes and how long it may take."""

    title: str
    command: tuple[str, ...]
    out: Path
    seconds: float
    environment: dict[str, str]
    named_by: str = ""  # files with this prefix tell the library's name, which the program does not know
    program: str = ""  # its name in the tables
    memory: float = 0.0  # GB, of all PEs
    after: Path | None = None  # the records of a smaller problem, and how many times as long this one takes
    longer: float = 0.0
    grows: bool = False  # it shows how many PEs are possible: that its time is over is no failure
    smaller: Path | None = None  # the records of fewer PEs, without which it is not worth trying more

    @property
    def hard_limit(self) -> float:
        """Past this the program is taken to hang: its own limit, once more, and a start-up."""
        return 2.0 * self.seconds + 30.0

    def within(self, share: float) -> Step:
        """The same in a part of its time."""
        if share >= 1.0 or SECONDS not in self.command:
            return self
        seconds = max(LEAST_S, self.seconds * share)
        at = self.command.index(SECONDS) + 1
        return replace(self, seconds=seconds, command=(*self.command[:at], f"{seconds:.3g}", *self.command[at + 1 :]))


LEAST_S = 0.3


def cores() -> int:
    return len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Order:
    """What the user asked for; the same for every step of a run."""

    out: Path
    mode: str = "full"
    pes: tuple[int, ...] = (2,)
    scale: tuple[int, ...] = ()
    only: tuple[str, ...] = ()
    burner: bool = False
    extra: tuple[str, ...] = ()

    def wants(self, program: Program) -> bool:
        if program.name in self.only:
            return True
        if self.only:
            told = program.seconds[self.mode] or program.seconds["quick"]
            return told > 0 and program.name in programs.meant(self.only)
        return program.seconds[self.mode] > 0

    def seconds(self, program: Program) -> float:
        """What is not part of a mode, but asked for by name, gets a short run's time, or as much as it needs."""
        told = program.seconds
        return told[self.mode] or told["quick"] or told["full"] or told["asked"]


def options_of(library: Library, program: Program, file: Path, order: Order, burner: bool) -> list[str]:
    options = ["--out", str(file), "--progress", SECONDS, f"{order.seconds(program):g}"]
    options += ["--quick"] if order.mode != "full" else []
    options += ["--burner"] if burner else []
    options += ["--as-tasks"] if library.name == TASKS else []
    if program.launcher:  # of more PEs than cores, too
        options += ["--launcher", " ".join((*(library.crowded or library.launcher), library.count, "{n}"))]
    return options


def file_of(library: Library, name: str, launched: bool, npes: int, order: Order, burner: bool) -> Path:
    words = [library.name, name, f"{npes:03d}" if launched else "", "burner" if burner else ""]
    return order.out / ("-".join(word for word in words if word) + ".jsonl")


def smaller_of(library: Library, program: Program, npes: int, order: Order, burner: bool) -> Path | None:
    """Where the records of the next smaller number of PEs are, if it is to be asked at all."""
    fewer = [count for count in program.counts(order.mode, order.pes, order.scale) if count < npes]
    if not program.grows or not fewer:
        return None
    return file_of(library, program.name, program.launched, max(fewer), order, burner)


def step_of(library: Library, program: Program, path: Path, npes: int, order: Order, burner: bool) -> Step:
    file = file_of(library, program.name, program.launched, npes, order, burner)
    foretold = program.after and program.name not in order.only  # who asks for it by name waits
    start = library.start(npes, path, program.processes) if program.launched else (str(path),)
    title = f"{program.name}, {pes(npes)}" if program.launched else program.name
    return Step(
        title=("" if library.name == OURS else f"{library.name}: ") + title + (", one core burning" if burner else ""),
        command=(
            *start,
            *program.arguments,
            *library.arguments,
            *options_of(library, program, file, order, burner),
            *order.extra,
        ),
        out=file,
        seconds=order.seconds(program),
        environment=library.variables(npes) | ({"SHMEM_SYMMETRIC_SIZE": program.heap} if program.heap else {}),
        named_by=f"{library.name}-" if program.launcher else "",
        program=program.name,
        memory=program.memory,
        after=file_of(library, program.after, program.launched, npes, order, burner) if foretold else None,
        longer=program.longer,
        grows=program.grows,
        smaller=smaller_of(library, program, npes, order, burner),
    )


def missing_text(program: Program, library: Library) -> str:
    why = f": the build needs {program.needs}" if program.needs else ""
    return f"{program.name} ({library.name}){why}"


def left_out(libraries: list[Library], order: Order) -> list[str]:
    """A sentence for each bound that PE counts of the user lie beyond, with the programs that have it."""
    found: dict[tuple[str, int], list[str]] = {}
    for program in programs.load():
        if order.wants(program) and any(library.speaks(program) for library in libraries):
            for npes in program.impossible(order.mode, order.pes, order.scale):
                bound = f"at least {program.least}" if npes < program.least else f"at most {program.most}"
                found.setdefault((bound, npes), []).append(program.name)
    words = [f"not on {pes(npes)}: {', '.join(names)} ({bound})" for (bound, npes), names in found.items()]
    return words + not_as_tasks(libraries, order) + not_with_peers(libraries, order)


def not_as_tasks(libraries: list[Library], order: Order) -> list[str]:
    """A sentence for each reason why programs cannot run as tasks where that was asked for, or not otherwise."""
    told = any(library.name == TASKS for library in libraries)
    found: dict[str, list[str]] = {}
    for program in programs.load():
        if not order.wants(program):
            continue
        if told and program.not_as_tasks and program.library != "none":
            found.setdefault(f"not as tasks: {{}} ({program.not_as_tasks})", []).append(program.name)
        if not told and program.processes and program.name in order.only:
            found.setdefault("not without --tasks: {} (run only so)", []).append(program.name)
    return [words.format(", ".join(names)) for words, names in found.items()]


def peer_too_many(library: Library, program: Program, npes: int) -> bool:
    """Whether another library takes too long to start so many PEs."""
    return library.name not in (OURS, TASKS) and bool(program.peers_most) and npes > program.peers_most


def not_with_peers(libraries: list[Library], order: Order) -> list[str]:
    found: dict[tuple[str, int], list[str]] = {}
    for program in programs.load():
        for library in libraries if order.wants(program) else ():
            counts = program.counts(order.mode, order.pes, order.scale)
            if library.speaks(program) and any(peer_too_many(library, program, npes) for npes in counts):
                found.setdefault((library.name, program.peers_most), []).append(program.name)
    return [f"{name} on no more than {pes(most)}: {', '.join(told)}" for (name, most), told in found.items()]


def make(libraries: list[Library], order: Order) -> tuple[list[Step], list[str]]:
    """The steps in order, and the names of the programs that are not there.

    The libraries take turns at each program, so that a change of load on the machine meets all of them.
    """
    steps: list[Step] = []
    missing: list[str] = []
    for burner in (False, True) if order.burner else (False,):
        for program in programs.load():
            if not order.wants(program) or (burner and not program.waits):
                continue
            tested = libraries[:1] if program.library == "none" else libraries
            tested = [library for library in tested if library.speaks(program)]
            paths = {library.name: library.program(program.name) for library in tested}
            if not burner:
                missing += [missing_text(program, library) for library in tested if paths[library.name] is None]
            for npes in program.counts(order.mode, order.pes, order.scale):
                steps += [
                    step_of(library, program, path, npes, order, burner)
                    for library in tested
                    if (path := paths[library.name]) is not None and not peer_too_many(library, program, npes)
                ]
    return steps, missing
