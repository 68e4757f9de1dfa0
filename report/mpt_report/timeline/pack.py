# SPDX-License-Identifier: BSD-3-Clause
"""Columns of numbers as text in a page: little-endian, in planes of bytes, deflated, in base64.

All first bytes of a column's numbers stand before all second ones, which deflate shortens to about half of what it
makes of whole numbers.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

EFFORT = 6
TYPES = ("u1", "u2", "u4", "i4", "f8")


def planes(column: NDArray[np.generic]) -> bytes:
    width = column.dtype.itemsize
    raw = np.ascontiguousarray(column).view(np.uint8).reshape(-1, width)
    return np.ascontiguousarray(raw.T).tobytes()


def smallest(column: NDArray[np.generic]) -> NDArray[np.generic]:
    """Whole numbers in the narrowest of TYPES that holds them."""
    low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
    for name in ("u1", "u2", "u4", "i4"):
        bounds = np.iinfo(np.dtype(name))
        if bounds.min <= low and high <= bounds.max:
            return column.astype(f"<{name}")
    return column.astype("<f8")


class Pack:
    """Gathers columns; its text is one stream that the page inflates once."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.columns: list[dict[str, Any]] = []
        self.size = 0

    def add(self, name: str, column: NDArray[np.generic]) -> None:
        """A column under a name; whole numbers are stored as narrow as they allow."""
        narrow = column.astype("<f8") if column.dtype.kind == "f" else smallest(column)
        kind = narrow.dtype.str[1:]
        data = planes(narrow)
        self.columns.append({"name": name, "type": kind, "at": self.size, "length": len(narrow)})
        self.parts.append(data)
        self.size += len(data)

    def text(self) -> str:
        return base64.b64encode(zlib.compress(b"".join(self.parts), EFFORT)).decode("ascii")


def embedded(value: object) -> str:
    """JSON that nothing in it can end: a script's text is not unescaped by browsers."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
