# SPDX-License-Identifier: BSD-3-Clause
"""What Active Messages and Split-C are meant to reach: against the hardware, against SHMEM's version of the same
application, and against the C compiler's version of the same loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..runs import apps
from ..runs.records import Record
from ..runs.study import Study
from ..words import bytes_text, pes
from .goal import Goal, nearest, worst

ROUND_TRIP_HANDOVERS = 2.6
REQUESTS = 20.0  # million/s
STORE_SHARE, STORE_SIZE = 0.95, 1 << 20
OF_SHMEM = 1.10
OF_PLAIN_C = 0.8


def messages(study: Study) -> Iterator[Goal]:
    trip, hand = study.first.one("am", "round trip"), study.limits.handover
    if trip and hand:
        yield Goal(
            "am/round-trip",
            "request and reply",
            trip.in_unit("us"),
            "us",
            ROUND_TRIP_HANDOVERS * 2 * hand,
            f"{ROUND_TRIP_HANDOVERS} x a cache line handed over and back",
        )
    rate = study.first.one("am", "rate", call="am_request_4")
    if rate:
        yield Goal(
            "am/requests",
            "requests of four words in a stream",
            rate.value,
            rate.unit,
            REQUESTS,
            f"{REQUESTS:g} million/s",
            higher=True,
        )
    stores = study.first.by("message_bytes", "am", "bandwidth", call="am_store")
    size = nearest(STORE_SIZE, set(stores))
    copied = nearest(size, set(study.limits.copies)) if size is not None else None
    if size is not None and copied is not None:
        yield Goal(
            "am/store",
            f"am_store of {bytes_text(size)}",
            stores[size].in_unit("MB/s"),
            "MB/s",
            STORE_SHARE * study.limits.copies[copied],
            f"{STORE_SHARE} x best copy of {bytes_text(copied)}",
            higher=True,
        )


def applications(study: Study) -> Iterator[Goal]:
    """Each application on the number of PEs where Split-C is farthest behind SHMEM."""
    found = apps.figures(study)
    for case in dict.fromkeys(key.case for key in found):
        every = []
        for key, by in found.items():
            if key.case == case and {"Split-C", "SHMEM"} <= by.keys():
                every.append(
                    Goal(
                        f"splitc/{case.test}/{case.variant}",
                        f"{case.words}, {pes(key.npes)}",
                        1000 * by["Split-C"].time,
                        "ms",
                        OF_SHMEM * 1000 * by["SHMEM"].time,
                        f"{OF_SHMEM:.2f} x SHMEM's version",
                    )
                )
        yield from worst(every)


def translator(study: Study) -> Iterator[Goal]:
    """The multiply's loop by scc and by the system's compiler, of the large blocks."""

    def rate(compiler: str) -> Record | None:
        of_128 = study.first.one("local multiply", "rate", compiler=compiler, block_side=128)
        return of_128 or study.first.one("local multiply", "rate", compiler=compiler)

    ours, theirs = rate("scc"), rate("cc")
    if ours and theirs:
        yield Goal(
            "splitc/multiply",
            "local multiply, compiled by scc",
            ours.value,
            ours.unit,
            OF_PLAIN_C * theirs.value,
            f"{OF_PLAIN_C} x the same loop in plain C",
            higher=True,
        )


KINDS = (messages, applications, translator)
