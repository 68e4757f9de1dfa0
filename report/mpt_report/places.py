# SPDX-License-Identifier: BSD-3-Clause
"""Where the benchmark programs lie."""

from __future__ import annotations

from pathlib import Path

PROGRAMS = (Path("bench"), Path("libexec") / "mpt" / "bench")  # of a build folder, and of a prefix


def programs_of(folder: Path) -> Path | None:
    """Where a build folder or an installation has its benchmark programs; a source tree's bench/ has none."""
    return next(
        (
            folder / below
            for below in PROGRAMS
            if (folder / below).is_dir() and not (folder / below / "CMakeLists.txt").exists()
        ),
        None,
    )
