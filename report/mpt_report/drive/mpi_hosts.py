# SPDX-License-Identifier: BSD-3-Clause
"""MPI between two hosts made of network namespaces, beside Open MPI and MPICH over tcp: one command, one table.

    python -m mpt_report.drive.mpi_hosts --build DIR [--peer openmpi=mpicc.openmpi] [--peer mpich=mpicc.mpich]
                                         [--seconds 20] [--quick] [--rounds 3]

Builds the same benchmarks with each peer's compiler wrapper, runs all libraries in turns, and prints for each row the
best of the rounds' medians. MPT's programs are started by Open MPI's launcher, MPICH's by the mpiexec.hydra beside
its wrapper. The records stay in DIR/mpi-hosts. Exits 77 where hosts cannot be made.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .hosts import SKIPPED
from .network import AS_ROOT, ON_HOSTS, PLACES, module, source_of

PLACE = next(place for place in PLACES if place.key == "hosts")
PROGRAMS = (("mpi_pt2pt", 2), ("mpi_collectives", 2), ("mpi_collectives", 4))
OURS = "mpt"
LIMIT_S = 600.0
TIME = "µs"
UNITS = {"latency": TIME, "rate": "M/s", "bandwidth": "MB/s"}  # of collectives: TIME


@dataclass(frozen=True)
class Peer:
    """Another library: its title in the table, its usual compiler wrapper, and what its processes are told."""

    title: str
    wrapper: str
    environment: Mapping[str, str]
    hydra: bool = False  # MPICH's launcher starts it; else Open MPI's


OPEN_MPI = PLACE.environment["openmpi"]
BY_UCX = {name: value for name, value in OPEN_MPI.items() if name.startswith("UCX_")}
PEERS = {
    # Open MPI's own tcp, without UCX.
    "openmpi": Peer(
        "Open MPI, tcp", "mpicc.openmpi", {**OPEN_MPI, "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "tcp,self,vader"}
    ),
    "mpich": Peer("MPICH", "mpicc.mpich", {**BY_UCX, "FI_TCP_IFACE": PLACE.interface}, hydra=True),
}


def peer_build(source: Path, compiler: str, folder: Path) -> None:
    made = subprocess.run(
        ["sh", str(source / "bench" / "run_peer.sh"), "--mpi", compiler, str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if made.returncode:
        raise SystemExit(f"the peer's benchmarks cannot be built: {made.stderr.strip()}")


def by_open_mpi(environment: Mapping[str, str]) -> list[str]:
    told = [word for item in sorted(environment.items()) for word in ("-x", "=".join(item))]
    return [*ON_HOSTS, *told]


def by_hydra(wrapper: str, environment: Mapping[str, str]) -> list[str]:
    launcher = Path(shutil.which(wrapper) or wrapper).with_name("mpiexec.hydra")
    told = [word for item in sorted(environment.items()) for word in ("-genv", *item)]
    return [
        "{enter0}",
        str(launcher),
        "-launcher",
        "ssh",
        "-launcher-exec",
        "{agent}",
        "-iface",
        "mgmt",
        "-hosts",
        "{hosts}",
        *told,
    ]


def command(
    args: argparse.Namespace, source: Path, library: str, program: Path, npes: int, options: list[str]
) -> list[str]:
    per_host = npes // PLACE.hosts
    if library == OURS:
        words = by_open_mpi({**PLACE.environment[OURS], "LD_LIBRARY_PATH": str(args.build / "lib")})
    elif PEERS[library].hydra:
        words = by_hydra(args.peers[library], PEERS[library].environment)
    else:
        words = by_open_mpi(PEERS[library].environment)
    return [
        *module(
            "hosts",
            "--source",
            str(source),
            "--build",
            str(args.build),
            "--count",
            str(PLACE.hosts),
            "--per-host",
            str(per_host),
            "--",
        ),
        *words,
        "-np",
        str(npes),
        "{own}",
        str(program),
        *options,
    ]


Key = tuple[str, int, int]  # what, ranks, bytes


def medians(file: Path) -> dict[Key, float]:
    """The medians of a file of records; SystemExit where data were wrong."""
    found = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        params = record.get("params")
        if not params:
            continue
        what = {"mpi_latency": "latency", "mpi_rate": "rate", "mpi_bandwidth": "bandwidth"}.get(
            record["test"], params.get("call", "").removeprefix("MPI_").lower()
        )
        if params.get("cache") == "written":  # before it goes, and read when it has come: to and fro, no stream
            what += ", written"
        if not record.get("verified", True):
            raise SystemExit(f"{file}: wrong data in {what} of {params}")
        found[what, params["npes"], params.get("message_bytes", 0)] = record["median"]
    return found


def unit_of(what: str) -> str:
    return UNITS.get(what.partition(",")[0], TIME)


def better(what: str, new: float, old: float | None) -> float:
    if old is None:
        return new
    return max(new, old) if unit_of(what) != TIME else min(new, old)


def measure(args: argparse.Namespace, source: Path, out: Path) -> dict[str, dict[Key, float]]:
    best: dict[str, dict[Key, float]] = {library: {} for library in (OURS, *args.peers)}
    folders = {OURS: args.build / "bench", **{library: out / library for library in args.peers}}
    env = {**os.environ, **AS_ROOT}
    options = ["--max-seconds", f"{args.seconds:g}", *(["--quick"] if args.quick else [])]
    for turn in range(args.rounds):
        for name, npes in PROGRAMS:
            for library in best:
                file = out / f"{library}-{name}-{npes}-{turn}.jsonl"
                file.unlink(missing_ok=True)
                words = command(
                    args,
                    source,
                    library,
                    folders[library] / name,
                    npes,
                    ["--network", PLACE.network, "--out", str(file), *options],
                )
                done = subprocess.run(
                    words,
                    env=env,
                    timeout=LIMIT_S,
                    check=False,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                )
                if done.returncode == SKIPPED:
                    print(done.stdout.strip())
                    raise SystemExit(SKIPPED)
                if done.returncode:
                    raise SystemExit(
                        f"{library} {name} on {npes} ranks: status {done.returncode}\n{done.stdout[-2000:]}"
                    )
                for key, value in medians(file).items():
                    best[library][key] = better(key[0], value, best[library].get(key))
    return best


def size(n: int) -> str:
    return next(
        (f"{n >> shift} {unit}" for shift, unit in ((20, "MiB"), (10, "KiB")) if n >> shift and not n % (1 << shift)),
        f"{n} B",
    )


def table(best: dict[str, dict[Key, float]]) -> list[str]:
    peers = [library for library in best if library != OURS]
    lines = [
        "| what | ranks | size | MPT |" + "".join(f" {PEERS[peer].title} | ratio |" for peer in peers),
        "|---|---|---|---|" + "---|---|" * len(peers),
    ]
    kinds = list(UNITS)

    def order(key: Key) -> tuple[Any, ...]:
        kind = key[0].partition(",")[0]
        return kinds.index(kind) if kind in kinds else len(kinds), key

    for key in sorted(best[OURS], key=order):
        what, npes, n = key
        ours, unit = best[OURS][key], unit_of(what)
        cells = [
            f"{theirs:.4g} {unit} | {ours / theirs:.2f}" if (theirs := best[peer].get(key)) else "- | -"
            for peer in peers
        ]
        lines.append(f"| {what} | {npes} | {size(n)} | {ours:.4g} {unit} | " + " | ".join(cells) + " |")
    return lines


def peers_of(words: list[str] | None) -> dict[str, str]:
    """Compiler wrappers by library; those of the table that are there, where none is named."""
    named = dict(word.partition("=")[::2] for word in words) if words else {name: "" for name in PEERS}
    found = {}
    for name, wrapper in named.items():
        if name not in PEERS:
            raise SystemExit(f"--peer {name}: expected one of {', '.join(PEERS)}, with =WRAPPER")
        wrapper = wrapper or PEERS[name].wrapper
        if shutil.which(wrapper):
            found[name] = wrapper
        elif words:
            raise SystemExit(f"--peer {name}={wrapper}: no such program")
        else:
            print(f"{PEERS[name].title} is left out: {wrapper} is not there", file=sys.stderr)
    return found


def main(argv: list[str] | None = None) -> int:
    made = argparse.ArgumentParser(prog="mpt_report.drive.mpi_hosts")
    made.add_argument("--build", type=Path, required=True)
    made.add_argument(
        "--peer",
        action="append",
        metavar="LIBRARY[=WRAPPER]",
        help=f"one of {', '.join(PEERS)}, with its compiler wrapper; may be repeated (all that are there)",
    )
    made.add_argument("--seconds", type=float, default=20.0, help="of each program in each round")
    made.add_argument("--rounds", type=int, default=3)
    made.add_argument("--quick", action="store_true", help="few sizes")
    args = made.parse_args(argv)
    args.build = args.build.resolve()
    args.peers = peers_of(args.peer)
    if not shutil.which("mpirun.openmpi"):
        print("SKIPPED: mpirun.openmpi, which starts processes on both hosts, is not there")
        return SKIPPED
    source, out = source_of(args.build), args.build / "mpi-hosts"
    out.mkdir(exist_ok=True)
    for library, wrapper in args.peers.items():
        peer_build(source, wrapper, out / library)
    print("\n".join(table(measure(args, source, out))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
