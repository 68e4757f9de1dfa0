# SPDX-License-Identifier: BSD-3-Clause
"""The figures printed in the papers of the 1990s, each with its source line.

The data file is a list of facts; this module finds one by what it measures.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from typing import Any

SEEDS = {"newsletter": "000_", "split-c": "001_", "t3e": "002_", "mpt": "003_", "partition": "004_"}

SOURCES = {
    "newsletter": "ARSC T3D Users' Newsletter 82, April 12, 1996 (T3D, 16 PEs)",
    "split-c": "C.-C. Chang, G. Czajkowski, C. Hawblitzel, T. von Eicken, Low-Latency Communication on the IBM RISC "
    "System/6000 SP, 1996 (Split-C application benchmarks)",
    "t3e": "E. Anderson, Performance Analysis of the CRAY T3E-1200E, 1999",
    "mpt": "E. Lopez-Pineda, PVP SHMEM and PVM Performance Issues Using MPT, 1996",
    "partition": "M. Prieto, D. Espadas, I. M. Llorente, F. Tirado, Message Passing Evaluation and Analysis on Cray "
    "T3E and SGI Origin 2000 Systems",
}


# One published figure: test, metric, value, unit, params, machine, library, kind, and where it is printed.
Fact = dict[str, Any]


@lru_cache(maxsize=1)
def load() -> tuple[Fact, ...]:
    """Every published figure, in the order of the papers."""
    text = resources.files("mpt_report").joinpath("data/published.json").read_text(encoding="utf-8")
    facts: list[Fact] = json.loads(text)
    return tuple(facts)


@lru_cache(maxsize=1)
def predicted() -> dict[str, float]:
    """By a figure's id what `mpt predict --validate --write` has predicted for it, where it was not fitted."""
    text = resources.files("mpt_report").joinpath("data/predicted.json").read_text(encoding="utf-8")
    values: dict[str, float] = json.loads(text)
    return values


def find(seed: str, test: str, metric: str, machine: str = "", library: str = "", **params: Any) -> list[Fact]:
    """All published records that match; `machine` and `library` match by a part of the name."""
    return [
        record
        for record in load()
        if record["seed_file"].startswith(SEEDS[seed])
        and record["test"] == test
        and record["metric"] == metric
        and machine in record["machine"]
        and library in record["library"]
        and all(record["params"].get(name) == value for name, value in params.items())
    ]


def value(seed: str, test: str, metric: str, machine: str = "", library: str = "", **params: Any) -> float | None:
    """The one figure that matches, or None; two matches would be a mistake of the caller."""
    found = find(seed, test, metric, machine, library, **params)
    if len(found) > 1:
        raise LookupError(f"{len(found)} published figures for {test} {metric} {params}")
    return found[0]["value"] if found else None
