# SPDX-License-Identifier: BSD-3-Clause
"""Pairs of operations on the same word of a window, and each way to order them, left out (many.py).

Rank 0 does the first, rank 1 the second; the word is the last rank's, or the one's that loads or stores it.
"""
# ruff: noqa: E501 (lines of C)

import itertools

import fresh
from many_cases import Suite

PLAIN, OWN = Suite("mpicc", []), Suite("mpicc", ["--check"])
for suite in PLAIN, OWN:
    suite.head = fresh.MPI.head + "static int *mine;\n"
    suite.main = fresh.MPI.main

# What it does: reads, writes, updates, looks (an accumulate that changes nothing), loads, stores.
OPERATIONS = {
    "put": ("write", "MPI_Put(a, 1, MPI_INT, T, 2, 1, MPI_INT, w);"),
    "put_all": ("write", "MPI_Put(a, 4, MPI_INT, T, 0, 4, MPI_INT, w);"),
    "rput": ("write", "MPI_Rput(a, 1, MPI_INT, T, 2, 1, MPI_INT, w, &r); MPI_Wait(&r, &st);"),
    "get": ("read", "MPI_Get(b, 1, MPI_INT, T, 2, 1, MPI_INT, w);"),
    "get_all": ("read", "MPI_Get(b, 4, MPI_INT, T, 0, 4, MPI_INT, w);"),
    "rget": ("read", "MPI_Rget(b, 1, MPI_INT, T, 2, 1, MPI_INT, w, &r); MPI_Wait(&r, &st);"),
    "add": ("update", "MPI_Accumulate(a, 1, MPI_INT, T, 2, 1, MPI_INT, MPI_SUM, w);"),
    "add_all": ("update", "MPI_Accumulate(a, 4, MPI_INT, T, 0, 4, MPI_INT, MPI_SUM, w);"),
    "radd": ("update", "MPI_Raccumulate(a, 1, MPI_INT, T, 2, 1, MPI_INT, MPI_SUM, w, &r); MPI_Wait(&r, &st);"),
    "get_add": ("update", "MPI_Get_accumulate(a, 1, MPI_INT, d, 1, MPI_INT, T, 2, 1, MPI_INT, MPI_SUM, w);"),
    "fetch_add": ("update", "MPI_Fetch_and_op(a, d, MPI_INT, T, 2, MPI_SUM, w);"),
    "swap": ("update", "MPI_Compare_and_swap(a, a + 1, d, MPI_INT, T, 2, w);"),
    "look": ("look", "MPI_Fetch_and_op(NULL, d, MPI_INT, T, 2, MPI_NO_OP, w);"),
    "load": ("load", "flag = mine[2];"),
    "store": ("store", "mine[2] = 7;"),
}
# Those that may happen at once. Of a store and a look one may be a flag.
AT_ONCE = [
    {"read", "look", "load"},
    {"update", "look"},
    {"load", "store"},
    {"store", "look"},
]
# How an epoch begins; what is left out; how it ends.
ORDERS = {
    "fence": ("MPI_Win_fence(0, w);", "if (!wrong) MPI_Win_fence(0, w);", "MPI_Win_fence(0, w);"),
    "flush_and_barrier": (
        "MPI_Win_lock_all(0, w);",
        "if (!wrong) { MPI_Win_flush_all(w); MPI_Barrier(world); }",
        "MPI_Win_unlock_all(w);",
    ),
    "flush": (
        "MPI_Win_lock_all(0, w);",
        "if (!wrong) MPI_Win_flush_all(w); MPI_Barrier(world);",
        "MPI_Win_unlock_all(w);",
    ),
    "barrier": (
        "MPI_Win_lock_all(0, w);",
        "MPI_Win_flush_all(w); if (!wrong) MPI_Barrier(world);",
        "MPI_Win_unlock_all(w);",
    ),
    "message": (
        "MPI_Win_lock_all(0, w);",
        "MPI_Win_flush_all(w); if (!wrong && rank == 0) MPI_Send(d, 0, MPI_INT, 1, 3, world); if (!wrong && rank == 1) MPI_Recv(d, 0, MPI_INT, 0, 3, world, &st);",
        "MPI_Win_unlock_all(w);",
    ),
    "unlock": (
        "MPI_Win_lock(MPI_LOCK_SHARED, T, 0, w);",
        "if (!wrong) { MPI_Win_unlock(T, w); MPI_Barrier(world); MPI_Win_lock(MPI_LOCK_SHARED, T, 0, w); }",
        "MPI_Win_unlock(T, w);",
    ),
}


def is_right(order: str, one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Would the wrong twin be right, too, or wrong for another reason?"""
    if any({one[0], other[0]} <= some for some in AT_ONCE):
        return True
    if order == "flush" and one[0] in ("load", "store", "read"):
        return True
    return order == "fence" and "&r" in one[1] + other[1]


for (o, order), (x, one), (y, other) in itertools.product(ORDERS.items(), OPERATIONS.items(), OPERATIONS.items()):
    if is_right(o, one, other):
        continue
    own = {"load", "store"} & {one[0], other[0]}
    target = "0" if one[0] in own else "1" if own else "size - 1"
    begin, between, end = order
    body = (
        f"int T = {target}; MPI_Win_allocate(64, 4, MPI_INFO_NULL, world, &mine, &w); MPI_Barrier(world);\n{begin}\n"
        f"if (rank == 0) {{ {one[1]} }} @\n{between}\nif (rank == 1) {{ {other[1]} }} @\n{end}\ndone();"
    )
    for suite in [OWN] if own else [PLAIN, OWN]:
        suite.case(f"rma.{o}.{x}.{y}", "race", body)
