# SPDX-License-Identifier: BSD-3-Clause
"""The applications of the paper on Split-C, and two more of its classics, in Split-C, SHMEM and MPI beside each other:
times, and the share of them that local computation takes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .goal import bytes_text, nearest
from .records import Record
from .study import Study
from .table import Table, divide, figure, times, without_empty_columns

LANGUAGES = ("Split-C", "SHMEM", "MPI")
TESTS = {"blocked matrix multiply": "matrix multiply", "sample sort": "sample sort", "radix sort": "radix sort",
         "em3d": "em3d", "stencil": "stencil"}
PLAIN = "signalling"            # variants that only Split-C has, and that therefore have nothing beside them


@dataclass(frozen=True)
class Case:
    """An application and the way in which it moves its data."""

    test: str
    variant: str

    @property
    def words(self) -> str:
        variant = self.variant.removeprefix("mm ")
        return f"{TESTS[self.test]}, {variant}" if variant else TESTS[self.test]


@dataclass(frozen=True)
class Key:
    case: Case
    npes: int
    size: tuple = ()            # what else tells two inputs apart


@dataclass(frozen=True)
class Measured:
    """One language's figures of a case, in seconds; `share` of local computation in per cent."""

    time: float
    local: float | None = None
    communication: float | None = None
    share: float | None = None
    state: str = "clean"


METRICS = ("time", "local_time", "communication_time", "local_share")
NAMING = ("npes", "variant", "mode", "cache", "burner", "network")


def size_of(record: Record) -> tuple:
    return tuple(sorted((name, value) for name, value in record.params.items() if name not in NAMING))


def gather(records: Iterable[Record]) -> dict[Key, dict[str, Measured]]:
    """By case and PE count the languages' figures; the first of two that say the same."""
    raw: dict[tuple[Key, str], dict[str, Record]] = {}
    for record in records:
        if record.test in TESTS and record.metric in METRICS and not record.get("network") and not record.get("burner"):
            key = Key(Case(record.test, str(record.get("variant", ""))), int(record.get("npes", 0)), size_of(record))
            raw.setdefault((key, record.library), {}).setdefault(record.metric, record)
    found: dict[Key, dict[str, Measured]] = {}
    for (key, language), by in raw.items():
        if "time" in by:
            seconds = {name: by[name].in_unit("s") for name in METRICS[:3] if name in by}
            found.setdefault(key, {})[language] = Measured(
                seconds["time"], seconds.get("local_time"), seconds.get("communication_time"),
                by["local_share"].value if "local_share" in by else None, by["time"].state)
    order = list(TESTS)
    return dict(sorted(found.items(), key=lambda item: (
        item[0].npes, order.index(item[0].case.test), PLAIN in item[0].case.variant)))


def figures(study: Study) -> dict[Key, dict[str, Measured]]:
    """Those of the leading library in the leading run."""
    return gather(study.first.records) if study.first else {}


def sized(size: tuple) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value:,}" if isinstance(value, int) else f"{name} {value}"
                     for name, value in size)


NOTE = ("Time of the slowest process from a common barrier, input made anew before each run. Local: the mean share "
        "that computation takes; the rest is communication, waiting included. Split-C/SHMEM below 1: Split-C is the "
        "faster one. The paper's own times and shares (its table 5 and figure 4) are images, so there is nothing to set "
        "beside them; its words are that with large blocks the transport hardly matters and with small ones overhead decides.")


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
        more = [figure(1000 * other[key]["MPI"].time if key in other and "MPI" in other[key] else None)
                for other in beside]
        states = ", ".join(sorted({one.state for one in by.values()} - {"clean"}))
        rows.append([str(key.npes), key.case.words, *cells, pair, *shares, *more, sized(key.size), states])
    header = ["PEs", "Application", *(f"{name}, ms" for name in LANGUAGES), "Split-C/SHMEM",
              *(f"local, {name}" for name in LANGUAGES), *(f"MPI by {other.name}, ms" for other in peers), "size",
              "state"]
    align = "rl" + "r" * (len(header) - 4) + "ll"
    return without_empty_columns(Table(
        "Split-C on the SP, 1996. Table 5 and figure 4: execution times, and the share of local computation",
        header, rows, NOTE, align))


def messages(study: Study) -> Table | None:
    """Table 4: what small and large messages cost; the paper's figures are an image, too."""
    if study.first is None:
        return None
    trip = study.first.one("am", "round trip")
    rate = study.first.one("am", "rate", call="am_request_4")
    rows = []
    if trip:
        rows.append(["round trip of a request and its reply", "µs", figure(trip.in_unit("us")),
                     figure(2 * study.limits.handover if study.limits.handover else None),
                     "a cache line handed over and back"])
    if rate:
        rows.append(["time of a request of four words in a stream", "µs", figure(divide(1.0, rate.value)), "-", ""])
    for call in ("am_store", "am_get"):
        rates = study.first.by("message_bytes", "am", "bandwidth", call=call)
        size = nearest(1 << 20, set(rates))
        if size is not None:
            copied = nearest(size, set(study.limits.copies))
            rows.append([f"bandwidth of {call}, {bytes_text(size)}", "MB/s", figure(rates[size].in_unit("MB/s")),
                         figure(study.limits.copy(copied)) if copied else "-",
                         f"the best copy, {bytes_text(copied)}" if copied else ""])
    return Table("Split-C on the SP, 1996. Table 4: what Active Messages cost",
                 ["What", "unit", study.first.name, "hardware limit", "which is"], rows,
                 "The paper's figures of the CM-5, CS-2, U-Net cluster and SP are an image.", "llrrl") if rows else None


def tables(study: Study) -> list[Table]:
    return [one for one in (messages(study), table(study)) if one is not None]
