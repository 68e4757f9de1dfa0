# SPDX-License-Identifier: BSD-3-Clause
"""What OpenSHMEM is meant to reach: against the hardware, against absolute times, under load, and against the other
libraries of the same run.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from ..runs.study import Series, Study
from ..words import bytes_text, divide
from .goal import Goal, in_us
from .row import Row, fetch_add, handover, ns, put_handover, scaled, single_figures


def each_ns(series: Series, test: str = "put_get", **where: Any) -> float | None:
    """Time of one streamed operation, from its rate."""
    record = series.one(test, "rate", **where)
    return divide(1000.0, record.value) if record and record.unit == "Mop/s" else None


ROWS = (
    Row(
        "shmem/pingpong",
        "one-word put ping-pong, one way",
        "ns",
        lambda s, w: ns(in_us(s, "pingpong", "latency", call="shmem_long_p", npes=2, **w)),
        scaled(1.15, put_handover, "ns"),
        "1.15 x cache-line hand-over, two lines",
        waits=True,
    ),
    Row(
        "shmem/p",
        "streamed shmem_long_p",
        "ns",
        lambda s, w: each_ns(s, op="p", npes=2, **w),
        lambda _: 3.0,
        "3 ns each",
    ),
    Row(
        "shmem/put-8",
        "streamed 8-byte shmem_putmem",
        "ns",
        lambda s, w: each_ns(s, op="put", message_bytes=8, npes=2, **w),
        lambda _: 6.0,
        "6 ns each",
    ),
    Row(
        "shmem/fetch-add",
        "remote fetch-add, no contention",
        "ns",
        lambda s, w: each_ns(s, "atomics", op="fetch_add", contention="none", type="long", npes=2, **w),
        scaled(1.3, fetch_add, "ns"),
        "1.3 x local lock xadd",
    ),
    Row(
        "shmem/barrier/2",
        "barrier, 2 PEs",
        "ns",
        lambda s, w: ns(in_us(s, "barrier", "barrier_time", npes=2, **w)),
        scaled(3, handover, "ns"),
        "3 x cache-line hand-over",
        has_target=False,
        waits=True,
    ),
    Row(
        "shmem/reduce/2",
        "1-word reduce, 2 PEs",
        "ns",
        lambda s, w: ns(
            in_us(s, "one-word global reduction", "time", npes=2, operation="GSUM", algorithm="library", **w)
        ),
        scaled(5, handover, "ns"),
        "5 x cache-line hand-over",
        has_target=False,
        waits=True,
    ),
    Row(
        "shmem/lock/8",
        "lock, all of 8 PEs contending",
        "us",
        lambda s, w: in_us(s, "lock", "time", contention="all", npes=8, **w),
        lambda _: 20.0,
        "20 µs a section",
        waits=True,
    ),
    Row(
        "shmem/start/2",
        "start and stop of 2 PEs",
        "ms",
        lambda s, w: launch_ms(s, 2, w),
        lambda _: 5.0,
        "5 ms",
        has_target=False,
    ),
    Row(
        "shmem/start/64",
        "start and stop of 64 PEs",
        "ms",
        lambda s, w: launch_ms(s, 64, w),
        lambda _: 100.0,
        "100 ms",
        has_target=False,
    ),
)
COPY_SHARE = 0.95
COPY_RANGE = (4096, 64 << 20)
IDLE_PERCENT = 2.0
LOAD_FACTOR = 3.0
SAME_FACTOR = 1.15
PEER_FACTOR = 10


def launch_ms(series: Series, npes: int, where: dict[str, Any]) -> float | None:
    record = series.one("launch", "time", npes=npes, **where)
    return record.in_unit("ms") if record else None


def figures(study: Study) -> Iterator[Goal]:
    return single_figures(study, ROWS)


def copies(study: Study) -> Iterator[Goal]:
    """The size where put and get are farthest from the best copy."""
    for op, target in product(("put", "get"), ("heap", "global")):
        shares = []
        found = study.first.by("message_bytes", "put_get", "bandwidth", op=op, npes=2, target=target)
        for size, record in found.items():
            limit, rate = study.limits.copy(size), record.in_unit("MB/s")
            if limit and COPY_RANGE[0] <= size <= COPY_RANGE[1]:
                shares.append((rate / limit, size, rate, limit))
        if shares:
            _, size, rate, limit = min(shares)
            where = ", on a global" if target == "global" else ""
            yield Goal(
                f"shmem/{op}/{target}",
                f"{op} bandwidth, worst size ({bytes_text(size)}){where}",
                rate,
                "MB/s",
                COPY_SHARE * limit,
                f"{COPY_SHARE} x best copy",
                higher=True,
            )


def crowded(study: Study, burner: bool = False) -> dict[int, float]:
    """Barrier times with more PEs than cores, us."""
    found = study.first.by("npes", "barrier", "barrier_time", burner=burner)
    cores = study.limits.cores or 0
    return {npes: record.in_unit("us") for npes, record in found.items() if npes > cores > 0}


def shared_core_barriers(study: Study) -> Iterator[Goal]:
    for npes, time in crowded(study).items():
        limit = study.limits.barrier(npes)
        if limit:
            yield Goal(
                f"shmem/crowded/{npes}",
                f"barrier, {npes} PEs on {study.limits.cores} cores",
                time,
                "us",
                2.0 * limit,
                "2 x P/C hand-overs between processes",
            )


def against_peers(study: Study) -> Iterator[Goal]:
    """With more PEs than cores the other libraries of the same run poll."""
    for other in study.others:
        if other.run is not study.first.run:
            continue
        theirs = other.by("npes", "barrier", "barrier_time")
        for npes, time in crowded(study).items():
            if npes in theirs:
                yield Goal(
                    f"shmem/crowded/{npes}/{other.implementation}",
                    f"barrier, {npes} PEs, against {other.name}",
                    time,
                    "us",
                    theirs[npes].in_unit("us") / PEER_FACTOR,
                    f"1/{PEER_FACTOR} of the other's",
                )


def idle(study: Study) -> Iterator[Goal]:
    for wait, record in study.first.by("wait", "wake", "cpu_share").items():
        yield Goal(
            f"shmem/idle/{wait}",
            f"{record.get('npes')} PEs idle in {wait}",
            record.value,
            "%",
            IDLE_PERCENT,
            "2 % of one core",
        )


def other_target(study: Study) -> Iterator[Goal]:
    """The same figure on a global as on the heap."""
    for row in ROWS:
        heap, other = (row.measure(study.first, {"target": target}) for target in ("heap", "global"))
        if row.has_target and heap is not None and other is not None:
            yield Goal(
                f"{row.id}/global",
                f"{row.what}, on a global",
                other,
                row.unit,
                heap * SAME_FACTOR,
                f"{SAME_FACTOR} x the heap's figure",
            )


def under_load(study: Study) -> Iterator[Goal]:
    """What waits must not suffer from another process that burns a core."""
    basis = f"{LOAD_FACTOR:g} x without load"
    for row in ROWS:
        calm, loaded = (row.measure(study.first, {"burner": burner}) for burner in (False, True))
        if row.waits and calm is not None and loaded is not None:
            yield Goal(f"{row.id}/burner", f"{row.what}, one core burning", loaded, row.unit, calm * LOAD_FACTOR, basis)
    quiet = crowded(study)
    for npes, time in crowded(study, burner=True).items():
        if npes in quiet:
            yield Goal(
                f"shmem/crowded/{npes}/burner",
                f"barrier, {npes} PEs, one core burning",
                time,
                "us",
                quiet[npes] * LOAD_FACTOR,
                basis,
            )


KINDS = (figures, copies, shared_core_barriers, against_peers, idle, other_target, under_load)
