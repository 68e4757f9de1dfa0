# SPDX-License-Identifier: BSD-3-Clause
"""What the commands share: loading runs, the width of the text, warnings, writing the page."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from .records import load_run
from .study import Study, study

WIDE = 140


def page_width() -> int:
    """The terminal's width; a file or a pipe is as wide as the layout likes."""
    if not sys.stdout.isatty():
        return WIDE
    return shutil.get_terminal_size((WIDE, 40)).columns


def load_study(paths: list[str]) -> Study:
    runs = [load_run(path) for path in paths]
    if len({run.label for run in runs}) < len(runs):
        for index, run in enumerate(runs, 1):
            run.label = f"{run.label} #{index}"
    return study(runs)


def print_warnings(found: Study) -> None:
    for warning in found.warnings:
        print(f"mpt-report: {warning}", file=sys.stderr)


def write_page(found: Study, path: Path) -> None:
    from .page import build  # plotly loads slowly and only this needs it

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(build(found), encoding="utf-8")
