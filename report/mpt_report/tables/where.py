# SPDX-License-Identifier: BSD-3-Clause
"""Where a run was measured: the machine as one of its programs saw it, and what differs between programs, together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from statistics import median
from typing import Any

from ..runs.records import Run, number
from ..runs.settings import SETTINGS
from ..runs.study import Study
from .table import Row, Table

LABELS = {
    "date": "date (UTC)",
    "cpu": "processor",
    "cores": "cores",
    "caches": "caches",
    "memory": "memory",
    "kernel": "kernel",
    "governor": "governor of the clock rate",
    "thp": "huge pages",
    "thp_shared": "huge pages, shared memory",
    "clocksource": "clock source",
    "timer_cost_ns": "reading the clock, ns",
    "compiler": "compiler",
    "flags": "compiler flags",
    "load_average": "load average",
}


def describe(value: Any) -> str:
    """A value of the environment block in one line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, dict):
        return " ".join(describe(item) for item in value.values())
    if isinstance(value, list):
        return ", ".join(describe(item) for item in value)
    return str(value)


def together(found: Iterable[Any]) -> str:
    """What the programs say, each thing once."""
    return ", ".join(sorted({str(one) for one in found if one})) or "-"


def libraries(run: Run) -> str:
    return together(env.get("implementation") for env in run.environments if env.get("library") != "hardware")


def transports(run: Run) -> str:
    return together(env.get("transport") for env in run.environments if env.get("transport") != "none")


FEW = 8  # PEs that are named one by one


def places(cpus: list[str]) -> str:
    """Which CPUs each PE might use: 0 | 1; of many PEs how many had the same."""
    if len(set(cpus)) == 1:
        return f"each {cpus[0]}"
    if len(cpus) <= FEW:
        return " | ".join(cpus)
    return " | ".join(f"{cpu} ({count} of them)" for cpu, count in Counter(cpus).items())


def bindings(run: Run) -> str:
    """Which CPUs the PEs might use, for each count of them: 2 PEs: 0 | 1."""
    found = {(len(cpus), places(cpus)) for env in run.environments if (cpus := env.get("pe_may_use")) and len(cpus) > 1}
    return "; ".join(f"{count} PEs: {cpus}" for count, cpus in sorted(found)) or "-"


def tasks(run: Run) -> str:
    """Of how many processes the PEs were that were none themselves."""
    found = {
        (env["npes"], env["processes"])
        for env in run.environments
        if isinstance(env.get("processes"), int) and env["processes"] < env.get("npes", 0)
    }
    return ", ".join(f"{npes} of {processes}" for npes, processes in sorted(found)) or "-"


def variables(run: Run) -> str:
    told = [env["variables"] for env in run.environments if isinstance(env.get("variables"), dict)]
    found = {f"{name}={value}" for one in told for name, value in one.items()}
    return together(found or (["none"] if told else []))


def lost(run: Run) -> str:
    """By the PEs that had a core each; the PE that lost most speaks for its program."""
    found = [
        env["lost_percent"]
        for env in run.environments
        if number(env.get("lost_percent")) and not env.get("oversubscribed") and not env.get("burner")
    ]
    return f"median {median(found):.2g}, worst {max(found):.2g}" if found else "-"


# Of each row its id, its words, and what it says of a run.
TOGETHER: tuple[tuple[str, str, Callable[[Run], str]], ...] = (
    ("libraries", "libraries", libraries),
    ("commit", "commit of the programs", lambda run: together(env.get("commit") for env in run.environments)),
    ("transports", "between PEs", transports),
    ("bindings", "CPUs that PEs may use", bindings),
    ("tasks", "PEs that were tasks, of so many processes", tasks),
    ("variables", "variables", variables),
    ("lost", "time lost to others in a program, %", lost),
    ("contended", "programs that met other load", lambda run: f"{run.contended} of {len(run.environments)}"),
)


def table(whole: Study) -> Table:
    rows = [
        Row(name, [label, *(describe(run.environment.get(name, "-")) for run in whole.runs)])
        for name, label in LABELS.items()
        if any(name in run.environment for run in whole.runs)
    ]
    rows += [Row(name, [label, *map(tell, whole.runs)]) for name, label, tell in TOGETHER]
    return Table(
        "where",
        "Where it was measured",
        ["", *(run.label for run in whole.runs)],
        rows,
        align="l" * (1 + len(whole.runs)),
    )


def settings(whole: Study) -> list[Table]:
    """What was set for each other library, and why; empty where none was measured."""
    measured = dict.fromkeys(record.origin for run in whole.runs for record in run.records if record.origin)
    rows = [[name, *row] for name in measured for row in SETTINGS.get(name, ())]
    if not rows:
        return []
    note = (
        "All libraries run the same sources, built with their own compiler wrappers, in turns; what is not named here "
        "is as their makers set it. An Open MPI that brings oshcc is also measured through OpenSHMEM."
    )
    title = "What was set for each other library, and why"
    return [Table("settings", title, ["Library", "Set", "Why"], rows, note, "lll", grouped=True)]
