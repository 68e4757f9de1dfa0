# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command between hosts made of network namespaces, which tests/net/hosts.py of the source tree makes.

    python -m mpt_report.drive.hosts --source DIR --build DIR -- COMMAND...

In the command `{enter0}` stands for the words that lead onto the first host, `{shell0}` for the same as one word,
`{address0}` for its address, `{hosts}` for the list a launcher wants, `{agent}` for its remote shell and `{own}` for
a script that runs a program on the host's own share of the cores. Exits 77 where hosts cannot be made.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

SKIPPED = 77
MAKER = Path("tests") / "net" / "hosts.py"


def load(source: Path, build: Path) -> ModuleType:
    """The module that makes hosts; it wants to know the tree and the build folder."""
    os.environ["MPT_SOURCE"], os.environ["MPT_BUILD"] = str(source), str(build)
    sys.path.insert(0, str(source / MAKER.parent))
    return import_module("hosts")


def shares(count: int) -> list[list[int]]:
    """The cores of each host: its own where there are enough, else all for all."""
    cores = sorted(os.sched_getaffinity(0))
    each = len(cores) // count
    return [cores[each * i : each * (i + 1)] if each else cores for i in range(count)]


def script(names: list[str], cores: list[list[int]]) -> str:
    cases = "".join(f"{name}) cores={','.join(map(str, own))};;\n" for name, own in zip(names, cores, strict=True))
    return f'#!/bin/sh\ncase $(hostname) in\n{cases}esac\nexec taskset -c "$cores" "$@"\n'


def meanings(on: Any, own: Path, per_host: int) -> dict[str, list[str]]:
    """What each placeholder stands for; a word that is nothing else may become several."""
    found = {
        "{agent}": [str(on.agent)],
        "{own}": [str(own)],
        "{hosts}": [",".join(f"{name}:{per_host}" for name in on.names)],
    }
    for index in range(len(on.names)):
        found[f"{{enter{index}}}"] = on.enter(index)
        found[f"{{shell{index}}}"] = [shlex.join(on.enter(index))]
        found[f"{{address{index}}}"] = [on.address(index)]
    return found


def expand(words: list[str], found: dict[str, list[str]]) -> list[str]:
    return [part for word in words for part in found.get(word, [word])]


def main(argv: list[str] | None = None) -> int:
    made = argparse.ArgumentParser(prog="mpt_report.drive.hosts")
    made.add_argument("--source", type=Path, required=True)
    made.add_argument("--build", type=Path, required=True)
    made.add_argument("--count", type=int, default=2)
    made.add_argument("--per-host", type=int, default=1)
    made.add_argument("words", nargs="+")
    args = made.parse_args(argv)
    if not (args.source / MAKER).is_file():
        print(f"SKIPPED: no {MAKER} in {args.source}")
        return SKIPPED
    hosts = load(args.source, args.build)
    hosts.need_namespaces()
    with hosts.Hosts(args.count) as on:
        own = hosts.h.SCRATCH / "own"
        own.write_text(script(on.names, shares(args.count)), encoding="utf-8")
        own.chmod(0o755)
        for index in range(args.count):  # UCX looks its devices up there, and would see the outer ones
            on.call(index, "mount", "-t", "sysfs", "sysfs", "/sys")
        env = hosts.h.environment({**wanted(), "TMPDIR": hosts.LOCAL})
        return subprocess.call(expand(args.words, meanings(on, own, args.per_host)), env=env)


def wanted() -> dict[str, str]:
    """Variables of launchers and libraries, which the maker of hosts would leave out."""
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith(("OMPI_", "MPT_", "UCX_")) and name not in ("MPT_SOURCE", "MPT_BUILD")
    }


if __name__ == "__main__":
    sys.exit(main())
