# SPDX-License-Identifier: BSD-3-Clause
"""What the network's own ping-pong reaches: the limit of everything that goes over it.

A driver measures it again before each program, so that a change of load on the machine meets both;
here the medians of all its turns are taken. It tells means, which other load spoils far more than the
medians of our programs: turns that met some count only where there is no other.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from .records import Record

TEST = "provider"


def calm(records: list[Record]) -> list[Record]:
    return [record for record in records if not record.contended] or records


class Provider:
    """One-way times in us and rates in MB/s by message size, of one network."""

    def __init__(self, network: str, records: list[Record]):
        self.network = network
        self.records = records
        self.latency = self.by_size("latency", "us")
        self.bandwidth = self.by_size("bandwidth", "MB/s")

    def by_size(self, metric: str, unit: str) -> dict[int, float]:
        found: dict[int, list[Record]] = {}
        for record in self.records:
            size = record.get("message_bytes")
            if record.metric == metric and isinstance(size, int):
                found.setdefault(size, []).append(record)
        return {
            size: median(record.in_unit(unit) for record in calm(of_size)) for size, of_size in sorted(found.items())
        }

    @property
    def tool(self) -> str:
        return self.records[0].implementation if self.records else ""

    def loaded(self, size: int | None = None) -> bool:
        """Whether all turns of a size (or all there are) met other load, so that it says little."""
        found = [record for record in self.records if size in (None, record.get("message_bytes"))]
        return bool(found) and all(record.contended for record in found)

    @property
    def one_way(self) -> float | None:
        """One word, or the smallest message there is."""
        return self.latency.get(8) or next(iter(self.latency.values()), None)

    @property
    def round_trip(self) -> float | None:
        return None if self.one_way is None else 2.0 * self.one_way


def providers(records: Iterable[Record]) -> dict[str, Provider]:
    """One for each network that was measured."""
    found: dict[str, list[Record]] = {}
    for record in records:
        if record.test == TEST:
            found.setdefault(str(record.get("network", "")), []).append(record)
    return {network: Provider(network, of_it) for network, of_it in found.items()}
