# SPDX-License-Identifier: BSD-3-Clause
"""Tables of what went over a network, beside shared memory and beside the network's own ping-pong.

One column for each library and place; a library's columns stand together, shared memory first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..runs.provider import Provider
from ..runs.records import Record
from ..runs.study import Series, Study
from ..words import bytes_text, divide, figure, times, unit_text
from .table import Row, Table, without_empty_columns

SHARED = "shared memory"


@dataclass(frozen=True)
class Quantity:
    """One figure of a series and what of the network's own it is held against; `id` names it for code."""

    id: str
    what: str
    unit: str
    find: Callable[[Series], Record | None]
    limit: Callable[[Provider], float | None] | None = None


def one_way(limit: Provider) -> float | None:
    return limit.one_way


def round_trip(limit: Provider) -> float | None:
    return limit.round_trip


def barrier_of(npes: int) -> Quantity:
    return Quantity(
        f"barrier/{npes}",
        f"barrier, {npes} PEs",
        "us",
        lambda s: s.one("barrier", "barrier_time", npes=npes),
        round_trip,
    )


def sum_of(npes: int) -> Quantity:
    return Quantity(
        f"sum/{npes}",
        f"one-word sum, {npes} PEs",
        "us",
        lambda s: s.one("one-word global reduction", "time", npes=npes, operation="GSUM", algorithm="library"),
        round_trip,
    )


QUANTITIES = (
    Quantity(
        "hand-over",
        "one word put until the other side sees it",
        "us",
        lambda s: s.one("pingpong", "latency", call="shmem_long_p", npes=2),
        one_way,
    ),
    Quantity(
        "put", "one word put and completed by quiet", "us", lambda s: s.one("put_get", "latency", op="p"), round_trip
    ),
    Quantity("get", "one word got", "us", lambda s: s.one("put_get", "latency", op="g"), round_trip),
    Quantity(
        "fetch-add",
        "fetch-and-add on another PE",
        "us",
        lambda s: s.one("atomics", "latency", op="fetch_add", type="long", contention="none", npes=2),
        round_trip,
    ),
    Quantity("stream", "one-word puts in a stream", "Mop/s", lambda s: s.one("put_get", "rate", op="p")),
    *map(barrier_of, (2, 4, 8)),
    *map(sum_of, (2, 4, 8)),
    Quantity(
        "idle",
        "8 PEs idle in a barrier, of one core",
        "%",
        lambda s: s.one("wake", "cpu_share", wait="barrier", npes=8),
    ),
)


def columns(study: Study) -> list[Series]:
    """All series, a library's together; libraries and networks in the study's order."""
    every = [*study.series, *study.networks]
    names = list(dict.fromkeys((id(one.run), one.implementation) for one in every))
    return sorted(every, key=lambda one: names.index((id(one.run), one.implementation)))


def label(series: Series) -> str:
    return series.name if series.network else f"{series.name}, {SHARED}"


def shown(record: Record | None, quantity: Quantity) -> str:
    if record is None:
        return figure(None)
    return figure(record.value if quantity.unit in ("%", "Mop/s") else record.in_unit(quantity.unit))


NOTE = (
    "The network's own: one way of its ping-pong for what only goes there, a round trip for what needs an answer "
    "or, as a barrier, a meeting of two sides. Of it: {} against that."
)


def summary(study: Study, over: list[Series]) -> Table | None:
    """One network: the first of its series in shared memory and over it, then the other libraries, then its own."""
    first, limit = over[0], study.provider(over[0])
    near = next(
        (one for one in study.series if one.run is first.run and one.implementation == first.implementation), None
    )
    rows = []
    for quantity in QUANTITIES:
        found = [quantity.find(one) for one in over]
        if not any(found):
            continue
        own = quantity.limit(limit) if quantity.limit and limit else None
        here = found[0].in_unit("us") if found[0] and own else None
        rows.append(
            Row(
                quantity.id,
                [
                    quantity.what,
                    unit_text(quantity.unit),
                    shown(quantity.find(near) if near else None, quantity),
                    shown(found[0], quantity),
                    figure(own),
                    times(divide(here, own)),
                    *(shown(record, quantity) for record in found[1:]),
                ],
            )
        )
    header = [
        "",
        "unit",
        SHARED,
        first.name,
        limit.tool if limit else "network's own",
        "of it",
        *(one.name for one in over[1:]),
    ]
    note = NOTE.format(first.name) if limit else ""
    return (
        without_empty_columns(
            Table(f"network/{first.network}", f"Over {first.network}", header, rows, note, align="ll")
        )
        if rows
        else None
    )


def summaries(study: Study) -> list[Table]:
    """One table for each network of each run."""
    found: dict[tuple[int, str], list[Series]] = {}
    for series in study.networks:
        found.setdefault((id(series.run), series.network), []).append(series)
    return [table for over in found.values() if (table := summary(study, over))]


def by_size(
    study: Study,
    name: str,
    title: str,
    unit: str,
    find: Callable[[Series], dict[int, Record]],
    own: Callable[[Provider], dict[int, float]],
) -> Table | None:
    """One row a size, one column a series, then the networks' own."""
    series = columns(study)
    found = [find(one) for one in series]
    if not any(records and one.network for records, one in zip(found, series, strict=True)):
        return None
    limits = {one.network: limit for one in study.networks if (limit := study.provider(one))}
    sizes = sorted({size for records in found for size in records})
    rows = [
        Row(
            str(size),
            [
                bytes_text(size),
                *(figure(records[size].in_unit(unit) if size in records else None) for records in found),
                *(figure(own(limit).get(size)) for limit in limits.values()),
            ],
        )
        for size in sizes
    ]
    header = [
        "Size",
        *(label(one) for one in series),
        *(f"{limit.tool}, {network}" for network, limit in limits.items()),
    ]
    return Table(name, f"{title}, {unit_text(unit)}", header, rows)


def put_rate(op: str) -> Callable[[Series], dict[int, Record]]:
    return lambda series: series.by("message_bytes", "put_get", "bandwidth", op=op)


def hand_over(series: Series) -> dict[int, Record]:
    return series.by("message_bytes", "pingpong", "latency", call="shmem_putmem")


def completed(series: Series) -> dict[int, Record]:
    return series.by("message_bytes", "put_get", "latency", op="put")


def tables(study: Study) -> list[Table]:
    """Nothing where nothing went over a network."""
    made = [
        *summaries(study),
        by_size(
            study,
            "network/hand-over",
            "One way by size: a put until the other side sees it",
            "us",
            hand_over,
            lambda limit: limit.latency,
        ),
        by_size(
            study,
            "network/completed",
            "A put completed by quiet, by size",
            "us",
            completed,
            lambda limit: {size: 2.0 * us for size, us in limit.latency.items()},
        ),
        by_size(study, "network/put", "Streamed puts by size", "MB/s", put_rate("put"), lambda limit: limit.bandwidth),
        by_size(
            study,
            "network/put_nbi",
            "Streamed nonblocking puts by size",
            "MB/s",
            put_rate("put_nbi"),
            lambda limit: limit.bandwidth,
        ),
    ]
    return [table for table in made if table is not None]
