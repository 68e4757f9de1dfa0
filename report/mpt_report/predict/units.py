# SPDX-License-Identifier: BSD-3-Clause
"""Quantities of machine files: "126 MB/s", "0.3 us", "16 KiB", "2 cycles" of a clock."""

import re

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
BYTES = {"B": 1.0, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30}
HERTZ = {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9}
NUMBER = re.compile(r"\s*([-+]?[0-9.]+(?:[eE][-+]?\d+)?)\s*(\S*)\s*")


class QuantityError(ValueError):
    """A quantity that cannot be read."""


def quantity(text: str, clock: float = 0.0) -> float:
    """In seconds, bytes, bytes a second or hertz, as its unit says; cycles are of `clock` hertz."""
    found = NUMBER.fullmatch(text)
    if not found:
        raise QuantityError(f"{text!r}: expected a number and a unit, as '126 MB/s'")
    number, unit = float(found[1]), found[2]
    if unit in ("cycle", "cycles"):
        if not clock:
            raise QuantityError(f"{text!r}: cycles need processor.clock")
        return number / clock
    units = {"": 1.0, **SECONDS, **BYTES, **HERTZ, **{f"{name}/s": value for name, value in BYTES.items()}}
    if unit not in units:
        raise QuantityError(f"{text!r}: the unit {unit!r} is not known; there are {', '.join(units)[2:]}")
    return number * units[unit]
