# SPDX-License-Identifier: BSD-3-Clause
"""Machine files: read, changed by --set, and told to the simulator (src/predict/machine.c)."""

from __future__ import annotations

import copy
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .units import quantity

FOLDER = Path(__file__).resolve().parents[1] / "data" / "machines"
TOPOLOGIES = ("crossbar", "bus", "torus", "hypercube", "fattree", "dragonfly")
TABLES = {
    "network": {"topology", "routers", "leaf", "group", "taper", "pes_per_node", "nodes_per_router", "hop", "turn"}
    | {"turns_max", "link", "port", "share_from"},
    "processor": {"clock", "combine", "gather", "load", "loop", "panel", "sweep"},
    "interface": {
        "send",
        "onesided",
        "receive",
        "latency",
        "rates",
        "strided",
        "get",
        "serve",
        "eager",
        "barrier",
        "barrier_message",
        "copy",
    },
    "fitted": {"figures"},
}


class MachineError(ValueError):
    """A machine file, or a change of one, that says nothing sensible."""


@dataclass(frozen=True)
class Machine:
    """A machine file. `fitted`: published figures that went into it."""

    key: str
    name: str
    about: str
    data: dict[str, Any]

    @property
    def interfaces(self) -> list[str]:
        return list(self.data["interface"])

    @property
    def fitted(self) -> set[str]:
        return set(self.data.get("fitted", {}).get("figures", []))

    @property
    def clock(self) -> float:
        """In hertz; 0: not said."""
        return quantity(self.data["processor"].get("clock", "0"))

    def cycles(self, seconds: float) -> float:
        return seconds * self.clock

    def text(self, interface: str, pes: int) -> str:
        """What the simulator reads, for so many PEs that use this interface."""
        if interface not in self.data["interface"]:
            raise MachineError(f"{self.key} has no interface {interface!r}; it has {', '.join(self.interfaces)}")
        if pes < 1:
            raise MachineError(f"{pes} PEs: at least one is needed")
        return "\n".join([f"pes {pes}", *self._network(pes), *self._interface(interface)]) + "\n"

    def _network(self, pes: int) -> list[str]:
        net, clock = self.data["network"], self.clock
        per_node, per_router = int(net.get("pes_per_node", 1)), int(net.get("nodes_per_router", 1))
        routers = -(-pes // (per_node * per_router))
        lines = [f"topology {net['topology']} {sizes(net, routers)}", f"pes_per_node {per_node}"]
        lines += [f"nodes_per_router {per_router}", f"turns_max {int(net.get('turns_max', 0))}"]
        lines += [
            f"{key} {quantity(net[key], clock)!r}"
            for key in ("hop", "turn", "link", "port", "share_from")
            if key in net
        ]
        return lines + ([f"taper {float(net['taper'])!r}"] if "taper" in net else [])

    def _interface(self, interface: str) -> list[str]:
        own, clock = self.data["interface"][interface], self.clock
        each = 1 / quantity(own["copy"]) if "copy" in own else 0.0
        lines = [f"send {quantity(own.get('send', '0'), clock)!r} {each!r}"]
        lines += [
            f"{key} {quantity(own[key], clock)!r}"
            for key in ("onesided", "receive", "latency", "get", "eager")
            if key in own
        ]
        lines += [f"rate {quantity(size)!r} {quantity(rate)!r}" for size, rate in own.get("rates", [])]
        if "barrier" in own:
            fixed, log = (quantity(part, clock) for part in own["barrier"])
            lines.append(f"barrier {fixed!r} {log!r}")
        elif "barrier_message" in own:
            lines.append(f"barrier 0 {quantity(own['barrier_message'], clock)!r}")
        if "combine" in self.data["processor"]:
            lines.append(f"combine {1 / quantity(self.data['processor']['combine'])!r}")
        return lines


def near_cube(n: int) -> tuple[int, int, int]:
    """The sides of the torus that holds n routers and is nearest to a cube: largest first."""
    best = (n, 1, 1)
    for total in range(n, n + max(2, n // 8) + 1):
        for z in range(1, round(total ** (1 / 3)) + 1):
            if total % z:
                continue
            for y in range(z, int((total // z) ** 0.5) + 1):
                if total // z % y == 0:
                    sides = (total // z // y, y, z)
                    if sum(sides) < sum(best):
                        best = sides
        if best[0] <= 2 * best[2]:
            break
    return best


def sizes(net: dict[str, Any], routers: int) -> str:
    """What follows the topology's name."""
    kind = net["topology"]
    if kind == "torus":
        return " ".join(str(n) for n in net.get("routers", near_cube(routers)))
    if kind == "hypercube":
        return str(max(1, (routers - 1).bit_length()))
    if kind in ("fattree", "dragonfly"):
        return str(int(net.get("leaf", net.get("group", 16))))
    return "1"


def check(data: dict[str, Any], where: str) -> None:
    for key, table in data.items():
        if key in ("name", "about"):
            continue
        if key not in TABLES:
            raise MachineError(f"{where}: there is no table [{key}]; there are {', '.join(TABLES)}")
        for name, part in table.items() if key == "interface" else [("", table)]:
            unknown = set(part) - TABLES[key]
            if unknown:
                full = f"[{key}.{name}]" if name else f"[{key}]"
                raise MachineError(f"{where}: {full} has no {sorted(unknown)[0]!r}; it may have {sorted(TABLES[key])}")
    for key in ("network", "processor", "interface"):
        if key not in data:
            raise MachineError(f"{where}: the table [{key}] is missing")
    if data["network"].get("topology") not in TOPOLOGIES:
        raise MachineError(f"{where}: network.topology is one of {', '.join(TOPOLOGIES)}")


def names() -> list[str]:
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def load(name: str) -> Machine:
    """A shipped machine by its name, or a file."""
    file = FOLDER / f"{name}.toml" if "/" not in name and not name.endswith(".toml") else Path(name)
    if not file.is_file():
        raise MachineError(f"there is no machine {name!r}; there are {', '.join(names())}, and files (*.toml)")
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise MachineError(f"{file}: {error}") from error
    check(data, str(file))
    return Machine(file.stem, data.get("name", file.stem), data.get("about", ""), data)


def scaled(value: str, factor: float) -> str:
    number, unit = value.split(maxsplit=1) if " " in value else (value, "")
    return f"{float(number) * factor!r} {unit}".strip()


def changed(machine: Machine, settings: list[str]) -> Machine:
    """With --set network.link=2x (so many times) or network.link='1 GB/s'."""
    data = copy.deepcopy(machine.data)
    for setting in settings:
        path, equals, value = setting.partition("=")
        *folders, last = path.split(".")
        table: Any = data
        for folder in folders:
            table = table.get(folder) if isinstance(table, dict) else None
        if not equals or not isinstance(table, dict) or not folders:
            raise MachineError(f"--set {setting}: expected TABLE.KEY=VALUE, as network.link=2x")
        if value.endswith("x") and value[:-1].replace(".", "", 1).isdigit():
            if not isinstance(table.get(last), str):
                raise MachineError(f"--set {setting}: {path} is no quantity of {machine.key}")
            table[last] = scaled(table[last], float(value[:-1]))
        else:
            table[last] = int(value) if value.isdigit() else value
    check(data, f"--set {' '.join(settings)}")
    return Machine(machine.key, machine.name, machine.about, data)
