# SPDX-License-Identifier: BSD-3-Clause
"""What bounds each test: a limit that the bare machine showed in the same run, in words and as a figure. A test without
one says why it has none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from ..runs import join
from ..runs.records import Record
from ..runs.study import Limits, Study, last_level_bytes
from . import npb, roofs

ONE_LINE = 64  # bytes
CELL = 16  # bytes of a cell of the cube that is partitioned
WORD = 8
LARGEST_ORDER = 10000  # of a matrix; what is longer is a vector
# Operations for each byte moved, where a routine of vectors or of a matrix and a vector gets its data from memory.
FROM_MEMORY = {
    "SNRM2": 1 / 4,
    "SAXPY": 1 / 12,
    "CAXPY": 1 / 6,
    "SDOT": 1 / 8,
    "CDOTU": 1 / 4,
    "SASUM": 1 / 4,
    "SGEMV": 1 / 4,
    "SGER": 1 / 8,
    "STRSV": 1 / 4,
}


@dataclass
class Machine:
    """All that limits are made of."""

    study: Study
    here: join.Measured

    @property
    def limits(self) -> Limits:
        return self.study.limits

    @property
    def cores(self) -> int:
        return self.limits.cores or 1

    @cached_property
    def cache(self) -> int | None:
        return last_level_bytes(self.study.first.run if self.study.local else self.study.runs[0])

    @cached_property
    def copies(self) -> dict[int, float]:
        return self.limits.copies

    @cached_property
    def memory(self) -> float | None:
        """MB/s that one core moves to and from memory."""
        return roofs.moved(self.here, roofs.MEMORY, self.cache)

    @cached_property
    def cached(self) -> float | None:
        """The same within its cache."""
        return roofs.moved(self.here, roofs.CACHE, self.cache)

    @cached_property
    def peak(self) -> float | None:
        """Mflop/s of one core: multiply-adds in registers where LINPACK measured them, else the fastest routine."""
        found = [
            one.in_unit("Mflop/s") / min(int(one.get("npes") or 1), self.cores)
            for one in self.here.index.get(("LINPACK (HPC)", "rpeak"), ())
        ]
        return max([*found, roofs.computed(self.here) or 0.0]) or None

    def feeds(self, record: Record) -> float | None:
        """MB/s at which one core gets a routine's vectors, or its matrix, from where they are."""
        n = record.get("n")
        size = WORD * n * (n if n <= LARGEST_ORDER else 1) if isinstance(n, int) else 0
        beyond = self.cache and size >= roofs.BEYOND * self.cache
        return self.memory if beyond else max(filter(None, (self.memory, self.cached)), default=None)

    def copy(self, size: object) -> float | None:
        """The best copy of this size; of another size that of the nearest one, by their ratio."""
        if not self.copies or not isinstance(size, int) or size <= 0:
            return None
        return self.copies[min(self.copies, key=lambda one: abs(math.log(one / size)))]

    def turns(self, npes: int) -> float:
        """How many PEs a core has to serve one after the other."""
        return max(1.0, npes / self.cores)


Find = Callable[[Machine, Record], float | None]


def pes_of(record: Record) -> int:
    return int(record.get("npes") or 1)


SQUARES = ("matrix transpose", "in-place matrix transpose")


def size_of(record: Record) -> int | None:
    """The bytes that are copied: of a message, or of an array."""
    size, n = record.get("message_bytes"), record.get("n")
    if isinstance(size, int):
        return size
    return WORD * n * (n if record.test in SQUARES else 1) if isinstance(n, int) else None


def copies(share: float) -> Find:
    """The best copy of the record's arrays, else of the largest; `share` of it moves the bytes the test counts. Of
    sizes below the smallest that was copied nothing is known."""

    def find(machine: Machine, record: Record) -> float | None:
        size, sizes = size_of(record), machine.copies
        rate = machine.copy(max(sizes) if size is None else size) if sizes else None
        return rate * share if rate and (size is None or size >= min(sizes)) else None

    return find


def of_size(machine: Machine, record: Record) -> float | None:
    """The best copy of just this size; None where it was not measured, as of short messages."""
    size = record.get("message_bytes")
    return machine.limits.copy(size) if isinstance(size, int) else None


def all_at_once(machine: Machine, record: Record) -> float | None:
    """The best copy of this size on as many cores as there are PEs that send together."""
    rate = of_size(machine, record)
    senders = 1 if record.get("pattern", "COMMS1") == "COMMS1" else min(pes_of(record), machine.cores)
    return rate * senders if rate else None


def peak_copy(machine: Machine, record: Record) -> float | None:
    rate = machine.limits.copy_peak
    together = record.test in ("COMMS2", "COMMS3")
    return rate * min(pes_of(record), machine.cores) if rate and together else rate


def handover(machine: Machine, record: Record) -> float | None:
    """One way of a message: a line handed over and, if it is long, the best copy of its size."""
    size, hand = record.get("message_bytes"), machine.limits.put_handover
    if record.get("pattern", "COMMS1") != "COMMS1":
        return None  # several messages are on their way
    if not isinstance(size, int) or size <= ONE_LINE or not hand:
        return hand
    rate = machine.limits.copy(size)
    return hand + size / rate if rate else None


def round_trip(machine: Machine, record: Record) -> float | None:
    way = handover(machine, record)
    return 2 * way if way else None


def completed(machine: Machine, record: Record) -> float | None:
    """One word is a store; longer ones are a copy."""
    size = record.get("message_bytes")
    if not isinstance(size, int) or size <= ONE_LINE:
        return machine.limits.time("store")
    rate = machine.limits.copy(size)
    return size / rate if rate else None


def byte_time(machine: Machine, _: Record) -> float | None:
    rate = machine.limits.copy_peak
    return 1000.0 / rate if rate else None


def barrier(machine: Machine, record: Record) -> float | None:
    return machine.limits.barrier(pes_of(record))


def release(machine: Machine, record: Record) -> float | None:
    """All may read one flag; PEs that share a core must each be scheduled."""
    return machine.limits.handover if pes_of(record) <= machine.cores else barrier(machine, record)


def moving(parts: float, size: int, npes: int, machine: Machine) -> float | None:
    """A barrier's time and that of each PE's copy of `parts` of so many bytes; us."""
    rate, least = machine.copy(size), machine.limits.barrier(npes)
    return least + machine.turns(npes) * parts * size / rate if rate and least else None


def vector_sum(machine: Machine, record: Record) -> float | None:
    npes, elements = pes_of(record), record.get("elements")
    return moving(2 * (npes - 1) / npes, WORD * elements, npes, machine) if isinstance(elements, int) else None


# What each PE has to copy at least, in messages, by the number of PEs.
MOVED = {
    "MPI_Bcast": lambda npes: (npes - 1) / npes,
    "MPI_Reduce": lambda npes: (npes - 1) / npes,
    "MPI_Allreduce": lambda npes: 2 * (npes - 1) / npes,
    "MPI_Alltoall": lambda npes: npes - 1,
    "MPI_Allgather": lambda npes: npes - 1,
}


def collective(machine: Machine, record: Record) -> float | None:
    npes, size, parts = pes_of(record), record.get("message_bytes"), MOVED.get(str(record.get("call")))
    if not isinstance(size, int) or size <= ONE_LINE:
        return barrier(machine, record)
    return moving(parts(npes), size, npes, machine) if parts else None


def fetch_add(machine: Machine, record: Record) -> float | None:
    return machine.limits.time("fetch_add") if record.get("op") == "fetch_add" else None


def section(machine: Machine, record: Record) -> float | None:
    """A lock nobody else wants is an atomic operation; one that all want passes from core to core."""
    return machine.limits.time("fetch_add") if record.get("contention") == "none" else machine.limits.handover


def roof(machine: Machine, record: Record) -> float | None:
    """The fastest way to move data where this test's arrays are."""
    place = roofs.place_of(record, machine.cache)
    return roofs.moved(machine.here, place, machine.cache) if place else None


def arithmetic(machine: Machine, record: Record) -> float | None:
    """All cores that have a PE at their peak; of vectors from memory what memory feeds."""
    workers = min(pes_of(record), machine.cores)
    intensity = FROM_MEMORY.get(str(record.get("routine"))) if record.test == "BLAS asymptotic" else None
    if intensity:
        rate = machine.feeds(record)
        return min(intensity * rate, machine.peak or 0.0) if rate else None
    return machine.peak * workers if machine.peak else None


def linpack(machine: Machine, record: Record) -> float | None:
    if record.get("by"):
        return None  # another program's
    found = [
        one.in_unit("Mflop/s")
        for one in machine.here.index.get((record.test, "rpeak"), ())
        if one.get("npes") == record.get("npes")
    ]
    return max(found, default=None) or arithmetic(machine, record)


def cube(machine: Machine, record: Record) -> float | None:
    """A step reads every cell and writes it."""
    side, rate = record.get("n"), machine.memory
    if not isinstance(side, int) or not rate:
        return None
    return 2 * CELL * side**3 / (rate * min(pes_of(record), machine.cores))


@dataclass(frozen=True)
class Bound:
    """A limit of some figures of some tests. Of times (us, ns/byte) it is the least, of rates the most."""

    words: str
    tests: tuple[str, ...]
    metrics: tuple[str, ...]
    find: Find
    unit: str = "us"

    @property
    def least(self) -> bool:
        return self.unit in ("us", "ns/byte")


LATENCIES = ("latency", "latency_min", "latency_avg", "startup_zero_length")
HANDOVER = (
    "one way of a message: a cache line handed over between two cores and, beyond 64 bytes, the best copy of that size"
)
BOTH_WAYS = "both ways of a message, each a cache line handed over and the best copy of its size"
COPY = "the best copy of the message's size"
TWICE = "twice the best copy: the bytes that are read count, and those that are written"
STORE = "a store to shared memory; beyond 64 bytes the best copy of that size"
CROWDED = "with more PEs than cores, PEs/cores hand-overs between processes"
BARRIER = f"log2(PEs) cache lines handed over; {CROWDED}"
RELEASE = f"one cache line handed over; {CROWDED}"
SHARED = (
    "a barrier, and what each PE must copy at least at the best copy's rate (of a sum the vector twice, less its own "
    "parts); PEs of one core one after the other"
)
PEAK = (
    "multiply-adds of all cores that have a PE: as LINPACK measured them in registers, else the fastest routine of "
    "this run; for vectors from memory what the fastest load, store or copy feeds. No kernel reaches it that isn't all "
    "multiply-adds on vectors"
)
BOUNDS = (
    Bound(
        HANDOVER,
        (
            "ping_pong",
            "pingpong",
            "point-to-point ping-pong",
            "COMMS1",
            "echo test, contiguous",
            "mpi_latency",
            "message time",
            "echo under network load",
            "short-message latency (previous newsletter)",
            "pvm point-to-point ping-pong",
        ),
        LATENCIES,
        handover,
    ),
    Bound(HANDOVER, ("LogGP",), ("L",), handover),
    Bound(BOTH_WAYS, ("pvm_pingpong",), ("round_trip",), round_trip),
    Bound(BOTH_WAYS, ("am",), ("round trip",), round_trip),
    Bound(STORE, ("single_pairs", "multiple_pairs"), ("latency_avg",), completed),
    Bound(STORE, ("put_get", "mpi_put"), ("latency",), completed),
    Bound("the best copy of any size", ("single_pairs", "multiple_pairs"), ("r_inf",), peak_copy, "MB/s"),
    Bound(
        "the best copy of any size, on each core that sends",
        ("point-to-point ping-pong", "COMMS1", "COMMS2", "COMMS3", "pvm point-to-point ping-pong"),
        ("bandwidth",),
        peak_copy,
        "MB/s",
    ),
    Bound("the best copy of any size: the time of a byte", ("LogGP",), ("G",), byte_time, "ns/byte"),
    Bound(
        COPY,
        ("echo test, contiguous", "echo under network load", "mpi_bandwidth", "am", "pvm_pingpong"),
        ("bandwidth",),
        of_size,
        "MB/s",
    ),
    Bound(COPY + ", on each core that sends", ("message time",), ("bandwidth",), all_at_once, "MB/s"),
    Bound(
        "the best copy of the payload, whatever its stride",
        ("put_get", "echo with strides", "mpi_vector", "OCCOMM"),
        ("bandwidth",),
        copies(1.0),
        "MB/s",
    ),
    Bound(BARRIER, ("barrier", "SYNCH1", "pvm_barrier", "barrier algorithms"), ("barrier_time",), barrier),
    Bound(BARRIER, ("one-word global reduction",), ("time",), barrier),
    Bound(RELEASE, ("barrier, one late",), ("release_time",), release),
    Bound(SHARED, ("global vector sum",), ("time",), vector_sum),
    Bound(SHARED, ("mpi_collective",), ("time",), collective),
    Bound("a locked fetch-and-add on shared memory (fetch_add only)", ("atomics",), ("latency",), fetch_add),
    Bound("alone a locked fetch-and-add, with others a cache line handed over", ("lock",), ("time",), section),
    Bound(
        TWICE,
        ("STREAM", "block copy", "matrix transpose", "in-place matrix transpose", "vector gather"),
        ("bandwidth",),
        copies(2.0),
        "MB/s",
    ),
    Bound(
        "the fastest load, store, STREAM or copy of one core with arrays in the same place, cache or memory",
        ("local memory load/store", "local E-register GET/PUT", "data initialization"),
        ("bandwidth",),
        roof,
        "MB/s",
    ),
    Bound(
        PEAK,
        (
            "BLAS 1 in cache",
            "BLAS asymptotic",
            "LAPACK timing program",
            "CCFFT",
            "LFK",
            "blocked matrix multiply",
            "local multiply",
        ),
        ("rate",),
        arithmetic,
        "Mflop/s",
    ),
    Bound(
        "multiply-adds in registers on all PEs at once, measured in the same program",
        ("LINPACK (HPC)",),
        ("rmax",),
        linpack,
        "Mflop/s",
    ),
    Bound(
        "the data copied once, as between a program and the page cache; what the device could do can't be seen from "
        "here",
        ("striped file I/O",),
        ("bandwidth",),
        copies(1.0),
        "MB/s",
    ),
    Bound(
        "every cell of the cube read and written once by the fastest load, store or copy of one core, on all cores "
        "that have a PE",
        ("regular partitioning",),
        ("step_time",),
        cube,
    ),
)
MODEL = (
    "the longer of two times, of the least traffic to memory and of the arithmetic; see the table of these benchmarks"
)
# Why a test has no limit.
NONE = {
    "load time": "it is itself what the machine's memory takes",
    "fast mathematics": "the libraries stand beside each other; no count of operations bounds a function",
    "wake": "what a wake-up takes depends on how deep the core slept",
    "mpi_rate": "consecutive messages overlap",
    **{
        test: "tasks, processes and other libraries stand beside each other"
        for test in ("scaling", "mpi_scaling", "mpi_glance", "handover")
    },
    "footprint": "what a PE needs is the library's own",
    "launch": "how soon a process starts is the kernel's",
    "mpi_launch": "how soon a process starts is the kernel's",
    "pvm_spawn": "how soon a process starts is the kernel's",
    "pvm_group": "it is bookkeeping",
    "global file open": "it is the file system's bookkeeping",
    "file system": "a property of the machine",
    **{
        test: "depends on the data's order and not on one rate"
        for test in ("sample sort", "radix sort", "em3d", "integer sort")
    },
    "stencil": "its grid stays in caches nearer than what the run measures",
    "LFK checksums": "they are right or wrong",
    "NAS MG (modified for MPT)": "as NPB MG, which it is",
}
NO_LIMIT, UNMEASURED = "none", "not measured"


def machine_of(study: Study) -> Machine | None:
    here = join.ours(study)
    return Machine(study, here) if here else None


def of(record: Record) -> Bound | None:
    return next((one for one in BOUNDS if record.test in one.tests and record.metric in one.metrics), None)


def ratios(machine: Machine, records: Iterable[Record]) -> list[float]:
    """Measured over limit for times, limit over measured for rates: 1 is the limit, more is farther from it."""
    found = []
    for record in records:
        bound = of(record) if record.cache == "hot" else None  # so are the bare program's buffers
        limit = bound.find(machine, record) if bound else None
        if bound is None or not limit:
            continue
        own = join.in_its_unit(record, bound.unit)
        if own and own > 0:
            found.append(own / limit if bound.least else limit / own)
    return found


def known(test: str) -> bool:
    """Whether the test has a limit, be it measured or not."""
    return test in npb.MODELS or any(test in one.tests for one in BOUNDS)


def without(test: str) -> str:
    """What stands where a ratio to the limit would."""
    return UNMEASURED if known(test) else NO_LIMIT
