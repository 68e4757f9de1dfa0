# SPDX-License-Identifier: BSD-3-Clause
"""Who sends to whom in a collective call, where it is carried out as messages: by places in the group."""

from __future__ import annotations

from .program import Op


def tree(place: int, n: int) -> tuple[list[int], list[int]]:
    """The places below and above in a binomial tree, of which place 0 is the root."""
    above = [place - (1 << place.bit_length() - 1)] if place else []
    below = [place + (1 << k) for k in range(place.bit_length(), n.bit_length()) if place + (1 << k) < n]
    return below, above


def partners(op: Op, n: int, me: int, root: int | None) -> tuple[list[int], list[int]]:
    """To whom place `me` sends and from whom it receives: along a tree where there is a root; with each other where all
    exchange; else with those at distances that double."""
    if root is not None and op in (Op.BROADCAST, Op.REDUCE):
        below, above = ([(place + root) % n for place in places] for places in tree((me - root) % n, n))
        return (below, above) if op == Op.BROADCAST else (above, below)
    steps = range(1, n) if op == Op.ALLTOALL else [1 << k for k in range((n - 1).bit_length())]
    return [(me + step) % n for step in steps], [(me - step) % n for step in steps]
