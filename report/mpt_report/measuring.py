# SPDX-License-Identifier: BSD-3-Clause
"""The commands that measure: `bench`, which goes on where it was stopped, and `run`, which begins anew."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.console import Console

from . import text
from .drive import Result, measure, network, peers, plan, programs
from .drive.ledger import Ledger
from .drive.load import WORDS
from .places import PROGRAMS, programs_of
from .runs.records import load_run
from .runs.study import study
from .show import page_width, print_warnings, write_page

INTERRUPTED = 130
BOUNDS = {"quick": 280.0, "full": 3500.0}  # of everything, so that with the report it ends in five minutes, an hour


@dataclass
class Tested:
    """The libraries of a run and why others that were asked for are not among them."""

    libraries: list[plan.Library] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def interrupt(_number: int, _frame: object) -> None:
    """Programs have sessions of their own, so whoever ends this process must end them too."""
    raise KeyboardInterrupt


def own_library(build: Path, launcher: str | None) -> plan.Library:
    words = shlex.split(launcher) if launcher else [str(build / "bin" / "oshrun")]
    return plan.Library(plan.OURS, programs_of(build) or build / PROGRAMS[0], tuple(words))


def as_tasks(own: plan.Library, processes: int) -> plan.Library:
    """The same library with its PEs as tasks, of one process for each core if not told otherwise (0)."""
    option = f"{plan.TASKS_OPTION}={processes}" if processes else plan.TASKS_OPTION
    return replace(own, name=plan.TASKS, launcher=(*own.launcher, option))


def add_tasks(tested: Tested, processes: int) -> None:
    """Behind ours, if the smallest program runs so here."""
    library = as_tasks(tested.libraries[0], processes)
    hello = library.program("hello")
    why = network.probe(library.start(network.PROBE_PES, hello, 1), {}) if hello else "there is no program hello"
    if why:
        tested.problems.append(f"PEs as tasks: {why}")
    else:
        tested.libraries.append(library)


def named_peer(args: argparse.Namespace) -> plan.Library:
    """A library whose programs the user has built."""
    launcher = shlex.split(args.peer_launcher or plan.PEER_LAUNCHER.get(args.peer, "oshrun"))
    library = plan.Library(
        args.peer, Path(args.peer_bench).resolve(), tuple(launcher), plan.PEER_ENVIRONMENT.get(args.peer, {})
    )
    built = {program.library for program in programs.load() if library.program(program.name)} - {"none"}
    return replace(library, interfaces=tuple(sorted(built)) or ("SHMEM",))


def libraries_of(args: argparse.Namespace, order: plan.Order, stack: ExitStack, console: Console) -> Tested:
    """Ours from the build folder, then the peers."""
    tested = Tested()
    build = Path(args.build).resolve() if args.build else None
    if build:
        tested.libraries.append(own_library(build, args.launcher))
        if args.tasks is not None:
            add_tasks(tested, args.tasks)
    if args.peer:
        tested.libraries.append(named_peer(args))
    for name in args.vs:
        say(console, f"building the programs with {name}")
        source = network.source_of(build or Path()) / "bench"
        try:
            library, problems = peers.prepare(
                name, args.peer_prefix.get(name), source, order.out / "peers" / name, peers.wanted_of(order)
            )
            tested.problems += problems
            tested.libraries.append(stack.enter_context(peers.daemon(library)) if name == "pvm" else library)
        except (peers.PeerError, OSError) as error:
            tested.problems.append(str(error))
    return tested


def say(console: Console, words: str) -> None:
    console.print(f"mpt: {words}", markup=False, highlight=False, soft_wrap=True)


def clear(out: Path, libraries: list[plan.Library], keep: bool) -> None:
    """A whole new run replaces the same library's old records; `keep` adds to them instead."""
    gone = set()
    for name in ("provider", *(library.name for library in libraries)):
        for file in [] if keep else out.glob(f"{name}-*.jsonl"):
            file.unlink()
            gone.add(file.stem)
    if gone:
        Ledger(out).forget(gone)


def mode_of(args: argparse.Namespace) -> str:
    if args.command == "bench":
        return "full" if args.full else "quick"
    return "demo" if args.demo else "quick" if args.quick else "full"


def order_of(args: argparse.Namespace) -> plan.Order:
    mode = mode_of(args)
    pes = args.pes or ((max(2, plan.cores()),) if mode == "demo" else (2,))
    scale = args.scale or (args.pes if args.command == "bench" else ())
    return plan.Order(Path(args.out).resolve(), mode, pes, scale, args.only, args.burner, tuple(args.program_options))


def places_of(args: argparse.Namespace, mode: str) -> tuple[str, ...]:
    if args.command == "bench":
        return args.over or (network.SHARED,)
    return args.over or (network.DEMO_OVER if mode == "demo" else network.OVER)


def say_end(result: Result, console: Console) -> None:
    for words in result.left_out:
        say(console, f"left out: {words}")
    for problem in result.problems:
        say(console, problem)
    states = [state.word for _, state in result.states]
    if states:
        say(console, ", ".join(f"{states.count(word)} programs {word}" for word in WORDS if word in states))
    if result.interrupted:
        say(console, "interrupted; what was measured until then is kept")


def report(result: Result, order: plan.Order, width: int | None) -> None:
    """Tables on standard output, and the page beside the records."""
    if not result.files:
        return
    found = study([load_run(order.out)])
    print_warnings(found)
    print(text.report(found, width or page_width(), everything=order.mode != "demo"))
    write_page(found, order.out / "report.html")
    print(f"page: {os.path.relpath(order.out / 'report.html')}")


def only_known(args: argparse.Namespace, missing: list[str]) -> list[str]:
    """A program that the build left out is a failure only where all or it was asked for."""
    return missing if args.command == "run" or args.only else []


def do_measure(args: argparse.Namespace) -> int:
    order, console = order_of(args), Console(stderr=True)
    with ExitStack() as stack:
        for number in (signal.SIGTERM, signal.SIGHUP):
            stack.callback(signal.signal, number, signal.signal(number, interrupt))
        tested = libraries_of(args, order, stack, console)
        over = places_of(args, order.mode)
        steps, missing = plan.make(tested.libraries, order) if network.SHARED in over else ([], [])
        left_out = plan.left_out(tested.libraries, order) if network.SHARED in over else []
        more, skipped = network.make(tested.libraries, order, Path(args.build or ".").resolve(), over)
        steps += more
        for words in [
            *tested.problems,
            *(f"no program for {name}" for name in missing),
            *left_out,
            *(f"SKIPPED: {reason}" for reason in skipped),
        ]:
            say(console, words)
        if not steps:
            say(console, "nothing to run")
            return 1
        order.out.mkdir(parents=True, exist_ok=True)
        resume = args.command == "bench" and not args.again
        if args.command == "run":
            clear(order.out, tested.libraries, keep=bool(args.only))
        bound = BOUNDS[order.mode] if args.command == "bench" and not args.vs else None
        result = measure(steps, order.out, console, resume, bound)
    if result.kept:
        say(console, f"{result.kept} of {len(steps)} programs were measured before and stand (--again measures anew)")
    say_end(result, console)
    report(result, order, args.width)
    if result.interrupted:
        return INTERRUPTED
    asked_for = only_known(args, missing) + (skipped if args.over else [])
    return 1 if result.problems or tested.problems or asked_for else 0


def found_build(given: str | None, home: str | None) -> str | None:
    """The build folder: the one named, the one or the installation this command lies in, `build` here or in the
    package's checkout."""
    if given:
        return given
    for folder in (Path(home or "build"), Path("build"), Path(__file__).resolve().parents[2] / "build"):
        if programs_of(folder):
            return str(folder)
    return None


def do_list(console: Console) -> int:
    """What there is to run."""
    for program in programs.load():
        pes = "no launcher" if not program.launched else "--pes" if not program.pes else ",".join(map(str, program.pes))
        tests = ", ".join(program.tests)
        console.print(
            f"{program.part:10} {program.name:20} PEs {pes:14} {program.seconds['quick']:g}/"
            f"{program.seconds['full']:g} s  {tests}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
    return 0


def do_bench(args: argparse.Namespace) -> int:
    if args.list:
        return do_list(Console())
    args.build = found_build(args.build, args.home)
    if args.build is None and not args.vs and not args.peer:
        print(
            "mpt bench: no benchmark programs beside this command (libexec/mpt/bench) and no build folder here; "
            "--build DIR names a build folder or a prefix where they are installed",
            file=sys.stderr,
        )
        return 2
    return do_measure(args)
