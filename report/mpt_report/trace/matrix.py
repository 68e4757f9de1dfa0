# SPDX-License-Identifier: BSD-3-Clause
"""Who talks to whom, as figures: the matrix, and what passes between hosts, sockets or processes by placement."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import facts, kinds, partition, traffic
from .analysis import Analysis
from .dense import among, grouped
from .format import Kind
from .profile import Facts
from .reader import TraceError
from .selection import Selection
from .traffic import Traffic

MOST_PES = 4096  # of a matrix


def moved(analysis: Analysis, chosen: Selection, interface: str, collectives: bool) -> Traffic:
    """The transfers of the chosen calls. TraceError for an interface that the trace has not."""
    events = analysis.events
    rows = chosen.rows
    if interface:
        fits = np.array([traffic.interface_of(name).lower() == interface.lower() for name in events.names], np.bool_)
        rows = rows[fits[events.call[rows]]]
        if not len(rows):
            there = sorted(
                {traffic.interface_of(events.names[call]) for call in set(events.call[chosen.rows].tolist())}
            )
            raise TraceError(
                f"--interface {interface}: no calls of it in the trace; there are {', '.join(there) or 'none'}"
            )
    found = traffic.traffic(analysis, rows)
    return traffic.joined([found, traffic.spread(analysis, rows)]) if collectives else found


def spans(numbers: list[int]) -> str:
    """Numbers in ascending order as one writes them: 0-3,8."""
    parts: list[list[int]] = []
    for one in numbers:
        if parts and one == parts[-1][1] + 1:
            parts[-1][1] = one
        else:
            parts.append([one, one])
    return ",".join(f"{first}-{last}" if last > first else f"{first}" for first, last in parts)


def as_run(analysis: Analysis, count: int | None) -> tuple[partition.Parts | None, str]:
    """Where PEs ran, if the job had several hosts and these are asked for."""
    hosts = analysis.trace.job.hosts
    names = list(dict.fromkeys(hosts))
    if len(names) < 2 or (count is not None and count != len(names)) or len(hosts) != analysis.events.pes:
        return None, ""
    return np.array([names.index(host) for host in hosts], np.int64), f"as run, on {len(names)} hosts"


def mappings(analysis: Analysis, weights: NDArray[np.float64], counts: NDArray[np.float64], parts: int | None) -> Facts:
    """Bytes and messages across the cut, for each way to place PEs."""
    pes = len(weights)
    ran, words = as_run(analysis, parts)
    count = len(set(ran.tolist())) if ran is not None else min(parts or 2, pes)
    sizes = np.bincount(ran, minlength=count).tolist() if ran is not None else partition.sizes_of(pes, count)
    ways = [(words, ran)] if ran is not None else []
    ways += [("in order" if ways else "in order, as mptrun places them", partition.in_order(sizes))]
    ways += [("round-robin", partition.round_robin(sizes))]
    ways += [("best found", partition.best(weights, sizes, [way for _, way in ways if way is not None]))]
    total = float(weights.sum() - np.trace(weights)) or 1.0
    return {
        "parts": count,
        "sizes": sizes,
        "ways": [
            {
                "mapping": name,
                "bytes": partition.cut(weights, way),
                "share": partition.cut(weights, way) / total,
                "messages": round(partition.cut(counts, way)),
                "placed": [spans(np.flatnonzero(way == part).tolist()) for part in range(count)],
            }
            for name, way in ways
            if way is not None
        ],
    }


def summary(weights: NDArray[np.float64], counts: NDArray[np.float64]) -> Facts:
    apart = weights - np.diag(np.diag(weights))
    sent, received = apart.sum(axis=1), apart.sum(axis=0)
    return {
        "bytes": float(weights.sum()),
        "messages": round(float(counts.sum())),
        "to_itself": float(np.trace(weights)),
        "pairs": int((apart > 0).sum()),
        "most_sent": {"pe": int(np.argmax(sent)), "bytes": float(sent.max(initial=0.0))},
        "most_received": {"pe": int(np.argmax(received)), "bytes": float(received.max(initial=0.0))},
    }


def collective_bytes(analysis: Analysis, chosen: Selection) -> tuple[int, int]:
    """Calls of all members that are chosen, and their bytes."""
    events, found = analysis.events, analysis.collectives
    rows = among(found.rows, chosen.rows, len(events))
    wanted = np.zeros(len(events), np.bool_)
    wanted[chosen.rows] = True
    starts = found.rows[(events.kind[found.rows] == Kind.START) & wanted[np.maximum(events.owner[found.rows], 0)]]
    rows = np.concatenate((rows[~kinds.only_made(events)[rows]], starts))
    return len(rows), int(events.bytes[rows].sum())


def find(
    analysis: Analysis, chosen: Selection, interface: str = "", collectives: bool = False, parts: int | None = None
) -> Facts:
    """All that `mpt matrix` shows. The matrices are lists of rows, one for each PE that sends."""
    pes = analysis.events.pes
    if pes > MOST_PES:
        raise TraceError(f"mpt matrix is for {MOST_PES:,} PEs at most; the job has {pes:,}")
    if parts is not None and not 1 < parts <= pes:
        raise TraceError(f"--parts {parts}: {pes} PEs make 2 to {pes} parts")
    found = moved(analysis, chosen, interface, collectives)
    weights, counts = found.matrix(pes), found.counts(pes)
    calls, in_collectives = collective_bytes(analysis, chosen)
    told: Facts = {
        "job": facts.job(analysis),
        "wanted": ", ".join(word for word in (replace(chosen.wanted).words(), interface) if word),
        "bytes": weights.round().astype(np.int64).tolist(),
        "messages": counts.astype(np.int64).tolist(),
        "summary": summary(weights, counts),
        "collectives": {"calls": calls, "bytes": in_collectives, "spread": collectives},
        "lines": by_line(analysis, found),
        "mappings": mappings(analysis, weights, counts, parts) if pes > 1 else None,
    }
    return told


def by_line(analysis: Analysis, found: Traffic) -> list[dict[str, Any]]:
    """Bytes and messages by call and line, most bytes first."""
    events = analysis.events
    if not len(found.row):
        return []
    owner = events.owner[found.row]
    key = events.site[owner].astype(np.int64) * len(events.names) + events.call[owner]
    first, place = grouped(key)
    sums, count = np.bincount(place, found.bytes), np.bincount(place)
    return [
        {"where": events.where(int(owner[first[at]])), "count": int(count[at]), "bytes": int(sums[at])}
        for at in np.argsort(-sums, kind="stable").tolist()
    ]
