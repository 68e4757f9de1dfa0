# SPDX-License-Identifier: BSD-3-Clause
"""What the commands share: loading runs, the width of the text, warnings, writing the page."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from .runs.records import load_measured
from .runs.study import Study, study

WIDE = 140


def page_width() -> int:
    """The terminal's width; a file or a pipe is as wide as the layout likes."""
    if not sys.stdout.isatty():
        return WIDE
    return shutil.get_terminal_size((WIDE, 40)).columns


def load_study(paths: list[str]) -> Study:
    runs = [load_measured(path) for path in paths]
    if len({run.label for run in runs}) < len(runs):
        for index, run in enumerate(runs, 1):
            run.label = f"{run.label} #{index}"
    return study(runs)


MOST_WARNINGS = 5


def print_warnings(found: Study) -> None:
    for warning in [*found.warnings[:MOST_WARNINGS], *found.remarks]:
        print(f"mpt: {warning}", file=sys.stderr)
    if len(found.warnings) > MOST_WARNINGS:
        print(f"mpt: {len(found.warnings) - MOST_WARNINGS} more lines could not be read", file=sys.stderr)


def write_page(found: Study, path: Path) -> None:
    from .page import build  # plotly loads slowly and only this needs it

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(build(found), encoding="utf-8")
