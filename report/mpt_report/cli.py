# SPDX-License-Identifier: BSD-3-Clause
"""The command `mpt`, or `mpt-report`: bench, report, compare, export, explore, trace, matrix, timeline, predict,
picture; as before text, html, run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from . import __version__, export, text
from .arguments import Parser, meant
from .drive import network, programs
from .explore import command as explore
from .measuring import INTERRUPTED, do_bench, do_measure
from .picture import command as picture
from .predict import command as predict
from .runs.records import EmptyRun
from .show import load_study, page_width, print_warnings, write_page
from .tables import compare
from .tables.table import to_text
from .timeline import command as timeline
from .trace import command as trace
from .trace import matrix_command as matrix


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


def do_report(args: argparse.Namespace) -> int:
    """One page: into the folder of the last run, unless told where."""
    last = Path(args.run[-1])
    args.output = args.output or str((last if last.is_dir() else last.parent) / "report.html")
    return do_html(args)


def do_compare(args: argparse.Namespace) -> int:
    found = load_study([args.old, args.new])
    print_warnings(found)
    old, new = found.runs
    table = compare.table(old, new, args.pairs, None if args.all else args.fail_over)
    if not compare.pairs(old, new):
        tests = [", ".join(sorted({record.test for record in run.records})[:6]) for run in (old, new)]
        print(
            f"mpt: nothing to compare: {old.label} ({tests[0]}, ...) and {new.label} ({tests[1]}, ...) have no "
            "measurement of the same test with the same parameters",
            file=sys.stderr,
        )
        return 2
    width = args.width or page_width()
    print(to_text(table, width) if table.rows else f"{table.title}: {table.note}")
    print(to_text(compare.summary(old, new), width))
    worse = compare.regressions(old, new, args.fail_over)
    if worse:
        print(to_text(worse, width))
    print("\n".join(compare.remarks(old, new, args.fail_over)))
    return 1 if worse else 0


def do_export(args: argparse.Namespace) -> int:
    found = load_study([args.run])
    print_warnings(found)
    made = export.FORMATS[args.format](found)
    if not args.output:
        sys.stdout.write(made)
        return 0
    Path(args.output).write_text(made, encoding="utf-8")
    print(f"wrote {args.output}")
    return 0


def numbers(value: str) -> tuple[int, ...]:
    """A list of PE counts, as in 2,4,8."""
    try:
        counts = tuple(int(item) for item in value.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{value!r} is not a list of numbers") from None
    if any(count < 1 for count in counts):
        raise argparse.ArgumentTypeError("a PE count is at least 1")
    return counts


def processes(value: str) -> int:
    """How many processes run the tasks."""
    if not value.isdigit() or int(value) < 1:
        raise argparse.ArgumentTypeError(f"{value!r} is not a number of processes")
    return int(value)


def one_of(known: tuple[str, ...], what: str) -> Callable[[str], tuple[str, ...]]:
    """Reads a list of words of which each must be known."""

    def read(value: str) -> tuple[str, ...]:
        found = tuple(value.split(","))
        wrong = [item for item in found if item not in known]
        if wrong:
            raise argparse.ArgumentTypeError(f"no {what} {', '.join(wrong)}; there are {', '.join(known)}")
        return found

    return read


def names(value: str) -> tuple[str, ...]:
    """Programs by their name, their part of the laboratory or a test of theirs."""
    found = tuple(value.split(",")) if programs.unknown((value,)) else (value,)  # a test's name may hold a comma
    wrong = programs.unknown(found)
    if wrong:
        known = dict.fromkeys(word for one in programs.load() for word in (one.part, one.name))
        raise argparse.ArgumentTypeError(f"no program {', '.join(wrong)}{meant(wrong[0], known)}; --list tells of all")
    return found


def prefix(value: str) -> tuple[str, Path]:
    name, _, folder = value.partition("=")
    if name not in programs.PEERS or not folder:
        raise argparse.ArgumentTypeError(f"{value!r} is not NAME=DIR with a name of {', '.join(programs.PEERS)}")
    if not Path(folder).is_dir():
        raise argparse.ArgumentTypeError(f"{name}: no folder {folder}")
    return name, Path(folder).resolve()


def fraction(value: str) -> float:
    """A bound: 10% or 0.1."""
    try:
        found = float(value[:-1]) / 100.0 if value.endswith("%") else float(value)
    except ValueError:
        found = -1.0
    if (not 0.0 <= found < 1.0 and not value.endswith("%")) or found < 0.0:
        raise argparse.ArgumentTypeError(f"{value!r} is neither a percentage, as 10%, nor a fraction, as 0.1")
    return found


def add_peer_options(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--peer", metavar="NAME", help="also run the same programs built with another library, for example openmpi")
    add("--peer-bench", metavar="DIR", help="folder with the peer's programs")
    add("--peer-launcher", metavar="CMD", help="the peer's launcher with its options")
    add(
        "--vs",
        type=one_of(programs.PEERS, "library"),
        default=(),
        metavar="NAME,...",
        help="build the same programs with openmpi, mpich or pvm and run them in turns with ours",
    )
    add(
        "--peer-prefix",
        type=prefix,
        action="append",
        default=[],
        metavar="NAME=DIR",
        help="where a library of --vs is installed, if not on PATH",
    )


def add_run_options(command: argparse.ArgumentParser, out: str | None = None) -> None:
    add = command.add_argument
    add("--build", help="build folder: programs in bench/, launcher bin/oshrun")
    add("--out", required=out is None, default=out, help="folder for the records and report.html")
    add("--launcher", help="command that starts PEs, in place of bin/oshrun of the build folder")
    add(
        "--pes",
        type=numbers,
        default=(),
        metavar="N,N,...",
        help="PEs of the programs that do not fix them (default 2)",
    )
    add("--scale", type=numbers, default=(), metavar="N,N,...", help="PE counts of the programs with a list of them")
    add(
        "--only",
        type=names,
        nargs="+",
        default=(),
        metavar="NAME,...",
        help="only these programs, parts or tests; keeps other records in --out",
    )
    add(
        "--over",
        type=one_of(network.OVER, "place"),
        default=(),
        metavar="PLACE,...",
        help="shm (shared memory), host (network, one host), nodes (one host as two nodes), hosts (two hosts made of "
        "namespaces, as root)",
    )
    add(
        "--tasks",
        nargs="?",
        type=processes,
        const=0,
        metavar="PROCESSES",
        help="also with PEs as tasks, in turns with processes (default: of a process for each core)",
    )
    add("--burner", action="store_true", help="repeat what waits while another process burns one core")
    add_peer_options(command)
    add("--width", type=int, help="columns of the text (default: the terminal's)")
    add("program_options", nargs="*", metavar="-- OPTION", help="options handed to every program")


def add_measuring(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("bench", help="run the laboratory, or what of it is missing in --out, then report")
    add_run_options(command, out="bench-out")
    how = command.add_mutually_exclusive_group()
    how.add_argument("--quick", action="store_true", help="all programs within five minutes (the default)")
    how.add_argument("--full", action="store_true", help="all programs at length, up to an hour")
    command.add_argument("--again", action="store_true", help="measure anew what --out holds already")
    command.add_argument("--list", action="store_true", help="say what there is to run")
    command.set_defaults(do=do_bench)

    command = commands.add_parser("run", help="run the benchmark programs anew, then report")
    add_run_options(command)
    how = command.add_mutually_exclusive_group()
    how.add_argument("--quick", action="store_true", help="all programs, short")
    how.add_argument("--demo", action="store_true", help="the newsletter's tests, limits and barrier in two minutes")
    command.set_defaults(do=do_measure)


def add_reading(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("report", help="write one page of a run, or of two beside each other")
    command.add_argument("run", nargs="+", metavar="DIR", help="a folder of records or a .jsonl file")
    command.add_argument("-o", "--output", help="the page (default: report.html in the last folder)")
    command.set_defaults(do=do_report)

    command = commands.add_parser("export", help="write a run for another program")
    command.add_argument("run", metavar="DIR")
    how = command.add_mutually_exclusive_group(required=True)
    for name, words in export.HELP.items():
        how.add_argument(f"--{name}", dest="format", action="store_const", const=name, help=words)
    command.add_argument("-o", "--output", help="file (default: standard output)")
    command.set_defaults(do=do_export)

    command = commands.add_parser("compare", help="lay two runs side by side; exit 1 when the new one is worse")
    command.add_argument("old")
    command.add_argument("new")
    command.add_argument(
        "--fail-over", type=fraction, default=0.1, metavar="10%", help="how much worse a figure may be (default 10%%)"
    )
    command.add_argument("--pairs", action="store_true", help="every pair of PEs, not only the first")
    command.add_argument("--all", action="store_true", help="every figure, also those that did not change by that much")
    command.add_argument("--width", type=int)
    command.set_defaults(do=do_compare)

    command = commands.add_parser("text", help="print tables beside the published figures")
    command.add_argument("run", nargs="+", help="a .jsonl file or a folder of them")
    command.add_argument("--width", type=int)
    command.set_defaults(do=do_text)

    command = commands.add_parser("html", help="write one page with tables and plots")
    command.add_argument("run", nargs="+")
    command.add_argument("-o", "--output", default="report.html")
    command.set_defaults(do=do_html)


def parser() -> argparse.ArgumentParser:
    top: argparse.ArgumentParser = Parser(
        prog="mpt", description="The laboratory: message passing measured and reported."
    )
    top.add_argument("--version", action="version", version=f"mpt-report {__version__}")
    top.add_argument("--home", help=argparse.SUPPRESS)  # the folder above the command's own
    commands = top.add_subparsers(dest="command", required=True)
    add_measuring(commands)
    add_reading(commands)
    explore.add_options(commands)
    trace.add_options(commands)
    matrix.add_options(commands)
    timeline.add_options(commands)
    predict.add_options(commands)
    picture.add_options(commands)
    command = commands.add_parser("setup", help="bring Python's packages that mpt needs, where they are missing")
    command.set_defaults(do=do_setup)
    return top


def parse(top: argparse.ArgumentParser, argv: list[str]) -> argparse.Namespace:
    """`explore` takes another program's options, too, and like `predict` a command line after --."""
    at = argv.index("--") if "--" in argv else len(argv)
    args, others = top.parse_known_args(argv[:at])
    if not getattr(args, "splits", False):
        return top.parse_args(argv)
    args.others, args.rest = others, argv[at + 1 :]
    return args


def check(top: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    if args.command not in ("run", "bench"):
        return
    if args.build and not Path(args.build).is_dir():
        top.error(f"--build {args.build}: no such folder")
    args.peer_prefix = dict(args.peer_prefix)
    args.only = tuple(word for words in args.only for word in words)
    if args.program_options and not args.program_options[0].startswith("-"):
        top.error(f"{args.program_options[0]!r} is no option; options of the programs come after --")
    if args.command == "run" and not args.build and not args.peer:
        top.error("run needs --build, --peer or both")
    if args.tasks is not None and args.command == "run" and not args.build:
        top.error("--tasks needs --build")
    if args.peer and not args.peer_bench:
        top.error("--peer needs --peer-bench")


def do_setup(args: argparse.Namespace) -> int:
    """Who gets here has them: the command mpt (report/mpt) looks first."""
    print(f"mpt: nothing is missing: {sys.executable} has what it needs")
    return 0


def main(argv: list[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        top = parser()
        args = parse(top, sys.argv[1:] if argv is None else argv)
        check(top, args)
        status: int = args.do(args)
        return status
    except BrokenPipeError:
        sys.stdout = None
        return 0
    except (OSError, EmptyRun, programs.TableError) as error:
        told = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.strerror else str(error)
        print(f"mpt: {told}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
