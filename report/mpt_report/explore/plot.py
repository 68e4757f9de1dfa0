# SPDX-License-Identifier: BSD-3-Clause
"""What the adversary is told: the text of MPT_ADVERSARY."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

KINDS = ("delay", "late", "swap", "local", "wildcard", "sync", "test", "pick")  # src/core/adversary/kinds.def
KIND_ROW = re.compile(r'^KIND\(\w+, "(\w+)"', re.MULTILINE)


@dataclass(frozen=True)
class Plot:
    """SEED:KINDS:LIMIT:PES; None: without a limit, or all PEs."""

    seed: int
    kinds: tuple[str, ...] = KINDS
    limit: int | None = None
    pes: tuple[int, ...] | None = None

    def __str__(self) -> str:
        words = [
            str(self.seed),
            "" if self.kinds == KINDS else ",".join(self.kinds),
            "" if self.limit is None else str(self.limit),
            "" if self.pes is None else ",".join(map(str, self.pes)),
        ]
        return ":".join(words).rstrip(":")


def kinds_of(table: Path) -> tuple[str, ...]:
    """The words of a table of kinds, for the test that compares both."""
    return tuple(KIND_ROW.findall(table.read_text(encoding="utf-8")))
