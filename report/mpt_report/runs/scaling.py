# SPDX-License-Identifier: BSD-3-Clause
"""What was measured against the number of PEs, as curves: of each library, with PEs as processes and as tasks, through
each interface.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .records import Record
from .study import Series, Study

SHMEM, MPI = "scaling", "mpi_scaling"
TIME, RATE = "time", "rate"


@dataclass(frozen=True)
class Operation:
    """One plot and one column of the table: what each interface calls for it."""

    id: str
    what: str
    metric: str
    calls: tuple[tuple[str, tuple[str, ...], int], ...]  # test, names of the call, bytes

    @property
    def unit(self) -> str:
        return "us" if self.metric == TIME else "Mop/s"


OPERATIONS = (
    Operation("barrier", "barrier", TIME, ((SHMEM, ("shmem_barrier_all",), 0), (MPI, ("MPI_Barrier",), 0))),
    Operation(
        "word",
        "sum of one word",
        TIME,
        ((SHMEM, ("shmem_long_sum_reduce", "shmem_long_sum_to_all"), 8), (MPI, ("MPI_Allreduce",), 8)),
    ),
    Operation("bcast", "broadcast of 64 KiB", TIME, ((MPI, ("MPI_Bcast",), 64 << 10),)),
    Operation("allreduce", "allreduce of 64 KiB", TIME, ((MPI, ("MPI_Allreduce",), 64 << 10),)),
    Operation("alltoall", "alltoall of 1 KiB", TIME, ((MPI, ("MPI_Alltoall",), 1 << 10),)),
    Operation(
        "messages",
        "8-byte messages to the next PE, all together",
        RATE,
        ((SHMEM, ("shmem_long_p",), 8), (MPI, ("MPI_Isend",), 8)),
    ),
)
INTERFACES = {SHMEM: "SHMEM", MPI: "MPI"}


@dataclass(frozen=True)
class Curve:
    """One library's figures of an operation through an interface, by the number of PEs."""

    series: Series
    face: str
    records: dict[int, Record]


def columns(study: Study) -> list[Series]:
    """Ours with PEs as processes, as tasks, then the others."""
    if not study.local:
        return list(study.tasks)
    return [study.first, *study.tasks, *study.others]


def curves(study: Study, operation: Operation) -> Iterator[Curve]:
    for series in columns(study):
        for test, calls, size in operation.calls:
            found = series.by("npes", test, operation.metric, call=calls, message_bytes=size)
            if found:
                yield Curve(series, INTERFACES[test], found)
