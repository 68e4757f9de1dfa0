# SPDX-License-Identifier: BSD-3-Clause
"""How figures, sizes and names are written, in tables, titles and lines alike."""

from __future__ import annotations

import math

ABSENT = "-"


def unit_text(unit: str) -> str:
    return {"us": "µs"}.get(unit, unit)


def figure(value: float | None) -> str:
    """Four significant digits, three of small ones, never an exponent."""
    if value is None:
        return ABSENT
    size = abs(value)
    if size >= 9999.5:
        return f"{value:,.0f}"
    if size == 0:
        return "0"
    digits = (3 if size >= 0.1 else 2) - math.floor(math.log10(size))
    return f"{value:.{max(digits, 0)}f}"


NAMES = {
    "npes": "PEs",
    "cls": "class",
    "nb": "block side",
    "ngath": "words gathered",
    "file_mb": "file, MB",
    "clock_mhz": "clock, MHz",
    "message_bytes": "message, bytes",
    "message_words": "message, words",
}


def name_text(name: str) -> str:
    """A parameter's or a metric's name as one reads it."""
    return NAMES.get(name) or name.replace("_", " ")


def pes(count: object) -> str:
    return "1 PE" if count == 1 else f"{count} PEs"


TIMES = (("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0))


def quantity(value: float, unit: str) -> str:
    """A figure with its unit; a time in the unit that reads best."""
    scale = dict(TIMES).get(unit)
    if scale and value > 0:
        fitting = [one for one in TIMES if one[1] <= value * scale] or [TIMES[0]]
        unit, value = fitting[-1][0], value * scale / fitting[-1][1]
    return f"{figure(value)} {unit_text(unit)}"


def printed(value: float | None) -> str:
    """A published figure, with no more digits than it was printed with."""
    return ABSENT if value is None else f"{value:.10g}"


def times(ratio: float | None) -> str:
    """A ratio, as `1.25 x`, or `1/250 x` when it is far below 1."""
    if ratio is None:
        return ABSENT
    for bound, digits in ((100, 0), (10, 1), (0.1, 2), (0.01, 3)):
        if ratio >= bound:
            return f"{ratio:,.{digits}f} x"
    return f"1/{1.0 / ratio:,.0f} x" if ratio > 0 else "0 x"


def divide(above: float | None, below: float | None) -> float | None:
    """A quotient, or None when either side is missing."""
    if above is None or not below:
        return None
    return above / below


def bytes_text(size: int) -> str:
    for unit, scale in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= scale:
            return f"{size / scale:g} {unit}"
    return f"{size} B"
