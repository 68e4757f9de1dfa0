# SPDX-License-Identifier: BSD-3-Clause
"""The part of a measuring run that goes over a network, in three places: one host's loopback, one host divided into
pretended nodes, and two hosts made of namespaces. Before each program the network's own ping-pong runs.

The tables are the whole policy; a place that cannot be had is left out with its reason.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from . import fabric, programs
from .plan import Library, Order, Step, cores

PROVIDER = "tcp"
PROBE_S = 60.0

ON_HOSTS = (
    "{enter0}",
    "mpirun.openmpi",
    "--mca",
    "plm",
    "rsh",
    "--mca",
    "plm_rsh_agent",
    "{agent}",
    "--mca",
    "oob_tcp_if_include",
    "mgmt",
    "--mca",
    "rmaps_base_oversubscribe",
    "1",
    "--mca",
    "hwloc_base_binding_policy",
    "none",
    "--host",
    "{hosts}",
)

AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

# Two processes that poll and share a core would wait for the scheduler, which no user with two cores has to.
BOUND = {"openmpi": {"OMPI_MCA_hwloc_base_binding_policy": "core"}}


@dataclass(frozen=True)
class Place:
    """Where PEs are that reach each other by a network; `environment` by library, one that is absent does not run."""

    key: str
    network: str  # in the records
    environment: dict[str, dict[str, str]]
    interface: str
    hosts: int = 1


PLACES = (
    Place(
        "host",
        "tcp, 1 host",
        {
            "mpt": {"MPT_TRANSPORT": "tcp", "MPT_IFACE": "lo"},
            "openmpi": {
                "UCX_TLS": "tcp,self",
                "UCX_NET_DEVICES": "lo",
                "OMPI_MCA_btl": "tcp,self",
                "OMPI_MCA_btl_tcp_if_include": "lo",
            },
        },
        "lo",
    ),
    Place(
        "nodes", "tcp, 1 host as 2 nodes", {"mpt": {"MPT_TRANSPORT": "tcp", "MPT_IFACE": "lo", "MPT_NODES": "2"}}, "lo"
    ),
    Place(
        "hosts",
        "tcp, 2 hosts",
        {
            "mpt": {"MPT_IFACE": "data"},
            "openmpi": {
                "UCX_TLS": "tcp,self,sysv,posix",
                "UCX_NET_DEVICES": "data",
                "OMPI_MCA_memory": "^patcher",
                "OMPI_MCA_btl_tcp_if_include": "data",
                "OMPI_MCA_mpi_yield_when_idle": "1",
            },
        },
        "data",
        hosts=2,
    ),
)
SHARED = "shm"
OVER = (SHARED, *(place.key for place in PLACES))
DEMO_OVER = (SHARED, "host", "nodes")


@dataclass(frozen=True)
class Row:
    """A program in a place; the sizes are those its provider's ping-pong is asked for before it."""

    place: str
    program: str
    pes: tuple[int, ...]
    sizes: tuple[int, ...] = (8,)
    demo: float = 0.0


SIZES = (8, 64, 512, 4096, 32768, 262144, 1 << 20, 2 << 20, 4 << 20)
ROWS = (
    Row("host", "ping_pong", (2,), SIZES),
    Row("host", "single_pairs", (2,)),
    Row("host", "put_get", (2,), SIZES, demo=8),
    Row("host", "atomics", (2, 8)),
    Row("host", "barrier", (2, 4, 8)),
    Row("host", "reduce", (2, 4, 8)),
    Row("host", "wake", (8,)),
    Row("nodes", "barrier", (4,), demo=3),
    Row("nodes", "reduce", (4,)),
    Row("hosts", "ping_pong", (2,), SIZES),
    Row("hosts", "single_pairs", (2,)),
    Row("hosts", "put_get", (2,), SIZES),
    Row("hosts", "atomics", (2,)),
    Row("hosts", "barrier", (2, 4)),
    Row("hosts", "reduce", (2, 4)),
    Row("hosts", "wake", (4,)),
)
DEMO_SIZES = (8, 2 << 20)
SHARE = 0.5  # of the seconds the program has over shared memory: what waits for a network varies less
SECONDS_A_SIZE = 1.5  # fi_pingpong's start and end take longer than its measuring


def source_of(build: Path) -> Path:
    """The tree a build folder was made from, else the one this file lies in."""
    try:
        for line in (build / "CMakeCache.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith("CMAKE_HOME_DIRECTORY:"):
                return Path(line.partition("=")[2])
    except OSError:
        pass
    return Path(__file__).resolve().parents[3]


def module(name: str, *options: str) -> tuple[str, ...]:
    return (sys.executable, "-m", f"mpt_report.drive.{name}", *options)


@dataclass(frozen=True)
class Site:
    """Turns rows into commands, with the folders they need."""

    order: Order
    build: Path

    def between(self, place: Place, per_host: int, words: tuple[str, ...]) -> tuple[str, ...]:
        """The words, run on the place's hosts when it has some of its own."""
        if place.hosts == 1:
            return words
        return module(
            "hosts",
            "--source",
            str(source_of(self.build)),
            "--build",
            str(self.build),
            "--count",
            str(place.hosts),
            "--per-host",
            str(per_host),
            "--",
            *words,
        )

    def start(self, library: Library, place: Place, npes: int, program: Path) -> tuple[str, ...]:
        """The program on so many PEs. A launcher hands no variable to another host unless told to."""
        if place.hosts == 1:
            return (*library.launcher, "-np", str(npes), str(program))
        told = [word for item in sorted(place.environment[library.name].items()) for word in ("-x", "=".join(item))]
        return self.between(place, npes // place.hosts, (*ON_HOSTS, *told, "-np", str(npes), "{own}", str(program)))

    def step(self, library: Library, place: Place, row: Row, npes: int, path: Path) -> Step:
        program = programs.named(row.program)
        if program is None:
            raise LookupError(f"no program {row.program} in the tables of programs")
        allowed = program.seconds
        seconds = {"full": SHARE * allowed["full"], "quick": allowed["quick"], "demo": row.demo or allowed["quick"]}[
            self.order.mode
        ]
        file = self.order.out / f"{library.name}-{place.key}-{row.program}-{npes:03d}.jsonl"
        options = [
            "--network",
            place.network,
            "--out",
            str(file),
            "--progress",
            "--max-seconds",
            f"{seconds:g}",
            "--target",
            "heap",
            *(["--quick"] if self.order.mode != "full" else []),
        ]
        name = "" if library.name == "mpt" else f"{library.name}: "
        return Step(
            f"{name}{row.program}, {npes} PEs, {place.network}",
            (*self.start(library, place, npes, path), *options, *self.order.extra),
            file,
            seconds,
            self.environment(library, place, npes),
            program=row.program,
        )

    def environment(self, library: Library, place: Place, npes: int) -> dict[str, str]:
        more = AS_ROOT if place.hosts > 1 else BOUND.get(library.name, {}) if npes <= cores() else {}
        return {**library.environment, **place.environment[library.name], **more}

    def limit(self, place: Place, row: Row, turn: int) -> Step:
        """The network's own ping-pong."""
        sizes = tuple(size for size in row.sizes if size in DEMO_SIZES) if self.order.mode == "demo" else row.sizes
        file = self.order.out / f"provider-{place.key}-{turn:02d}.jsonl"
        seconds = SECONDS_A_SIZE * len(sizes)
        options = [
            "--network",
            place.network,
            "--out",
            str(file),
            "--max-seconds",
            f"{2 * seconds + 15:g}",
            "--provider",
            PROVIDER,
            "--interface",
            place.interface,
            "--sizes",
            ",".join(map(str, sizes)),
        ]
        if place.hosts > 1:
            options += ["--address", "{address0}", "--server-on", "{shell0}", "--client-on", "{shell1}"]
        return Step(
            f"{fabric.TOOL}, {place.network}", self.between(place, 1, module("fabric", *options)), file, seconds, {}
        )


def last_line(*texts: str) -> str:
    lines = [line.strip() for text in texts for line in text.splitlines() if any(map(str.isalnum, line))]
    return lines[-1] if lines else ""


def probe(command: tuple[str, ...], environment: dict[str, str], seconds: float = PROBE_S) -> str:
    """Run the smallest program there; the reason why it cannot be, empty when it can."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
            env={**os.environ, **environment},
        )
    except OSError as error:
        return f"cannot start {command[0]}: {error.strerror}"
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"no end within {seconds:g} s"
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.returncode == 0:
        return "" if out.count(f"of {PROBE_PES}") == PROBE_PES else "its PEs did not find each other"
    return last_line(out, err) or f"exit status {process.returncode}"


PROBE_PES = 2


def able(site: Site, library: Library, place: Place) -> str:
    """Why this library cannot be measured in this place, empty when it can."""
    path = library.program("hello")
    if path is None:
        return "there is no program hello"
    return probe(site.start(library, place, PROBE_PES, path), site.environment(library, place, PROBE_PES))


def make(libraries: list[Library], order: Order, build: Path, over: tuple[str, ...]) -> tuple[list[Step], list[str]]:
    """The steps in order, and a sentence for each thing that is left out and why."""
    site, steps, skipped = Site(order, build), [], []
    measured = shutil.which(fabric.TOOL) is not None
    for place in PLACES:
        rows = [row for row in ROWS if row.place == place.key and wanted(row, order)] if place.key in over else []
        tested = [library for library in libraries if library.name in place.environment] if rows else []
        for library in list(tested):
            reason = able(site, library, place)
            if reason:
                skipped.append(f"{library.name} over {place.network}: {reason}")
                tested.remove(library)
        if tested:
            steps += of_place(site, place, rows, tested, measured)
    if steps and not measured:
        skipped.append(fabric.MISSING)
    return steps, skipped


def wanted(row: Row, order: Order) -> bool:
    if order.only:
        return row.program in programs.meant(order.only)
    return order.mode != "demo" or row.demo > 0


def of_place(site: Site, place: Place, rows: list[Row], libraries: list[Library], limits: bool) -> list[Step]:
    """The libraries take turns at each program, after the network's own."""
    steps: list[Step] = []
    for row in rows:
        for npes in row.pes:
            runs = [
                site.step(library, place, row, npes, path)
                for library in libraries
                if (path := library.program(row.program)) is not None
            ]
            if runs and limits:
                sizes = row.sizes if npes == row.pes[0] else (8,)
                steps.append(site.limit(place, replace(row, sizes=sizes), len(steps)))
            steps += runs
    return steps
