#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write tables.h: powers of two and logarithms in two parts, computed to 60 digits.

Usage: tables.py > tables.h
"""

from decimal import Decimal, getcontext

getcontext().prec = 60
POWERS = 64  # per octave
LOGS = 128
LOWEST = Decimal("0.6875")  # scalar.c: mantissas begin here


def parts(value: Decimal) -> tuple[str, str]:
    high = float(value)
    return high.hex(), float(value - Decimal(high)).hex()


def centre(i: int) -> Decimal:
    """Of the i-th interval of mantissas: steps of 1/256 below 1, of 1/128 above; both that touch 1 have it itself."""
    below = int((1 - LOWEST) * 256)
    if i < below:
        start, step = LOWEST + Decimal(i) / 256, Decimal(1) / 256
    else:
        start, step = 1 + Decimal(i - below) / 128, Decimal(1) / 128
    return Decimal(1) if 1 in (start, start + step) else start + step / 2


def main() -> None:
    print("/* SPDX-License-Identifier: BSD-3-Clause\n *\n * Written by tables.py; change it there.\n */")
    print("/* 2 to the power i / 64, and the part of it that `high` lacks. */")
    print(f"static const struct {{ double high, low; }} powers[{POWERS}] = {{")
    for i in range(POWERS):
        power = Decimal(2) ** (Decimal(i) / POWERS)
        high = float(power).hex()
        low = float((power - Decimal(float(power))) / power).hex()
        print(f"    {{{high}, {low}}},")
    print("};\n/* The centre c of the i-th interval of mantissas, 1 / c, log c in two parts. */")
    print(f"static const struct {{ double c, inverse, high, low; }} logs[{LOGS}] = {{")
    for i in range(LOGS):
        c = centre(i)
        high, low = parts(c.ln())
        print(f"    {{{float(c).hex()}, {float(1 / c).hex()}, {high}, {low}}},")
    print("};")


main()
