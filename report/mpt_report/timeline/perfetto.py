# SPDX-License-Identifier: BSD-3-Clause
"""A file for ui.perfetto.dev and trace_processor: a process for each host, a thread's track for each PE.

Numbers of fields are those of Perfetto's trace_packet.proto, track_event.proto, track_descriptor.proto and
debug_annotation.proto.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from ..trace.format import Role
from ..trace.reader import Job
from . import kinds
from .protobuf import chunk, fixed, number, text
from .select import Shown

SEQUENCE = 1  # all packets are of one
BEGIN, END, COUNTER = 1, 2, 4  # TrackEvent.Type
PROCESS, THREAD, TRAFFIC = 1 << 32, 2 << 32, 3 << 32  # numbers of tracks


def packet(body: bytes, at: int | None = None) -> bytes:
    when = number(8, at) if at is not None else b""
    return chunk(1, when + number(10, SEQUENCE) + body)


def tracks(shown: Shown, job: Job) -> Iterator[bytes]:
    events = shown.events
    hosts = list(dict.fromkeys(job.host(events.lanes[lane][0]) for lane in shown.lanes))
    for index, host in enumerate(hosts):
        process = number(1, index + 1) + text(6, host)
        yield packet(chunk(60, number(1, PROCESS + index) + chunk(3, process)))
    for lane in shown.lanes:
        pe, thread = events.lanes[lane]
        index = hosts.index(job.host(pe))
        name = f"PE {pe}" if thread == 0 else f"PE {pe}, thread {thread}"
        about = number(1, index + 1) + number(2, 1000 + lane) + text(5, name)
        yield packet(chunk(60, number(1, THREAD + lane) + number(5, PROCESS + index) + chunk(4, about)))
    yield packet(chunk(60, number(1, TRAFFIC) + text(2, "bytes under way") + chunk(8, b"")))


def note(name: str, value: int | str) -> bytes:
    """A debug annotation."""
    return chunk(4, (text(6, value) if isinstance(value, str) else number(4, value)) + text(10, name))


def notes(shown: Shown, row: int) -> bytes:
    events = shown.events
    made = b""
    if events.peer[row] >= 0:
        made += note("partner", int(events.peer[row]))
    if events.role[row] & (Role.SENDS | Role.RECEIVES):
        made += note("tag", int(events.tag[row]))
    if events.bytes[row]:
        made += note("bytes", int(events.bytes[row]))
    if events.lines[events.site[row]]:
        made += note("line", events.lines[events.site[row]])
    if events.group[row]:
        made += note("group", events.groups[events.group[row]].name)
    return made


def flows(shown: Shown) -> dict[int, bytes]:
    """For each call the flows that begin and end in it. A flow is a message's or store's place among all."""
    events = shown.events
    made: dict[int, bytes] = {}
    number_of = 1
    for arrows in (shown.messages, shown.stores):
        ends = zip(events.owner[arrows.source].tolist(), events.owner[arrows.target].tolist(), strict=True)
        for source, target in ends:
            if source >= 0 and target >= 0 and source != target:
                made[source] = made.get(source, b"") + fixed(47, number_of)
                made[target] = made.get(target, b"") + fixed(48, number_of)
            number_of += 1
    return made


def slices(shown: Shown, rows: np.ndarray, category: list[str]) -> Iterator[tuple[int, int, bytes]]:
    """Begins and ends as (time, order, packet): at one time ends come before begins."""
    events, flow = shown.events, flows(shown)
    begin = np.rint((events.begin[rows] - shown.origin) * 1e9).astype(np.int64).tolist()
    end = np.rint((events.end[rows] - shown.origin) * 1e9).astype(np.int64).tolist()
    for row, name, first, last in zip(rows.tolist(), category, begin, end, strict=True):
        track = number(11, THREAD + int(events.lane[row]))
        body = number(9, BEGIN) + track + text(22, name) + text(23, events.names[events.call[row]])
        yield first, 1, packet(chunk(11, body + notes(shown, row) + flow.get(row, b"")), first)
        yield max(last, first + 1), 0, packet(chunk(11, number(9, END) + track), max(last, first + 1))


def traffic(shown: Shown) -> Iterator[tuple[int, int, bytes]]:
    """How many bytes are on their way: from the begin of a send to the end of its receive."""
    events = shown.events
    source, target = shown.messages.source, shown.messages.target
    at = np.concatenate((events.begin[source], events.end[target])) - shown.origin
    change = np.concatenate((events.bytes[source], -events.bytes[source]))
    order = np.argsort(at, kind="stable")
    for when, value in zip((at[order] * 1e9).astype(np.int64).tolist(), np.cumsum(change[order]).tolist(), strict=True):
        body = number(9, COUNTER) + number(11, TRAFFIC) + number(30, value)
        yield max(when, 0), 2, packet(chunk(11, body), max(when, 0))


def write(shown: Shown, job: Job, to: BinaryIO) -> None:
    events = shown.events
    for part in tracks(shown, job):
        to.write(part)
    kind = kinds.kinds_of(events)
    packets: list[tuple[int, int, bytes]] = []
    regions = shown.regions[np.lexsort((-events.end[shown.regions], events.begin[shown.regions]))]
    packets += slices(shown, regions, ["region"] * len(regions))
    packets += slices(shown, shown.calls, [kinds.NAMES[number] for number in kind[shown.calls].tolist()])
    packets += traffic(shown)
    packets.sort(key=lambda one: one[:2])
    for _, _, part in packets:
        to.write(part)
