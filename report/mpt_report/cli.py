# SPDX-License-Identifier: BSD-3-Clause
"""The command `mpt-report`: text, html, compare, run."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import sys
from pathlib import Path

from rich.console import Console

from . import __version__, compare, text
from .drive import Result, measure, network, plan
from .records import load_run
from .study import Study, study
from .table import to_text

INTERRUPTED = 130
WIDE = 140


def page_width() -> int:
    """The terminal's width; a file or a pipe is as wide as the layout likes."""
    if not sys.stdout.isatty():
        return WIDE
    return shutil.get_terminal_size((WIDE, 40)).columns


def load_study(paths: list[str]) -> Study:
    runs = [load_run(path) for path in paths]
    if len({run.label for run in runs}) < len(runs):
        for index, run in enumerate(runs, 1):
            run.label = f"{run.label} #{index}"
    return study(runs)


def print_warnings(found: Study) -> None:
    for warning in found.warnings:
        print(f"mpt-report: {warning}", file=sys.stderr)


def write_page(found: Study, path: Path) -> None:
    from .page import build  # plotly loads slowly and only this needs it

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(build(found), encoding="utf-8")


def do_text(args: argparse.Namespace) -> int:
    found = load_study(args.run)
    print_warnings(found)
    print(text.report(found, args.width or page_width()))
    return 0


def do_html(args: argparse.Namespace) -> int:
    found = load_study(args.run)
    print_warnings(found)
    write_page(found, Path(args.output))
    print(f"wrote {args.output}")
    return 0


def do_compare(args: argparse.Namespace) -> int:
    found = load_study([args.old, args.new])
    print_warnings(found)
    old, new = found.runs
    table = compare.table(old, new, args.pairs)
    if not table.rows:
        print("mpt-report: the two runs have no measurement in common", file=sys.stderr)
        return 1
    width = args.width or page_width()
    print(to_text(table, width))
    print(to_text(compare.summary(old, new), width))
    return 0


def libraries_of(args: argparse.Namespace) -> list[plan.Library]:
    """Ours from the build folder, then the peer."""
    found = []
    if args.build:
        build = Path(args.build).resolve()
        launcher = shlex.split(args.launcher) if args.launcher else [str(build / "bin" / "oshrun")]
        found.append(plan.Library("mpt", build / "bench", tuple(launcher)))
    if args.peer:
        launcher = shlex.split(args.peer_launcher or plan.PEER_LAUNCHER.get(args.peer, "oshrun"))
        found.append(plan.Library(args.peer, Path(args.peer_bench).resolve(), tuple(launcher),
                                  plan.PEER_ENVIRONMENT.get(args.peer, {})))
    return found


def clear(out: Path, libraries: list[plan.Library], keep: bool) -> None:
    """A whole new run replaces the same library's old records; `keep` adds to them instead."""
    for name in ("provider", *(library.name for library in libraries)):
        for file in [] if keep else out.glob(f"{name}-*.jsonl"):
            file.unlink()


def mode_of(args: argparse.Namespace) -> str:
    return "demo" if args.demo else "quick" if args.quick else "full"


def say_end(result: Result, console: Console) -> None:
    for problem in result.problems:
        console.print(f"mpt-report: {problem}", markup=False, highlight=False, soft_wrap=True)
    if result.interrupted:
        console.print("mpt-report: interrupted; what was measured until then is kept", markup=False)


def interrupt(_number: int, _frame: object) -> None:
    """Programs have sessions of their own, so whoever ends this process must end them too."""
    raise KeyboardInterrupt


def do_run(args: argparse.Namespace) -> int:
    out = Path(args.out).resolve()
    libraries = libraries_of(args)
    mode = mode_of(args)
    pes = args.pes or (max(2, plan.cores()) if mode == "demo" else 2)
    order = plan.Order(out, mode, pes, args.scale, args.only, args.burner, tuple(args.program_options))
    over = args.over or (network.DEMO_OVER if mode == "demo" else network.OVER)
    steps, missing = plan.make(libraries, order) if network.SHARED in over else ([], [])
    console = Console(stderr=True)
    more, skipped = network.make(libraries, order, Path(args.build or ".").resolve(), over)
    steps += more
    for text_of in [f"no program for {name}" for name in missing] + [f"SKIPPED: {reason}" for reason in skipped]:
        console.print(f"mpt-report: {text_of}", markup=False, highlight=False, soft_wrap=True)
    missing += skipped if args.over else []
    if not steps:
        console.print("mpt-report: nothing to run", markup=False)
        return 1
    out.mkdir(parents=True, exist_ok=True)
    clear(out, libraries, keep=bool(args.only))
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    result = measure(steps, out, console)
    say_end(result, console)
    if result.files:
        found = study([load_run(out)])
        print_warnings(found)
        print(text.report(found, args.width or page_width(), everything=mode != "demo"))
        write_page(found, out / "report.html")
        print(f"page: {os.path.relpath(out / 'report.html')}")
    if result.interrupted:
        return INTERRUPTED
    return 1 if result.problems or missing else 0


def numbers(value: str) -> tuple[int, ...]:
    """A list of PE counts, as in 2,4,8."""
    try:
        counts = tuple(int(item) for item in value.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{value!r} is not a list of numbers") from None
    if any(count < 1 for count in counts):
        raise argparse.ArgumentTypeError("a PE count is at least 1")
    return counts


def places(value: str) -> tuple[str, ...]:
    found = tuple(value.split(","))
    unknown = [item for item in found if item not in network.OVER]
    if unknown:
        raise argparse.ArgumentTypeError(f"no place {', '.join(unknown)}; there are {', '.join(network.OVER)}")
    return found


def names(value: str) -> tuple[str, ...]:
    known = [program.name for program in plan.PROGRAMS]
    found = tuple("ping_pong" if item == "pingpong" else item for item in value.split(","))
    unknown = [item for item in found if item not in known]
    if unknown:
        raise argparse.ArgumentTypeError(f"no program {', '.join(unknown)}; there are {', '.join(known)}")
    return found


def add_run_options(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--build", help="build folder: programs in bench/, launcher bin/oshrun")
    add("--out", required=True, help="folder for the records and report.html")
    add("--launcher", help="command that starts PEs, in place of bin/oshrun of the build folder")
    add("--pes", type=int, help="PEs of the pair tests (default 2; with --demo as many as cores)")
    add("--scale", type=numbers, default=(), metavar="N,N,...", help="PE counts of the barrier and reduce tests")
    add("--only", type=names, default=(), metavar="NAME,...", help="only these programs; keeps other records in --out")
    add("--over", type=places, default=(), metavar="PLACE,...",
        help="shm (shared memory), host (network, one host), nodes (one host as two nodes), hosts (two hosts made of "
             "namespaces, as root); default: what can be had")
    how = command.add_mutually_exclusive_group()
    how.add_argument("--quick", action="store_true", help="all programs, a quarter of the time")
    how.add_argument("--demo", action="store_true", help="the newsletter's tests, limits and barrier in two minutes")
    add("--burner", action="store_true", help="repeat what waits while another process burns one core")
    add("--peer", metavar="NAME", help="also run the same programs built with another library, for example openmpi")
    add("--peer-bench", metavar="DIR", help="folder with the peer's programs")
    add("--peer-launcher", metavar="CMD", help="the peer's launcher with its options")
    add("--width", type=int, help="columns of the text (default: the terminal's)")
    add("program_options", nargs="*", metavar="-- OPTION", help="options handed to every program")


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="mpt-report", description="Reports of message passing benchmarks.")
    top.add_argument("--version", action="version", version=f"mpt-report {__version__}")
    commands = top.add_subparsers(dest="command", required=True)

    command = commands.add_parser("text", help="print tables beside the published figures")
    command.add_argument("run", nargs="+", help="a .jsonl file or a folder of them")
    command.add_argument("--width", type=int)
    command.set_defaults(do=do_text)

    command = commands.add_parser("html", help="write one page with tables and plots")
    command.add_argument("run", nargs="+")
    command.add_argument("-o", "--output", default="report.html")
    command.set_defaults(do=do_html)

    command = commands.add_parser("compare", help="lay two runs side by side")
    command.add_argument("old")
    command.add_argument("new")
    command.add_argument("--pairs", action="store_true", help="every pair of PEs, not only the first")
    command.add_argument("--width", type=int)
    command.set_defaults(do=do_compare)

    command = commands.add_parser("run", help="run the benchmark programs, then report")
    add_run_options(command)
    command.set_defaults(do=do_run)
    return top


def check(top: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    if args.command != "run":
        return
    if not args.build and not args.peer:
        top.error("run needs --build, --peer or both")
    if args.peer and not args.peer_bench:
        top.error("--peer needs --peer-bench")
    if args.pes is not None and args.pes < 2:
        top.error("--pes must be at least 2")


def main(argv: list[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    top = parser()
    args = top.parse_args(argv)
    check(top, args)
    try:
        return args.do(args)
    except FileNotFoundError as error:
        print(f"mpt-report: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stdout = None
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
