# SPDX-License-Identifier: BSD-3-Clause
"""Orders what was loaded: one series for each library of each run, and the limits of the machine.

The first series is the one the report is about; all others stand beside it, be they another
library of the same run or another run. What went over a network has series of its own, and so have PEs as tasks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from .provider import Provider, providers
from .records import FACES, TASKS, WRITTEN, Record, Run

Names = str | tuple[str, ...]

# Where more than one record answers a question, the one earlier in these lists is meant.
PREFERRED = {
    "target": ("heap", "global"),
    "call": ("shmem_long_p", "shmem_putmem", "shmem_getmem", "shmem_put64", "shmem_barrier_all"),
    "completion": ("each", "batch"),
    "cache": ("hot", "flushed", "rotating", WRITTEN),
    "mode": ("stand-alone", "network"),
    "group": ("by name", "null"),
    "method": ("as in 1996", "clean"),
    "encoding": ("Default", "Raw", "InPlace", "psend"),
    "fit": ("none", "relative", "plain"),
}

# The study of the T3E-900 emptied the caches before each echo.
COLD_TESTS = frozenset({"echo test, contiguous", "echo with strides"})
COLD = ("flushed", "rotating", "hot", WRITTEN)


def matches(record: Record, where: dict[str, Any]) -> bool:
    """A tuple stands for any of its members, None for a parameter that is absent."""
    for name, wanted in where.items():
        value = record.get(name)
        if value not in (wanted if isinstance(wanted, tuple) else (wanted,)):
            return False
    return True


def rank(record: Record) -> tuple[int, ...]:
    """One library's interfaces share tests: SHMEM, which all of these began with, comes first."""
    places = [FACES.index(record.library) if record.library in FACES else len(FACES)]
    for name, order in PREFERRED.items():
        value = record.cache if name == "cache" else record.get(name)
        if name == "cache" and record.test in COLD_TESTS:
            order = COLD
        places.append(order.index(value) if value in order else len(order))
    return tuple(places)


@dataclass
class Series:
    """The records of one library in one run, over one network or (empty) none, with PEs as processes or as tasks."""

    name: str
    implementation: str
    run: Run
    records: list[Record]
    network: str = ""
    tasks: bool = False

    def find(self, test: Names, metric: Names, burner: bool = False, **where: Any) -> list[Record]:
        """Matching records of one interface and one state of the caches, the preferred first; those under load, and
        those whose time is also that of writing and reading, only when asked for."""
        tests = test if isinstance(test, tuple) else (test,)
        metrics = metric if isinstance(metric, tuple) else (metric,)
        found = [
            record
            for record in self.records
            if record.test in tests
            and record.metric in metrics
            and bool(record.get("burner")) == burner
            and matches(record, where)
            and (record.cache != WRITTEN or "cache" in where)
        ]
        found.sort(key=rank)
        return [record for record in found if (record.library, record.cache) == (found[0].library, found[0].cache)]

    def faces(self, test: Names) -> list[str]:
        """The interfaces a test was measured through, SHMEM first: their figures are no two of a kind."""
        tests = test if isinstance(test, tuple) else (test,)
        found = {record.library for record in self.records if record.test in tests and not record.get("burner")}
        return [face for face in FACES if face in found]

    def through(self, face: str) -> Series:
        """What was measured through one interface; SHMEM, which all papers' tests began with, isn't named."""
        name = self.name if face == FACES[0] else f"{self.name}, {face}"
        return replace(self, name=name, records=[record for record in self.records if record.library == face])

    def one(self, test: Names, metric: str, burner: bool = False, **where: Any) -> Record | None:
        found = self.find(test, metric, burner, **where)
        return found[0] if found else None

    def by(self, param: str, test: Names, metric: str, burner: bool = False, **where: Any) -> dict[Any, Record]:
        """One record for each value of a parameter, in ascending order."""
        chosen: dict[Any, Record] = {}
        for record in self.find(test, metric, burner, **where):
            value = record.get(param)
            if value is not None:
                chosen.setdefault(value, record)
        return dict(sorted(chosen.items()))

    def npes(self, test: Names) -> int | None:
        """The largest PE count a test was run with."""
        tests = test if isinstance(test, tuple) else (test,)
        counts = [record.get("npes") for record in self.records if record.test in tests]
        return max((count for count in counts if isinstance(count, int)), default=None)


class Limits:
    """What the machine itself can do; every time in us, every rate in MB/s, None when not measured."""

    def __init__(self, run: Run | None, records: list[Record]):
        self.run = run
        self.records = [record for record in records if record.test == "limits"]

    def time(self, *operations: str, **where: Any) -> float | None:
        """The smallest time of any of these operations, by any method."""
        return min(
            (
                record.in_unit("us")
                for record in self.records
                if record.get("operation") in operations and record.unit in ("ns", "us") and matches(record, where)
            ),
            default=None,
        )

    @property
    def label(self) -> str:
        """Of their run; empty where there is none."""
        return self.run.label if self.run else ""

    @property
    def handover(self) -> float | None:
        """One cache line from one core to another, in the best arrangement there is."""
        return self.time("cacheline_handover")

    @property
    def put_handover(self) -> float | None:
        """The same when each side writes a line of its own, as puts into each other's memory must."""
        return self.time("cacheline_handover", layout="two_lines") or self.handover

    @property
    def process_handover(self) -> float | None:
        return self.time("futex_handover", "yield_handover")

    @property
    def copies(self) -> dict[int, float]:
        """The best copy bandwidth by size."""
        best: dict[int, float] = {}
        for record in self.records:
            size = record.get("message_bytes")
            if record.get("operation") == "copy" and isinstance(size, int):
                best[size] = max(best.get(size, 0.0), record.in_unit("MB/s"))
        return dict(sorted(best.items()))

    @property
    def written(self) -> dict[int, float]:
        """Messages by size that are written, copied once and read: to and fro between two processes, or where there is
        but one core, by one."""
        found: dict[int, dict[int, float]] = {}
        for record in self.records:
            if record.get("operation") == "written copy" and record.verified is not False:
                of = found.setdefault(record.get("processes"), {})
                size = record.get("message_bytes")
                of[size] = max(of.get(size, 0.0), record.in_unit("MB/s"))
        return dict(sorted(found[max(found)].items())) if found else {}

    @property
    def copy_peak(self) -> float | None:
        return max(self.copies.values(), default=None)

    def copy(self, size: int) -> float | None:
        """The best copy of this size; None when the size was not measured."""
        return self.copies.get(size)

    @property
    def cores(self) -> int | None:
        return cores_of(self.run) if self.run else None

    def barrier(self, npes: int) -> float | None:
        """A barrier needs log2(P) hand-overs between cores; when PEs share cores, each must be
        scheduled once, so P/C hand-overs between processes."""
        if not self.cores or npes < 2:
            return None
        if npes <= self.cores:
            return self.handover * math.ceil(math.log2(npes)) if self.handover else None
        return self.process_handover * npes / self.cores if self.process_handover else None


def cores_of(run: Run) -> int | None:
    """The number of cores the programs could use."""
    for env in run.environments:
        for name in ("cores", "cpus", "cores_allowed", "online_cpus"):
            cores = env.get(name)
            if isinstance(cores, int):
                return cores
    return None


CACHE_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def last_level_bytes(run: Run) -> int | None:
    """The size of the largest cache that the environment tells of."""
    sizes = []
    for env in run.environments:
        for cache in env.get("caches") or ():
            text = str(cache.get("size", "")) if isinstance(cache, dict) else ""
            if text[:-1].isdigit() and text[-1] in CACHE_UNITS:
                sizes.append(int(text[:-1]) * CACHE_UNITS[text[-1]])
    return max(sizes, default=None)


MACHINE = (("cpu", "processor"), ("cores", "cores"), ("memory", "memory"), ("architecture", "architecture"))


def differences(one: Run, two: Run) -> str:
    """What the environments say of the machines that isn't the same; memory to a tenth, as kernels keep some."""
    words = []
    for name, word in MACHINE:
        first, second = one.environment.get(name), two.environment.get(name)
        if first is None or second is None or first == second or (name == "memory" and alike(first, second)):
            continue
        words.append(f"{word} {first} and {second}")
    return ", ".join(words)


def alike(one: object, two: object) -> bool:
    try:
        first, second = (float(str(value).split()[0]) for value in (one, two))
    except (ValueError, IndexError):
        return False
    return abs(first - second) <= 0.1 * max(first, second)


@dataclass
class Study:
    """All series of all runs; `limits` are those of the first series' run, `networks` what went over one, `tasks` what
    ran as tasks beside it."""

    runs: list[Run]
    series: list[Series]
    limits: Limits
    all_limits: list[Limits]
    networks: list[Series] = field(default_factory=list)
    tasks: list[Series] = field(default_factory=list)

    @property
    def local(self) -> bool:
        """Whether anything was measured without a network, with PEs as processes."""
        return bool(self.series)

    @property
    def first(self) -> Series:
        """The series that the report is about; LookupError where everything went over a network."""
        if not self.series:
            raise LookupError("nothing was measured without a network")
        return self.series[0]

    @property
    def leading(self) -> Series:
        """The first series, or where nothing was measured without a network, the first over one; LookupError where
        there is neither."""
        if not self.series and not self.networks and not self.tasks:
            raise LookupError("nothing was measured by a library")
        return (*self.series, *self.networks, *self.tasks)[0]

    @property
    def own_tasks(self) -> Series | None:
        """The leading library's PEs as tasks, in the same run."""
        mine = (one for one in self.tasks if one.run is self.leading.run)
        return next((one for one in mine if one.implementation == self.leading.implementation), None)

    @property
    def others(self) -> list[Series]:
        return self.series[1:]

    def provider(self, series: Series) -> Provider | None:
        """What the series' network can do, as measured in the same run."""
        return providers(series.run.records).get(series.network)

    @property
    def remarks(self) -> list[str]:
        """What a reader of the whole must know: runs that were stopped, runs of machines that aren't the same."""
        out = [f"{run.label}: {run.unfinished}" for run in self.runs if run.unfinished]
        for run in self.runs[1:]:
            apart = differences(self.runs[0], run)
            if apart:
                out.append(
                    f"{self.runs[0].label} and {run.label} were measured on different machines ({apart}): a "
                    "difference between them says nothing about the libraries"
                )
        return out

    @property
    def warnings(self) -> list[str]:
        return [warning for run in self.runs for warning in run.warnings]


def implementations(run: Run) -> list[str]:
    """The libraries of a run, ours first."""
    names = {record.implementation for record in run.records if record.library in FACES}
    return sorted(names, key=lambda name: (not name.startswith("MPT"), name))


def split(run: Run, several_runs: bool) -> list[Series]:
    """A series for each library and network, and for PEs as processes and as tasks; those without a network first."""
    found: dict[tuple[str, bool, str], list[Record]] = {}
    for record in run.records:
        if record.library in FACES:
            key = (str(record.get("network", "")), record.tasks, record.implementation)
            found.setdefault(key, []).append(record)
    places = {name: place for place, name in enumerate(implementations(run))}
    made = []
    for network, tasks, implementation in sorted(found, key=lambda key: (*key[:2], places[key[2]])):
        name = ", ".join(word for word in (implementation, TASKS if tasks else "", network) if word)
        made.append(
            Series(
                f"{name} ({run.label})" if several_runs else name,
                implementation,
                run,
                found[network, tasks, implementation],
                network,
                tasks,
            )
        )
    return made


def study(runs: list[Run]) -> Study:
    """Arrange runs for a report; the first run's first library leads."""
    every = [one for run in runs for one in split(run, len(runs) > 1)]
    series = [one for one in every if not one.network and not one.tasks]
    all_limits = [Limits(run, [record for record in run.records if record.library == "hardware"]) for run in runs]
    all_limits = [limits for limits in all_limits if limits.records]
    leading = series[0].run if series else None
    own = [limits for limits in all_limits if limits.run is leading]
    limits = (own or all_limits or [Limits(None, [])])[0]
    return Study(
        runs,
        series,
        limits,
        all_limits,
        [one for one in every if one.network],
        [one for one in every if one.tasks and not one.network],
    )
