# SPDX-License-Identifier: BSD-3-Clause
"""Run files: one JSON object a line, as the benchmark programs write them.

A run may be cut short at any byte, so every line stands alone: a line that cannot be read becomes
a warning with its place, never an error that hides the rest.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

TIME_IN_US = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}
RATE_IN_MB_S = {"MB/s": 1.0, "GB/s": 1e3}
RATE_IN_MFLOP_S = {"flop/s": 1e-6, "Mflop/s": 1.0, "Gflop/s": 1e3}
SIZE_IN_BYTES = {"bytes": 1.0, "KB": 1e3, "MB": 1e6}

TASKS = "tasks"  # what the parameter `pes` says where PEs are no processes
WRITTEN = "written"  # the state of buffers whose messages a program writes and reads, both in their time

LOWER_IS_BETTER = {"ns", "us", "ms", "s", "%", "% of one core", "64-bit words", "bytes"}
HIGHER_ALTHOUGH = ("percent_of_peak", "efficiency", "share_of_limit")  # metrics in %
# Shares and ratios of two of our own figures, and properties of the machine: neither more nor less is better.
NEITHER = (
    "local_share",
    "gain_2d_over_1d",
    "gain_2d_over_3d",
    "free",
    "total",
    "block",
    "breakpoint",
    "message_size_for_peak_bandwidth",
    "message_size_where_buffered_bandwidth_falls",
    "alltoall_load_at_saturation",
)


def direction(metric: str, unit: str) -> int:
    """-1 where less is better, 1 where more is, 0 where neither: a count, a checksum."""
    if metric in NEITHER:
        return 0
    if metric in HIGHER_ALTHOUGH or unit.endswith("/s") or unit == "1/us":
        return 1
    return -1 if unit in LOWER_IS_BETTER else 0


class UnitError(ValueError):
    """Two units that measure different things."""


def convert(value: float, unit: str, wanted: str) -> float:
    """Scale a value between units of the same kind."""
    if unit == wanted:
        return value
    for scale in (TIME_IN_US, RATE_IN_MB_S, RATE_IN_MFLOP_S, SIZE_IN_BYTES):
        if unit in scale and wanted in scale:
            return value * scale[unit] / scale[wanted]
    raise UnitError(f"cannot express {unit!r} in {wanted!r}")


@dataclass(frozen=True)
class Record:
    """One measured figure with the statistics of its samples."""

    test: str
    library: str
    implementation: str
    params: dict[str, Any]
    metric: str
    unit: str
    value: float
    verified: bool | None = None
    pair: tuple[int, int] | None = None
    stats: dict[str, float] = field(default_factory=dict)
    samples: Sequence[float] = ()
    contended: bool = False  # other load was on the machine while its program ran
    crowded: bool = False  # its PEs were more than the cores
    burning: bool = False  # a process beside it burned a core, as it was told
    origin: str = ""  # the peer whose file it was in; empty: ours

    def get(self, key: str, default: Any = None) -> Any:
        return self.params.get(key, default)

    def in_unit(self, unit: str, statistic: str = "value") -> float:
        """The value, or one of its statistics, in another unit of the same kind."""
        value = self.value if statistic == "value" else self.stats.get(statistic, self.value)
        return convert(value, self.unit, unit)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The confidence interval of the median, when the program gave one and had samples enough for it."""
        if "ci_low" not in self.stats or "ci_high" not in self.stats:
            return None
        return self.stats["ci_low"], self.stats["ci_high"]

    @property
    def state(self) -> str:
        if self.burning:
            return "burner"
        return "contended" if self.contended else "oversubscribed" if self.crowded else "clean"

    @property
    def cache(self) -> str:
        """How the buffers were found: hot, rotating, flushed or written; what says nothing used the same ones again and
        again."""
        return str(self.get("cache", "hot"))

    @property
    def tasks(self) -> bool:
        """Whether its PEs were tasks, or a process each because there were no more than cores, started as tasks."""
        return bool(self.get("pes") == TASKS)

    @property
    def key(self) -> tuple[Any, ...]:
        """What two records of the same measurement have in common; over how much buffers rotate is the machine's."""
        params = tuple(
            sorted(
                (name, json.dumps(value))
                for name, value in self.params.items()
                if name != "rotates_over_bytes" and (name, value) != ("cache", "hot")
            )
        )
        return (self.test, self.library, self.metric, self.unit, params, self.pair)


# The libraries whose programs make a series of their own; all else measures the machine and its compilers.
FACES = ("SHMEM", "MPI", "PVM", "AM", "Split-C")
ACCOUNT = "run.json"  # what of a run is done, beside its records
PEER_FILES = ("openmpi-", "mpich-", "pvm-")  # how the files of other libraries begin


def met_load(env: dict[str, Any]) -> bool:
    """By the driver's verdict, which has seen all; without it by what the program said at its end, or at its start."""
    told = env["state"] == "contended" if "state" in env else bool(env.get("contended"))
    return told and not env.get("burner")


@dataclass
class Run:
    """Everything one argument of the command line holds."""

    label: str
    environments: list[dict[str, Any]] = field(default_factory=list)
    endings: list[dict[str, Any]] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)  # programs that ended badly, and how
    planned: int = 0  # programs that were asked for, by the account beside the records; 0: there is none
    ended: int = 0  # those of them that came to an end

    @property
    def environment(self) -> dict[str, Any]:
        return self.environments[0] if self.environments else {}

    @property
    def unfinished(self) -> str:
        """What is missing of a run that was stopped, in words; empty where nothing is."""
        if self.ended >= self.planned:
            return ""
        return (
            f"stopped before its end: {self.ended} of {self.planned} programs were measured; the same mpt bench with "
            "the same --out goes on with the rest"
        )

    @property
    def contended(self) -> int:
        """How many programs of the run met other load on the machine, wanted load aside."""
        return sum(met_load(env) for env in self.environments)


STATISTICS = ("n", "min", "p25", "median", "p75", "p95", "max", "mean", "ci_low", "ci_high")
INTERVAL = ("ci_low", "ci_high")
LEAST_SAMPLES = 6  # of fewer not even the whole range holds the median with 95 %


def number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def statistics_of(item: dict[str, Any]) -> dict[str, float]:
    """Those of a record. The programs give the whole range for the interval of a few samples, which is none."""
    found = {name: item[name] for name in STATISTICS if number(item.get(name))}
    few = found.get("n", 0) < LEAST_SAMPLES
    return {name: value for name, value in found.items() if not (few and name in INTERVAL)}


def samples_of(item: dict[str, Any]) -> Sequence[float]:
    """Those of a record, packed: a long run has millions."""
    samples = item.get("samples") or ()
    try:
        return array("d", samples)
    except TypeError:
        return array("d", (sample for sample in samples if number(sample)))


def name_of(library: Any) -> str:
    """A library's name on one line as one reads it, however it lays out its version: MPICH Version:   5.0.2."""
    return " ".join(word for word in str(library).split() if word.lower() != "version:")


def parse_record(item: dict[str, Any]) -> Record:
    """Build a record; raises ValueError with the name of what is wrong."""
    for name in ("test", "metric", "unit"):
        if not isinstance(item.get(name), str):
            raise ValueError(f"no {name!r}")
    if not number(item.get("value")):
        raise ValueError("'value' is not a number")
    params = item.get("params") or {}
    if not isinstance(params, dict):
        raise ValueError("'params' is not an object")
    pair = item.get("pair")
    return Record(
        test=item["test"],
        library=str(item.get("library", "")),
        implementation=name_of(item.get("implementation", "")),
        params=params,
        metric=item["metric"],
        unit=item["unit"],
        value=float(item["value"]),
        verified=item.get("verified"),
        pair=(int(pair[0]), int(pair[1])) if isinstance(pair, list) and len(pair) == 2 else None,
        stats=statistics_of(item),
        samples=samples_of(item),
    )


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    with path.open(encoding="utf-8", errors="replace") as stream:
        for index, line in enumerate(stream, 1):
            if line.strip():
                yield index, line


def origin_of(path: Path) -> str:
    return next((start[:-1] for start in PEER_FILES if path.name.startswith(start)), "")


AT_THE_END = ("contended", "lost_percent")  # what of a program's environment only its end can tell
Told = tuple[Record, dict[str, Any]]  # a record and the environment it was measured in


def take(item: dict[str, Any], run: Run, found: list[Told], origin: str) -> None:
    """Sort one line of a file into the run; a verdict on a program comes behind its records."""
    kind = item.get("test")
    if kind == "environment":
        env = dict(item.get("env") or {})
        if "implementation" in env:
            env["implementation"] = name_of(env["implementation"])
        run.environments.append(env)
    elif kind == "environment_end":
        end = dict(item.get("env") or {})
        run.endings.append(end)
        if run.environments:
            run.environments[-1].update({name: end[name] for name in AT_THE_END if name in end})
    elif kind == "state":
        if run.environments:
            run.environments[-1]["state"] = item.get("state")
    else:
        found.append((replace(parse_record(item), origin=origin), run.environments[-1] if run.environments else {}))


def load_file(path: Path, run: Run) -> None:
    """Add one file to a run."""
    found: list[Told] = []
    for index, line in read_lines(path):
        where = f"{path.name}:{index}"
        try:
            item = json.loads(line)
            if not isinstance(item, dict):
                raise ValueError("not an object")
            take(item, run, found, origin_of(path))
        except json.JSONDecodeError:
            ending = "cut short" if not line.endswith("\n") else "not JSON"
            run.warnings.append(f"{where}: {ending}, skipped")
        except (ValueError, TypeError) as error:
            run.warnings.append(f"{where}: {error}, skipped")
    run.records += [
        replace(
            record, contended=met_load(env), crowded=bool(env.get("oversubscribed")), burning=bool(env.get("burner"))
        )
        for record, env in found
    ]


def take_account(folder: Path, run: Run) -> None:
    """What the account beside the records says: programs that failed, and whether all that were asked for ended."""
    try:
        found = json.loads((folder / ACCOUNT).read_text(encoding="utf-8"))
        steps = dict(found["steps"])
        run.failures = {str(one["title"]): str(one["problem"]) for one in steps.values() if one["status"] == "failed"}
        ended = {name for name, one in steps.items() if one["status"] != "started"}
        planned = set(found.get("planned", ())) | set(steps)
        run.planned, run.ended = len(planned), len(planned & ended)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return


class EmptyRun(Exception):
    """A run without a single measurement; its words say why."""


def why_empty(run: Run, path: Path) -> str:
    if run.unfinished:
        return f"no measurement in {path}: the run was {run.unfinished}"
    if run.warnings:
        more = f" (and {len(run.warnings) - 1} more such lines)" if len(run.warnings) > 1 else ""
        return f"no measurement in {path}: {run.warnings[0]}{more}; are these records of mpt bench?"
    return f"no measurement in {path}: its programs wrote nothing, see programs.log there"


def load_run(path: str | Path, label: str | None = None) -> Run:
    """Load a .jsonl file, or every .jsonl file of a folder as one run."""
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"no such run: {path} is neither a folder nor a file")
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise FileNotFoundError(f"no .jsonl file in {path}: no folder of records, as mpt bench --out makes it")
    run = Run(label or path.resolve().stem)
    if path.is_dir():
        take_account(path, run)
    for file in files:
        load_file(file, run)
    return run


def load_measured(path: str | Path) -> Run:
    """A run that holds at least one measurement."""
    run = load_run(path)
    if not run.records:
        raise EmptyRun(why_empty(run, Path(path)))
    return run
