#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make docs/adr/README.md, the index of the decision records, from the records themselves.

Each record begins with "# N. Title", an empty line and "Date: YYYY-MM-DD. Status: S.", where S is "accepted",
"accepted, changed by N" or "superseded by N". Rewrites the index in place; with --check it only compares. Exits 1
when a record is malformed, names a record that is not there, or (--check) the index is stale.
"""

import re
import sys
from datetime import date
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs/adr"
HEAD = re.compile(r"# (\d+)\. (.+)\n\nDate: (\d{4}-\d\d-\d\d)\. Status: (.+)\.\n")
STATUS = re.compile(r"accepted(, changed by \d+(, \d+)*)?|superseded by \d+")
INTRO = """\
# Decision records

A choice that is hard to undo has a record: what was chosen, why, what was measured and what else was tried. A record
is not rewritten when times change. A later one changes or supersedes it, and the status says so. Made from the
records by `make docs`; a test compares the two. Numbers are not reused.

| number | decision | date | status |
|---|---|---|---|
"""


class Malformed(Exception):
    """A record without what the index needs."""


def link(match: re.Match[str], names: dict[int, str]) -> str:
    number = int(match[0])
    if number not in names:
        raise Malformed(f"record {number} is named by a status but is not there")
    return f"[{number}]({names[number]})"


def index() -> str:
    paths = sorted(p for p in FOLDER.glob("*.md") if p.name != "README.md")
    names = {int(p.name[:4]): p.name for p in paths}
    rows = []
    for path in paths:
        head = HEAD.match(path.read_text())
        if not head or int(head[1]) != int(path.name[:4]):
            raise Malformed(f"{path.name} does not begin with '# N. Title', its date and its status")
        number, title, day, status = head.groups()
        date.fromisoformat(day)
        if not STATUS.fullmatch(status):
            raise Malformed(f"{path.name}: unknown status '{status}'")
        linked = re.sub(r"\d+", lambda m: link(m, names), status)
        rows.append(f"| {number} | [{title}]({path.name}) | {day} | {linked} |\n")
    return INTRO + "".join(rows)


def main() -> int:
    page = FOLDER / "README.md"
    try:
        fresh = index()
    except (Malformed, ValueError) as error:
        print(f"docs/adr: {error}", file=sys.stderr)
        return 1
    if "--check" in sys.argv[1:]:
        same = page.exists() and page.read_text() == fresh
        print("docs/adr/README.md is " + ("as the records say" if same else "stale: run make docs"))
        return 0 if same else 1
    page.write_text(fresh)
    return 0


if __name__ == "__main__":
    sys.exit(main())
