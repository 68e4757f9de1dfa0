# SPDX-License-Identifier: BSD-3-Clause
"""The applications of the paper on Split-C, and two more of its classics, in Split-C, SHMEM and MPI beside each other:
times, and the share of them that local computation takes.
"""

from __future__ import annotations

from typing import Any

from ..goals.goal import nearest
from ..runs.apps import LANGUAGES, figures, gather
from ..runs.study import Study
from ..words import bytes_text, divide, figure, times
from .table import Row, Table, without_empty_columns


def sized(size: tuple[Any, ...]) -> str:
    return ", ".join(
        f"{name.replace('_', ' ')} {value:,}" if isinstance(value, int) else f"{name} {value}" for name, value in size
    )


NOTE = (
    "Time of the slowest process from a common barrier, input made anew before each run. Local: the mean share "
    "that computation takes; the rest is communication, waiting included. Split-C/SHMEM below 1: Split-C is the "
    "faster one. The paper's own times and shares (its table 5 and figure 4) are images, so there is nothing to set "
    "beside them; its words are that with large blocks the transport hardly matters and with small ones overhead "
    "decides."
)


def table(study: Study) -> Table | None:
    found = figures(study)
    if not found:
        return None
    peers = [other for other in study.others if other.run is study.first.run]
    beside = [gather(other.records) for other in peers]
    rows = []
    for key, by in found.items():
        cells = [figure(1000 * by[name].time if name in by else None) for name in LANGUAGES]
        shares = [f"{by[name].share:.0f} %" if name in by and by[name].share is not None else "-" for name in LANGUAGES]
        pair = times(divide(by["Split-C"].time, by["SHMEM"].time)) if {"Split-C", "SHMEM"} <= by.keys() else "-"
        more = [
            figure(1000 * other[key]["MPI"].time if key in other and "MPI" in other[key] else None) for other in beside
        ]
        states = ", ".join(sorted({one.state for one in by.values()} - {"clean"}))
        rows.append(
            Row(
                f"{key.case.test}/{key.case.variant}/{key.npes}",
                [str(key.npes), key.case.words, *cells, pair, *shares, *more, sized(key.size), states],
            )
        )
    header = [
        "PEs",
        "Application",
        *(f"{name}, ms" for name in LANGUAGES),
        "Split-C/SHMEM",
        *(f"local, {name}" for name in LANGUAGES),
        *(f"MPI by {other.name}, ms" for other in peers),
        "size",
        "state",
    ]
    align = "rl" + "r" * (len(header) - 4) + "ll"
    return without_empty_columns(
        Table(
            "applications",
            "Split-C on the SP, 1996. Table 5 and figure 4: execution times, and the share of local computation",
            header,
            rows,
            NOTE,
            align,
            columns=(
                "npes",
                "application",
                *(f"time/{name}" for name in LANGUAGES),
                "ratio",
                *(f"local/{name}" for name in LANGUAGES),
                *(f"peer/{other.name}" for other in peers),
                "size",
                "state",
            ),
        )
    )


def messages(study: Study) -> Table | None:
    """Table 4: what small and large messages cost; the paper's figures are an image, too."""
    if not study.local:
        return None
    trip = study.first.one("am", "round trip")
    rate = study.first.one("am", "rate", call="am_request_4")
    rows = []
    if trip:
        rows.append(
            [
                "round trip of a request and its reply",
                "µs",
                figure(trip.in_unit("us")),
                figure(2 * study.limits.handover if study.limits.handover else None),
                "a cache line handed over and back",
            ]
        )
    if rate:
        rows.append(["time of a request of four words in a stream", "µs", figure(divide(1.0, rate.value)), "-", ""])
    for call in ("am_store", "am_get"):
        rates = study.first.by("message_bytes", "am", "bandwidth", call=call)
        size = nearest(1 << 20, set(rates))
        if size is not None:
            copied = nearest(size, set(study.limits.copies))
            rows.append(
                [
                    f"bandwidth of {call}, {bytes_text(size)}",
                    "MB/s",
                    figure(rates[size].in_unit("MB/s")),
                    figure(study.limits.copy(copied)) if copied else "-",
                    f"the best copy, {bytes_text(copied)}" if copied else "",
                ]
            )
    return (
        Table(
            "active-messages",
            "Split-C on the SP, 1996. Table 4: what Active Messages cost",
            ["What", "unit", study.first.name, "hardware limit", "which is"],
            rows,
            "The paper's figures of the CM-5, CS-2, U-Net cluster and SP are an image.",
            "llrrl",
        )
        if rows
        else None
    )


def tables(study: Study) -> list[Table]:
    return [one for one in (messages(study), table(study)) if one is not None]
