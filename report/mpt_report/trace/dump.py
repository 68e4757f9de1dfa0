# SPDX-License-Identifier: BSD-3-Clause
"""A trace's records as text, a line each, in order of time; `mpt trace --dump`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .analysis import Analysis
from .events import Events
from .format import Kind, Role
from .selection import Selection

AT_ONCE = 10_000


def roles(value: int) -> str:
    return ",".join(str(one.name).lower() for one in Role if value & one)


def line(events: Events, row: int, waited: float) -> str:
    """Time, PE, kind, name and line, and the fields that the kind has."""
    kind, role = Kind(int(events.kind[row])), int(events.role[row])
    place = events.lines[events.site[row]]
    words = [
        f"{events.begin[row]:14.9f} {events.time[row]:12.9f}",
        f"PE {events.lane_name(int(events.lane[row]))}",
        kind.name.lower(),
        events.names[events.call[row]] if kind in (Kind.CALL, Kind.REGION, Kind.START) else "",
        f"at {place}" if place else "",
        roles(role),
    ]
    peer, group = int(events.peer[row]), int(events.group[row])
    words.append("peer any" if peer == -2 else f"peer {peer}" if peer >= 0 else "")
    words += [f"{name} {value}" for name in ("tag", "bytes", "result") if (value := int(getattr(events, name)[row]))]
    if group:
        words.append(f"group {events.groups[group].name or group}")
    if role & (Role.STORES | Role.LOADS | Role.WAITS):
        words.append(f"address {int(events.message[row]):#x} value {int(events.value[row])}")
    elif events.message[row]:
        words.append(f"message {int(events.message[row])}")
    if waited > 0:
        words.append(f"waited {waited:.9f}")
    return "  ".join(word for word in words if word)


def lines(analysis: Analysis, chosen: Selection) -> Iterator[str]:
    """The chosen calls with what lies in them, and the regions of the chosen PEs."""
    events = analysis.events
    wanted = np.zeros(len(events), np.bool_)
    wanted[chosen.rows] = True
    inner = events.owner >= 0
    wanted[inner] |= wanted[events.owner[inner]]
    if not chosen.wanted.call:
        regions = (events.kind == Kind.REGION) & np.isin(events.lane, chosen.lanes)
        wanted |= regions & (events.begin <= chosen.end) & (events.end >= chosen.begin)
    found = np.flatnonzero(wanted)
    found = found[np.lexsort((found, events.begin[found]))]
    for at in range(0, len(found), AT_ONCE):
        yield "\n".join(line(events, row, float(analysis.waited[row])) for row in found[at : at + AT_ONCE].tolist())
