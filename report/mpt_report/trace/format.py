# SPDX-License-Identifier: BSD-3-Clause
"""A trace's bytes on disk, as docs/trace-format.md has them."""

from __future__ import annotations

from enum import IntEnum, IntFlag

import numpy as np

VERSION = 1
MAGIC = b"MPTTRACE"
SIZE = 64  # of the header and of each record
NO_RECORD = 2**64 - 1  # `value` of a RECEIVE whose call is unknown
NO_PEER, ANY_PEER = -1, -2
MORE_BYTES = SIZE - 1  # of a definition, in each record MORE
SPACE_SHIFT = 48  # the bits of an address above it say which memory
PARTITION = 1 << 63  # the numbers of messages that are partitions
FIRST_WINDOW = 2  # the memory of the window whose group is k is FIRST_WINDOW + k


class Kind(IntEnum):
    """What a record tells."""

    NONE = 0
    CALL = 1
    SEND = 2
    RECEIVE = 3
    SENT = 4
    HANDLER = 5
    REGION = 6
    COUNTERS = 7
    CLOCK = 8
    START = 9
    DONE = 10
    RECORDER = 11
    DEF_CALL = 16
    DEF_SITE = 17
    DEF_GROUP = 18
    DEF_LINE = 19
    DEF_SOURCES = 20
    MORE = 255


class Role(IntFlag):
    """What a call does besides taking its time."""

    SENDS = 1
    RECEIVES = 2
    BEGINS = 4
    COLLECTIVE = 8
    STORES = 16
    LOADS = 32
    WAITS = 64
    SYNC = 128


HEADER = np.dtype(
    [
        ("magic", "S8"),
        ("version", "<u4"),
        ("pe", "<u4"),
        ("pes", "<u4"),
        ("record_n", "<u4"),
        ("ticks_per_second", "<u8"),
        ("dropped", "<u8"),
        ("ticks", "<u8"),
        ("epoch_ns", "<u8"),
        ("pid", "<u8"),
    ]
)

TAIL_MAGIC = b"MPTTAIL"
TAIL_AT = 4096  # where its ring begins
MOST_RING = 1 << 24  # records; more is damage
TAIL = np.dtype([("magic", "S8"), ("ring_n", "<u8"), ("written", "<u8"), ("room", "<u8")])

RECORD = np.dtype(
    [
        ("kind", "u1"),
        ("role", "u1"),
        ("call", "<u2"),
        ("thread", "<u2"),
        ("result", "<u2"),
        ("begin", "<u8"),
        ("end", "<u8"),
        ("peer", "<i4"),
        ("tag", "<i4"),
        ("bytes", "<u8"),
        ("group", "<u4"),
        ("site", "<u4"),
        ("message", "<u8"),
        ("value", "<u8"),
    ]
)

assert HEADER.itemsize == RECORD.itemsize == SIZE
