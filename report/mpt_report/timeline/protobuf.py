# SPDX-License-Identifier: BSD-3-Clause
"""The encoding of protocol buffers, as far as Perfetto's traces need it: varints, fixed 64 bits, bytes within bytes.

Source: the encoding's description at protobuf.dev; wire types 0 (varint), 1 (64 bits), 2 (length and bytes).
"""

from __future__ import annotations

import struct


def varint(value: int) -> bytes:
    """Least seven bits first; negative numbers as 64 bits."""
    value &= (1 << 64) - 1
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def fixed(field: int, value: int) -> bytes:
    return varint(field << 3 | 1) + struct.pack("<Q", value)


def chunk(field: int, value: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(value)) + value


def text(field: int, value: str) -> bytes:
    return chunk(field, value.encode("utf-8"))
