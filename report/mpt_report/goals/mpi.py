# SPDX-License-Identifier: BSD-3-Clause
"""What MPI is meant to reach: against the hardware, against SHMEM, and against the best other library of the same
run.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..runs.records import Record
from ..runs.study import Series, Study
from ..words import bytes_text
from .goal import Find, Goal, best_peer, finding, nearest, worst

WORD = 8
LATENCY_HANDOVERS, LATENCY_OF_PEER = 1.5, 0.7
RATE_OF_PEER = 1.5
COPY_SHARE, COPY_FROM = 0.9, 64 << 10
BY_HAND_SHARE = 0.8
COLLECTIVE_OF_PEER = {2: 0.8}  # of the better peer's time; more ranks than two share the cores
CROWDED_OF_PEER = 0.2
PUTS = 1.2
START_MS = 10.0
VECTOR, BY_HAND = "MPI_Type_vector", "copy by hand"


def word(series: Series) -> Record | None:
    return series.one("mpi_latency", "latency", message_bytes=WORD)


def latency(study: Study) -> Iterator[Goal]:
    own = word(study.first)
    if own is None:
        return
    name, hand = "8-byte message, one way", study.limits.handover
    if hand:
        yield Goal(
            "mpi/latency",
            name,
            own.in_unit("us"),
            "us",
            LATENCY_HANDOVERS * hand,
            f"{LATENCY_HANDOVERS} x cache-line hand-over",
        )
    peer = best_peer(study, False, word)
    if peer:
        yield Goal(
            "mpi/latency/peer",
            f"{name}, against {peer[0]}",
            own.in_unit("us"),
            "us",
            LATENCY_OF_PEER * peer[1].in_unit("us"),
            f"{LATENCY_OF_PEER} x the better peer",
        )


def message_rate(study: Study) -> Iterator[Goal]:
    own = study.first.one("mpi_rate", "rate", message_bytes=WORD)
    peer = best_peer(study, True, finding("mpi_rate", "rate", message_bytes=WORD))
    if own and peer:
        yield Goal(
            "mpi/rate/peer",
            f"8-byte messages in windows of 64, against {peer[0]}",
            own.value,
            own.unit,
            RATE_OF_PEER * peer[1].value,
            f"{RATE_OF_PEER} x the better peer",
            higher=True,
        )


def rate_of(size: int) -> Find:
    return finding("mpi_bandwidth", "bandwidth", message_bytes=size)


def bandwidth(study: Study) -> Iterator[Goal]:
    found = study.first.by("message_bytes", "mpi_bandwidth", "bandwidth")
    beside, of_copy = [], []
    for size, record in found.items():
        peer = best_peer(study, True, rate_of(size))
        if peer:
            beside.append(
                Goal(
                    "mpi/bandwidth/peer",
                    f"message bandwidth, {bytes_text(size)}, against {peer[0]}",
                    record.in_unit("MB/s"),
                    "MB/s",
                    peer[1].in_unit("MB/s"),
                    "the better peer",
                    higher=True,
                )
            )
        near = nearest(size, set(study.limits.copies))
        if size >= COPY_FROM and near is not None:
            of_copy.append(
                Goal(
                    "mpi/bandwidth",
                    f"message bandwidth, {bytes_text(size)}",
                    record.in_unit("MB/s"),
                    "MB/s",
                    COPY_SHARE * study.limits.copies[near],
                    f"{COPY_SHARE} x best copy",
                    higher=True,
                )
            )
    yield from (*worst(beside), *worst(of_copy))


def stride_of(stride: int, method: str) -> Find:
    return finding("mpi_vector", "bandwidth", stride=stride, method=method)


def vectors(study: Study) -> Iterator[Goal]:
    beside, by_hand = [], []
    for stride, record in study.first.by("stride", "mpi_vector", "bandwidth", method=VECTOR).items():
        peer, hand = best_peer(study, True, stride_of(stride, VECTOR)), stride_of(stride, BY_HAND)(study.first)
        name = f"MPI_Type_vector, stride {stride}"
        if peer:
            beside.append(
                Goal(
                    "mpi/vector/peer",
                    f"{name}, against {peer[0]}",
                    record.value,
                    record.unit,
                    peer[1].value,
                    "the better peer",
                    higher=True,
                )
            )
        if hand:
            by_hand.append(
                Goal(
                    "mpi/vector",
                    name,
                    record.value,
                    record.unit,
                    BY_HAND_SHARE * hand.value,
                    f"{BY_HAND_SHARE} x a copy by hand",
                    higher=True,
                )
            )
    yield from (*worst(beside), *worst(by_hand))


def collectives(study: Study) -> Iterator[Goal]:
    """For each number of ranks the call and size farthest from the goal."""
    by_ranks: dict[int, list[Goal]] = {}
    for record in study.first.find("mpi_collective", "time"):
        npes, call, size = (record.get(name) for name in ("npes", "call", "message_bytes"))
        peer = best_peer(study, False, finding("mpi_collective", "time", npes=npes, call=call, message_bytes=size))
        if peer:
            share = COLLECTIVE_OF_PEER.get(npes, CROWDED_OF_PEER)
            what = f"{call}, {bytes_text(size)}, {npes} ranks" if size else f"{call}, {npes} ranks"
            by_ranks.setdefault(npes, []).append(
                Goal(
                    f"mpi/collective/{npes}/peer",
                    f"{what}, against {peer[0]}",
                    record.in_unit("us"),
                    "us",
                    share * peer[1].in_unit("us"),
                    f"{share} x the better peer",
                )
            )
    for npes in sorted(by_ranks):
        yield from worst(by_ranks[npes])


def puts(study: Study) -> Iterator[Goal]:
    own = study.first.one("mpi_put", "latency", message_bytes=WORD)
    shmem = study.first.one("put_get", "latency", op="put", message_bytes=WORD, npes=2)
    if own and shmem:
        yield Goal(
            "mpi/put",
            "8-byte MPI_Put and flush",
            1000 * own.in_unit("us"),
            "ns",
            PUTS * 1000 * shmem.in_unit("us"),
            f"{PUTS} x SHMEM's put and quiet",
        )


def start(study: Study) -> Iterator[Goal]:
    """With the launcher's own start and end, so not better than it is."""
    own = study.first.one("mpi_launch", "time", npes=2)
    if own:
        yield Goal(
            "mpi/start",
            "MPI_Init to MPI_Finalize, 2 ranks, with the launcher",
            own.in_unit("ms"),
            "ms",
            START_MS,
            f"{START_MS} ms",
        )


KINDS = (latency, message_rate, bandwidth, vectors, collectives, puts, start)
