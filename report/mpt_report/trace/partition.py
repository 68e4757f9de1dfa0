# SPDX-License-Identifier: BSD-3-Clause
"""Which PEs to put together so that few bytes pass between the parts: hosts, sockets, or processes of tasks.

Parts grow greedily, each from the PE with most traffic left; then pairs of PEs change places as long as it helps, by
the method of Kernighan and Lin (Bell System Technical Journal 49, 1970). Deterministic; good, not provably best.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]
Parts = NDArray[np.int64]

MOST_PASSES = 8
CANDIDATES = 48  # PEs of each part that would gain most by moving, among which the pair to exchange is looked for


def sizes_of(count: int, parts: int) -> list[int]:
    """As equal as can be."""
    return [count // parts + (part < count % parts) for part in range(parts)]


def in_order(sizes: list[int]) -> Parts:
    """The first PEs in the first part, and so on."""
    return np.repeat(np.arange(len(sizes)), sizes)


def round_robin(sizes: list[int]) -> Parts:
    """PEs are dealt out in turn, as long as a part has room."""
    left, found = list(sizes), []
    part = 0
    for _ in range(sum(sizes)):
        while not left[part]:
            part = (part + 1) % len(sizes)
        found.append(part)
        left[part] -= 1
        part = (part + 1) % len(sizes)
    return np.array(found, np.int64)


def cut(weights: Weights, parts: Parts) -> float:
    """What passes between different parts; weights: from whom to whom."""
    return float(weights[parts[:, None] != parts[None, :]].sum())


def grown(both: Weights, sizes: list[int]) -> Parts:
    """Each part takes the PE that it talks to most, until it is full. both: symmetric."""
    parts = np.full(len(both), -1, np.int64)
    for part, size in enumerate(sizes):
        links = np.zeros(len(both))
        for taken in range(size):
            free = parts < 0
            score = np.where(free, links if taken else both[:, free].sum(axis=1), -np.inf)
            best = int(np.argmax(score))
            parts[best] = part
            links += both[best]
    return parts


def leading(gains: NDArray[np.float64]) -> Parts:
    """Places of the largest ones that are not -inf."""
    found = np.argpartition(-gains, CANDIDATES)[:CANDIDATES] if len(gains) > CANDIDATES else np.arange(len(gains))
    return found[gains[found] > -np.inf]


def exchange(both: Weights, parts: Parts, one: int, other: int) -> bool:
    """One pass over two parts: exchanges in order of gain, of which the first ones are kept that gain most together.
    True if anything was gained."""
    here, there = np.flatnonzero(parts == one), np.flatnonzero(parts == other)
    if not len(here) or not len(there):
        return False
    across, inside = both[np.ix_(here, there)], (both[np.ix_(here, here)], both[np.ix_(there, there)])
    out = across.sum(axis=1) - inside[0].sum(axis=1)  # what moving each would gain
    back = across.sum(axis=0) - inside[1].sum(axis=1)
    steps, gains = [], []
    for _ in range(min(len(here), len(there))):
        first, second = leading(out), leading(back)
        gain = out[first][:, None] + back[second][None, :] - 2 * across[np.ix_(first, second)]
        at = divmod(int(np.argmax(gain)), len(second))
        a, b = int(first[at[0]]), int(second[at[1]])
        steps.append((a, b))
        gains.append(float(gain[at]))
        out += 2 * (inside[0][:, a] - across[:, b])
        back += 2 * (inside[1][:, b] - across[a])
        out[a] = back[b] = -np.inf  # it has been moved
    sums = np.cumsum(gains)
    best = int(np.argmax(sums))
    if sums[best] <= 1e-9 * float(both.sum()):
        return False
    for left, right in steps[: best + 1]:
        parts[here[left]], parts[there[right]] = other, one
    return True


def refined(both: Weights, start: Parts, count: int) -> Parts:
    """Passes over all pairs of parts of which one has changed since, until none does."""
    parts, changed = start.copy(), set(range(count))
    for _ in range(MOST_PASSES):
        before, changed = changed, set()
        for one, other in combinations(range(count), 2):
            if {one, other} & (before | changed) and exchange(both, parts, one, other):
                changed |= {one, other}
        if not changed:
            break
    return parts


def best(weights: Weights, sizes: list[int], starts: list[Parts]) -> Parts:
    """The best partition found into parts of these sizes: from one that has grown, and from those given."""
    both = weights + weights.T
    np.fill_diagonal(both, 0.0)
    found = [refined(both, start, len(sizes)) for start in (grown(both, sizes), *starts)]
    return min([*starts, *found], key=lambda parts: cut(weights, parts))
