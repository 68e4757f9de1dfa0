# SPDX-License-Identifier: BSD-3-Clause
"""The matrix as a heat map: in characters for a terminal, in rectangles for the page. Shades follow the logarithm: a
step is a factor."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .shown import size

SHADES = " ░▒▓█"
DECADES = 4.0  # below 10^-4 of the largest all is the lightest shade
MOST_CELLS = 96  # a side on the page


@dataclass(frozen=True)
class Cell:
    """A rectangle of the page's map; `heat` is 0 to 1."""

    x: int
    y: int
    heat: float
    title: str


def binned(values: NDArray[np.float64], side: int) -> tuple[NDArray[np.float64], int]:
    """At most side x side sums of neighbours, and how many PEs one has."""
    step = -(-len(values) // side)
    bounds = np.arange(0, len(values), step)
    found: NDArray[np.float64] = np.add.reduceat(np.add.reduceat(values, bounds, axis=0), bounds, axis=1)
    return found, step


def heat(value: float, most: float) -> float:
    """0 for nothing, else 0.1 for the least that is told apart up to 1 for the largest."""
    if value <= 0 or most <= 0:
        return 0.0
    return max(0.1, 1.0 + 0.9 * math.log10(value / most) / DECADES)


def label(first: int, step: int, last: int) -> str:
    return f"{first}" if step == 1 else f"{first}-{min(first + step - 1, last)}"


def text(values: NDArray[np.float64], width: int) -> str:
    """Lines of characters, two for each cell; from whom downwards, to whom to the right."""
    most_label = len(str(len(values) - 1)) * 2 + 2
    cells, step = binned(values, max(4, min(64, (width - most_label - 2) // 2)))
    most, last = float(cells.max()), len(values) - 1
    edge = max(len(label(row * step, step, last)) for row in range(len(cells)))
    head = [str(column * step) if column % 4 == 0 else "" for column in range(len(cells))]
    rule = " " * (edge + 1) + "".join(f"{''.join(head[at : at + 4]):<8}" for at in range(0, len(cells), 4))
    out = [rule.rstrip()]
    for row, line in enumerate(cells):
        shades = (SHADES[min(4, math.ceil(heat(value, most) * 4))] * 2 for value in line.tolist())
        out.append(f"{label(row * step, step, last):>{edge}} {''.join(shades)}".rstrip())
    bounds = [(shade, most * 10 ** ((shade / 4 - 1) / 0.9 * DECADES)) for shade in range(1, 5)]
    marks = ", ".join(f"{SHADES[shade]} to {size(bound)}" for shade, bound in bounds if bound >= 1)
    out.append(f"from the PE of the line to that of the column; {marks}")
    return "\n".join(out)


def cells(values: NDArray[np.float64], counts: NDArray[np.float64]) -> list[Cell]:
    """The page's map, without cells in which there is nothing."""
    bytes_of, step = binned(values, MOST_CELLS)
    messages, _ = binned(counts, MOST_CELLS)
    most, last = float(bytes_of.max()), len(values) - 1
    found = []
    for y, x in zip(*(place.tolist() for place in np.nonzero(messages)), strict=True):
        words = f"PE {label(y * step, step, last)} to {label(x * step, step, last)}: {size(bytes_of[y, x])}"
        found.append(Cell(x, y, heat(float(bytes_of[y, x]), most), f"{words} in {messages[y, x]:,.0f} messages"))
    return found
