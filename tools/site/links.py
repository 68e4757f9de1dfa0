#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that each relative link of a page leads to a file of the tree, and its anchor to a heading there.

Usage: links.py [PAGE...]; without PAGEs, all pages. Exits 1 if a link leads nowhere.
"""

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pages import ELSEWHERE, ROOT, anchors, every, links


@cache
def anchors_of(page: Path) -> set[str]:
    return anchors(page.read_text())


def wrong(page: Path, target: str) -> str | None:
    """What is wrong with a link, if anything."""
    name, _, anchor = target.partition("#")
    to = (page.parent / name).resolve() if name else page
    if not to.is_relative_to(ROOT):
        return "leads out of the tree"
    if not to.exists():
        return "leads to nothing"
    if anchor and to.suffix == ".md" and anchor not in anchors_of(to):
        return "has an anchor that no heading has"
    return None


def broken(page: Path) -> Iterator[str]:
    for line, target in links(page.read_text()):
        if not ELSEWHERE.match(target) and (why := wrong(page, target)):
            yield f"{page.relative_to(ROOT)}:{line}: link {target} {why}"


def main() -> int:
    chosen = [Path(name).resolve() for name in sys.argv[1:]] or every()
    bad = [message for page in chosen for message in broken(page)]
    print(
        "\n".join(bad)
        or f"{len(chosen)} pages, {sum(len(list(links(p.read_text()))) for p in chosen)} links: all lead somewhere"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
