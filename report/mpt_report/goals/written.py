# SPDX-License-Identifier: BSD-3-Clause
"""What messages are meant to reach whose sender writes them and whose receiver reads them, both part of the time: MPI
beside other libraries, all interfaces beside a bare program that does the same. And a program that sorts beside
strangers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..runs.records import WRITTEN
from ..runs.study import Study
from ..words import bytes_text
from .goal import Find, Goal, best_peer, finding, nearest, worst

Kind = Callable[[Study], Iterator[Goal]]
LONG, LONG_OF_PEER = (4 << 20, 16 << 20), 1.05  # of the better peer's bandwidth, each size a goal; below, as much
COLLECTIVE_OF_PEER = 1.0  # of its time
LIMIT_FROM = 64 << 10  # what is shorter, hand-overs rule
SORT, BESIDE_OF_PEER = "integer sort", 1.1
ALL, NEAR = 0, 1 << 20  # all sizes, or as of hot buffers the one near this


def rate_of(size: int) -> Find:
    return finding("mpi_bandwidth", "bandwidth", message_bytes=size, cache=WRITTEN)


def beside_peers(study: Study) -> Iterator[Goal]:
    short = []
    for size, record in study.first.by("message_bytes", "mpi_bandwidth", "bandwidth", cache=WRITTEN).items():
        peer = best_peer(study, True, rate_of(size))
        if peer is None:
            continue
        share, basis = (LONG_OF_PEER, f"{LONG_OF_PEER} x the better peer") if size in LONG else (1.0, "the better peer")
        goal = Goal(
            f"mpi/written/{size}/peer" if size in LONG else "mpi/written/peer",
            f"message bandwidth, {bytes_text(size)}, written and read, against {peer[0]}",
            record.in_unit("MB/s"),
            "MB/s",
            share * peer[1].in_unit("MB/s"),
            basis,
            higher=True,
        )
        if size in LONG:
            yield goal
        else:
            short.append(goal)
    yield from worst(short)


def collectives(study: Study) -> Iterator[Goal]:
    """For each number of ranks the call and size farthest behind."""
    by_ranks: dict[int, list[Goal]] = {}
    for record in study.first.find("mpi_collective", "time", cache=WRITTEN):
        where = {name: record.get(name) for name in ("npes", "call", "message_bytes")}
        peer = best_peer(study, False, finding("mpi_collective", "time", cache=WRITTEN, **where))
        if peer:
            what = f"{where['call']}, {bytes_text(where['message_bytes'])}, {where['npes']} ranks"
            by_ranks.setdefault(where["npes"], []).append(
                Goal(
                    f"mpi/written-collective/{where['npes']}/peer",
                    f"{what}, written and read, against {peer[0]}",
                    record.in_unit("us"),
                    "us",
                    COLLECTIVE_OF_PEER * peer[1].in_unit("us"),
                    "the better peer",
                )
            )
    for npes in sorted(by_ranks):
        yield from worst(by_ranks[npes])


def sorts(study: Study) -> Iterator[Goal]:
    """Beside strangers that want the cores, too: the number of them at which it is farthest behind."""
    by_ranks: dict[int, list[Goal]] = {}
    for record in study.first.find(SORT, "time"):
        where = {name: record.get(name) for name in ("npes", "keys", "burners")}
        peer = best_peer(study, False, finding(SORT, "time", **where))
        if peer and where["burners"]:
            by_ranks.setdefault(where["npes"], []).append(
                Goal(
                    f"mpi/sort/{where['npes']}/peer",
                    f"{SORT}, {where['npes']} ranks beside {where['burners']} burners, against {peer[0]}",
                    record.in_unit("s"),
                    "s",
                    BESIDE_OF_PEER * peer[1].in_unit("s"),
                    f"{BESIDE_OF_PEER} x the better peer",
                )
            )
    for npes in sorted(by_ranks):
        yield from worst(by_ranks[npes])


def of_limit(name: str, what: str, share: float, near: int, test: str, **where: Any) -> Kind:
    """Of a bare program's messages, written, copied once and read: the worst of all long sizes, or one size."""

    def kind(study: Study) -> Iterator[Goal]:
        found, limits = study.first.by("message_bytes", test, "bandwidth", cache=WRITTEN, **where), study.limits.written
        sizes = {size for size in set(found) & set(limits) if size >= LIMIT_FROM}
        if near:
            sizes = {size for size in (nearest(near, sizes),) if size is not None}
        yield from worst(
            Goal(
                f"{name}/written",
                f"{what}, {bytes_text(size)}, written and read",
                found[size].in_unit("MB/s"),
                "MB/s",
                share * limits[size],
                f"{share} x a bare program's",
                higher=True,
            )
            for size in sorted(sizes)
        )

    return kind


# The shares of the best copy that are asked of hot buffers.
SHMEM = tuple(of_limit(f"shmem/{op}", f"{op} bandwidth", 0.95, ALL, "put_get", op=op) for op in ("put", "get"))
MPI = (beside_peers, of_limit("mpi/bandwidth", "message bandwidth", 0.9, ALL, "mpi_bandwidth"), collectives, sorts)
PVM = tuple(
    of_limit(
        f"pvm/bandwidth/{encoding}",
        f"PVM bandwidth, {encoding}",
        0.8,
        NEAR,
        "pvm_pingpong",
        method="clean",
        encoding=encoding,
    )
    for encoding in ("Raw", "InPlace")
)
AM = tuple(of_limit(f"am/{call}", call, 0.95, NEAR, "am", call=call) for call in ("am_store", "am_get"))
