# SPDX-License-Identifier: BSD-3-Clause
"""What a measuring run does: which program, on how many PEs, for how long, in which order.

The table is the whole policy; the rest turns its rows into commands.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

PAIRS = "pairs"          # as many PEs as asked for by --pes
SCALE = "scale"          # a list of PE counts, more PEs than cores included
ONE = "one"              # one run, not through the launcher


@dataclass(frozen=True)
class Program:
    """One benchmark program and the seconds it may take in each mode."""

    name: str
    kind: str
    full: float
    quick: float
    demo: float = 0.0                    # 0: not part of the demonstration
    pes: tuple[int, ...] = ()            # the PE counts of a full run, where they matter
    demo_pes: tuple[int, ...] = ()
    per_library: bool = True             # False: measures the machine, the same for every library
    waits: bool = False                  # run again under load when asked to
    own: bool = False                    # of an interface that other SHMEM libraries don't have


PROGRAMS = (
    Program("limits", ONE, 60, 25, 20, per_library=False),
    Program("ping_pong", PAIRS, 60, 15, 12, waits=True),
    Program("single_pairs", PAIRS, 60, 15, 12),
    Program("multiple_pairs", PAIRS, 60, 15, 12),
    Program("put_get", PAIRS, 90, 30),
    Program("atomics", SCALE, 30, 10, pes=(2, 8), waits=True),
    Program("barrier", SCALE, 20, 5, 4, pes=(2, 4, 8, 16, 32, 64), demo_pes=(2, 4, 8, 16),
            waits=True),
    Program("reduce", SCALE, 30, 8, pes=(2, 4, 8, 16), waits=True),
    Program("wake", SCALE, 30, 15, pes=(8,)),
    Program("launch", ONE, 60, 20),
    Program("pvm_pingpong", SCALE, 60, 15, pes=(2,), own=True),
    Program("pvm_barrier", SCALE, 20, 5, pes=(2, 4, 8), own=True),
    Program("pvm_group", SCALE, 10, 3, pes=(2, 8), own=True),
    Program("pvm_spawn", ONE, 15, 5, own=True),
)

# A program may be called by either name in the build folder.
FILE_NAMES = {"ping_pong": ("pingpong", "ping_pong")}

OURS = "mpt"                 # the name of our own library among those of a run
MODES = ("full", "quick", "demo")


@dataclass(frozen=True)
class Library:
    """A library under test: where its programs are and how they are started."""

    name: str
    folder: Path
    launcher: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)

    def program(self, name: str) -> Path | None:
        for file_name in FILE_NAMES.get(name, (name,)):
            path = self.folder / file_name
            if path.is_file() and os.access(path, os.X_OK):
                return path
        return None


# What a peer needs to run in a container, oversubscribed and as root; known by name.
PEER_LAUNCHER = {"openmpi": "mpirun.openmpi"}
PEER_ENVIRONMENT = {
    "openmpi": {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_memory": "^patcher",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "OMPI_MCA_hwloc_base_binding_policy": "none",
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
    named_by: str = ""       # files with this prefix tell the library's name, which the program does not know

    @property
    def hard_limit(self) -> float:
        """Past this the program is taken to hang: its own limit, once more, and a start-up."""
        return 2.0 * self.seconds + 30.0


def cores() -> int:
    return len(os.sched_getaffinity(0))


def pe_counts(program: Program, mode: str, asked: int, scale: tuple[int, ...]) -> tuple[int, ...]:
    """On how many PEs a program runs; each entry is one step."""
    if program.kind == ONE:
        return (1,)
    if program.kind == PAIRS:
        return (asked,)
    if scale and len(program.pes) > 1:
        return scale
    counts = program.demo_pes if mode == "demo" else program.pes
    return tuple(sorted({*counts, asked})) if len(counts) > 1 else counts


@dataclass(frozen=True)
class Order:
    """What the user asked for; the same for every step of a run."""

    out: Path
    mode: str = "full"
    pes: int = 2
    scale: tuple[int, ...] = ()
    only: tuple[str, ...] = ()
    burner: bool = False
    extra: tuple[str, ...] = ()

    def wants(self, program: Program) -> bool:
        return program.name in self.only if self.only else getattr(program, self.mode) > 0


def step_of(library: Library, program: Program, path: Path, npes: int, order: Order, burner: bool) -> Step:
    seconds = float(getattr(program, order.mode) or program.quick)
    launched = program.kind != ONE
    words = [library.name, program.name, f"{npes:03d}" if launched else "", "burner" if burner else ""]
    file = order.out / ("-".join(word for word in words if word) + ".jsonl")
    options = ["--out", str(file), "--progress", "--max-seconds", f"{seconds:g}"]
    options += ["--quick"] if order.mode != "full" else []
    options += ["--burner"] if burner else []
    options += ["--launcher", " ".join((*library.launcher, "-np", "{n}"))] if program.name == "launch" else []
    title = f"{program.name}, {npes} PEs" if launched else program.name
    return Step(
        title=("" if library.name == "mpt" else f"{library.name}: ") + title + (", one core burning" if burner else ""),
        command=(*((*library.launcher, "-np", str(npes)) if launched else ()), str(path), *options, *order.extra),
        out=file,
        seconds=seconds,
        environment=library.environment,
        named_by=f"{library.name}-" if program.name == "launch" else "",
    )


def make(libraries: list[Library], order: Order) -> tuple[list[Step], list[str]]:
    """The steps in order, and the names of the programs that are not there.

    The libraries take turns at each program, so that a change of load on the machine meets all of them.
    """
    steps: list[Step] = []
    missing: list[str] = []
    for burner in (False, True) if order.burner else (False,):
        for program in PROGRAMS:
            if not order.wants(program) or (burner and not program.waits):
                continue
            tested = libraries if program.per_library else libraries[:1]
            tested = [library for library in tested if library.name == OURS or not program.own]
            paths = {library.name: library.program(program.name) for library in tested}
            if not burner:
                missing += [f"{program.name} ({name})" for name, path in paths.items() if path is None]
            for npes in pe_counts(program, order.mode, order.pes, order.scale):
                steps += [step_of(library, program, paths[library.name], npes, order, burner)
                          for library in tested if paths[library.name] is not None]
    return steps, missing
