# SPDX-License-Identifier: BSD-3-Clause
"""Other libraries on this machine: found, the same sources built with them, started as their users would.

Open MPI and MPICH bring compiler wrappers, PVM a daemon. A wrapper's name says little (all are called mpicc), so
the launcher beside it is asked whose it is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from . import programs
from .plan import PEER_ENVIRONMENT, Library, Order
from .programs import Program

BUILD_S = 900


@dataclass(frozen=True)
class Kind:
    """What tells one library's commands from another's, and how its jobs are started."""

    name: str
    said: tuple[str, ...]  # one of these by its launcher, asked for its version
    compilers: tuple[tuple[str, str], ...]  # interface and wrapper, the more certain names first
    launchers: tuple[str, ...]
    bound: tuple[str, ...]
    crowded: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()
    crowded_environment: tuple[tuple[str, str], ...] = ()


# Why: runs/settings.py.
KINDS = (
    Kind(
        "openmpi",
        ("Open MPI", "OpenRTE"),
        (("SHMEM", "oshcc.openmpi"), ("SHMEM", "oshcc"), ("MPI", "mpicc.openmpi"), ("MPI", "mpicc")),
        ("mpirun.openmpi", "mpirun", "mpiexec"),
        ("--allow-run-as-root", "--bind-to", "core"),
        ("--allow-run-as-root", "--map-by", ":OVERSUBSCRIBE", "--bind-to", "none"),
        tuple(item for item in PEER_ENVIRONMENT["openmpi"].items() if "binding" not in item[0]),
    ),
    Kind(
        "mpich",
        ("HYDRA",),
        (("MPI", "mpicc.mpich"), ("MPI", "mpicc")),
        ("mpiexec.mpich", "mpiexec.hydra", "mpiexec"),
        ("-bind-to", "core"),
        ("-bind-to", "none"),
        crowded_environment=(
            ("MPIR_CVAR_CH4_PROGRESS_THROTTLE", "1"),
            ("MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT", "1"),
        ),
    ),
)
PVM_ROOTS = ("usr/lib/pvm3", "lib/pvm3", "pvm3", "")


def search_path(prefix: Path | None) -> str:
    return str(prefix / "bin") if prefix else os.environ.get("PATH", "")


def asked(words: list[str]) -> str:
    """What a command says; empty when it cannot be had."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=30, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr


def launcher_of(kind: Kind, path: str) -> str | None:
    for name in kind.launchers:
        for folder in path.split(os.pathsep):
            found = shutil.which(name, path=folder)
            said = asked([found, "--version"]) if found else ""
            if any(word in said for word in kind.said):
                return found
    return None


def compilers_of(kind: Kind, launcher: str) -> dict[str, str]:
    """The wrappers beside the launcher, by interface: those elsewhere on PATH may be another library's."""
    folder, found = str(Path(launcher).parent), {}
    for interface, name in kind.compilers:
        wrapper = shutil.which(name, path=folder)
        if wrapper and interface not in found:
            found[interface] = wrapper
    return found


class PeerError(RuntimeError):
    """A library that was asked for and is not to be had, with the reason."""


def newest(folder: Path) -> float:
    return max((file.stat().st_mtime for file in folder.rglob("*.[ch]")), default=0.0)


def call(words: list[str], log: Path, what: str) -> None:
    with log.open("a", encoding="utf-8") as stream:
        print(f"$ {' '.join(words)}", file=stream, flush=True)
        try:
            done = subprocess.run(
                words, stdout=stream, stderr=stream, stdin=subprocess.DEVNULL, timeout=BUILD_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise PeerError(f"{what}: {error}") from None
    if done.returncode != 0:
        raise PeerError(f"{what}: the compiler failed, see {log}")


INTERFACE_OPTION = {"SHMEM": [], "MPI": ["--mpi"], "PVM": ["--pvm"]}


def script_words(bench: Path, interface: str, compiler: str, folder: Path, flags: list[str]) -> list[str]:
    return ["sh", str(bench / "run_peer.sh"), *INTERFACE_OPTION[interface], compiler, str(folder), *flags]


def extra_words(bench: Path, program: Program, compiler: str, folder: Path, flags: list[str]) -> list[str]:
    """A program that run_peer.sh does not know: its row names its sources; bench/common is always linked."""
    jobs = program.library == "SHMEM"
    common = [str(file) for file in sorted((bench / "common").glob("*.c")) if jobs or not file.name.startswith("job")]
    shared = [str(file) for file in sorted((bench / "mpi").glob("mpijob*.c"))] if program.library == "MPI" else []
    shared += [str(file) for file in sorted((bench / "pvm").glob("pvmjob*.c"))] if program.library == "PVM" else []
    libraries = ["-lgpvm3", "-lpvm3"] if program.library == "PVM" else []
    own = [bench / source for source in program.sources]
    folders = dict.fromkeys(f"-I{folder}" for folder in (bench, bench / "common", *(source.parent for source in own)))
    return [
        compiler,
        "-std=gnu17",
        "-O3",
        "-g",
        '-DBENCH_FLAGS="-std=gnu17 -O3 -g"',
        *folders,
        "-o",
        str(folder / Path(program.file).name),
        *map(str, own),
        *shared,
        *common,
        *flags,
        *libraries,
        "-lm",
    ]


def build(
    name: str, compilers: dict[str, str], bench: Path, folder: Path, flags: list[str], wanted: list[Program]
) -> list[str]:
    """Build the programs wanted of each interface; what could not be built is told, the rest is there."""
    folder.mkdir(parents=True, exist_ok=True)
    log, problems = folder / "build.log", []
    for interface, compiler in compilers.items():
        of_it = [program for program in wanted if program.library == interface]
        stamp = folder / f".built-{interface}"
        there = all((folder / Path(program.file).name).exists() for program in of_it)  # an earlier run wanted others
        current = stamp.exists() and stamp.stat().st_mtime > newest(bench) and stamp.read_text() == compiler
        if not of_it or (there and current):
            continue
        try:
            if any(not program.sources for program in of_it):
                call(script_words(bench, interface, compiler, folder, flags), log, f"{name}, {interface}")
            for program in of_it:
                if program.sources:
                    call(extra_words(bench, program, compiler, folder, flags), log, f"{name}, {program.name}")
            stamp.write_text(compiler, encoding="utf-8")
        except PeerError as error:
            problems.append(str(error))
    return problems


def mpi_library(kind: Kind, prefix: Path | None) -> tuple[Library, dict[str, str]]:
    launcher = launcher_of(kind, search_path(prefix))
    if not launcher:
        where = f"in {prefix}/bin" if prefix else "on PATH (--peer-prefix NAME=DIR says where it is)"
        raise PeerError(f"{kind.name}: none of {', '.join(kind.launchers)} {where} is {kind.said[0]}'s")
    compilers = compilers_of(kind, launcher)
    if not compilers:
        raise PeerError(f"{kind.name}: no compiler wrapper beside {launcher}")
    made = Library(
        kind.name,
        Path(),
        (launcher, *kind.bound),
        dict(kind.environment),
        (launcher, *kind.crowded),
        "-n",
        tuple(compilers),
        crowded_environment=dict(kind.crowded_environment),
    )
    return made, compilers


def pvm_library(prefix: Path | None) -> tuple[Library, dict[str, str], list[str]]:
    """PVM of old: no wrapper and no launcher, but a daemon (see `daemon`)."""
    root = prefix or Path("/")
    for home in [root / below for below in PVM_ROOTS]:
        found = shutil.which(
            "pvmd",
            path=os.pathsep.join(
                str(folder) for folder in (root / "usr/bin", root / "bin", home / "lib/LINUX64", home / "lib")
            ),
        )
        if found and any((folder / "pvm3.h").exists() for folder in pvm_includes(root, home)):
            library = Library(
                "pvm",
                Path(),
                (),
                pvm_environment(root, home, found),
                count="--tasks",
                interfaces=("PVM",),
                arguments=("--direct",),
            )
            return library, {"PVM": shutil.which("cc") or "cc"}, pvm_flags(root, home)
    raise PeerError("pvm: no pvmd with pvm3.h" + (f" in {prefix}" if prefix else " (--peer-prefix pvm=DIR says where)"))


def pvm_includes(root: Path, home: Path) -> tuple[Path, ...]:
    return root / "usr/include", home / "include"


def pvm_environment(root: Path, home: Path, daemon_path: str) -> dict[str, str]:
    libraries = os.pathsep.join(str(folder) for folder in root.glob("usr/lib/*-linux-gnu"))
    more = {"LD_LIBRARY_PATH": libraries} if libraries and root != Path("/") else {}
    return {
        "PVM_ROOT": str(home),
        "PVM_ARCH": "LINUX64",
        "PVM_ALLOW_ROOT": "1",
        "PVM_RSH": "/bin/false",
        "PVM_PATH": str(Path(daemon_path).parent),
        "PVM_DAEMON": daemon_path,
        **more,
    }


def pvm_flags(root: Path, home: Path) -> list[str]:
    libraries = [*root.glob("usr/lib/*-linux-gnu"), home / "lib/LINUX64", home / "lib"]
    return [
        *(f"-I{one}" for one in pvm_includes(root, home) if (one / "pvm3.h").exists()),
        *(f"-L{one}" for one in libraries if list(one.glob("libpvm3.*"))),
        "-Wl,--allow-shlib-undefined",
    ]


@contextmanager
def daemon(library: Library) -> Iterator[Library]:
    """A PVM daemon of our own in a scratch folder, ended with the block."""
    with tempfile.TemporaryDirectory(prefix="mpt-pvm-") as scratch:
        told = {**library.environment, "HOME": scratch, "PVM_TMP": scratch, "PVM_WD": scratch, "TMPDIR": scratch}
        process = subprocess.Popen(
            [told["PVM_DAEMON"], "-nlocalhost"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, **told},
        )
        try:
            until = time.monotonic() + 10
            while not list(Path(scratch).glob("pvmd*")) and time.monotonic() < until and process.poll() is None:
                time.sleep(0.05)
            if process.poll() is not None:
                raise PeerError(f"pvm: its daemon ended with status {process.returncode}")
            yield replace(library, environment=told)
        finally:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def prepare(
    name: str, prefix: Path | None, bench: Path, folder: Path, wanted: list[Program]
) -> tuple[Library, list[str]]:
    """A library with its programs built; raises PeerError when there is none."""
    if name == "pvm":
        library, compilers, flags = pvm_library(prefix)
    else:
        library, compilers = mpi_library(next(kind for kind in KINDS if kind.name == name), prefix)
        flags = []
    mine = [program for program in wanted if name in program.peers]
    problems = build(name, compilers, bench, folder, flags, mine)
    return replace(library, folder=folder), problems


def wanted_of(order: Order) -> list[Program]:
    return [program for program in programs.load() if order.wants(program)]
