# SPDX-License-Identifier: BSD-3-Clause
"""Runs libfabric's own ping-pong, fi_pingpong, and writes its figures as records: the network's limit.

    python -m mpt_report.drive.fabric --out FILE --network TEXT --sizes 8,64

Server and client each get a core of their own where there are two, as the PEs of a job do.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..runs.provider import TEST
from .load import detour

TOOL = "fi_pingpong"
MISSING = f"no {TOOL} (Debian's package libfabric-bin): the network's own figures are missing"
FAMILY = {"tcp": "FI_TCP_IFACE"}  # how a provider is told its interface
WANTED_US = 2e5  # of measuring a size
GUESS_US = 25.0  # one way, before anything is known
MOST, FEWEST = 4000, 32  # round trips of a size
TRIES, PAUSE_S = 20, 0.1  # while the server is not yet listening
DETOUR_S, DETOUR_PERCENT = 0.1, 3.0  # looked at before, and lost to others when this much is
LEAST_S = 2.0  # for a size, though the time be gone
ROW = re.compile(r"^\s*([\d.]+)([kmg]?)\s+\S+\s+=\S+\s+\S+\s+[\d.]+s\s+([\d.]+)\s+([\d.]+)\s+[\d.]+\s*$")
SCALES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def parse(text: str) -> Iterator[tuple[int, float, float]]:
    """The rows of its table: message bytes, us one way, MB/s. Rows too short to tell are left out."""
    for line in text.splitlines():
        found = ROW.match(line)
        if found and float(found[4]) > 0:
            yield round(float(found[1]) * SCALES[found[2]]), float(found[4]), float(found[3])


def version() -> str:
    """The tool does not say its version, but its neighbour does."""
    try:
        said = subprocess.run(["fi_info", "--version"], capture_output=True, text=True, timeout=10).stdout
    except (OSError, subprocess.TimeoutExpired):
        said = ""
    found = re.search(r"libfabric: ([\d.]+)", said)
    return f"{TOOL} {found[1]}" if found else TOOL


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("", 0))
        port: int = probe.getsockname()[1]
        return port


def iterations(size: int, known: tuple[int, float] | None = None) -> int:
    """Enough round trips for a figure, by what a smaller size took: a time grows no faster than the size."""
    us = GUESS_US if known is None else known[1] * max(1.0, size / known[0])
    return max(FEWEST, min(MOST, int(WANTED_US / (2.0 * us))))


def on_core(number: int) -> Callable[[], None]:
    """What binds a child to a core of its own, where there are several."""
    cores = sorted(os.sched_getaffinity(0))
    return lambda: os.sched_setaffinity(0, {cores[number]}) if len(cores) > 1 else None


class Pair:
    """A server and its client; `server_on` and `client_on` are the words that put a command on a host."""

    def __init__(self, provider: str, address: str, server_on: list[str], client_on: list[str]):
        self.address, self.server_on, self.client_on = address, server_on, client_on
        self.command = [TOOL, "-p", provider, "-e", "rdm"]

    def start(self, prefix: list[str], core: int, *more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*prefix, *self.command, *more],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=on_core(core),
        )

    def ask(self, size: int, count: int, seconds: float) -> str:
        """What the client printed; raises RuntimeError when there is no answer in so many seconds."""
        until = time.monotonic() + seconds
        port, how = str(free_port()), ("-I", str(count), "-S", str(size))
        server = self.start(self.server_on, 0, *how, "-B", port)
        said = ""
        try:
            for _ in range(TRIES):
                time.sleep(PAUSE_S)
                client = self.start(self.client_on, 1, *how, "-P", port, self.address)
                try:
                    said = client.communicate(timeout=max(1.0, until - time.monotonic()))[0]
                except subprocess.TimeoutExpired:
                    raise RuntimeError(f"{TOOL}: no answer within {seconds:.0f} s") from None
                finally:
                    client.kill()
                    client.wait()
                if client.returncode == 0:
                    return said
            raise RuntimeError(f"{TOOL}: {' '.join(said.split()) or 'it said nothing'}")
        finally:
            server.kill()
            server.communicate()


def environment(tool: str, network: str) -> dict[str, Any]:
    """The ping-pong tells means only, so whoever reads them must know whether it had its cores to itself."""
    load, cores = os.getloadavg()[0], len(os.sched_getaffinity(0))
    lost = max(detour(core, DETOUR_S) for core in sorted(os.sched_getaffinity(0))[:2])
    return {
        "test": "environment",
        "env": {
            "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "library": "hardware",
            "implementation": tool,
            "network": network,
            "cores": cores,
            "npes": 2,
            "load_average": [load],
            "detour_percent": lost,
            "contended": lost > DETOUR_PERCENT,
        },
    }


def records(tool: str, network: str, provider: str, size: int, count: int, text: str) -> Iterator[dict[str, Any]]:
    for found, us, rate in parse(text):
        if found != size:
            continue
        for metric, unit, value in (("latency", "us", us), ("bandwidth", "MB/s", rate)):
            yield {
                "test": TEST,
                "library": "hardware",
                "implementation": tool,
                "params": {"message_bytes": size, "provider": provider, "network": network},
                "metric": metric,
                "unit": unit,
                "value": value,
                "n": count,
            }


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="mpt_report.drive.fabric")
    add = made.add_argument
    add("--out", required=True)
    add("--network", required=True, help="what lies between the two, for the records")
    add("--sizes", required=True, type=lambda text: [int(item) for item in text.split(",")])
    add("--max-seconds", type=float, default=60)
    add("--provider", default="tcp")
    add("--interface", default="")
    add("--address", default="127.0.0.1", help="the server's")
    add("--server-on", type=shlex.split, default=[])
    add("--client-on", type=shlex.split, default=[])
    return made


def main(argv: list[str] | None = None) -> int:
    args = parser().parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if not shutil.which(TOOL):
        print(MISSING, file=sys.stderr)
        return 1
    if args.interface and args.provider in FAMILY:
        os.environ[FAMILY[args.provider]] = args.interface
    tool, until = version(), time.monotonic() + args.max_seconds
    pair = Pair(args.provider, args.address, args.server_on, args.client_on)
    failed, known = 0, None
    with Path(args.out).open("w", encoding="utf-8") as stream:
        print(json.dumps(environment(tool, args.network)), file=stream, flush=True)
        for index, size in enumerate(args.sizes):
            print(f"progress {index}/{len(args.sizes)} {size} bytes", file=sys.stderr, flush=True)
            share = (until - time.monotonic()) / (len(args.sizes) - index)
            count = iterations(size, known)
            try:
                said = pair.ask(size, count, max(share, LEAST_S))
            except RuntimeError as error:
                print(f"{size} bytes: {error}", file=sys.stderr)
                failed += 1
                continue
            for line in records(tool, args.network, args.provider, size, count, said):
                print(json.dumps(line), file=stream, flush=True)
                known = (size, line["value"]) if line["metric"] == "latency" else known
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
