# SPDX-License-Identifier: BSD-3-Clause
"""A chapter of the reference as a page of Markdown, and the page that lists the chapters."""

from __future__ import annotations

import re

import man
import shmem_fortran
from contracts import Chapter, Interface, Page


def code(text: str) -> str:
    return "\n".join(man.folded(text, width=110))


def page_lines(page: Page) -> list[str]:
    lines = [f"## {page.name}", "", page.purpose[:1].upper() + page.purpose[1:] + ".", ""]
    prototypes = []
    for key in page.functions:
        if key in page.macros:
            prototypes.append(page.macros[key])
        for f in page.interface.families[key].shown if key in page.interface.families else []:
            prototypes.append(code(f.text + ";"))
    lines += ["```c", *prototypes, "```", ""] if prototypes else []
    calls = [line for family in page.families if family.fortran for line in man.folded(family.fortran, width=110)]
    for line in shmem_fortran.synopsis(page.families):
        calls += man.folded(line, width=110, ahead="! " * line.startswith("!"))
    lines += ["```fortran", *calls, "```", ""] if calls else []
    if "text" in page.table:
        lines += [re.sub(r"\n\s*\n", "\n\n", page.table["text"].strip()), ""]
    if len(page.functions) > 1:
        lines += [f"- `{key}`: {' '.join(line.split())}" for key, line in page.functions.items()] + [""]
    for what, types in page.variants:
        lines += [f"{what}: {types}.", ""]
    aliases = [a for family in page.families for a in family.aliases]
    if aliases:
        lines += [f"Also `{'`, `'.join(aliases)}`.", ""]
    if any(family.extensions for family in page.families):
        lines += ["With `shmemx.h` also by names that begin with `shmemx_`.", ""]
    if page.arguments:
        lines += ["| argument | |", "|---|---|"]
        for a in page.arguments:
            way = {"out": "out: ", "inout": "in and out: "}.get(a.direction, "")
            cell = " ".join((page.meaning(a) or "").split()).replace("|", "\\|")
            lines.append(f"| `{a.name}` | {way}{cell} |")
        lines.append("")
    if page.table.get("returns"):
        lines += ["Returns: " + " ".join(page.table["returns"].split()), ""]
    if page.errors:
        lines += [f"- `{c}`: {' '.join(text.split())}" for c, text in page.errors.items()] + [""]
    if "example" in page.table:
        lines += ["```c", page.table["example"].strip("\n"), "```", ""]
    if page.table.get("section"):
        lines += [f"{page.interface.shared['standard']}, section {page.table['section']}.", ""]
    return lines


def chapter(c: Chapter) -> str:
    shared = c.interface.shared
    lines = [f"# {shared['title']}: {c.title}", ""]
    lines += [c.introduction.strip(), ""] if c.introduction else []
    lines += [f"{shared['link']} {shared.get('errors_text', '').strip()}".strip(), ""]
    lines += [f"- [{p.name}](#{p.name.lower()}): {p.purpose}" for p in c.pages] + [""]
    for page in c.pages:
        lines += page_lines(page)
    return "\n".join(lines).rstrip() + "\n"


def contents(interfaces: list[Interface]) -> str:
    lines = [
        "# Reference",
        "",
        "Each function has a page here and a manual page: `man MPI_Send`, `man shmem_int_put`.",
        "",
    ]
    for interface in interfaces:
        lines += [f"## {interface.shared['title']}", ""]
        lines += [f"- [{c.title}]({interface.name}/{c.name}.md)" for c in interface.chapters] + [""]
    return "\n".join(lines)
