# SPDX-License-Identifier: BSD-3-Clause
"""Predictions of recorded jobs as tables and as JSON."""

from __future__ import annotations

import argparse
import json
from typing import Any

from rich.console import Console
from rich.table import Table

from .machine import Machine
from .recorded import Prediction

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))
COLUMNS = ("PEs", "here", "CPU, max", "CPU, mean", "predicted", "speedup", "efficiency", "communication")


def seconds(time: float) -> str:
    size, unit = next((one for one in UNITS if time >= one[0]), UNITS[-1])
    return f"{time / size:.4g} {unit}"


def left_out(console: Console, one: Prediction) -> None:
    if one.left_out:
        console.print(
            f"{one.pes} PEs: {one.left_out} messages and waits have no other end in the trace, and were left out"
        )


def clocks(console: Console, one: Prediction) -> None:
    table = Table("PE", box=None)
    for title in ("computation recorded", "predicted end"):
        table.add_column(title, justify="right")
    for pe, (computed, end) in enumerate(zip(one.computed, one.clocks, strict=True)):
        table.add_row(str(pe), seconds(computed), seconds(end))
    console.print(table)


def regions(console: Console, one: Prediction) -> None:
    """Time in the program's regions, of the PE that was longest in each."""
    if not one.regions.names:
        return
    table = Table("region", box=None)
    for title in ("recorded", "predicted"):
        table.add_column(title, justify="right")
    for name in one.regions.names:
        table.add_row(name, seconds(one.regions.whole(name)), seconds(one.there.whole(name)))
    console.print(table)


def of_trace(args: argparse.Namespace, console: Console, machine: Machine, one: Prediction) -> None:
    """What --from says."""
    if args.json:
        told = {"machine": machine.key, "interface": one.interface, "cpu": args.cpu} | one.as_json(args.clocks)
        print(json.dumps(told, indent=1))
        return
    console.print(f"{machine.name}, {one.interface}, {one.pes} PEs, processor x {args.cpu:g}")
    table = Table("", "recorded", "predicted", box=None)
    table.add_row("time", seconds(one.recorded), seconds(one.seconds))
    table.add_row("of it computation, most", seconds(one.most), seconds(one.most * one.factor))
    table.add_row("computation, mean", seconds(one.mean), seconds(one.mean * one.factor))
    console.print(table)
    left_out(console, one)
    regions(console, one)
    if args.clocks:
        clocks(console, one)


def scaling(first: Prediction, one: Prediction) -> dict[str, float]:
    """Against the first: how often as fast, and that for each PE that there is more."""
    speedup = first.seconds / one.seconds if one.seconds else 0.0
    return {"speedup": speedup, "efficiency": speedup * first.pes / one.pes}


def of_program(
    args: argparse.Namespace, console: Console, machine: Machine, words: list[str], found: list[Prediction]
) -> None:
    """What a program that was run here says. Speedup and efficiency are against the fewest PEs."""
    first = min(found, key=lambda one: one.pes)
    if args.json:
        rows: list[dict[str, Any]] = [one.as_json(args.clocks) | scaling(first, one) for one in found]
        told = {"machine": machine.key, "interface": first.interface, "cpu": args.cpu, "program": words}
        print(json.dumps(told | {"tasks": not args.processes, "predicted": rows}, indent=1))
        return
    console.print(f"{machine.name}, {first.interface}, processor x {args.cpu:g}: {' '.join(words)}", soft_wrap=True)
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    for title in COLUMNS:
        table.add_column(title, justify="right", no_wrap=True)
    for one in found:
        how = scaling(first, one)
        times = (seconds(time) for time in (one.recorded, one.most, one.mean, one.seconds))
        shares = (f"{100 * share:.0f} %" for share in (how["efficiency"], one.communication))
        table.add_row(str(one.pes), *times, f"{how['speedup']:.3g}", *shares)
    console.print(table)
    for one in found:
        left_out(console, one)
        if one.regions.names or args.clocks:
            console.print()
            console.print(f"{one.pes} PEs")
            regions(console, one)
        if args.clocks:
            clocks(console, one)
