# SPDX-License-Identifier: BSD-3-Clause
"""The command `mpt explore`: seeds side by side until one fails, then the smallest plot and how to run it again."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from . import junit
from .plot import Plot
from .shrink import Budget, shrink
from .trial import Program, Trial, lines_of, run

SEEDS = 100
LIMIT_S = 20.0
SHRINK_S = 60.0
TRIES = 3
BASELINE_RUNS = 3  # their output must agree, where it is compared
LAST_LINES = 12
NONE_FAILED, FAILED, USAGE = 0, 1, 2


class UsageError(Exception):
    """What the user asked for cannot be done."""


def add_options(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "explore",
        help="run a program under the adversary with many seeds; exit 1 when it fails with one",
        usage="mpt explore [options] [options of mptrun] -- PROGRAM [ARGUMENT ...]",
    )
    add = command.add_argument
    add("-n", "--seeds", type=int, default=SEEDS, metavar="N", help=f"so many seeds (default {SEEDS})")
    add("--first", type=int, default=1, metavar="SEED", help="the first of them (default 1)")
    add("-np", dest="npes", type=int, default=2, metavar="N", help="PEs (default 2)")
    add("-j", dest="jobs", type=int, default=0, metavar="N", help="runs at a time (default: as many as cores)")
    add("--timeout", type=float, default=LIMIT_S, metavar="S", help=f"a run fails after S s (default {LIMIT_S:g})")
    what = command.add_mutually_exclusive_group()
    what.add_argument("--expect", type=Path, metavar="FILE", help="a run with other lines of output fails")
    what.add_argument(
        "--same-output", action="store_true", help="a run with other output than without the adversary fails"
    )
    add("--junit", type=Path, metavar="FILE", help="write the runs as JUnit XML")
    add("--check", action="store_true", help="findings of mptrun --check are failures, too")
    add("--shrink", type=float, default=SHRINK_S, metavar="S", help="look for a smaller plot for S seconds; 0: do not")
    add("--launcher", help="the launcher, in place of mptrun")
    command.set_defaults(do=do_explore, splits=True)


def find_launcher(args: argparse.Namespace) -> str:
    ours = Path(args.home or ".") / "bin" / "mptrun"
    found = args.launcher or (os.path.relpath(ours) if os.access(ours, os.X_OK) else shutil.which("mptrun"))
    if not found:
        raise UsageError("mptrun is not on PATH; --launcher says where it is")
    return str(found)


def read_program(args: argparse.Namespace) -> Program:
    if not args.rest:
        raise UsageError("which program? mpt explore [options] -- PROGRAM [ARGUMENT ...]")
    if args.seeds < 1 or args.first < 0 or args.npes < 1 or args.jobs < 0 or args.timeout <= 0:
        raise UsageError("seeds, PEs, runs at a time and the time limit are positive numbers")
    options = ("-n", str(args.npes), *(("--check",) if args.check else ()), *args.others)
    expected = lines_of(args.expect.read_text(encoding="utf-8", errors="replace")) if args.expect else None
    return Program(find_launcher(args), options, tuple(args.rest), args.timeout, expected)


def baseline(program: Program, same_output: bool) -> tuple[Program, Trial]:
    """Without the adversary it must run, and print the same each time if its output counts."""
    first = run(program, None)
    if first.problem or not same_output:
        return program, first
    for _ in range(BASELINE_RUNS - 1):
        again = run(program, None)
        if again.problem:
            return program, again
        if lines_of(again.out) != lines_of(first.out):
            raise UsageError("--same-output: the program's output differs from run to run without the adversary")
    return Program(program.launcher, program.options, program.words, program.limit_s, lines_of(first.out)), first


def in_turn(program: Program, plots: list[Plot], jobs: int) -> Iterator[Trial]:
    """Trials as they end, until one has failed; those begun by then are waited for."""
    left, failed = iter(plots), False
    with ThreadPoolExecutor(jobs) as pool:
        begun: set[Future[Trial]] = set()
        while True:
            while not failed and len(begun) < jobs and (plot := next(left, None)):
                begun.add(pool.submit(run, program, plot))
            if not begun:
                return
            done, begun = wait(begun, return_when=FIRST_COMPLETED)
            for future in done:
                trial = future.result()
                failed |= bool(trial.problem)
                yield trial


def explore(program: Program, args: argparse.Namespace, console: Console) -> list[Trial]:
    plots = [Plot(seed) for seed in range(args.first, args.first + args.seeds)]
    columns = (TextColumn("seeds"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    trials = []
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("seeds", total=len(plots))
        for trial in in_turn(program, plots, args.jobs or os.cpu_count() or 1):
            trials.append(trial)
            progress.advance(task)
    return sorted(trials, key=lambda trial: trial.plot.seed if trial.plot else -1)


def smallest(program: Program, failed: Trial, args: argparse.Namespace, console: Console) -> Plot:
    assert failed.plot
    if args.shrink <= 0:
        return failed.plot
    with console.status("looking for a smaller plot") if console.is_terminal else console.capture():
        budget = Budget(TRIES, time.monotonic() + args.shrink)
        return shrink(failed.plot, args.npes, lambda plot: bool(run(program, plot).problem), budget)


def advice(program: Program, plot: Plot) -> str:
    """The lines that run it again."""
    again = shlex.join(program.command(plot))
    debugger = ("gdb", "-q", "-batch", "-ex", "run", "-ex", "bt", "--args")
    below = Program(program.launcher, program.options, (*debugger, *program.words), program.limit_s)
    return f"again:     {again}\nunder gdb: {shlex.join(below.command(plot))}"


def report(failed: Trial, program: Program, plot: Plot) -> None:
    assert failed.plot
    print(f"seed {failed.plot.seed}: {failed.problem}")
    for line in failed.err.splitlines()[-LAST_LINES:]:
        print(f"  {line}")
    print(f"smallest:  {plot}")
    print(advice(program, plot))


def do_explore(args: argparse.Namespace) -> int:
    console = Console(file=sys.stderr)
    try:
        program, first = baseline(read_program(args), args.same_output)
    except UsageError as error:
        print(f"mpt explore: {error}", file=sys.stderr)
        return USAGE
    if first.problem:
        print(f"without the adversary, too: {first.problem}")
        print(first.err, end="", file=sys.stderr)
        if args.junit:
            junit.write(args.junit, shlex.join(program.words), [first], "it fails without the adversary, too")
        return FAILED
    trials = explore(program, args, console)
    failed = next((trial for trial in trials if trial.problem), None)
    words = ""
    if failed:
        plot = smallest(program, failed, args, console)
        report(failed, program, plot)
        words = advice(program, plot)
    else:
        print(f"{len(trials)} seeds from {args.first} on: none failed")
    if args.junit:
        junit.write(args.junit, shlex.join(program.words), trials, words)
    return FAILED if failed else NONE_FAILED
