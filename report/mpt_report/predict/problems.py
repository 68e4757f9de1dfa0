# SPDX-License-Identifier: BSD-3-Clause
"""Sizes of the NAS benchmarks, as NPB's report has them, and their floating-point operations as NPB 1 counts them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """A side for each dimension (or one number), iterations that are alike, and operations in all."""

    n: tuple[int, ...]
    iterations: int
    flops: float


def cube(n: int, iterations: int, gflops: float) -> Problem:
    return Problem((n, n, n), iterations, gflops * 1e9)


# Class C had no count in NPB 1: time x rate x PEs of seed 002's Table 18.
PROBLEMS = {
    ("EP", "A"): Problem((2**28,), 1, 26.68e9),
    ("EP", "B"): Problem((2**30,), 1, 100.9e9),
    ("EP", "C"): Problem((2**32,), 1, 403.4e9),
    ("CG", "A"): Problem((14000,), 15 * 26, 1.508e9),  # 25 steps of the solver, and the residual
    ("CG", "B"): Problem((75000,), 75 * 26, 54.89e9),
    ("CG", "C"): Problem((150000,), 75 * 26, 136.9e9),
    ("MG", "A"): cube(256, 4, 3.905),
    ("MG", "B"): cube(256, 20, 18.81),
    ("MG", "C"): cube(512, 20, 155.2),
    ("FT", "A"): Problem((256, 256, 128), 6, 5.631e9),
    ("FT", "B"): Problem((512, 256, 256), 20, 71.37e9),
    ("FT", "C"): Problem((512, 512, 512), 20, 404.5e9),
    ("IS", "A"): Problem((2**23,), 10, 0.7812e9),
    ("IS", "B"): Problem((2**25,), 10, 3.15e9),
    ("IS", "C"): Problem((2**27,), 10, 12.86e9),
    ("LU", "A"): cube(64, 250, 64.57),
    ("LU", "B"): cube(102, 250, 319.6),
    ("LU", "C"): cube(162, 250, 2041.9),
    ("SP", "A"): cube(64, 400, 102.0),
    ("SP", "B"): cube(102, 400, 447.1),
    ("SP", "C"): cube(162, 400, 1453.6),
    ("BT", "A"): cube(64, 200, 181.3),
    ("BT", "B"): cube(102, 200, 721.5),
    ("BT", "C"): cube(162, 200, 3052.4),
}
