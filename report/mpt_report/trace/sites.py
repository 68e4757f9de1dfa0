# SPDX-License-Identifier: BSD-3-Clause
"""Places in the program as text: the recorder's line, else what addr2line says, else object + offset."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from .definitions import Site
from .reader import PeTrace, Trace

LIMIT_S = 60  # for one object
MOST = 20_000  # places of one object that are looked up


def plain(site: Site) -> str:
    return f"{Path(site.path).name or '?'}+{site.offset:#x}"


def looked_up(path: str, offsets: list[int]) -> dict[int, str]:
    """`file:line in function` of offsets in an object, as far as binutils' addr2line knows them."""
    tool = shutil.which("addr2line")
    if not tool or not Path(path).is_file():
        return {}
    asked = "".join(f"{offset:#x}\n" for offset in offsets[:MOST])
    try:
        done = subprocess.run(
            [tool, "-f", "-C", "-e", path], input=asked, capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return {}
    lines = done.stdout.splitlines()
    found = {}
    for offset, function, line in zip(offsets, lines[0::2], lines[1::2], strict=False):
        if not line.startswith("??"):
            found[offset] = f"{Path(line.split(' ')[0]).name} in {function}"
    return found


def unknown(pes: Iterable[PeTrace]) -> dict[str, set[int]]:
    """Per object the offsets of places without a line."""
    found: dict[str, set[int]] = {}
    for pe in pes:
        for number, site in pe.known.sites.items():
            if number not in pe.known.lines and site.path:
                found.setdefault(site.path, set()).add(site.offset)
    return found


class Sites:
    """The text of each PE's places."""

    def __init__(self, trace: Trace):
        self.found = {path: looked_up(path, sorted(offsets)) for path, offsets in unknown(trace.pes).items()}

    def text(self, pe: PeTrace, number: int) -> str:
        """Empty for an unknown place."""
        line = pe.known.lines.get(number)
        if line:
            return shortened(line)
        site = pe.known.sites.get(number)
        if site is None:
            return ""
        return self.found.get(site.path, {}).get(site.offset) or plain(site)


def shortened(line: str) -> str:
    """The file's name without its folder."""
    place, _, function = line.partition(" in ")
    return Path(place).name + (f" in {function}" if function else "")
