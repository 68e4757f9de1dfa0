# SPDX-License-Identifier: BSD-3-Clause
"""Predicted beside published: figures of the papers that did not go into the machine files.

Figures are named as in data/published.json. A row is left out of the errors if its figure was used for fitting.
What takes long and does not depend on each other is simulated on all cores; rows and figures are those of one core.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import statistics
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from . import smpi
from .cases import Asked, all_put, collective, echo, fetch, gather_at_zero, loaded_echo, ping_pong, put
from .linpack import Linpack
from .machine import Machine, load
from .npb import Benchmark
from .partition import Cube
from .program import Op
from .units import quantity

PUBLISHED = Path(__file__).resolve().parents[1] / "data" / "published.json"
# Bars: the median of the errors, and the 90th percentile (None: there is none).
BARS: dict[str, tuple[float, float | None]] = {
    "puts": (0.10, 0.25),
    "ping-pong": (0.10, 0.25),
    "barriers": (0.10, 0.25),
    "reductions": (0.10, 0.25),
    "under load": (0.50, 0.50),
    "NPB to 512 PEs": (0.15, None),
    "NPB, 1024 PEs": (0.15, None),
    "LINPACK": (0.10, 0.25),
    "partitioning": (0.10, 0.25),
}


@dataclass(frozen=True)
class Row:
    """One figure, in its unit. error: (predicted - published) / published; of factors the larger ratio, less 1.

    `simple`: what perfect scaling of the figure that was fitted would say, for comparison. `smpi`: SMPI's answer.
    """

    figure: str
    group: str
    machine: str
    what: str
    predicted: float
    published: float
    unit: str
    fitted: bool
    simple: float | None = None
    smpi: float | None = None

    @property
    def error(self) -> float:
        if self.group == "under load":
            return max(self.predicted / self.published, self.published / self.predicted) - 1
        return self.predicted / self.published - 1


PARTS = ("fetches", "barriers", "reductions", "loads", "npb", "linpack", "partitions")
MOST_NPB = 512
# Machine and interface; figure, slower partitioning, faster one: by dimensions, or along z, which is contiguous.
PARTITIONS = (
    ("t3e-900", "mpi-buffered", (("p0937", "1-D", "2-D"), ("p0936", "3-D", "2-D"), ("p0932", "z", "1-D"))),
    ("t3e-900", "mpi", (("p0933", "z", "1-D"),)),
    ("origin-2000", "mpi", (("p0938", "1-D", "2-D"), ("p0939", "3-D", "2-D"), ("p0935", "z", "1-D"))),
)


def published() -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in json.loads(PUBLISHED.read_text(encoding="utf-8"))}


Case = TypeVar("Case")
Result = TypeVar("Result")


# ---- cases of their own: what another process computes ----


def work_of(case: tuple[Benchmark, int, float]) -> float:
    made, pes, seconds = case
    return made.work(pes, seconds)


def rate_of(case: tuple[Benchmark, int, float]) -> float:
    made, pes, work = case
    return made.rate(pes, made.seconds(pes, work))


def solved(case: tuple[Linpack, float, float]) -> tuple[float, float]:
    made, order, multiply = case
    return made.rate(order, multiply) / 1e9, made.half(order, multiply)


def cut(case: tuple[Cube, int]) -> float:
    """Into the best grid of so many dimensions; 0: along z."""
    cube, dimensions = case
    return cube.best(32, dimensions) if dimensions else cube.seconds((1, 1, 32))


def slower(asked: Asked) -> float:
    """An echo beside an alltoall of 1 MB by one alone."""
    return loaded_echo(asked, 1 << 20) / echo(asked)


def pes_of(case: tuple[Benchmark, int, float]) -> int:
    return case[1]


def in_order(_: object) -> int:
    return 0


@dataclass
class Validation:
    """Makes rows of figures."""

    home: str | None = None
    cores: int = 0  # 0: all
    smpi: bool = False  # asks it, too, where it can run the case

    def __post_init__(self) -> None:
        self.figures = published()
        self.machines: dict[str, Machine] = {}
        self.cores = self.cores or len(os.sched_getaffinity(0))
        self.pool: ProcessPoolExecutor | None = None

    def each(
        self, do: Callable[[Case], Result], cases: list[Case], weight: Callable[[Case], int] = in_order
    ) -> list[Result]:
        """What `do` makes of each case, in their order; the heaviest begin first. In new processes, since ours has a
        thread that shows progress; an interrupt ends them without a word."""
        if self.cores < 2 or len(cases) < 2:
            return [do(case) for case in cases]
        self.pool = self.pool or ProcessPoolExecutor(
            self.cores, multiprocessing.get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_DFL)
        )
        order = sorted(range(len(cases)), key=lambda i: -weight(cases[i]))
        made = {i: self.pool.submit(do, cases[i]) for i in order}
        return [made[i].result() for i in range(len(cases))]

    def close(self) -> None:
        if self.pool:
            self.pool.shutdown(cancel_futures=True)
        self.pool = None

    def machine(self, name: str) -> Machine:
        return self.machines.setdefault(name, load(name))

    def asked(self, name: str, interface: str, pes: int, n_bytes: int = 8, peer: int = -1) -> Asked:
        return Asked(self.machine(name), interface, pes, n_bytes, peer, self.home)

    def row(self, figure: str, group: str, name: str, what: str, predicted: float, fitted: bool = False) -> Row:
        found = self.figures[figure]
        fitted = fitted or figure in self.machine(name).fitted
        return Row(figure, group, name, what, predicted, found["value"], found["unit"], fitted)

    def find(self, table: str, metric: str) -> dict[tuple[Any, ...], tuple[str, float]]:
        """Figures of a table of seed 002 by what was measured: benchmark, class, PEs."""
        return {
            (row["test"], row["params"].get("cls"), row["params"]["npes"]): (row["id"], row["value"])
            for row in self.figures.values()
            if row["seed_file"].startswith("002") and row["table"] == table and row["metric"] == metric
        }

    # ---- remote fetch and puts of the T3D: seed 000 ----

    def fetches(self) -> Iterator[Row]:
        group, machine = "puts", self.machine("t3d")
        cycles = machine.cycles(fetch(self.asked("t3d", "shmem", 4, peer=2)))
        yield self.row("p0061", group, "t3d", "remote fetch, neighbour, cycles", cycles - machine.cycles(hop(machine)))
        for figure, predict, what in (
            ("p0007", all_put, "one-word put, all PEs, least"),
            ("p0008", all_put, "one-word put, all PEs, mean"),
            ("p0015", put, "one-word put, one pair, least"),
        ):
            yield self.row(figure, group, "t3d", what, 1e6 * predict(self.asked("t3d", "shmem", 16, peer=2)))
        mean = [put(self.asked("t3d", "shmem", 16, peer=peer)) for peer in range(1, 16)]
        yield self.row("p0016", group, "t3d", "one-word put, one pair, mean of all", 1e6 * statistics.mean(mean))
        large = 1 << 22
        for figure, predict, what in (
            ("p0018", put, "put, one pair, asymptotic"),
            ("p0010", all_put, "put, all PEs, asymptotic"),
        ):
            rate = large / predict(self.asked("t3d", "shmem", 16, large, peer=2)) / 1e6
            yield self.row(figure, group, "t3d", what, rate)
        for figure, predict, least, what in (("p0021", put, 63.0e6, "one pair"), ("p0013", all_put, 30.7e6, "all PEs")):
            half = next(n for n in range(8, 4096, 8) if n / predict(self.asked("t3d", "shmem", 16, n, peer=2)) >= least)
            yield self.row(figure, group, "t3d", f"put of half the rate, {what}", half)
        yield from self.ping_pongs()

    def ping_pongs(self) -> Iterator[Row]:
        """A word that is put comes into memory and not into the cache: who waits finds it by a load that begins behind
        its arrival, half a load later in the mean."""
        pairs = [ping_pong(self.asked("t3d", "shmem", 16, peer=peer), 1.5) for peer in range(1, 16)]
        least = ping_pong(self.asked("t3d", "shmem", 16, peer=2), 1.0)
        for figure, time, what in (("p0002", least, "least"), ("p0003", statistics.mean(pairs), "mean of all pairs")):
            yield self.row(figure, "ping-pong", "t3d", f"half a round trip of a word, {what}", 1e6 * time)

    # ---- barriers by PEs: seeds 002 and 003 ----

    def barriers(self) -> Iterator[Row]:
        first = {"mpi": 99, "pvm": 100, "shmem": 101}
        for interface, start in first.items():
            for k, pes in enumerate((2, 4, 8, 16, 32, 64)):
                time = 1e6 * collective(self.asked("t3e-1200e", interface, pes, 0), Op.BARRIER)
                what = f"{interface} barrier, {pes} PEs"
                yield self.row(f"p{start + 3 * k:04}", "barriers", "t3e-1200e", what, time)
        for k, pes in enumerate((2, 4, 8, 16)):
            time = 1e6 * collective(self.asked("t3d", "shmem", pes, 0), Op.BARRIER)
            yield self.row(f"p{824 + 2 * k:04}", "barriers", "t3d", f"hardware barrier, {pes} PEs", time)

    # ---- reductions by PEs: seed 003 ----

    def reductions(self) -> Iterator[Row]:
        group = "reductions"
        for k, pes in enumerate((2, 4, 8, 16)):
            time = 1e3 * collective(self.asked("t3d", "shmem", pes, 800000), Op.REDUCE)
            yield self.row(f"p{864 + 2 * k:04}", group, "t3d", f"vector sum of 100,000, {pes} PEs", time)
        for k, pes in enumerate((2, 4, 8, 16)):
            time = 1e3 * collective(self.asked("j90", "shmem", pes, 800000), Op.REDUCE)
            yield self.row(f"p{865 + 2 * k:04}", group, "j90", f"vector sum of 100,000, {pes} PEs", time)
        for j, name in enumerate(("GSUM", "GMAX", "GLAND")):
            two = self.figures[f"p{840 + j:04}"]["value"] * 1e-3
            local = two - gather_at_zero(self.asked("t3d", "shmem", 2), 0.0)
            for k, pes in enumerate((4, 8, 16), 1):
                time = 1e3 * gather_at_zero(self.asked("t3d", "shmem", pes), local)
                yield self.row(f"p{840 + 3 * k + j:04}", group, "t3d", f"{name} of a word, {pes} PEs", time)

    # ---- echo under an alltoall's load: seed 004 ----

    def loads(self) -> Iterator[Row]:
        for figure, name, pes, peer, what in (
            ("p0923", "t3e-900", 40, 7, "3 hops"),
            ("p0922", "origin-2000", 32, 28, "3 routers"),
        ):
            asked = self.asked(name, "mpi", pes, 1 << 21, peer)
            text = f"2 MB echo, {what}, beside an alltoall of 1 MB: slower by"
            row = self.row(figure, "under load", name, text, slower(asked))
            yield replace(row, smpi=slower(replace(asked, simulator=smpi.run)) if self.smpi else None)

    # ---- whole programs: seeds 002 and 004 ----

    def npb(self) -> Iterator[Row]:
        """All eight benchmarks, classes A to C: 32 PEs are fitted, the others predicted."""
        asked: dict[tuple[str, str], dict[int, tuple[str, float]]] = {}
        for table in ("Table 16", "Table 17", "Table 18"):
            for (test, cls, n), found in self.find(table, "rate_per_pe").items():
                asked.setdefault((test, cls), {})[n] = found
        yield from self.benchmarks(asked)

    def benchmarks(self, asked: dict[tuple[str, str], dict[int, tuple[str, float]]]) -> Iterator[Row]:
        """Figures by PEs of each benchmark and class: the fewest PEs are fitted."""
        made = {
            (test, cls): Benchmark(test.removeprefix("NPB "), cls, self.machine("t3e-1200e"), home=self.home)
            for test, cls in asked
        }
        fits = []
        for key, figures in asked.items():
            first = min(figures)
            fits.append((made[key], first, made[key].problem.flops / (figures[first][1] * 1e6 * first)))
        works = dict(zip(asked, self.each(work_of, fits), strict=True))
        cases = [(key, pes) for key, figures in asked.items() for pes in sorted(figures)]
        rates = self.each(rate_of, [(made[key], pes, works[key]) for key, pes in cases], pes_of)
        for ((test, cls), pes), rate in zip(cases, rates, strict=True):
            figures = asked[test, cls]
            first, group = min(figures), "NPB, 1024 PEs" if pes > MOST_NPB else "NPB to 512 PEs"
            what = f"{test}, class {cls}, {pes} PEs"
            row = self.row(figures[pes][0], group, "t3e-1200e", what, rate, pes == first)
            yield replace(row, simple=figures[first][1])

    def linpack(self) -> Iterator[Row]:
        """The rate of 2 PEs is fitted."""
        metrics = ("rmax", "nmax", "n_half")
        rate, order, half = (
            {n: found for (_, _, n), found in self.find("Table 15", metric).items()} for metric in metrics
        )
        machine, first = self.machine("t3e-1200e"), min(rate)
        multiply = Linpack(machine, first, home=self.home).multiply(order[first][1], rate[first][1] * 1e9)
        cases = [(Linpack(machine, pes, home=self.home), order[pes][1], multiply) for pes in sorted(rate)]
        for (made, n, _), (fast, slow) in zip(cases, self.each(solved, cases), strict=True):
            pes = made.pes
            for figure, what, value in (
                (rate[pes][0], f"rate of order {n}", fast),
                (half[pes][0], "order of half the rate", slow),
            ):
                fitted = pes == first and figure == rate[pes][0]
                yield self.row(figure, "LINPACK", "t3e-1200e", f"LINPACK, {pes} PEs, {what}", value, fitted)

    def partitions(self) -> Iterator[Row]:
        """A cube of 256 cells a side on 32 PEs: how much longer one partitioning takes than another."""
        cubes = [Cube(self.machine(name), interface, 256, self.home) for name, interface, _ in PARTITIONS]
        others = [replace(cube, simulator=smpi.run) for cube in cubes] if self.smpi else []
        found = iter(self.each(cut, [(cube, dimensions) for cube in cubes + others for dimensions in range(4)]))
        kinds = ("z", "1-D", "2-D", "3-D")
        times = [dict(zip(kinds, found, strict=False)) for _ in cubes + others]
        for k, (name, interface, rows) in enumerate(PARTITIONS):
            for figure, slow, fast in rows:
                what = f"{interface}, 256 cells, 32 PEs, {slow} over {fast}"
                row = self.row(figure, "partitioning", name, what, times[k][slow] / times[k][fast])
                if others:
                    theirs = times[len(cubes) + k]
                    row = replace(row, smpi=theirs[slow] / theirs[fast])
                if row.unit == "%":
                    row = replace(row, published=1 + row.published / 100, unit="x")
                yield row

    def rows(self, progress: Callable[[str], None] = lambda _: None, only: Iterable[str] = ()) -> list[Row]:
        """Of the parts `only`, or all."""
        made: list[Row] = []
        try:
            for name in only or PARTS:
                progress(name)
                made += getattr(self, name)()
        finally:
            self.close()
        return made


def error_of(row: Row, predicted: float) -> float:
    """Another prediction's, as the row's own is told."""
    return replace(row, predicted=predicted).error


def hop(machine: Machine) -> float:
    """The formula of seed 000 counts from a neighbour on; the simulator from the PE itself."""
    return quantity(machine.data["network"]["hop"], machine.clock)


@dataclass(frozen=True)
class Summary:
    """The errors of a group's figures that were not used for fitting."""

    group: str
    figures: int
    median: float
    ninth: float
    bar_median: float
    bar_ninth: float | None
    simple: float | None  # median of the errors that perfect scaling makes

    @property
    def met(self) -> bool:
        return self.median <= self.bar_median and (self.bar_ninth is None or self.ninth <= self.bar_ninth)


def summaries(rows: list[Row]) -> list[Summary]:
    made = []
    for group, (bar_median, bar_ninth) in BARS.items():
        own = [row for row in rows if row.group == group and not row.fitted]
        errors = sorted(abs(row.error) for row in own)
        simple = [abs(row.simple / row.published - 1) for row in own if row.simple is not None]
        if errors:
            ninth = errors[min(len(errors) - 1, int(0.9 * len(errors)))]
            median = statistics.median(errors)
            perfect = statistics.median(simple) if simple else None
            made.append(Summary(group, len(errors), median, ninth, bar_median, bar_ninth, perfect))
    return made


def printed_unit(row: Row, unit: str) -> float:
    """A prediction in the unit of its figure: a ratio of times as the gain in percent that the paper gives."""
    return 100 * (row.predicted - 1) if unit == "%" and row.unit == "x" else row.predicted


def for_report(rows: list[Row]) -> dict[str, float]:
    """What stands beside published figures in the report: predictions that were not fitted, to four digits."""
    known = published()
    shown = {row.figure: printed_unit(row, known[row.figure]["unit"]) for row in rows if not row.fitted}
    return {figure: float(f"{value:.4g}") for figure, value in sorted(shown.items())}


def as_json(rows: list[Row]) -> dict[str, Any]:
    return {
        "rows": [{**asdict(row), "error": row.error} for row in rows],
        "groups": [{**asdict(summary), "met": summary.met} for summary in summaries(rows)],
    }
