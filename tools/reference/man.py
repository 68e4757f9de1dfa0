# SPDX-License-Identifier: BSD-3-Clause
"""A page as a manual page of section 3, in mdoc."""

from __future__ import annotations

import re
import textwrap

import declarations as d
import shmem_fortran
from contracts import Page

DATE = "November 28, 2026"


def escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("~", "\\(ti").replace("^", "\\(ha")
    return re.sub(r"^([.'])", r"\\&\1", text)


def marked(text: str, arguments: set[str]) -> str:
    """Between backticks: arguments in italics, all else in bold."""

    def font(match: re.Match[str]) -> str:
        return f"\\f{'I' if match[1] in arguments else 'B'}{match[1]}\\fP"

    return re.sub(r"`([^`]+)`", font, escaped(text))


def sentences(text: str) -> list[str]:
    """A line for each, so that the space after them comes out right."""
    return [s for s in re.split(r"(?<=[.?:])\s+(?=[A-Z`])", " ".join(text.split())) if s]


def flowing(text: str, arguments: set[str]) -> list[str]:
    """Paragraphs, and lists whose items begin with "- "."""
    lines: list[str] = []
    for i, paragraph in enumerate(re.split(r"\n\s*\n", text.strip())):
        items = re.split(r"^- ", paragraph, flags=re.M)
        if items[0].strip():
            lines += [".Pp"] * bool(i) + [marked(s, arguments) for s in sentences(items[0])]
        if items[1:]:
            lines.append(".Bl -bullet -compact")
            for item in items[1:]:
                lines += [".It", *(marked(s, arguments) for s in sentences(item))]
            lines.append(".El")
    return lines


def prototype(f: d.Function) -> list[str]:
    first = f.arguments[0].text if f.arguments else "void"
    if f.literal or len(f.name) + len(first) > 68:  # the name and the first argument do not fit one line
        lines = folded(f.text + ";")
        if not f.literal:
            lines = [f"{f.returns}", f"{f.name}(", *folded(", ".join(a.text for a in f.arguments) + ");", "    ")]
        return [".Bd -literal", *lines, ".Ed"]
    lines = [f".Ft {quoted(f.returns)}", f".Fo {f.name}"]  # codespell:ignore
    lines += [f".Fa {quoted(a.text)}" for a in f.arguments] or [".Fa void"]
    return [*lines, ".Fc"]


def quoted(text: str) -> str:
    return f'"{text}"'


def synopsis(page: Page, callbacks: dict[str, str]) -> list[str]:
    of_c = any(f.functions for f in page.families) or page.macros
    lines = [f".In {h}" for h in page.interface.shared.get("include", page.interface.headers[:1])] if of_c else []
    used = set()
    for key in page.functions:
        if key in page.macros:
            lines += [".Bd -literal", *(escaped(x) for x in page.macros[key].splitlines()), ".Ed"]
        for f in page.interface.families[key].shown if key in page.interface.families else []:
            lines += prototype(f)
            used |= {w for a in f.arguments for w in re.findall(r"\w+", a.text) if w in callbacks}
    generic = [f"\\fB{a}\\fP(...)" for family in page.families for a in family.aliases]
    if generic and page.interface.name == "shmem":
        lines += [".Pp", f"C11 and C++: {', '.join(generic)}"]
    if any(family.extensions for family in page.families):
        lines += [".Pp", r"Also by names with \fBshmemx_\fP for \fBshmem_\fP, of \fB<shmemx.h>\fP."]
    if procedures := shmem_fortran.synopsis(page.families):
        lines += [".Bd -literal", "use shmem                   ! or include 'shmem.fh'"]
        lines += [*(w for line in procedures for w in folded(line, ahead="! " * line.startswith("!"))), ".Ed"]
    calls = [line for family in page.families if family.fortran for line in folded(family.fortran)]
    if calls:
        lines += [".Bd -literal", "use mpi_f08", *calls, ".Ed"]
    if used:
        lines += [".Bd -literal", *(w for name in sorted(used) for w in folded(callbacks[name])), ".Ed"]
    return lines


def folded(declaration: str, indent: str = "", width: int = 74, ahead: str = "    ") -> list[str]:
    """Broken between arguments only."""
    kept = re.sub(r"(?<!,) ", "\0", declaration)
    lines = textwrap.wrap(
        kept,
        width,
        initial_indent=indent,
        subsequent_indent=ahead or "    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace("\0", " ") for line in lines]


def description(page: Page, arguments: set[str]) -> list[str]:
    short = page.purpose[:1].upper() + page.purpose[1:] + ("" if page.purpose.endswith("?") else ".")
    lines = flowing(page.table.get("text") or short, arguments)
    if len(page.functions) > 1:
        lines.append(".Bl -tag -width Ds")
        for key, line in page.functions.items():
            lines += [f".It Fn {key}", *flowing(line, arguments)]
        lines.append(".El")
    for what, types in page.variants:
        lines += [".Pp", marked(f"{what}: {types}.", arguments)]
    also = [a for family in page.families for a in family.aliases if page.interface.name != "shmem"]
    if also:
        lines += [
            ".Pp",
            page.interface.shared.get("alias_text", "Other names of the same") + ":",
            ", ".join(f"\\fB{a}\\fP" for a in also) + ".",
        ]
    return lines


def argument_list(page: Page, arguments: set[str]) -> list[str]:
    lines = [".Bl -tag -width Ds"] if page.arguments else []
    for a in page.arguments:
        way = {"out": "(out) ", "inout": "(in and out) "}.get(a.direction, "")
        lines += [f".It Fa {a.name}", *flowing(way + (page.meaning(a) or "") + ".", arguments)]
    return [".Sh ARGUMENTS", *lines, ".El"] if lines else []


def result(page: Page, arguments: set[str]) -> list[str]:
    text = page.table.get("returns")
    if text is None:
        integers = any(f.returns == "int" for family in page.families for f in family.functions)
        text = page.interface.shared.get("returns", "") if integers else ""
    lines = [".Sh RETURN VALUES", *flowing(text, arguments)] if text else []
    errors = page.errors
    general = page.interface.shared.get("errors_text", "") if page.arguments else ""
    if errors or general:
        lines += [".Sh ERRORS", *flowing(general, arguments)]
    if errors:
        lines.append(".Bl -tag -width Ds")
        for code, meaning in errors.items():
            lines += [f".It Dv {code}", *flowing(meaning + ".", arguments)]
        lines.append(".El")
    return lines


def related(page: Page, pages: dict[str, Page]) -> list[str]:
    """The pages that the text names or that are listed, and those beside it in the chapter."""
    words = [*page.table.get("see", []), *re.findall(r"`(\w+)(?:\(\))?`", str(page.table))]
    found = {pages[word].name for word in words if word in pages}
    chapter = page.chapter.pages
    at = chapter.index(page)
    found |= {p.name for p in chapter[max(0, at - 2) : at + 3]}
    return sorted(found - {page.name})


def write(page: Page, pages: dict[str, Page], callbacks: dict[str, str]) -> str:
    shared = page.interface.shared
    arguments = {a.name for a in page.arguments}
    names = list(dict.fromkeys([page.name, *page.functions]))
    section = page.table.get("section")
    lines = [
        '.\\" SPDX-License-Identifier: BSD-3-Clause',
        f'.\\" Made by tools/reference from docs/reference/{page.interface.name}/{page.chapter.name}.toml.',
        f".Dd {DATE}",
        f".Dt {page.name.upper()} 3",
        ".Os MPT",
        ".Sh NAME",
        *(f".Nm {n} ," for n in names[:-1]),
        f".Nm {names[-1]}",
        f".Nd {escaped(re.sub('`', '', page.purpose))}",
        ".Sh SYNOPSIS",
        *synopsis(page, callbacks),
        ".Pp",
        *flowing(shared["link"], set()),
        ".Sh DESCRIPTION",
        *description(page, arguments),
        *argument_list(page, arguments),
        *result(page, arguments),
    ]
    if "example" in page.table:
        code = [escaped(x) for x in page.table["example"].strip("\n").splitlines()]
        lines += [".Sh EXAMPLES", ".Bd -literal", *code, ".Ed"]
    if page.chapter.introduction:
        lines += [".Sh NOTES", *flowing(page.chapter.introduction, set())]
    lines += [".Sh SEE ALSO", *(f".Xr {n} 3 ," for n in related(page, pages)), *shared["guide"]]
    if section:
        lines += [".Sh STANDARDS", f"{shared['standard']}, section{'s' * (',' in section)} {section}."]
    elif shared.get("standard"):
        lines += [".Sh STANDARDS", f"{shared['standard']}."]
    return "\n".join(lines) + "\n"
