# SPDX-License-Identifier: BSD-3-Clause
"""What the laboratory's own programs and routines are meant to reach: benchlib against every other method of a test,
LINPACK against HPL, the Livermore kernels against their checksums, the NAS benchmarks against other libraries or their
limits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..limits import npb
from ..runs import linpack
from ..runs.records import Record
from ..runs.study import Study
from ..words import pes
from .goal import Goal, best_peer, finding, worst

BEST_SHARE = 0.95
TRANSPOSE_SHARE = 0.7
HPL_SHARE = 0.9
DIGITS = 12.0
OURS = {"block copy": "bl_copy", "data initialization": "Benchlib"}
TRANSPOSES = {"matrix transpose": "bl_transpose", "in-place matrix transpose": "bl_transpose_in_place"}


def of(study: Study, test: str, **where: Any) -> list[Record]:
    return [
        record
        for record in study.first.run.records
        if record.test == test
        and record.metric == "bandwidth"
        and not record.origin
        and all(record.get(name) == value for name, value in where.items())
    ]


def by_method(study: Study, test: str, **where: Any) -> dict[str, float]:
    found: dict[str, float] = {}
    for record in of(study, test, **where):
        method = str(record.get("method"))
        found[method] = max(found.get(method, 0.0), record.in_unit("MB/s"))
    return found


def moving(study: Study) -> Iterator[Goal]:
    """Block copy and initialisation, at the paper's size and at STREAM's."""
    for test, ours in OURS.items():
        every = []
        for size in ("seed", "rule"):
            found = by_method(study, test, size=size)
            if test == "block copy":
                found |= {
                    f"STREAM {name}": rate
                    for name, rate in by_method(study, "STREAM", function="Copy", size=size).items()
                }
            others = {name: rate for name, rate in found.items() if name != ours}
            if ours in found and others:
                best = max(others, key=lambda name: others[name])
                every.append(
                    Goal(
                        f"lab/{test}/{size}",
                        f"{test} by {ours}, size {size}",
                        found[ours],
                        "MB/s",
                        BEST_SHARE * others[best],
                        f"{BEST_SHARE} x the best other method, {best}",
                        higher=True,
                    )
                )
        yield from every


def transposes(study: Study) -> Iterator[Goal]:
    copy = by_method(study, "block copy", size="seed").get("bl_copy")
    for test, ours in TRANSPOSES.items():
        found = by_method(study, test).get(ours)
        if found and copy:
            yield Goal(
                f"lab/{test}",
                f"{test} by {ours}",
                found,
                "MB/s",
                TRANSPOSE_SHARE * copy,
                f"{TRANSPOSE_SHARE} x block copy",
                higher=True,
            )


def gathers(study: Study) -> Iterator[Goal]:
    every = []
    for count in sorted({record.get("ngath") for record in of(study, "vector gather")} - {None}):
        found = by_method(study, "vector gather", ngath=count)
        if {"bl_gather", "Fortran"} <= found.keys():
            every.append(
                Goal(
                    "lab/gather",
                    f"gather of {count} words by bl_gather",
                    found["bl_gather"],
                    "MB/s",
                    found["Fortran"],
                    "the compiler's best loop",
                    higher=True,
                )
            )
    yield from worst(every)


def beside_hpl(study: Study) -> Iterator[Goal]:
    for npes, pair in linpack.beside_hpl(study).items():
        yield Goal(
            f"lab/linpack/{npes}",
            f"LINPACK, {npes} PEs, order {pair.n}",
            pair.ours,
            "Gflop/s",
            HPL_SHARE * pair.hpl,
            f"{HPL_SHARE} x HPL",
            higher=True,
        )


def checksums(study: Study) -> Iterator[Goal]:
    found = [record for record in study.first.run.records if record.test == "LFK" and record.metric == "precision_min"]
    if found:
        least = min(found, key=lambda record: record.value)
        yield Goal(
            "lab/checksums",
            "Livermore kernels, least precise checksum",
            least.value,
            "digits",
            DIGITS,
            "LFK's own rule: 12 to 16 digits",
            higher=True,
        )


def of_cores(study: Study, test: str) -> Record | None:
    """The run of the largest class on the most PEs that each have a core."""
    cores = study.limits.cores or 1
    found = [one for one in npb.runs(study, test) if (one.get("npes") or 1) <= cores]
    return max(found, key=lambda one: (npb.CLASSES.find(str(one.get("cls"))), one.get("npes") or 1), default=None)


def nas(study: Study) -> Iterator[Goal]:
    """Each benchmark by another library where one ran beside it, else what it reaches of its limit."""
    known = npb.speeds(study)
    for test in npb.MODELS:
        record = of_cores(study, test)
        if record is None:
            continue
        where = {"cls": record.get("cls"), "npes": record.get("npes")}
        rate = study.first.one(test, npb.RATE, **where)
        if rate is None:
            continue
        what = f"{test}, class {where['cls']}, {pes(where['npes'])}, each"
        peer = best_peer(study, True, finding(test, npb.RATE, **where))
        limit = npb.limit_of(study, test, record, known)
        if peer:
            yield Goal(
                f"lab/{test}/peer",
                f"{what}, against {peer[0]}",
                rate.value,
                rate.unit,
                peer[1].value,
                "the better peer",
                higher=True,
            )
        elif limit:
            yield Goal(
                f"lab/{test}",
                what,
                rate.value,
                rate.unit,
                rate.value * record.in_unit("s") / limit.seconds,
                f"bound by {limit.by}: {limit.seconds / record.in_unit('s'):.0%} of it",
                higher=True,
                judged=False,
            )


KINDS = (moving, transposes, gathers, beside_hpl, nas, checksums)
