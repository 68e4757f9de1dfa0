# SPDX-License-Identifier: BSD-3-Clause
"""The definitions in a PE's file: names of calls, places in the program, groups of PEs."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .format import MORE_BYTES, SIZE, Kind

LONGEST = 1 << 20  # bytes of a definition; a longer one is damage


@dataclass(frozen=True)
class Site:
    """A place in the program: an object file and an offset in it (of the return address)."""

    path: str
    offset: int


@dataclass(frozen=True)
class Group:
    """PEs that are one communicator, team, file or window; `key` is the same on all of them."""

    key: int
    members: tuple[int, ...]
    name: str


@dataclass
class Definitions:
    """All by their numbers in this file; `lines` are `file:line in function` of sites, `sources` those of a group from
    which this PE receives in neighbourhood calls."""

    calls: dict[int, str] = field(default_factory=dict)
    sites: dict[int, Site] = field(default_factory=dict)
    groups: dict[int, Group] = field(default_factory=dict)
    lines: dict[int, str] = field(default_factory=dict)
    sources: dict[int, tuple[int, ...]] = field(default_factory=dict)


def body(raw: NDArray[np.uint8], at: int, length: int) -> bytes | None:
    """The bytes that follow the record `at`; None where they are not all there. raw has a row of 64 for each record."""
    rows = -(-length // MORE_BYTES)
    found = raw[at + 1 : at + 1 + rows]
    if length > LONGEST or len(found) < rows or (found[:, 0] != Kind.MORE).any():
        return None
    return found[:, 1:].tobytes()[:length]


def text(data: bytes) -> str:
    return data.decode("utf-8", "replace").rstrip("\0")


def group(record: np.void, data: bytes) -> Group | None:
    """The members lie before the name."""
    count = int(record["value"])
    if count * 4 > len(data):
        return None
    members = np.frombuffer(data, "<i4", count)
    return Group(int(record["message"]), tuple(members.tolist()), text(data[count * 4 :]))


def take(found: Definitions, record: np.void, data: bytes) -> bool:
    """Adds one definition; False if it makes no sense."""
    match int(record["kind"]):
        case Kind.DEF_CALL:
            found.calls[int(record["call"])] = text(data)
        case Kind.DEF_SITE:
            found.sites[int(record["site"])] = Site(text(data), int(record["value"]))
        case Kind.DEF_LINE:
            found.lines[int(record["site"])] = text(data)
        case Kind.DEF_GROUP:
            made = group(record, data)
            if made is None:
                return False
            found.groups[int(record["group"])] = made
        case Kind.DEF_SOURCES:
            made = group(record, data)
            if made is None:
                return False
            found.sources[int(record["group"])] = made.members
    return True


def find(records: NDArray[np.void], name: str, problems: list[str]) -> Definitions:
    """The definitions among the records of the file `name`; what is damaged is counted in a problem."""
    found = Definitions()
    kinds = records["kind"]
    places = np.flatnonzero((kinds >= Kind.DEF_CALL) & (kinds <= Kind.DEF_SOURCES))
    raw = np.asarray(records).view(np.uint8).reshape(-1, SIZE)
    damaged = 0
    for at in places.tolist():
        data = body(raw, at, int(records[at]["bytes"]))
        damaged += data is None or not take(found, records[at], data)
    if damaged:
        problems.append(f"{name}: definitions that could not be read: {damaged}")
    return found
