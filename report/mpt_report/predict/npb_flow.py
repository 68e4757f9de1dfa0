# SPDX-License-Identifier: BSD-3-Clause
"""One iteration of the three flow solvers of the NAS benchmarks, as npb_kernels.py has those of the kernels."""

from __future__ import annotations

from .pattern import Pattern, near_square, share
from .problems import Problem

WORDS = 5 * 8  # bytes of the five variables of a point


def lu(made: Pattern, problem: Problem, work: float) -> None:
    """Columns of a grid of PEs. The right-hand side needs two points around; then a lower and an upper sweep go
    through the planes as waves from one corner to the other: a plane of a PE waits for its two neighbours'."""
    n, (px, py) = problem.n[0], near_square(made.pes)
    nx, ny = share(n, px), share(n, py)
    mine = work / 3 * nx * ny / n**2
    for pe in range(made.pes):
        x, y = divmod(pe, py)
        made.compute(pe, mine)
        made.exchange(pe, [(x + way) * py + y for way in (-1, 1) if 0 <= x + way < px], 2 * WORDS * ny * n)
        made.exchange(pe, [x * py + y + way for way in (-1, 1) if 0 <= y + way < py], 2 * WORDS * nx * n)
        for way in (1, -1):
            sweep(made, pe, (x, y), (px, py), (nx, ny), way, n, mine / n)


def sweep(
    made: Pattern,
    pe: int,
    at: tuple[int, int],
    sides: tuple[int, int],
    size: tuple[int, int],
    way: int,
    planes: int,
    work: float,
) -> None:
    """`way`: 1 from the first corner, -1 from the last."""
    steps = ((sides[1], at[0], sides[0], size[1]), (1, at[1], sides[1], size[0]))
    before = [(pe - way * scale, WORDS * edge) for scale, x, n, edge in steps if 0 <= x - way < n]
    after = [(pe + way * scale, WORDS * edge) for scale, x, n, edge in steps if 0 <= x + way < n]
    for _ in range(planes):
        for peer, n_bytes in before:
            made.receive(pe, peer, n_bytes)
        made.compute(pe, work)
        for peer, n_bytes in after:
            made.send(pe, peer, n_bytes)


def alternating(made: Pattern, problem: Problem, work: float) -> None:
    """SP and BT by transposes (002, 6.0: BT; the same here for SP): planes as long as there are as many as PEs, then
    rods. Solution and right-hand side go to where the next dimension is whole, the result comes back."""
    n = problem.n[0]
    px, py = (made.pes, 1) if made.pes <= n else near_square(made.pes)
    nx, ny = share(n, px), share(n, py)
    points = n * nx * ny
    for pe in range(made.pes):
        x, y = divmod(pe, py)
        along, across = list(range(y, made.pes, py)), list(range(x * py, (x + 1) * py))
        made.exchange(pe, [along[i] for i in (x - 1, x + 1) if 0 <= i < px], 2 * WORDS * n * ny)
        made.exchange(pe, [across[i] for i in (y - 1, y + 1) if 0 <= i < py], 2 * WORDS * n * nx)
        made.compute(pe, work / 3 * points / n**3)
        for group in (across, along):
            if len(group) > 1:
                made.transpose(pe, group, 2 * WORDS * points)
            made.compute(pe, work / 3 * points / n**3)
        for group in (along, across):
            if len(group) > 1:
                made.transpose(pe, group, WORDS * points)
