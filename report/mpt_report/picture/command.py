# SPDX-License-Identifier: BSD-3-Clause
"""The command `mpt picture`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from ..drive import network, peers, plan, programs
from ..measuring import found_build, own_library
from . import data, draw, measure, page

FAILED, USAGE = 1, 2
PEERS = ("openmpi", "mpich")


def add_options(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "picture",
        help="measure latency and barriers beside Open MPI and MPICH, and draw them as one SVG",
        description="Writes NAME.json, the figures, and NAME.svg, the picture. Without --draw it measures first.",
    )
    add = command.add_argument
    add("--out", default="picture", metavar="NAME", help="the files' name without ending (default picture)")
    add("--draw", metavar="FILE", help="draw these figures again instead of measuring")
    add("--page", metavar="FILE", help="put the main figures into a Markdown page, between its marks")
    add("--build", help="build folder or prefix with the programs")
    add("--rounds", type=int, default=5, metavar="N", help="how often the libraries take turns (default 5)")
    add("--peer-prefix", type=prefix, action="append", default=[], metavar="NAME=DIR", help="where openmpi or mpich is")
    add("--pes", type=ranks, default=(), metavar="N,N,...", help="ranks of the barriers (default 2,4,8,16,32)")
    command.set_defaults(do=do_picture)


def ranks(value: str) -> tuple[int, ...]:
    words = value.split(",")
    if not all(word.isdigit() and int(word) >= 2 for word in words):
        raise argparse.ArgumentTypeError(f"{value!r} is not a list of numbers from 2 on")
    return tuple(sorted({2, *map(int, words)}))  # two ranks have the messages


def prefix(value: str) -> tuple[str, Path]:
    name, _, folder = value.partition("=")
    if name not in PEERS or not Path(folder).is_dir():
        raise argparse.ArgumentTypeError(f"{value!r} is not NAME=DIR, a name of {', '.join(PEERS)} and a folder")
    return name, Path(folder).resolve()


def say(words: str) -> None:
    print(f"mpt: {words}", file=sys.stderr, flush=True)


def libraries_of(build: Path, prefixes: dict[str, Path], scratch: Path) -> list[plan.Library]:
    """Ours, and the others that are to be had."""
    row = programs.named(measure.PROGRAM)
    assert row is not None  # it is in the table
    found = [own_library(build, None)]
    for name in PEERS:
        try:
            source = network.source_of(build) / "bench"
            library, problems = peers.prepare(name, prefixes.get(name), source, scratch / name, [row])
            if problems:
                raise peers.PeerError("; ".join(problems))
            found.append(library)
        except (peers.PeerError, OSError) as error:
            say(f"left out: {error}")
    return found


def measured(args: argparse.Namespace) -> data.Picture:
    build = found_build(args.build, args.home)
    if build is None:
        raise LookupError("no benchmark programs here; --build DIR names a build folder or a prefix with them")
    with tempfile.TemporaryDirectory(prefix="mpt-picture-") as scratch:
        folder = Path(scratch)
        libraries = libraries_of(Path(build).resolve(), dict(args.peer_prefix), folder)
        order = plan.Order(folder, scale=args.pes)
        found = measure.rounds(libraries, measure.counts(order), args.rounds, folder / "records", say)
        return measure.picture_of(found, args.rounds)


def do_picture(args: argparse.Namespace) -> int:
    if args.rounds < 1:
        say("--rounds: at least 1")
        return USAGE
    try:
        found = data.load(Path(args.draw)) if args.draw else measured(args)
        if args.page:
            text = page.filled(Path(args.page).read_text(encoding="utf-8"), found)
            Path(args.page).write_text(text, encoding="utf-8")
        name = Path(args.draw).with_suffix("") if args.draw else Path(args.out)
        name.parent.mkdir(parents=True, exist_ok=True)
        if not args.draw:
            data.save(found, name.with_name(f"{name.name}.json"))
        drawn = name.with_name(f"{name.name}.svg")
        drawn.write_text(draw.svg(found), encoding="utf-8")
    except (LookupError, ValueError) as error:
        say(str(error))
        return FAILED
    print(f"wrote {drawn}")
    return 0
