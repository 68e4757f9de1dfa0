# SPDX-License-Identifier: BSD-3-Clause
"""Distinct values of columns. Most columns of a trace are numbers from a small range, of which a table finds the
distinct ones in one pass; numpy sorts, or hashes, which took four fifths of the time of a million records."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOM = 8  # entries of a table for each row, at most


def numbered(column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The distinct values in rising order, and for each row the place of its own: np.unique with its inverse."""
    if not len(column):
        return column, np.zeros(0, np.int64)
    low, high = column.min(), column.max()
    if column.dtype.kind not in "iu" or int(high) - int(low) > ROOM * len(column) + 1024:
        values, found = np.unique(column, return_inverse=True)
        return values, found.reshape(-1)
    places = (column - low).astype(np.int64) if column.dtype.kind == "u" else column.astype(np.int64) - int(low)
    there = np.zeros(int(high) - int(low) + 1, np.bool_)
    there[places] = True
    numbers = np.cumsum(there, dtype=np.int64) - 1
    return (np.flatnonzero(there).astype(column.dtype) + low).astype(column.dtype), numbers[places]


def grouped(*columns: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows that are the same in all columns, as groups in the order of the columns: the first row of each group, and
    for each row the place of its group."""
    found = np.zeros(len(columns[0]), np.int64)
    count = 1
    for column in columns:
        values, places = numbered(column)
        if count * max(len(values), 1) > 2**62:
            again, found = numbered(found)
            count = len(again)
        count *= max(len(values), 1)
        found = found * max(len(values), 1) + places
    values, found = numbered(found)
    return firsts(found, len(values)), found


def firsts(places: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """For each of `count` values the first row that has it, or -1. places: of each row the place of its value."""
    found = np.full(count, -1, np.int64)
    found[places[::-1]] = np.arange(len(places) - 1, -1, -1)
    return found


def without(rows: NDArray[np.int64], others: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """The rows, of `count` there are, that are not among the others; in rising order."""
    kept = np.zeros(count, np.bool_)
    kept[rows] = True
    kept[others] = False
    return np.flatnonzero(kept)


def among(rows: NDArray[np.int64], others: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """The rows that are among the others, too; in rising order."""
    kept = np.zeros(count, np.bool_)
    kept[others] = True
    found = np.zeros(count, np.bool_)
    found[rows] = True
    return np.flatnonzero(kept & found)
