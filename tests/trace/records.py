# SPDX-License-Identifier: BSD-3-Clause
"""Records of a trace, read with nothing but the description in docs/trace-format.md."""

import pathlib
import struct
from dataclasses import dataclass

RECORD = struct.Struct("<BBHHHQQiiQIIQQ")
CALL, SEND, RECEIVE, SENT, HANDLER, REGION, COUNTERS, CLOCK, START, DONE, RECORDER = range(1, 12)
DEF_CALL, DEF_SITE, DEF_GROUP, DEF_LINE, DEF_SOURCES, MORE = 16, 17, 18, 19, 20, 255
SENDS, RECEIVES, BEGINS, COLLECTIVE, STORES, LOADS, WAITS, SYNC = (1 << i for i in range(8))


@dataclass
class Record:
    kind: int
    role: int
    call: str
    thread: int
    result: int
    begin: int
    end: int
    peer: int
    tag: int
    bytes: int
    group: tuple[int, ...] | int
    line: str
    message: int
    value: int


def scan(path: pathlib.Path, whole: bool = False):
    """All records but definitions (whole: these, too) as they lie in the file, and the names of calls, lines and groups
    by number."""
    data = path.read_bytes()
    tail = path.with_suffix(".tail")
    if tail.exists():  # of a PE that was killed
        ring = tail.read_bytes()
        magic, n, written, room = struct.unpack_from("<8sQQQ", ring)
        assert magic == b"MPTTAIL\0" and len(ring) == 4096 + 64 * n, tail
        data = data[: 64 * written] + b"".join(ring[4096 + i % n * 64 :][:64] for i in range(written, room))
    assert data[:8] == b"MPTTRACE", path
    assert struct.unpack_from("<IIII", data, 8)[0] == 1, path
    raw, names, lines, groups = [], {}, {}, {}
    at = 64
    while at + 64 <= len(data):
        fields = RECORD.unpack_from(data, at)
        kind, call, n, group, site, value = fields[0], fields[2], fields[9], fields[10], fields[11], fields[13]
        at += 64
        if kind not in (DEF_CALL, DEF_SITE, DEF_GROUP, DEF_LINE, DEF_SOURCES):
            raw += [fields] if kind != MORE else []
            continue
        raw += [fields] * (1 + (n + 62) // 63) if whole else []
        rest = b"".join(data[at + 64 * i + 1 : at + 64 * i + 64] for i in range((n + 62) // 63))[:n]
        at += 64 * ((n + 62) // 63)
        if kind == DEF_CALL:
            names[call] = rest.decode()
        elif kind == DEF_LINE:
            lines[site] = rest.decode()
        elif kind == DEF_GROUP:
            groups[group] = struct.unpack_from(f"<{value}i", rest)
    return raw, names, lines, groups


def read(path: pathlib.Path) -> list[Record]:
    """All that were completed, in the order of the file, with their names."""
    raw, names, lines, groups = scan(path)
    return [
        Record(f[0], f[1], names.get(f[2], ""), *f[3:10], groups.get(f[10], f[10]), lines.get(f[11], ""), *f[12:])
        for f in raw
        if f[0] != 0
    ]


def sources(path: pathlib.Path) -> list[tuple[int, ...]]:
    """For each group with neighbours those from which the PE receives."""
    data, found, at = path.read_bytes(), [], 64
    while at + 64 <= len(data):
        fields = RECORD.unpack_from(data, at)
        if fields[0] == DEF_SOURCES:
            found.append(struct.unpack_from(f"<{fields[13]}i", data, at + 65))
        at += 64
    return found


def under_way(path: pathlib.Path) -> list[str]:
    """The calls that had begun and not ended when the PE did."""
    raw, names, _, _ = scan(path)
    return [names.get(f[2], "") for f in raw if f[0] == 0 and f[5] != 0]
