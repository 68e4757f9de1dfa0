# SPDX-License-Identifier: BSD-3-Clause
"""What is found by tables is what numpy finds by sorting."""

import numpy as np
import pytest

from mpt_report.trace.dense import among, firsts, grouped, numbered, without

EXTREMES = (
    np.array([-(2**63), 2**63 - 1]),
    np.array([2**64 - 1, 2**64 - 2, 0], np.uint64),
    np.array([2**64 - 1, 2**64 - 2], np.uint64),
    np.array([-30000, 30000], np.int16),
    np.zeros(0, np.int32),
)


def same(column):
    values, places = np.unique(column, return_inverse=True)
    found, at = numbered(column)
    assert found.dtype == column.dtype
    assert found.tolist() == values.tolist()
    assert at.tolist() == places.tolist()


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.int32, np.int64, np.uint64, np.bool_, np.float64])
def test_distinct_values_of_any_kind(kind):
    chance = np.random.default_rng(1)
    for count in (1, 2, 500):
        for below in (2, 120, 2**40 if np.dtype(kind).itemsize == 8 else 100):
            same((chance.integers(0, below, count) - (np.dtype(kind).kind == "i") * (below // 2)).astype(kind))


@pytest.mark.parametrize("column", EXTREMES)
def test_distinct_values_far_apart(column):
    same(column)


def test_groups_of_rows():
    chance = np.random.default_rng(2)
    columns = [chance.integers(0, most, 300) for most in (3, 2**62, 2**61, 4)]
    columns[1] = columns[1][chance.integers(0, 2, 300)]
    columns[2] = columns[2][chance.integers(0, 3, 300)]
    _, first, place = np.unique(np.column_stack(columns), axis=0, return_index=True, return_inverse=True)
    found, at = grouped(*columns)
    assert found.tolist() == first.tolist()
    assert at.tolist() == place.reshape(-1).tolist()


def test_rows_of_sets():
    rows, others = np.array([7, 1, 3]), np.array([3, 2])
    assert without(rows, others, 9).tolist() == [1, 7]
    assert among(rows, others, 9).tolist() == [3]
    assert firsts(np.array([2, 0, 2]), 4).tolist() == [1, -1, 0, -1]
