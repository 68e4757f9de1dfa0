# SPDX-License-Identifier: BSD-3-Clause
"""What goes over a network against the network's own ping-pong, measured in turns with it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..runs.provider import Provider
from ..runs.study import Series, Study
from ..words import bytes_text
from .goal import Goal, nearest

WORD_ROUND_TRIPS = 1.25
RATE_SHARE, RATE_SIZE = 0.9, 1 << 20
BARRIER_ROUND_TRIPS, BARRIER_PES = 1.5, 4
TWO_NODES = re.compile(r"\b2 (nodes|hosts)$")


def over_network(series: Series, limit: Provider) -> Iterator[Goal]:
    """What goes over a network against the network's own ping-pong, measured in turns with it."""
    own = "the network's own" + (", which met other load" if limit.loaded() else "")
    word = series.one("put_get", "latency", op="p") or series.one("put_get", "latency", op="put", message_bytes=8)
    trip, tail = limit.round_trip, f", {series.network}"
    if word and trip:
        yield Goal(
            f"network/word/{series.network}",
            f"one-word put and quiet{tail}",
            word.in_unit("us"),
            "us",
            WORD_ROUND_TRIPS * trip,
            f"{WORD_ROUND_TRIPS} x a round trip of {own}",
        )
    rates = series.by("message_bytes", "put_get", "bandwidth", op="put")
    size = nearest(RATE_SIZE, set(rates) & set(limit.bandwidth))
    if size is not None:
        yield Goal(
            f"network/bandwidth/{series.network}",
            f"put bandwidth, {bytes_text(size)}{tail}",
            rates[size].in_unit("MB/s"),
            "MB/s",
            RATE_SHARE * limit.bandwidth[size],
            f"{RATE_SHARE} x {own}",
            higher=True,
        )
    barrier = series.one("barrier", "barrier_time", npes=BARRIER_PES)
    if barrier and trip and TWO_NODES.search(series.network):
        yield Goal(
            f"network/barrier/{series.network}",
            f"barrier, {BARRIER_PES} PEs{tail}",
            barrier.in_unit("us"),
            "us",
            BARRIER_ROUND_TRIPS * trip,
            f"{BARRIER_ROUND_TRIPS} x a round trip of {own}",
        )


def networks(study: Study) -> Iterator[Goal]:
    for series in study.networks:
        limit, leading = study.provider(series), study.leading
        if limit and series.run is leading.run and series.implementation == leading.implementation:
            yield from over_network(series, limit)
