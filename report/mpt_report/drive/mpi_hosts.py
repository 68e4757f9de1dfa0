# SPDX-License-Identifier: BSD-3-Clause
"""MPI between two hosts made of network namespaces, beside Open MPI over tcp: one command, one table in Markdown.

    python -m mpt_report.drive.mpi_hosts --build DIR [--peer mpicc.openmpi] [--seconds 20] [--quick] [--rounds 3]

Builds the same benchmarks with the peer's compiler wrapper, runs both libraries in turns, and prints for each row the
best of the rounds' medians. The records stay in DIR/mpi-hosts. Exits 77 where hosts cannot be made.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from .hosts import SKIPPED
from .network import AS_ROOT, ON_HOSTS, PLACES, module, source_of

PLACE = next(place for place in PLACES if place.key == "hosts")
PROGRAMS = (("mpi_pt2pt", 2), ("mpi_collectives", 2), ("mpi_collectives", 4))
LIBRARIES = ("mpt", "openmpi")
# Open MPI's own tcp, without UCX.
MORE = {"openmpi": {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "tcp,self,vader"}}
LIMIT_S = 600.0


def peer_build(source: Path, compiler: str, folder: Path) -> None:
    made = subprocess.run(["sh", str(source / "bench" / "run_peer.sh"), "--mpi", compiler, str(folder)],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if made.returncode:
        raise SystemExit(f"the peer's benchmarks cannot be built: {made.stderr.strip()}")


def command(source: Path, build: Path, library: str, program: Path, npes: int, options: list[str]) -> list[str]:
    per_host = npes // PLACE.hosts
    told = {**PLACE.environment[library], **MORE.get(library, {})}
    if library == "mpt":
        told["LD_LIBRARY_PATH"] = str(build / "lib")
    words = [word for item in sorted(told.items()) for word in ("-x", "=".join(item))]
    return [*module("hosts", "--source", str(source), "--build", str(build), "--count", str(PLACE.hosts), "--per-host",
                    str(per_host), "--"), *ON_HOSTS, *words, "-np", str(npes), "{own}", str(program), *options]


def medians(file: Path) -> dict[tuple[str, int, int], float]:
    """Median by (what, ranks, bytes)."""
    found = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        params = record.get("params")
        if not params:
            continue
        what = {"mpi_latency": "latency", "mpi_rate": "rate", "mpi_bandwidth": "bandwidth"}.get(
            record["test"], params.get("call", "").removeprefix("MPI_").lower())
        if not record.get("verified", True):
            raise SystemExit(f"{file}: wrong data in {what} of {params}")
        found[what, params["npes"], params.get("message_bytes", 0)] = record["median"]
    return found


def better(what: str, new: float, old: float | None) -> float:
    if old is None:
        return new
    return max(new, old) if what in ("rate", "bandwidth") else min(new, old)


def measure(args: argparse.Namespace, source: Path, out: Path) -> dict[str, dict]:
    best: dict[str, dict] = {library: {} for library in LIBRARIES}
    folders = {"mpt": args.build / "bench", "openmpi": out / "peer"}
    env = {**os.environ, **AS_ROOT}
    options = ["--max-seconds", f"{args.seconds:g}", *(["--quick"] if args.quick else [])]
    for turn in range(args.rounds):
        for name, npes in PROGRAMS:
            for library in LIBRARIES:
                file = out / f"{library}-{name}-{npes}-{turn}.jsonl"
                file.unlink(missing_ok=True)
                words = command(source, args.build, library, folders[library] / name, npes,
                                ["--network", PLACE.network, "--out", str(file), *options])
                done = subprocess.run(words, env=env, timeout=LIMIT_S, check=False, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True)
                if done.returncode == SKIPPED:
                    print(done.stdout.strip())
                    raise SystemExit(SKIPPED)
                if done.returncode:
                    raise SystemExit(f"{library} {name} on {npes} ranks: status {done.returncode}\n{done.stdout[-2000:]}")
                for key, value in medians(file).items():
                    best[library][key] = better(key[0], value, best[library].get(key))
    return best


def size(n: int) -> str:
    return next((f"{n >> shift} {unit}" for shift, unit in ((20, "MiB"), (10, "KiB")) if n >> shift and not n % (1 << shift)),
                f"{n} B")


def table(best: dict[str, dict]) -> list[str]:
    units = {"latency": "µs", "rate": "M/s", "bandwidth": "MB/s"}
    lines = ["| what | ranks | size | MPT | Open MPI, tcp | ratio |", "|---|---|---|---|---|---|"]
    for key in sorted(best["mpt"], key=lambda k: (list(units).index(k[0]) if k[0] in units else 9, k)):
        what, npes, n = key
        ours, theirs = best["mpt"][key], best["openmpi"].get(key)
        ratio = f"{theirs:.4g} {units.get(what, 'µs')} | {ours / theirs:.2f}" if theirs else "- | -"
        lines.append(f"| {what} | {npes} | {size(n)} | {ours:.4g} {units.get(what, 'µs')} | {ratio} |")
    return lines


def main(argv: list[str] | None = None) -> int:
    made = argparse.ArgumentParser(prog="mpt_report.drive.mpi_hosts")
    made.add_argument("--build", type=Path, required=True)
    made.add_argument("--peer", default="mpicc.openmpi", help="the peer's compiler wrapper")
    made.add_argument("--seconds", type=float, default=20.0, help="of each program in each round")
    made.add_argument("--rounds", type=int, default=3)
    made.add_argument("--quick", action="store_true", help="few sizes")
    args = made.parse_args(argv)
    args.build = args.build.resolve()
    for tool in (args.peer, "mpirun.openmpi"):
        if not shutil.which(tool):
            print(f"SKIPPED: {tool} is not there")
            return SKIPPED
    source, out = source_of(args.build), args.build / "mpi-hosts"
    out.mkdir(exist_ok=True)
    peer_build(source, args.peer, out / "peer")
    print("\n".join(table(measure(args, source, out))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
