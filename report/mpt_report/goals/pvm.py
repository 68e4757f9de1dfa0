# SPDX-License-Identifier: BSD-3-Clause
"""What PVM is meant to reach: against the hardware, against its own raw messages and against SHMEM."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..runs.study import Series, Study
from ..words import bytes_text
from .goal import Goal, in_us, nearest
from .row import Row, handover, ns, scaled, single_figures


def spawn_ms(series: Series, where: dict[str, Any]) -> float | None:
    record = series.one("pvm_spawn", "time", tasks=1, **where)
    return record.in_unit("ms") if record else None


def figures(study: Study) -> Iterator[Goal]:
    return single_figures(study, ROWS)


ROWS = (
    Row(
        "pvm/round-trip/limit",
        "PVM, round trip of an empty raw message, against the hardware",
        "ns",
        lambda s, w: ns(in_us(s, "pvm_pingpong", "round_trip", method="clean", encoding="Raw", message_bytes=0, **w)),
        scaled(6, handover, "ns"),
        "6 x cache-line hand-over",
    ),
    Row(
        "pvm/round-trip",
        "PVM, round trip of an empty raw message",
        "us",
        lambda s, w: in_us(s, "pvm_pingpong", "round_trip", method="clean", encoding="Raw", message_bytes=0, **w),
        lambda _: 1.0,
        "1 µs",
    ),
    Row(
        "pvm/join",
        "PVM, join a group and leave it",
        "us",
        lambda s, w: in_us(s, "pvm_group", "join_leave", contention="none", **w),
        lambda _: 2.0,
        "2 µs",
    ),
    Row(
        "pvm/spawn",
        "PVM, spawn of a task to its first message",
        "ms",
        lambda s, w: spawn_ms(s, w),
        lambda _: 5.0,
        "5 ms",
    ),
)
XDR_FACTOR, XDR_SIZE = 2.0, 80 << 10
COPY_SHARE, COPY_SIZE = 0.8, 1 << 20
BARRIER_FACTOR, BARRIER_TASKS = 1.5, 8


def messages(study: Study) -> Iterator[Goal]:
    """Converting against sending as it is, and one copy against the machine's."""

    def by_size(metric: str, encoding: str) -> dict[int, float]:
        found = study.first.by("message_bytes", "pvm_pingpong", metric, method="clean", encoding=encoding)
        return {size: record.value for size, record in found.items()}

    xdr, raw = by_size("round_trip", "Default"), by_size("round_trip", "Raw")
    size = nearest(XDR_SIZE, set(xdr) & set(raw) - {0})
    if size is not None:
        yield Goal(
            "pvm/xdr",
            f"PVM, round trip of {bytes_text(size)} of doubles in XDR",
            xdr[size],
            "us",
            XDR_FACTOR * raw[size],
            f"{XDR_FACTOR:g} x raw",
        )
    for encoding in ("Raw", "InPlace"):
        rates = by_size("bandwidth", encoding)
        size = nearest(COPY_SIZE, set(rates) & set(study.limits.copies))
        if size is not None:
            yield Goal(
                f"pvm/bandwidth/{encoding}",
                f"PVM bandwidth, {encoding}, {bytes_text(size)}",
                rates[size],
                "MB/s",
                COPY_SHARE * study.limits.copies[size],
                f"{COPY_SHARE} x best copy",
                higher=True,
            )


def barriers(study: Study) -> Iterator[Goal]:
    for group in ("by name", "null"):
        own = in_us(study.first, "pvm_barrier", "barrier_time", npes=BARRIER_TASKS, group=group, mode="stand-alone")
        shmem = in_us(study.first, "barrier", "barrier_time", npes=BARRIER_TASKS)
        if own is not None and shmem is not None:
            yield Goal(
                f"pvm/barrier/{group}",
                f"PVM barrier, {BARRIER_TASKS} tasks, group {group}",
                own,
                "us",
                BARRIER_FACTOR * shmem,
                f"{BARRIER_FACTOR} x the SHMEM barrier",
            )


KINDS = (figures, messages, barriers)
