# SPDX-License-Identifier: BSD-3-Clause
"""The picture's main figures as a Markdown table, which stands in a page between two marks."""

from __future__ import annotations

import re

from ..page.headlines import time_text
from ..words import ABSENT, bytes_text
from .data import BARRIER, LATENCY, Picture

BEGIN, END = "<!-- figures of mpt picture -->", "<!-- end of figures -->"
BETWEEN = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
SIZES = (8, 8192, 512 << 10)
COUNTS = (2, 8, 32)


def rows(picture: Picture) -> list[tuple[str, str, int]]:
    """What of it is shown: the name of the row, metric and place on its curve."""
    sizes = [size for size in SIZES if size in picture.ats(LATENCY)]
    counts = [count for count in COUNTS if count in picture.ats(BARRIER)]
    return [
        *((f"MPI message of {bytes_text(size)}, one way", LATENCY, size) for size in sizes),
        *((f"MPI barrier, {count} processes on {picture.cores} cores", BARRIER, count) for count in counts),
    ]


def table(picture: Picture) -> str:
    # The page is of one version of ours.
    names = ["MPT" if one.name.startswith("MPT ") else one.name for one in picture.libraries]
    lines = ["| measured | " + " | ".join(names) + " |"]
    lines.append("|---" + "|--:" * len(picture.libraries) + "|")
    for what, metric, at in rows(picture):
        points = [library.point(metric, at) for library in picture.libraries]
        lines.append(f"| {what} | " + " | ".join(time_text(p.value) if p else ABSENT for p in points) + " |")
    return "\n".join(lines)


def filled(text: str, picture: Picture) -> str:
    """The page with these figures; ValueError where it has no place for them."""
    if not BETWEEN.search(text):
        raise ValueError(f"no {BEGIN} ... {END}")
    return BETWEEN.sub(lambda _: f"{BEGIN}\n\n{table(picture)}\n\n{END}", text)
