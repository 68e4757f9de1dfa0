# SPDX-License-Identifier: BSD-3-Clause
"""What can be said of a page of Markdown without rendering it: its links, its headings' anchors, its blocks of code."""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tree import ROOT, files

# [text](target), where text may have code and pictures, but no other link.
LINK = re.compile(r"\[((?:[^\[\]`]|`[^`]*`|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
CODE = re.compile(r"(?<!`)(`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)\1(?!`)", re.S)
FENCE = re.compile(r" *(```+|~~~+)(.*)$")
ITEM = re.compile(r" {0,3}(?:[-*]|\d+\.) ")
HEADING = re.compile(r"#{1,6} +(.*?)(?: +#+)?$")
ELSEWHERE = re.compile(r"[a-z][a-z+.-]*:|//")


class Block(NamedTuple):
    """A fenced block: the words behind its fence, its text, the line that it begins in."""

    info: str
    text: str
    line: int


def lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Number, line, and whether it is prose: not in a fenced or an indented block of code."""
    fence, blank, listed, code = "", True, False, False
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
            yield number, line, False
            continue
        if mark:
            fence = mark[1]
            yield number, line, False
            continue
        if line.strip():
            deep = line.startswith("    ")
            code = deep and not listed and (blank or code)
            if not deep:
                listed = bool(ITEM.match(line)) or (listed and line.startswith("  "))
        blank = not line.strip()
        yield number, line, not code


def prose(text: str) -> str:
    """The page with its code left blank; lines stay where they are."""
    return "\n".join(line if it_is else "" for _, line, it_is in lines(text))


def fenced(text: str) -> Iterator[tuple[int, str, bool]]:
    """Number, line, and whether a fenced block, or its fences, have it."""
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.match(line)
        inside = bool(fence or mark)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) and not mark[2].strip() else fence
        elif mark:
            fence = mark[1]
        yield number, line, inside


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    begin, deep, info, fence, inside = 0, 0, "", "", list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.match(line)
        if fence and mark and mark[1].startswith(fence) and not mark[2].strip():
            yield Block(info, "".join(f"{part}\n" for part in inside), begin)
            fence = ""
        elif fence:
            inside.append(line[min(deep, len(line) - len(line.lstrip(" "))) :])
        elif mark:
            begin, deep, info, fence, inside = number, mark.start(1), mark[2].strip(), mark[1], []


def bare(text: str) -> Iterator[int]:
    """Where an indented block of code begins, also in an item of a list: it has no words that say what it is."""
    lately, listed = "", False
    for number, line, it_is in fenced(text):
        if it_is:
            lately, listed = line, listed and line.startswith(" ")
            continue
        deep = len(line) - len(line.lstrip(" "))
        if line.strip() and deep < 4:
            listed = bool(ITEM.match(line)) or (listed and deep >= 2)
        elif line.strip() and not lately.strip() and not ITEM.match(line.lstrip()) and deep >= (6 if listed else 4):
            yield number
        lately = line


def found(plain: str) -> Iterator[re.Match[str]]:
    """The links of prose, but for what lies between backticks."""
    spans = [m.span() for m in CODE.finditer(plain)]
    for m in LINK.finditer(plain):
        if not any(a < m.start() and m.end() <= b for a, b in spans):
            yield m


def links(text: str) -> Iterator[tuple[int, str]]:
    """Line and target of each link. A link may go over the end of a line."""
    plain = prose(text)
    for m in found(plain):
        yield plain.count("\n", 0, m.start()) + 1, m[2]


def anchors(text: str) -> set[str]:
    """What GitHub and the site name the headings of a page by."""
    names: dict[str, int] = {}
    for line in prose(text).splitlines():
        if m := HEADING.match(line):
            words = LINK.sub(r"\1", m[1]).replace("`", "").lower()
            name = re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
            names[name] = names.get(name, -1) + 1
            if names[name]:
                names[f"{name}-{names[name]}"] = 0
    return set(names)


def replaced(text: str, new: Callable[[re.Match[str]], str]) -> str:
    """The page with each link exchanged for what new(match) says; code is left alone."""
    hidden = [(line, it_is) for _, line, it_is in lines(text)]
    plain = prose(text)
    for m in reversed(list(found(plain))):
        plain = plain[: m.start()] + new(m) + plain[m.end() :]
    shown = plain.split("\n")  # a link keeps its line ends, so lines are still as many
    return "".join(f"{now if it_is else line}\n" for (line, it_is), now in zip(hidden, shown, strict=True))


def every() -> list[Path]:
    """All pages of the tree."""
    return [ROOT / name for name in files("*.md")]
