# SPDX-License-Identifier: BSD-3-Clause
"""One iteration of the five kernels of the NAS benchmarks: what is computed where, and who sends what to whom.

Each function adds the steps of all PEs to a pattern; `work` is the iteration's computation, in seconds of one
processor. The decompositions are those of the NAS report (NAS-95-020); docs/predict.md has them in words.
"""

from __future__ import annotations

from .pattern import Pattern, halvings, near_square, share
from .problems import Problem

WORD, COMPLEX, KEY = 8, 16, 4


def ep(made: Pattern, problem: Problem, work: float) -> None:
    """Sums of the pairs, and how many there are in each of ten rings."""
    everybody = list(range(made.pes))
    for pe in everybody:
        made.compute(pe, work / made.pes)
        made.sum(pe, everybody, 12 * WORD)


def cg(made: Pattern, problem: Problem, work: float) -> None:
    """A step of the inner solver: the matrix lies on a grid of PEs, a row's sum is made along the grid's rows, its
    result goes to the transposed place, and two scalar products follow."""
    columns, rows = near_square(made.pes)
    n = share(problem.n[0], rows)
    for pe in range(made.pes):
        row, column = divmod(pe, columns)
        mates = [row * columns + other for other in range(columns)]
        made.compute(pe, work / made.pes, loops=n)
        made.sum(pe, mates, WORD * n)
        if columns == rows:
            made.exchange(pe, [column * columns + row], WORD * n, packed=False)
        else:  # pairs of neighbouring columns share a transposed place: each takes half of the vector
            other = 2 * row + column % 2 + (column // 2) * columns
            made.exchange(pe, [other], WORD * n / 2, packed=False)
        for _ in range(2):
            made.sum(pe, mates, WORD)


def mg(made: Pattern, problem: Problem, work: float) -> None:
    """A V cycle on a cube: at each level a residual and a smoother, down a restriction and up an interpolation, each
    with its six faces exchanged. On coarse grids only some PEs have points."""
    sides = halvings(made.pes)
    top = problem.n[0].bit_length() - 1
    levels = [*range(top, 0, -1), *range(1, top + 1), top]
    points = sum(8.0**level for level in levels)
    for pe in range(made.pes):
        at = [pe // (sides[1] * sides[2]), pe // sides[2] % sides[1], pe % sides[2]]
        for turn, level in enumerate(levels):
            strides = [max(1, side >> level) for side in sides]
            if any(place % stride for place, stride in zip(at, strides, strict=True)):
                continue
            n = [max(1, (1 << level) // side) for side in sides]
            active = 1
            for side, stride in zip(sides, strides, strict=True):
                active *= side // stride
            down = turn < top
            exchanges = 1 if down or turn == 2 * top else 2
            made.compute(pe, work * 8.0**level / points / active, loops=exchanges * 3 * n[0] * n[1])
            for _ in range(exchanges):
                faces(made, pe, at, sides, strides, n)


def faces(made: Pattern, pe: int, at: list[int], sides: list[int], strides: list[int], n: list[int]) -> None:
    """The two faces in each dimension, one dimension after the other."""
    scale = [sides[1] * sides[2], sides[2], 1]
    for d in (2, 1, 0):
        if sides[d] // strides[d] < 2:
            continue
        others = [i for i in range(3) if i != d]
        area = WORD * (n[others[0]] + 2) * (n[others[1]] + 2)
        near = [pe + ((at[d] + way * strides[d]) % sides[d] - at[d]) * scale[d] for way in (-1, 1)]
        made.exchange(pe, near, area)


def ft(made: Pattern, problem: Problem, work: float) -> None:
    """Planes, as long as there are as many as PEs: one transpose; beyond, rods: a transpose within planes is added
    (002, 6.0)."""
    total = COMPLEX * problem.n[0] * problem.n[1] * problem.n[2]
    planes = sorted(problem.n)[1]
    across = min(made.pes, planes)
    within = made.pes // across
    for pe in range(made.pes):
        made.compute(pe, work / made.pes)
        if within > 1:
            first = pe - pe % within
            made.transpose(pe, list(range(first, first + within)), total / made.pes)
        made.transpose(pe, list(range(pe % within, made.pes, within)), total / made.pes)


def integer_sort(made: Pattern, problem: Problem, work: float) -> None:
    """Sizes of 1024 buckets are summed over all, how many keys go where is exchanged, then the keys."""
    everybody = list(range(made.pes))
    for pe in everybody:
        made.compute(pe, work / made.pes)
        made.sum(pe, everybody, 1024 * KEY)
        made.transpose(pe, everybody, made.pes * KEY)
        made.transpose(pe, everybody, KEY * problem.n[0] / made.pes)
