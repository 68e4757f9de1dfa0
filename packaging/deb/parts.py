#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Is each file of an installation in exactly one of Debian's packages?

Reads the manifest that `cmake --install` leaves and debian/*.install; nothing is built or copied. Prints a line for
each file that no package takes, or several, and then exits 1. Usage: parts.py MANIFEST PREFIX
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import layout  # noqa: E402

TRIPLET = "TRIPLET"


def as_regex(pattern: str) -> str:
    """As dh_install reads it: a star ends at a slash, and a folder takes all that is in it."""
    text = pattern.replace("${DEB_HOST_MULTIARCH}", TRIPLET)
    parts = re.split(r"(\*|\[[^]]*\])", text)
    return "".join("[^/]*" if p == "*" else p if p.startswith("[") else re.escape(p) for p in parts) + "(/.*)?"


def packages() -> dict[str, re.Pattern[str]]:
    """Name: what of the packages' tree it takes."""
    found = {}
    for file in sorted((HERE / "debian").glob("*.install")):
        patterns = [line for line in file.read_text().split("\n") if line and not line.startswith("#")]
        found[file.stem] = re.compile("|".join(as_regex(pattern) for pattern in patterns))
    return found


def wrong(paths: Iterable[str]) -> list[str]:
    """A line for each path, relative to the prefix, that is not in exactly one package; so of links."""
    paths, takers = list(paths), packages()
    places = [to for path in paths if (to := layout.place(path, TRIPLET)) is not None]
    if any(re.fullmatch(layout.PLACES[0][0], path) for path in paths):
        places += [link for link, _ in layout.links(paths, TRIPLET)]
    lines = []
    for to in places:
        owners = [name for name, pattern in takers.items() if pattern.fullmatch(to)]
        if len(owners) != 1:
            lines.append(f"{to}: in {' and '.join(owners) or 'no package: packaging/deb/debian/*.install'}")
    seen: set[str] = set()
    lines += [f"{to}: two files have this place" for to in places if to in seen or seen.add(to)]
    return lines


def main() -> int:
    prefix = sys.argv[2].rstrip("/") + "/"
    names = Path(sys.argv[1]).read_text().split("\n")
    found = wrong(name.removeprefix(prefix) for name in names if name)
    print("\n".join(found) or f"each of {len(names)} files is in one package")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
