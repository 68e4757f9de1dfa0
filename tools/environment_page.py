#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make docs/environment.md from the parameter table, src/core/base/param.def.

Prints the page; with --check FILE compares it with FILE and exits 1 when they
differ.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROW = re.compile(r'PARAM\(\s*(\w+),\s*(\w+),\s*"([^"]*)",\s*(NULL|"[^"]*"),\s*"([^"]*)",\s*"([^"]*)"\s*\)')
KINDS = {
    "SIZE": "bytes: a number, also with a fraction, and optionally k, m, g or t (powers of 1024)",
    "UINT": "a whole number",
    "BOOL": "0 or 1, no or yes, off or on, false or true",
    "FLAG": "set to anything: yes",
    "CHOICE": "one of the words in the table",
    "TEXT": "text",
    "OUTPUT": "as 0 or 1, or the name of a file",
}
WORD = re.compile(r'WORD\((\w+),\s*\w+,\s*"([^"]*)"\)')


def page() -> str:
    table = (ROOT / "src/core/base/param.def").read_text()
    rows = ROW.findall(table)
    words = WORD.findall(table)
    lines = [
        "# Environment variables",
        "",
        "Made from the parameter table by `make docs`; a test compares the two. `mptrun --params` prints the same",
        "with the values in force, as does a program started with `SHMEM_INFO=1`. A value that cannot be",
        "understood ends the start with a message.",
        "",
        "| variable | kind | default | meaning |",
        "|---|---|---|---|",
    ]
    for field, kind, name, old, default, text in rows:
        takes = ", ".join(f"`{word}`" for of, word in words if of == field)
        also = f" (also `{old.strip(chr(34))}`)" if old != "NULL" else ""
        kind = f"choice: {takes}" if takes else kind.lower()
        lines.append(f"| `{name}`{also} | {kind} | {f'`{default}`' if default else 'unset'} | {text} |")
    lines += ["", "Kinds:", ""]
    used = {row[1] for row in rows}
    lines += [f"- **{kind.lower()}**: {text}" for kind, text in KINDS.items() if kind in used]
    return "\n".join(lines) + "\n"


def main() -> int:
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        same = Path(sys.argv[2]).read_text() == page()
        print("docs/environment.md is as the table says" if same else f"{sys.argv[2]} is stale: run make docs")
        return 0 if same else 1
    sys.stdout.write(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
