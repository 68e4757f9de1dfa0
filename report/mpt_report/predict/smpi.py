# SPDX-License-Identifier: BSD-3-Clause
"""The same program on the same machine under SimGrid's SMPI, as another simulator's answer beside ours.

A machine becomes a platform of links: each PE's interface (its longest messages' rate, not shared), each node's port
into the network and out of it, and the links between routers, with the routes of src/predict/route.c. SMPI's own
factors of sizes, fitted to a cluster of its authors, are set to 1 and its overheads to the machine's. Collectives are
SMPI's. It carries out what has two sides (data/smpi/player.c); one-sided operations and barriers of hardware it
has not.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

import numpy as np

from .machine import Machine, sizes
from .simulate import LIMIT_S, Outcome, SimulationError, read
from .units import quantity

PLAYER = Path(__file__).resolve().parents[1] / "data" / "smpi" / "player.c"
MOST_PES = 128  # a route for each pair
FREE = 1e15  # bytes/s

Hop = tuple[int, str, int]  # a router, and the link that leaves it: its name there, and the router behind it


class NoSmpi(SimulationError):
    """It is not installed, or has no such machine or operation."""


def there() -> bool:
    return bool(shutil.which("smpicc") and shutil.which("smpirun"))


def torus(sides: list[int], a: int, b: int) -> Iterator[Hop]:
    """Dimension by dimension, the shorter way round."""
    stride, at = 1, a
    for d, side in enumerate(sides):
        forward = (b // stride - at // stride) % side
        step = 1 if forward <= side - forward else -1
        while (x := at // stride % side) != b // stride % side:
            behind = at + ((x + step) % side - x) * stride
            yield at, f"{d}{'+' if step > 0 else '-'}", behind
            at = behind
        stride *= side


def hypercube(bits: list[int], a: int, b: int) -> Iterator[Hop]:
    """Bit by bit."""
    for bit in range(bits[0]):
        if (a ^ b) & 1 << bit:
            yield a, str(bit), a ^ 1 << bit
            a ^= 1 << bit


def crossbar(_: list[int], a: int, b: int) -> Iterator[Hop]:
    yield from ()


ROUTES = {"torus": torus, "hypercube": hypercube, "crossbar": crossbar}


def platform(machine: Machine, interface: str, pes: int) -> str:
    """The platform's XML."""
    net, clock, own = machine.data["network"], machine.clock, machine.data["interface"][interface]
    if net["topology"] not in ROUTES:
        raise NoSmpi(f"SMPI: no {net['topology']}; there are {', '.join(ROUTES)}")
    if pes > MOST_PES:
        raise NoSmpi(f"SMPI: {pes} PEs; at most {MOST_PES}, as each pair has a route")
    per_node, per_router = int(net.get("pes_per_node", 1)), int(net.get("nodes_per_router", 1))
    shape = [int(n) for n in sizes(net, -(-pes // (per_node * per_router))).split()]
    way = partial(ROUTES[net["topology"]], shape)
    hop, latency = (quantity(value, clock) for value in (net.get("hop", "0"), own.get("latency", "0")))
    port, link = (quantity(net[key], clock) if key in net else FREE for key in ("port", "link"))
    rate = quantity(own["rates"][-1][1]) if own.get("rates") else FREE
    links: dict[str, tuple[float, float, str]] = {}
    routes = []

    def take(name: str, bandwidth: float, seconds: float, sharing: str = "SHARED") -> str:
        links[name] = (bandwidth, seconds, sharing)
        return name

    for a in range(pes):
        for b in range(pes):
            names = [take(f"own{a}", rate, latency, "FATPIPE")]
            node_a, node_b = a // per_node, b // per_node
            if node_a != node_b:
                names.append(take(f"out{node_a}", port, 0.0))
                for router, which, _ in way(node_a // per_router, node_b // per_router):
                    names.append(take(f"r{router}.{which}", link, hop))
                names.append(take(f"in{node_b}", port, hop))
            routes.append((a, b, names))
    lines = ['<?xml version="1.0"?>', '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">']
    lines += ['<platform version="4.1"><zone id="machine" routing="Full">']
    lines += [f'<host id="pe{pe}" speed="1Gf"/>' for pe in range(pes)]
    lines += [
        f'<link id="{name}" bandwidth="{bandwidth!r}Bps" latency="{seconds!r}s" sharing_policy="{sharing}"/>'
        for name, (bandwidth, seconds, sharing) in links.items()
    ]
    for a, b, names in routes:
        inner = "".join(f'<link_ctn id="{name}"/>' for name in names)
        lines.append(f'<route src="pe{a}" dst="pe{b}" symmetrical="NO">{inner}</route>')
    return "\n".join([*lines, "</zone></platform>"]) + "\n"


def settings(machine: Machine, interface: str) -> list[str]:
    """What SMPI would otherwise take from its authors' cluster."""
    own, clock = machine.data["interface"][interface], machine.clock
    each = 1 / quantity(own["copy"]) if "copy" in own else 0.0
    send = f"0:{quantity(own.get('send', '0'), clock)!r}:{each!r}"
    eager = int(quantity(own.get("eager", "0")))
    return [
        f"--cfg={name}:{value}"
        for name, value in {
            "smpi/os": send,
            "smpi/ois": send,
            "smpi/or": f"0:{quantity(own.get('receive', '0'), clock)!r}:0",
            "smpi/bw-factor": "0:1",
            "smpi/lat-factor": "0:1",
            "smpi/async-small-thresh": eager,
            "smpi/send-is-detached-thresh": eager,
            "smpi/host-speed": "1Gf",
            "smpi/simulate-computation": "no",
            "network/TCP-gamma": "0",
            "network/weight-S": "0",
            "network/crosstraffic": "0",
            "surf/precision": "1e-12",
        }.items()
    ]


class Player:
    """The program that carries out the steps, compiled once: its folder goes with it."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="mpt-predict-")
        self.path = Path(self.folder.name) / "player"
        command = ["smpicc", "-O2", str(PLAYER), "-o", str(self.path)]
        done = subprocess.run(command, cwd=self.folder.name, capture_output=True, text=True, timeout=LIMIT_S)
        if done.returncode:
            raise NoSmpi(f"SMPI: smpicc does not compile {PLAYER.name}: {done.stderr.strip()[-300:]}")


@cache
def player() -> Player:
    return Player()


def run(machine: Machine, interface: str, pes: int, steps: np.ndarray, home: str | None = None) -> Outcome:
    """As simulate.run."""
    del home
    if not there():
        raise NoSmpi("SMPI: no smpicc and smpirun here (Debian: libsimgrid-dev)")
    with tempfile.TemporaryDirectory(prefix="mpt-predict-") as name:
        folder = Path(name)
        (folder / "platform.xml").write_text(platform(machine, interface, pes), encoding="utf-8")
        (folder / "hosts").write_text("".join(f"pe{pe}\n" for pe in range(pes)), encoding="utf-8")
        steps.tofile(folder / "program")
        command = ["smpirun", "-np", str(pes), "-platform", "platform.xml", "-hostfile", "hosts"]
        done = subprocess.run(
            [*command, *settings(machine, interface), "--log=root.thresh:error", player().path, folder / "program"],
            cwd=folder,
            env={**os.environ, "LC_ALL": "C"},
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
        )
    outcome = read(done.stdout)
    if done.returncode or len(outcome.clocks) != pes:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise NoSmpi(f"SMPI: {said[-1] if said else f'status {done.returncode}'}")
    return outcome
