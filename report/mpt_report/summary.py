# SPDX-License-Identifier: BSD-3-Clause
"""One line for each test: how this machine stands against its own limit, each other library and each machine of
the 1990s. All ratios are geometric means over the figures that both sides have; above 1 is in our favour.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from . import join, npb
from .compare import Pair
from .goal import bytes_text
from .join import Measured
from .records import Record
from .seeds import short
from .study import Limits, Study
from .table import ABSENT, Table, pes, quantity, times, without_empty_columns

ONE_LINE = 64                  # bytes
Limit = Callable[[Limits, Record], float | None]


def copies(share: float) -> Limit:
    """The best copy of the record's size, else of the largest size; `share` of it moves the bytes the test counts."""
    def limit(limits: Limits, record: Record) -> float | None:
        found, size = limits.copies, record.get("message_bytes")
        rate = found.get(size) if isinstance(size, int) else (list(found.values())[-1] if found else None)
        return rate * share if rate else None

    return limit


def of_size(limits: Limits, record: Record) -> float | None:
    """The best copy of just this size; None where it was not measured, as of short messages."""
    size = record.get("message_bytes")
    return limits.copy(size) if isinstance(size, int) else None


def peak(limits: Limits, _: Record) -> float | None:
    return limits.copy_peak


def handover(limits: Limits, record: Record) -> float | None:
    """One way of a message: a line handed over and, if it is long, the best copy of its size."""
    size, hand = record.get("message_bytes"), limits.put_handover
    if not isinstance(size, int) or size <= ONE_LINE or not hand:
        return hand
    rate = limits.copy(size)
    return hand + size / rate if rate else None


def round_trip(limits: Limits, record: Record) -> float | None:
    way = handover(limits, record)
    return 2 * way if way else None


def barrier(limits: Limits, record: Record) -> float | None:
    npes = record.get("npes")
    return limits.barrier(npes) if isinstance(npes, int) else None


def store(limits: Limits, _: Record) -> float | None:
    return limits.time("store")


# By test and metric; a time in us, a rate in MB/s. A block copy counts what it reads and what it writes.
LIMITS: dict[tuple[str, str], Limit] = {
    **{(test, metric): handover for test in ("ping_pong", "pingpong", "point-to-point ping-pong", "COMMS1")
       for metric in ("latency_min", "latency_avg", "latency", "startup_zero_length")},
    **{(test, "r_inf"): peak for test in ("single_pairs", "multiple_pairs")},
    **{(test, "latency_avg"): store for test in ("single_pairs", "multiple_pairs")},
    **{(test, "bandwidth"): peak for test in ("point-to-point ping-pong", "COMMS1")},
    **{(test, "bandwidth"): of_size for test in ("echo test, contiguous", "mpi_bandwidth", "am", "pvm_pingpong")},
    **{(test, "latency"): handover for test in ("echo test, contiguous", "mpi_latency", "message time")},
    ("pvm_pingpong", "round_trip"): round_trip,
    ("am", "round trip"): round_trip,
    **{(test, "barrier_time"): barrier for test in ("barrier", "SYNCH1")},
    ("put_get", "bandwidth"): copies(1.0),
    **{(test, "bandwidth"): copies(2.0) for test in ("STREAM", "block copy", "matrix transpose",
                                                      "in-place matrix transpose")},
}
HEAD = {"ping_pong": "latency_avg", "single_pairs": "latency_avg", "multiple_pairs": "latency_avg",
        "LFK": "geometric_mean", "LINPACK (HPC)": "rmax", "load time": "latency_ns"}
LEFT_OUT = ("limits", "provider")                 # what the others are held against


def mean(ratios: Iterable[float | None]) -> float | None:
    """The geometric mean: ratios are never averaged otherwise."""
    logs = [math.log(ratio) for ratio in ratios if ratio and ratio > 0]
    return math.exp(sum(logs) / len(logs)) if logs else None


def against_limit(study: Study, records: Iterable[Record]) -> float | None:
    """Measured over limit for times, limit over measured for rates: 1 is the limit, more is farther from it."""
    found = []
    for record in records:
        limit = LIMITS.get((record.test, record.metric))
        bound = limit(study.limits, record) if limit else None
        own = join.in_its_unit(record, "us" if join.direction(record.metric, record.unit) < 0 else "MB/s")
        if bound and own:
            found.append(own / bound if join.direction(record.metric, record.unit) < 0 else bound / own)
    return mean(found)


TOLD = ("function", "routine", "operation", "method", "variant", "mode", "direction", "call", "encoding", "cls", "npes")
MOST_TOLD = 2
SAYING = {"npes": pes, "cls": lambda cls: f"class {cls}"}


def example(record: Record) -> str:
    """What the figure shown for a test is of."""
    words = [SAYING.get(name, str)(record.get(name)) for name in TOLD if record.get(name) not in (None, "")][:MOST_TOLD]
    size = record.get("message_bytes")
    words += [bytes_text(size)] if isinstance(size, int) else []
    return ", ".join([record.metric.replace("_", " "), *words])


def of_the_model(study: Study, test: str) -> float | None:
    """Of the NAS benchmarks, whose limit is a model: how many times longer than it they take."""
    return mean(npb.ratios(study, test)) if test in npb.MODELS else None


def against_machine(here: Measured, test: str, machine: str) -> float | None:
    """All figures of a test that a machine of the papers and ours have; rates per PE on whatever number of PEs."""
    ratios = []
    for group in join.groups():
        varying = group.varying
        for fact in group.facts:
            if fact["test"] != test or short(fact["machine"]) != machine:
                continue
            record = here.one(fact, varying)
            if record is None and fact["metric"].endswith("_per_pe"):
                record = join.best(here.find(fact, varying, frozenset({"npes"})), fact["unit"], fact["metric"])
            ratios.append(join.gain(fact, join.in_its_unit(record, fact["unit"])) if record else None)
    return mean(ratios)


def against_peer(ours: list[Record], theirs: list[Record]) -> float | None:
    index: dict[tuple, Record] = {}
    for record in theirs:
        index.setdefault(record.key, record)
    return mean(Pair(index[record.key], record).gain for record in ours if record.key in index)


def of_test(here: Measured, test: str) -> list[Record]:
    return [record for (name, _), records in here.index.items() if name == test for record in records]


def headline(records: list[Record]) -> Record | None:
    """The figure shown for a test: its preferred one, of the largest message or the most PEs last."""
    test = records[0].test if records else ""
    wanted = HEAD.get(test) or ("rate_per_pe" if test.startswith("NPB ") else None)
    fitting = [record for record in records if record.metric == wanted] or records
    return min(fitting, key=lambda record: join.order(record, {}), default=None)


def machines() -> list[str]:
    """Those with figures to compare, by their short names, in the order of the papers."""
    found = dict.fromkeys(short(machine) for group in join.groups() for machine in group.machines)
    return list(found)


def table(study: Study) -> Table | None:
    here = join.ours(study)
    if here is None:
        return None
    tests = dict.fromkeys([*(test for group in join.groups() for test in group.tests),
                           *(test for test, _ in here.index if test not in LEFT_OUT)])
    others, then = join.peers(study), machines()
    rows = []
    for test in tests:
        records = of_test(here, test)
        head = headline(records)
        if head is None:
            continue
        peer_ratios = [against_peer(records, of_test(other, test)) for other in others]
        limit = against_limit(study, records) or of_the_model(study, test)
        ratios = [(machine, ratio) for machine in then if (ratio := against_machine(here, test, machine))]
        if not (limit or ratios or any(peer_ratios)):
            continue
        rows.append([test, example(head), quantity(head.value, head.unit), times(limit), *map(times, peer_ratios),
                     ", ".join(f"{machine} {times(ratio)}" for machine, ratio in ratios) or ABSENT])
    header = ["Test", "for example", "here", "of the limit", *(f"faster than {other.name}" for other in others),
              "better than"]
    note = ("Geometric means over all figures of a test that both sides have; above 1 is in favour of this machine. Of "
            "the limit: 1 is what a bare program reaches here, 2 takes twice as long or moves half as much. Tests "
            "that have nothing to stand beside are found among all figures only.")
    made = Table("Every test against the hardware, other libraries and the machines of the 1990s", header, rows, note,
                 align="lll" + "r" * (len(header) - 4) + "l")
    return without_empty_columns(made) if rows else None
