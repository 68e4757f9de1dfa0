#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compare the ordered accesses and fences of the sources with the models of tests/models.

A comment that ends with `model: TAG, ...` stands before the places that it names, in their order. A place is an atomic
access, a fence or a membarrier; its order must be that of the tag's row in tests/models/orders.tsv, which is what the
model runs with, and each row has a place. So an order that is changed here is changed, and tried, there.

Usage: models.py --check | --write. Both count the places that order something and how many of them have a tag, for the
table in docs/models.md.
"""

import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests/models/orders.tsv"
PAGE = ROOT / "docs/models.md"
FOLDERS = ("src", "include")
COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
TAG = re.compile(r"\bmodel:\s+(\w+\.\w+(?:,\s+\w+\.\w+)*)\s*$")
PLACE = re.compile(r"__atomic_\w+\s*\(|core_fence_full\(\)|\bMEMBARRIER_CMD_(?:GLOBAL|PRIVATE)_EXPEDITED")
ORDER = re.compile(r"__ATOMIC_([A-Z_]+)")
LINES = 4  # from a tag to its places
BEGIN, END = "<!-- places -->", "<!-- end -->"


def closing(text: str, at: int) -> int:
    """Where the bracket that opens at `at` closes."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    return len(text)


def places(text: str) -> list[tuple[int, str]]:
    """Where each place is, and its order as the table writes it."""
    found = []
    for m in PLACE.finditer(text):
        if m.group().startswith("core"):
            order = "full"
        elif m.group().startswith("MEMBARRIER"):
            order = "membarrier"
        else:
            order = "/".join(ORDER.findall(text[m.start() : closing(text, m.end() - 1)])).lower()
        if order:  # not of a function that passes its own on
            found.append((m.start(), order))
    return found


def orders() -> dict[str, str]:
    rows = (line.split("\t") for line in TABLE.read_text().splitlines() if line and not line.startswith("#"))
    return {row[0]: row[1] for row in rows}


def look_at(path: Path, table: dict[str, str], used: Counter, faults: list[str]) -> tuple[int, int]:
    """Places of this file that order something, and how many of them have a tag."""
    raw = path.read_text()
    code = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), raw)
    name = path.relative_to(ROOT)
    there = places(code)
    tagged = set()
    for comment in COMMENT.finditer(raw):
        said = TAG.search(comment.group(1))
        if not said:
            continue
        line = raw.count("\n", 0, comment.start()) + 1
        behind = [place for place in there if place[0] > comment.end()]
        for tag, place in zip(re.split(r",\s+", said.group(1)), behind, strict=False):
            at, order = place
            used[tag] += 1
            tagged.add(at)
            if tag not in table:
                faults.append(f"{name}:{line}: {tag} is not in {TABLE.relative_to(ROOT)}")
            elif table[tag] != order:
                faults.append(f"{name}:{line}: {tag} is {order} here and {table[tag]} in its model")
            if raw.count("\n", comment.end(), at) > LINES:
                faults.append(f"{name}:{line}: {tag} is far from its place")
    ordering = {at for at, order in there if order != "relaxed" and order != "relaxed/relaxed"}
    return len(ordering), len(ordering & tagged)


def count(table: dict[str, str]) -> tuple[str, list[str]]:
    """The table of the page, and what is wrong."""
    used, faults = Counter(), []
    sums: dict[str, list[int]] = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            n, tagged = look_at(path, table, used, faults)
            parts = path.relative_to(ROOT).parts
            row = sums.setdefault("/".join(parts[: 3 if parts[1] == "core" else 2]).removesuffix(".h"), [0, 0])
            row[0] += n
            row[1] += tagged
    faults += [
        f"{TABLE.relative_to(ROOT)}: no place of the sources has the tag {tag}" for tag in table if not used[tag]
    ]
    lines = ["| folder | places that order | in a model |", "|---|---|---|"]
    lines += [f"| `{name}` | {n} | {tagged} |" for name, (n, tagged) in sums.items() if n]
    core = [row for name, row in sums.items() if name.startswith("src/core")]
    lines.append(f"| all of `src/core` | {sum(row[0] for row in core)} | {sum(row[1] for row in core)} |")
    return "\n".join(lines), faults


def main() -> int:
    text, faults = count(orders())
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    fresh = f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}"
    if "--write" in sys.argv:
        PAGE.write_text(fresh)
    elif page != fresh:
        faults.append("docs/models.md: the count of places is not as it is now: tools/models.py --write")
    print("\n".join(faults) if faults else text.splitlines()[-1])
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
