# SPDX-License-Identifier: BSD-3-Clause
"""The command `mpt predict`."""

from __future__ import annotations

import argparse
import json
import signal
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from ..trace.reader import TraceError
from . import here, online, recorded, smpi, told
from . import machine as machines
from .cases import CASES, Asked
from .machine import Machine, MachineError
from .replay import ReplayError
from .simulate import SimulationError
from .units import QuantityError, quantity
from .validate import PARTS, Row, Summary, Validation, as_json, error_of, for_report, summaries

USAGE, FAILED = 2, 1


def add_options(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "predict",
        help="how long a program takes on another machine; how well that is known of the papers' machines",
        description="Predicts by simulation: machines are files (docs/predict.md); programs are those of the papers "
        "(--case), a recorded job (--from), or any that is run here behind --.",
        usage="mpt predict [options] [-- PROGRAM [ARGUMENT ...]]",
    )
    add = command.add_argument
    add("--list", action="store_true", help="list machines, their interfaces, and cases")
    add("--validate", action="store_true", help="compare with published figures that were not used for fitting")
    add("--only", metavar="PART,...", help=f"--validate: {', '.join(PARTS)}; --own: programs, as ep,mpi_radix")
    add("--write", metavar="FILE", help="--validate: write the predictions that the report shows (data/predicted.json)")
    add("--machine", metavar="NAME", help="a shipped machine, or a file (*.toml)")
    add("--interface", metavar="NAME", help="what the program uses (default: the machine's first)")
    add("--case", choices=sorted(CASES), help="the program")
    add("--from", dest="trace", metavar="DIR", help="the program: what mptrun --trace DIR has recorded")
    add("--cpu", type=float, default=1.0, metavar="X", help="--from, --: the machine's processor is X times as fast")
    add("--processes", action="store_true", help="--: PEs are processes here, not tasks")
    add("--runs", type=int, default=1, metavar="N", help="--: of N runs here the least disturbed counts (default 1)")
    add("--clocks", action="store_true", help="--from, --: also when each PE ends")
    add("--smpi", action="store_true", help="--validate, --case: beside it what SimGrid's SMPI says, if it is here")
    add("--fit", metavar="FILE", help="measure this machine, and write a machine file")
    add("--own", action="store_true", help="record NAS benchmarks and applications here, and predict them for here")
    add("--pes", default="2", metavar="N,...", help="PEs (default 2)")
    add("--bytes", default="8", metavar="N,...", help="of a message, as 8,64KiB (default 8)")
    add("--peer", type=int, default=-1, metavar="PE", help="whom PE 0 talks to (default: the next)")
    add("--set", action="append", default=[], metavar="KEY=VALUE", help="change the machine: network.link=2x")
    add("--json", action="store_true", help="for other programs")
    command.set_defaults(do=do_predict, splits=True)


WIDEST = 32  # of a timed run, in what --own prints


def whole(text: str, option: str, least: int) -> list[int]:
    numbers = []
    for part in text.split(","):
        try:
            number = int(quantity(part))
        except QuantityError as error:
            raise MachineError(f"{option} {text}: {error}") from error
        if number < least:
            raise MachineError(f"{option} {text}: {number} is below {least}")
        numbers.append(number)
    return numbers


def list_all(console: Console) -> int:
    table = Table("machine", "what it is", "interfaces", box=None)
    for name in machines.names():
        found = machines.load(name)
        table.add_row(name, f"{found.name}: {found.about}", ", ".join(found.interfaces))
    console.print(table)
    console.print("cases: " + ", ".join(sorted(CASES)))
    return 0


def print_rows(console: Console, rows: list[Row]) -> None:
    table = Table("figure", "machine", "what", box=None)
    others = any(row.smpi is not None for row in rows)
    for title in ("predicted", "published", "error", *(("SMPI", "its error") if others else ())):
        table.add_column(title, justify="right")
    for row in rows:
        values = [f"{row.predicted:.4g} {row.unit}", f"{row.published:.4g} {row.unit}"]
        values.append("fitted" if row.fitted else f"{100 * row.error:+.1f} %")
        if row.smpi is not None:
            values += [f"{row.smpi:.4g} {row.unit}", f"{100 * error_of(row, row.smpi):+.1f} %"]
        table.add_row(row.figure, row.machine, row.what, *values)
    console.print(table)


def percent(part: float, digits: int = 1) -> str:
    return f"{100 * part:.{digits}f} %"


def print_groups(console: Console, groups: list[Summary]) -> None:
    table = Table("group", box=None)
    for title in ("figures", "median error", "90th percentile", "bar", "perfect scaling"):
        table.add_column(title, justify="right")
    for group in groups:
        bar = ", ".join(percent(part, 0) for part in (group.bar_median, group.bar_ninth) if part is not None)
        bar += ": met" if group.met else ": missed"
        perfect = percent(group.simple) if group.simple is not None else ""
        table.add_row(group.group, str(group.figures), percent(group.median), percent(group.ninth), bar, perfect)
    console.print(table)


def validate(args: argparse.Namespace, console: Console) -> int:
    only = args.only.split(",") if args.only else []
    if unknown := set(only) - set(PARTS):
        raise MachineError(f"--only {args.only}: there is no part {min(unknown)!r}; there are {', '.join(PARTS)}")
    with console.status("simulating") as status:
        rows = Validation(args.home, smpi=args.smpi).rows(lambda part: status.update(f"simulating: {part}"), only)
    if args.write:
        Path(args.write).write_text(json.dumps(for_report(rows), indent=1) + "\n", encoding="utf-8")
    if args.json:
        print(json.dumps(as_json(rows), indent=1))
        return 0
    print_rows(console, rows)
    console.print()
    print_groups(console, summaries(rows))
    return 0


def predict(args: argparse.Namespace, console: Console, machine: Machine) -> int:
    interface = args.interface or machine.interfaces[0]
    table = Table("case", box=None)
    for title in ("PEs", "bytes", "time", "rate", *(["SMPI"] if args.smpi else [])):
        table.add_column(title, justify="right")
    made: list[dict[str, object]] = []
    for pes in whole(args.pes, "--pes", 1):
        if args.peer >= pes:
            raise MachineError(f"--peer {args.peer}: there are {pes} PEs")
        for n_bytes in whole(args.bytes, "--bytes", 0):
            asked = Asked(machine, interface, pes, n_bytes, args.peer, args.home)
            time = CASES[args.case](asked)
            rate = f"{n_bytes / time / 1e6:.4g} MB/s" if time and n_bytes else ""
            cells = [args.case, str(pes), str(n_bytes), f"{1e6 * time:.4g} us", rate]
            made.append({"case": args.case, "pes": pes, "bytes": n_bytes, "seconds": time})
            if args.smpi:
                theirs = CASES[args.case](replace(asked, simulator=smpi.run))
                cells.append(f"{1e6 * theirs:.4g} us")
                made[-1]["smpi_seconds"] = theirs
            table.add_row(*cells)
    if args.json:
        print(json.dumps({"machine": machine.key, "interface": interface, "predicted": made}, indent=1))
        return 0
    console.print(f"{machine.name}, {interface}{', ' + ', '.join(args.set) if args.set else ''}")
    console.print(table)
    return 0


def cpu_factor(args: argparse.Namespace) -> float:
    """How long computation takes there, of what it took here."""
    if not args.cpu > 0:
        raise MachineError(f"--cpu {args.cpu}: it must be above 0")
    return 1 / float(args.cpu)


def predict_trace(args: argparse.Namespace, console: Console, machine: Machine) -> int:
    one = recorded.predict(Path(args.trace), machine, cpu_factor(args), args.interface, args.home)
    told.of_trace(args, console, machine, one)
    return 0


def predict_program(args: argparse.Namespace, console: Console, machine: Machine) -> int:
    counts = whole(args.pes, "--pes", 1)
    if args.runs < 1:
        raise MachineError(f"--runs {args.runs}: it must be above 0")
    how = (not args.processes, args.runs, cpu_factor(args), args.home)
    asked = online.Asked(machine, args.interface, args.rest, *how)
    told.of_program(args, console, machine, args.rest, list(online.each(asked, counts)))
    return 0


def fit(args: argparse.Namespace, console: Console) -> int:
    with console.status("measuring this machine"):
        text = here.fit(args.home)
    Path(args.fit).write_text(text, encoding="utf-8")
    console.print(f"{args.fit} is written")
    return 0


def own(args: argparse.Namespace, console: Console) -> int:
    """A line as soon as it is known: it takes minutes."""
    machine = machines.load(args.machine) if args.machine else None
    only = args.only.split(",") if args.only else []
    found: list[here.Own] = []
    with console.status("recording") as status:
        for one in here.own(args.home, machine, lambda part: status.update(part), only):
            if not args.json and not found:
                console.print(
                    f"{'timed run, 2 PEs':<{WIDEST}}  measured   recorded  predicted   error", highlight=False
                )
            found.append(one)
            if not args.json:
                times = "".join(f"{told.seconds(time):>11}" for time in (one.measured, one.recorded, one.predicted))
                console.print(f"{one.program:<{WIDEST - 1}}{times}{100 * one.error:+6.1f} %", highlight=False)
    errors = sorted(abs(one.error) for one in found)
    middle = statistics.median(errors)
    if args.json:
        rows = [{**asdict(one), "error": one.error} for one in found]
        print(json.dumps({"rows": rows, "median": middle}, indent=1))
        return 0
    within = sum(error <= here.BAR for error in errors)
    console.print(f"median error {percent(middle)}; {within} of {len(errors)} within {percent(here.BAR, 0)}")
    return 0


def program(args: argparse.Namespace, console: Console) -> int:
    """A case, a trace or a program that is run here on a machine."""
    what = [
        do for said, do in ((args.case, predict), (args.trace, predict_trace), (args.rest, predict_program)) if said
    ]
    if not args.machine or len(what) != 1:
        raise MachineError("say --machine, and --case, --from or -- PROGRAM; or --validate, --list, --fit or --own")
    return what[0](args, console, machines.changed(machines.load(args.machine), args.set))


@contextmanager
def interruptible() -> Iterator[None]:
    """What ends the command ends its programs, too, and its folders are removed."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with ExitStack() as stack:
        for number in (signal.SIGTERM, signal.SIGHUP):
            stack.callback(signal.signal, number, signal.signal(number, interrupt))
        yield


def do_predict(args: argparse.Namespace) -> int:
    console = Console(highlight=False, stderr=args.json)
    if args.others:
        print(f"mpt predict: no option {args.others[0]}; a program comes after --", file=sys.stderr)
        return USAGE
    try:
        with interruptible():
            if args.list:
                return list_all(console)
            if args.smpi and not (args.validate or args.case):
                raise MachineError("--smpi: with --validate or --case")
            for asked, do in ((args.validate, validate), (args.fit, fit), (args.own, own)):
                if asked:
                    return do(args, console)
            return program(args, console)
    except (MachineError, QuantityError, TraceError, ReplayError) as error:
        print(f"mpt predict: {error}", file=sys.stderr)
        return USAGE
    except online.JobError as error:
        print(f"mpt predict: {error}", file=sys.stderr)
        return error.status
    except (SimulationError, OSError, subprocess.TimeoutExpired) as error:
        print(f"mpt predict: {error}", file=sys.stderr)
        return FAILED
