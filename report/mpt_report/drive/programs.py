# SPDX-License-Identifier: BSD-3-Clause
"""The benchmark programs, as the tables in data/programs/*.toml tell of them.

Each part of the laboratory has one file there; `mpt bench` knows no program but these. A row that is wrong
is an error that names the file, the program and the key.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

ASKED = "pes"  # in place of PE counts: as many as the user says
LIBRARIES = ("SHMEM", "MPI", "PVM", "AM", "Split-C", "none")
PEERS = ("openmpi", "mpich", "pvm")
MODES = ("full", "quick", "demo", "asked")  # asked: only by its own name


class TableError(ValueError):
    """A row of a table of programs that cannot be meant."""


@dataclass(frozen=True)
class Program:
    """One benchmark program, how it is started and the seconds it may take in each mode."""

    name: str
    part: str  # the table's file, without its ending
    file: str  # below bench/, without an ending
    pes: tuple[int, ...]  # empty: as many as asked for
    launched: bool  # False: started without a launcher
    seconds: dict[str, float]
    library: str
    arguments: tuple[str, ...] = ()
    mode_pes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    seeds: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()  # below bench/, to build it with a peer; empty: run_peer.sh builds it
    needs: str = ""  # what must be installed for the build to make it
    waits: bool = False  # run again under load when asked to
    launcher: bool = False  # starts jobs itself, by the launcher it is told
    least: int = 1  # PEs
    most: int = 0  # PEs; 0: as many as there may be
    memory: float = 0.0  # GB that all PEs need together, where that is much
    heap: str = ""  # of each PE, where the default one is too small
    after: str = ""  # a program whose problem is the same but smaller
    longer: float = 0.0  # and how many times as long this one takes
    processes: int = 0  # runs only as tasks, of so many processes; 0: as all others
    peers_most: int = 0  # PEs of other libraries, which take longer to start; 0: as many as of ours
    grows: bool = False  # takes longer the more PEs there are: no more are tried once a number was too many

    @property
    def not_as_tasks(self) -> str:
        """Why its PEs cannot be tasks; empty where they can."""
        if self.library == "Split-C":
            return "Split-C's variables lie at one address in all PEs"
        if self.library == "none":
            return "has no PEs"
        if not self.launched and not self.launcher:
            return "starts its PEs itself, by PVM's virtual machine"
        return ""

    def able(self, npes: int) -> bool:
        """Whether it runs on so many PEs at all."""
        return not self.launched or (npes >= self.least and (not self.most or npes <= self.most))

    def counts(self, mode: str, asked: tuple[int, ...], scale: tuple[int, ...] = ()) -> tuple[int, ...]:
        """On how many PEs it runs; each entry is one step."""
        return tuple(npes for npes in self.told(mode, asked, scale) if self.able(npes))

    def impossible(self, mode: str, asked: tuple[int, ...], scale: tuple[int, ...] = ()) -> tuple[int, ...]:
        """The PE counts that were asked for and that it doesn't run on."""
        return tuple(npes for npes in self.told(mode, asked, scale) if not self.able(npes))

    def told(self, mode: str, asked: tuple[int, ...], scale: tuple[int, ...]) -> tuple[int, ...]:
        """The PE counts of the user or the table, possible or not."""
        if not self.launched:
            return (1,)
        if not self.pes:
            return asked
        if len(self.pes) == 1:
            return self.pes
        if scale:
            return scale
        counts = self.mode_pes.get(mode, self.pes)
        return tuple(sorted({*counts, *(asked if mode == "demo" else ())}))

    def called(self) -> tuple[tuple[str, ...], ...]:
        """The words of an --only that mean it: its name or file, its part, its tests."""
        return (self.name, self.file, Path(self.file).name), (self.part,), self.tests

    def runs_with(self, library: str, ours: bool) -> bool:
        """Whether a library can run it. One that no row knows speaks SHMEM."""
        if ours:
            return not self.processes
        return library in self.peers or (library not in PEERS and self.library == "SHMEM" and bool(self.peers))


KEYS = {
    "name",
    "file",
    "pes",
    "quick_pes",
    "demo_pes",
    "arguments",
    "seconds",
    "seeds",
    "library",
    "peers",
    "tests",
    "sources",
    "needs",
    "waits",
    "launcher",
    "least",
    "most",
    "memory",
    "heap",
    "after",
    "longer",
    "processes",
    "peers_most",
    "grows",
}
NEEDED = ("name", "file", "pes", "seconds", "library", "tests")


def counts_of(value: Any, where: str) -> tuple[int, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(n, int) and n > 0 for n in value):
        raise TableError(f"{where} is {value!r}, not a list of PE counts")
    return tuple(value)


def bounds_of(row: dict[str, Any], counts: set[int], where: str) -> tuple[int, int]:
    """The PE counts a program runs on; those that its own row names must lie between them."""
    least, most = row.get("least", 1), row.get("most", 0)
    for key, value in (("least", least), ("most", most)):
        if not isinstance(value, int) or isinstance(value, bool) or value < (key == "least"):
            raise TableError(f"{where}: {key} is {value!r}, not a PE count")
    outside = sorted(npes for npes in counts if npes < least or (most and npes > most))
    if outside:
        raise TableError(f"{where}: {outside[0]} PEs are not between least, {least}, and most, {most or 'any'}")
    return least, most


def number_of(row: dict[str, Any], key: str, where: str) -> int:
    """A number of PEs or processes; 0 where the row has none."""
    value = row.get(key, 0)
    if not isinstance(value, int) or isinstance(value, bool) or (key in row and value < 1):
        raise TableError(f"{where}: {key} is {value!r}, not a number of them")
    return value


def texts_of(row: dict[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = row.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, (str, int, float)) for item in value):
        raise TableError(f"{where}: {key} is not a list of texts")
    return tuple(str(item) for item in value)


def seconds_of(row: dict[str, Any], where: str) -> dict[str, float]:
    found = row["seconds"]
    if (
        not isinstance(found, dict)
        or not {"quick", "full"} <= found.keys() <= set(MODES)
        or not all(isinstance(value, (int, float)) and value >= 0 for value in found.values())
    ):
        raise TableError(f"{where}: seconds is {found!r}, not numbers for quick and full (and perhaps demo or asked)")
    return {mode: float(found.get(mode, 0)) for mode in MODES}


def sizes_of(row: dict[str, Any], where: str) -> dict[str, Any]:
    """What a large problem needs of the machine."""
    for key in ("memory", "longer"):
        if not isinstance(row.get(key, 0), (int, float)) or row.get(key, 0) < 0:
            raise TableError(f"{where}: {key} is {row[key]!r}, not a number")
    if ("after" in row) != ("longer" in row):
        raise TableError(f"{where}: after and longer belong together")
    return {
        "memory": float(row.get("memory", 0)),
        "heap": str(row.get("heap", "")),
        "after": str(row.get("after", "")),
        "longer": float(row.get("longer", 0)),
    }


def program_of(row: dict[str, Any], part: str, index: int) -> Program:
    where = f"{part}.toml: program {row.get('name', index)}"
    lacking = [key for key in NEEDED if key not in row]
    unknown = sorted(row.keys() - KEYS)
    if lacking or unknown:
        raise TableError(
            f"{where}: "
            + "; ".join([f"no key {key!r}" for key in lacking] + [f"no such key as {key!r}" for key in unknown])
        )
    if row["library"] not in LIBRARIES:
        raise TableError(f"{where}: library is {row['library']!r}, none of {', '.join(LIBRARIES)}")
    peers = texts_of(row, "peers", where)
    if set(peers) - set(PEERS):
        raise TableError(f"{where}: peers are {peers}, of which only {', '.join(PEERS)} are known")
    pes = row["pes"]
    fixed = () if pes in (ASKED, 0) else counts_of(pes, f"{where}: pes")
    more = {mode: counts_of(row[f"{mode}_pes"], f"{where}: {mode}_pes") for mode in MODES if f"{mode}_pes" in row}
    least, most = bounds_of(row, {*fixed, *(npes for counts in more.values() for npes in counts)}, where)
    return Program(
        name=row["name"],
        part=part,
        file=row["file"],
        pes=fixed,
        launched=pes != 0,
        seconds=seconds_of(row, where),
        library=row["library"],
        arguments=texts_of(row, "arguments", where),
        mode_pes=more,
        seeds=texts_of(row, "seeds", where),
        peers=peers,
        tests=texts_of(row, "tests", where),
        sources=texts_of(row, "sources", where),
        needs=str(row.get("needs", "")),
        waits=bool(row.get("waits")),
        launcher=bool(row.get("launcher")),
        least=least,
        most=most,
        processes=number_of(row, "processes", where),
        peers_most=number_of(row, "peers_most", where),
        grows=bool(row.get("grows")),
        **sizes_of(row, where),
    )


def parse(text: str, part: str) -> list[Program]:
    """The programs of one table."""
    try:
        rows = tomllib.loads(text).get("program", [])
    except tomllib.TOMLDecodeError as error:
        raise TableError(f"{part}.toml: {error}") from None
    return [program_of(row, part, index) for index, row in enumerate(rows, 1)]


# What the others are held against comes first, then the papers' tests in their order; other parts follow by name.
FIRST = ("system", "pt2pt", "tasks", "memory", "libs", "lfk", "linpack", "npb", "io", "partition", "splitc")


def place_of(part: str) -> tuple[int, str]:
    return (FIRST.index(part) if part in FIRST else len(FIRST), part)


@lru_cache(maxsize=1)
def load() -> tuple[Program, ...]:
    """All programs in the order they run in; those that start jobs last, when others have told the library's name."""
    found: dict[str, Program] = {}
    files = [
        file
        for file in resources.files("mpt_report").joinpath("data/programs").iterdir()
        if file.name.endswith(".toml")
    ]
    for file in sorted(files, key=lambda one: place_of(one.name[:-5])):
        for program in parse(file.read_text(encoding="utf-8"), file.name[:-5]):
            if program.name in found:
                raise TableError(f"{file.name}: program {program.name} is also in {found[program.name].part}.toml")
            found[program.name] = program
    return tuple(sorted(found.values(), key=lambda program: program.launcher))


def named(name: str) -> Program | None:
    return next((program for program in load() if program.name == name), None)


@lru_cache(maxsize=64)
def meant(words: tuple[str, ...]) -> frozenset[str]:
    """The names of the programs that the words mean: a program's own name before a part's, a part's before a test's."""
    found: set[str] = set()
    for word in words:
        for level in range(3):
            of_it = {program.name for program in load() if word in program.called()[level]}
            if of_it:
                found |= of_it
                break
    return frozenset(found)


def unknown(words: tuple[str, ...]) -> list[str]:
    """The words that mean no program."""
    return [word for word in words if not meant((word,))]
