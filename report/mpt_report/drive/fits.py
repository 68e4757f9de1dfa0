# SPDX-License-Identifier: BSD-3-Clause
"""Whether the machine can run a step at all: its memory, and its time by that of a smaller problem measured before."""

from __future__ import annotations

from pathlib import Path

from ..runs.records import load_run
from .plan import Step

MEMINFO = Path("/proc/meminfo")
GB = 1e9


def free_gb() -> float | None:
    """What programs can still get without swapping; None where the system doesn't tell."""
    try:
        for line in MEMINFO.read_text(encoding="ascii").splitlines():
            name, _, value = line.partition(":")
            if name == "MemAvailable":
                return int(value.split()[0]) * 1024 / GB
    except (OSError, ValueError, IndexError):
        pass
    return None


def measured_s(file: Path) -> float | None:
    """How long a run took by its records."""
    if not file.exists():
        return None
    return max((record.in_unit("s") for record in load_run(file).records if record.metric == "time"), default=None)


def hindrance(step: Step) -> str:
    """Why a step is better left out; empty: it can run."""
    free = free_gb() if step.memory else None
    if free is not None and step.memory > free:
        return f"needs {step.memory:g} GB of memory, {free:.1f} GB are free"
    if step.after is None:
        return ""
    smaller = measured_s(step.after)
    if smaller is not None and smaller * step.longer > 2.0 * step.seconds:
        return (
            f"would take about {smaller * step.longer:.0f} s, {step.longer:g} times as long as {step.after.stem}, "
            f"and has {2.0 * step.seconds:.0f} s"
        )
    return ""
