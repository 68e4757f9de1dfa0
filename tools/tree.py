# SPDX-License-Identifier: BSD-3-Clause
"""The files of the source tree, as checks of the sources want them."""

import os
import subprocess
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What .gitignore names, for a tree that is not a checkout.
PASSED_OVER = ("build*", ".git", ".venv", "out", "bench-out", "__pycache__", "*.egg-info", ".*_cache")


def walk() -> list[str]:
    """All files below the root, relative to it, but for those that are built."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [f for f in folders if not any(fnmatch(f, p) for p in PASSED_OVER)]
        found += [str((Path(folder) / name).relative_to(ROOT)) for name in names]
    return sorted(found)


def files(*patterns: str) -> list[str]:
    """Files whose paths or names match one of the patterns (all, if there is none), but none of those after ":!";
    those that git ignores are left out, those that are not committed yet are not."""
    done = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    every = done.stdout.splitlines() if done.returncode == 0 else walk()
    wanted = [p for p in patterns if not p.startswith(":!")] or ["*"]
    unwanted = [p[2:] for p in patterns if p.startswith(":!")]

    def matches(name: str, p: str) -> bool:
        return fnmatch(name, p) or name.startswith(f"{p}/")

    return [
        name
        for name in every
        if any(matches(name, p) for p in wanted)
        and not any(matches(name, p) for p in unwanted)
        and (ROOT / name).is_file()
    ]
