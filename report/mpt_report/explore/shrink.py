# SPDX-License-Identifier: BSD-3-Clause
"""From a plot that makes the program fail to the smallest one that still does.

Processes are scheduled by the system, so a plot may fail now and then only: each smaller one has several tries.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from .plot import Plot

FIRST_LIMIT = 1
LAST_LIMIT = 1 << 20

Fails = Callable[[Plot], bool]


@dataclass
class Budget:
    """Tries of each plot, and the time for all."""

    tries: int
    until: float  # time.monotonic()

    @property
    def is_spent(self) -> bool:
        return time.monotonic() >= self.until


def without_each(items: tuple[str, ...] | tuple[int, ...]) -> Iterator[int]:
    """Positions from the last to the first, so that those before stay where they are."""
    return iter(range(len(items) - 1, -1, -1))


def fewer_kinds(plot: Plot, fails: Fails) -> Plot:
    for i in without_each(plot.kinds):
        smaller = replace(plot, kinds=plot.kinds[:i] + plot.kinds[i + 1 :])
        if smaller.kinds and fails(smaller):
            plot = smaller
    return plot


def fewer_pes(plot: Plot, npes: int, fails: Fails) -> Plot:
    all_pes = tuple(range(npes))
    for i in without_each(all_pes):
        pes = plot.pes or all_pes
        smaller = replace(plot, pes=tuple(pe for pe in pes if pe != all_pes[i]))
        if smaller.pes and fails(smaller):
            plot = smaller
    return plot


def smaller_limit(plot: Plot, fails: Fails) -> Plot:
    """The first power of two that is enough, then between that and the one before."""
    enough = FIRST_LIMIT
    while enough <= LAST_LIMIT and not fails(replace(plot, limit=enough)):
        enough *= 4
    if enough > LAST_LIMIT:
        return plot
    low = enough // 4
    while enough - low > 1:
        middle = (low + enough) // 2
        if fails(replace(plot, limit=middle)):
            enough = middle
        else:
            low = middle
    return replace(plot, limit=enough)


def shrink(plot: Plot, npes: int, try_once: Fails, budget: Budget) -> Plot:
    """The smallest plot found; when the time is over, the smallest until then."""

    def fails(smaller: Plot) -> bool:
        return any(not budget.is_spent and try_once(smaller) for _ in range(budget.tries))

    plot = fewer_kinds(plot, fails)
    if npes > 1:
        plot = fewer_pes(plot, npes, fails)
    return smaller_limit(plot, fails)
