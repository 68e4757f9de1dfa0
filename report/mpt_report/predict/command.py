# SPDX-License-Identifier: BSD-3-Clause
"""The command `mpt predict`."""

from __future__ import annotations

import argparse
import json
import sys

from rich.console import Console
from rich.table import Table

from . import machine as machines
from .cases import CASES, Asked
from .machine import Machine, MachineError
from .simulate import SimulationError
from .units import QuantityError, quantity
from .validate import Row, Summary, Validation, as_json, summaries

USAGE, FAILED = 2, 1


def add_options(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "predict",
        help="how long a program takes on another machine; how well that is known of the papers' machines",
        description="Predicts by simulation: machines are files (docs/predict.md), programs those of the papers.",
    )
    add = command.add_argument
    add("--list", action="store_true", help="list machines, their interfaces, and cases")
    add("--validate", action="store_true", help="compare with published figures that were not used for fitting")
    add("--only", metavar="PART,...", help="--validate: " + ", ".join(Validation().parts))
    add("--machine", metavar="NAME", help="a shipped machine, or a file (*.toml)")
    add("--interface", metavar="NAME", help="what the program uses (default: the machine's first)")
    add("--case", choices=sorted(CASES), help="the program")
    add("--pes", default="2", metavar="N,...", help="PEs (default 2)")
    add("--bytes", default="8", metavar="N,...", help="of a message, as 8,64KiB (default 8)")
    add("--peer", type=int, default=-1, metavar="PE", help="whom PE 0 talks to (default: the next)")
    add("--set", action="append", default=[], metavar="KEY=VALUE", help="change the machine: network.link=2x")
    add("--json", action="store_true", help="for other programs")
    command.set_defaults(do=do_predict)


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
    for title in ("predicted", "published", "error"):
        table.add_column(title, justify="right")
    for row in rows:
        values = (f"{row.predicted:.4g} {row.unit}", f"{row.published:.4g} {row.unit}")
        table.add_row(
            row.figure, row.machine, row.what, *values, "fitted" if row.fitted else f"{100 * row.error:+.1f} %"
        )
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
    if unknown := set(only) - set(Validation().parts):
        raise MachineError(
            f"--only {args.only}: there is no part {min(unknown)!r}; there are {', '.join(Validation().parts)}"
        )
    with console.status("simulating") as status:
        rows = Validation(args.home).rows(lambda part: status.update(f"simulating: {part}"), only)
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
    for title in ("PEs", "bytes", "time", "rate"):
        table.add_column(title, justify="right")
    made = []
    for pes in whole(args.pes, "--pes", 1):
        if args.peer >= pes:
            raise MachineError(f"--peer {args.peer}: there are {pes} PEs")
        for n_bytes in whole(args.bytes, "--bytes", 0):
            time = CASES[args.case](Asked(machine, interface, pes, n_bytes, args.peer, args.home))
            rate = f"{n_bytes / time / 1e6:.4g} MB/s" if time and n_bytes else ""
            table.add_row(args.case, str(pes), str(n_bytes), f"{1e6 * time:.4g} us", rate)
            made.append({"case": args.case, "pes": pes, "bytes": n_bytes, "seconds": time})
    if args.json:
        print(json.dumps({"machine": machine.key, "interface": interface, "predicted": made}, indent=1))
        return 0
    console.print(f"{machine.name}, {interface}{', ' + ', '.join(args.set) if args.set else ''}")
    console.print(table)
    return 0


def do_predict(args: argparse.Namespace) -> int:
    console = Console(highlight=False, stderr=args.json)
    try:
        if args.list:
            return list_all(console)
        if args.validate:
            return validate(args, console)
        if not args.machine or not args.case:
            raise MachineError("say --machine and --case, or --validate or --list")
        machine = machines.changed(machines.load(args.machine), args.set)
        return predict(args, console, machine)
    except (MachineError, QuantityError) as error:
        print(f"mpt predict: {error}", file=sys.stderr)
        return USAGE
    except SimulationError as error:
        print(f"mpt predict: {error}", file=sys.stderr)
        return FAILED
