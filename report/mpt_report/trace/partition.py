# SPDX-License-Identifier: BSD-3-Clause
"""Which PEs to put together so that few bytes pass between the parts: hosts, sockets, or processes of tasks.

Parts grow greedily, each from the PE with most traffic left; then pairs of PEs change places as long as it helps, by
the method of Kernighan and Lin (Bell System Technical Journal 49, 1970). Deterministic; good, not provably best.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]
Parts = NDArray[np.int64]

MOST_PASSES = 8
FULL = 600  # PEs of two parts up to which a pass tries every exchange; beyond it only those that help at once
MOST_STEPS = 2000


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
    full = len(here) + len(there) <= FULL
    free_here, free_there = np.ones(len(here), np.bool_), np.ones(len(there), np.bool_)
    for _ in range(min(len(here), len(there), MOST_STEPS)):
        gain = out[:, None] + back[None, :] - 2 * across
        gain[~free_here] = -np.inf
        gain[:, ~free_there] = -np.inf
        a, b = np.unravel_index(int(np.argmax(gain)), gain.shape)
        if not full and gain[a, b] <= 0:
            break
        steps.append((int(a), int(b)))
        gains.append(float(gain[a, b]))
        free_here[a] = free_there[b] = False
        out += 2 * (inside[0][:, a] - across[:, b])
        back += 2 * (inside[1][:, b] - across[a])
    sums = np.cumsum(gains)
    best = int(np.argmax(sums))
    if sums[best] <= 1e-9 * float(both.sum()):
        return False
    for left, right in steps[: best + 1]:
        parts[here[left]], parts[there[right]] = other, one
    return True


def refined(both: Weights, start: Parts, count: int) -> Parts:
    parts = start.copy()
    for _ in range(MOST_PASSES):
        gained = [exchange(both, parts, one, other) for one in range(count) for other in range(one + 1, count)]
        if not any(gained):
            break
    return parts


def best(weights: Weights, sizes: list[int], starts: list[Parts]) -> Parts:
    """The best partition found into parts of these sizes: from one that has grown, and from those given."""
    both = weights + weights.T
    np.fill_diagonal(both, 0.0)
    found = [refined(both, start, len(sizes)) for start in (grown(both, sizes), *starts)]
    return min([*starts, *found], key=lambda parts: cut(weights, parts))
