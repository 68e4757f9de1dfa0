#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fill the list of environment variables of shmem.7 from src/core/base/param.def.

Rewrites the page in place; with --check it only compares, and exits 1 when the
page is stale.
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE / "shmem.7"
ROW = re.compile(r'PARAM\(\s*(\w+),\s*(\w+),\s*"([^"]*)",\s*(NULL|"[^"]*"),\s*"([^"]*)",\s*"([^"]*)"\s*\)')
WORD = re.compile(r'WORD\((\w+),\s*\w+,\s*"([^"]*)"\)')
KINDS = {"SIZE": "size", "UINT": "number", "BOOL": "switch", "FLAG": "flag", "TEXT": "text", "OUTPUT": "switch or file"}
BEGIN, END = '.\\" environment: begin\n', '.\\" environment: end\n'


def sentences(text: str) -> list[str]:
    """One per line, as roff wants them; a line must not begin with a control character."""
    return [re.sub(r"^([.'])", r"\\&\1", s) for s in re.split(r"(?<=\.) (?=[A-Z])", text.replace("\\", "\\e"))]


def section() -> str:
    lines = [".Bl -tag -width Ds"]
    table = (HERE.parent / "src/core/base/param.def").read_text()
    words = WORD.findall(table)
    for field, kind, name, old, default, text in ROW.findall(table):
        takes = [word for of, word in words if of == field]
        notes = [", ".join(takes[:-1]) + " or " + takes[-1] if kind == "CHOICE" else KINDS[kind]]
        if default:
            notes.append(f"default {default}")
        lines += [f".It Ev {name} Pq {'; '.join(notes) if takes else ', '.join(notes)}", *sentences(text)]
        if old != "NULL":
            lines += [f"The old name {old.strip(chr(34))} is understood, too."]
    return "\n".join([*lines, ".El"]) + "\n"


def main() -> int:
    page = PAGE.read_text()
    head, rest = page.split(BEGIN)
    fresh = head + BEGIN + section() + END + rest.split(END)[1]
    if "--check" in sys.argv[1:]:
        print(f"{PAGE.name} is " + ("as the table says" if page == fresh else "stale: run man/environment.py"))
        return page != fresh
    PAGE.write_text(fresh)
    return 0


if __name__ == "__main__":
    sys.exit(main())
