# SPDX-License-Identifier: BSD-3-Clause
"""The contracts of docs/reference: read, joined with the declarations, and checked.

A folder there is an interface: `interface.toml` says what all its pages share, each other file is a chapter, a list of
pages. A page has one function, or a few that are read together.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import declarations as d
import shmem_fortran

FOLDER = d.ROOT / "docs/reference"
READERS = {"shmem": shmem_fortran.shmem, "mpi": d.mpi, "pvm": d.pvm}
SECTION = re.compile(r"\d+(\.\d+)*")
CONSTANT = re.compile(r"(MPIX?|P?MPI_T|SHMEM|AM|PVM|MPT)_[A-Z][A-Z0-9_]*|Pvm[A-Z]\w*")
PAGE_KEYS = set("section purpose text functions arguments macros errors returns example see".split())


@dataclass
class Interface:
    name: str
    shared: dict[str, Any]
    families: dict[str, d.Family]
    chapters: list[Chapter] = field(default_factory=list)

    @property
    def headers(self) -> list[str]:
        return self.shared.get("headers", [])

    @cached_property
    def macros(self) -> dict[str, str]:
        return d.macros(*self.headers)

    @property
    def pages(self) -> list[Page]:
        return [page for chapter in self.chapters for page in chapter.pages]


@dataclass
class Chapter:
    name: str
    title: str
    introduction: str
    arguments: dict[str, str]
    interface: Interface
    own_errors: bool = False  # those of its calls do not follow from the kinds of their arguments
    pages: list[Page] = field(default_factory=list)


@dataclass
class Page:
    chapter: Chapter
    table: dict[str, Any]

    @property
    def interface(self) -> Interface:
        return self.chapter.interface

    @property
    def functions(self) -> dict[str, str]:
        """What each family does, by key."""
        return self.table.get("functions", {})

    @property
    def macros(self) -> dict[str, str]:
        """Synopses of what is no function of C."""
        return {name: text for name, text in self.table.get("macros", {}).items() if name in self.functions}

    @property
    def families(self) -> list[d.Family]:
        return [self.interface.families[k] for k in self.functions if k in self.interface.families]

    @property
    def variants(self) -> list[tuple[str, str]]:
        """What TYPE, SIZE and OP stand for in which families."""
        found: dict[tuple[str, str], list[str]] = {}
        for family in self.families:
            if family.types:
                word = next(w for w in ("SIZE", "TYPE", "OP") if w in family.key)
                found.setdefault((word, ", ".join(family.types)), []).append(family.key)
        once = {word for word, _ in found if sum(word == w for w, _ in found) == 1}
        return [
            (word if word in once else f"{word} in {', '.join(f'`{k}`' for k in keys)}", types)
            for (word, types), keys in found.items()
        ]

    @property
    def name(self) -> str:
        """Of its file."""
        first = next(iter(self.functions))
        if "SIZE" in first:
            return self.interface.families[first].functions[0].name if first in self.interface.families else first
        return re.sub(r"TYPE_|_OP$", "", first)

    @property
    def purpose(self) -> str:
        return self.table.get("purpose") or next(iter(self.functions.values())).rstrip(".")

    @property
    def names(self) -> set[str]:
        """Every name that leads to this page."""
        names = {f.name for family in self.families for f in family.functions} | set(self.macros)
        names |= {p.name for family in self.families for p in family.procedures if p.leads}
        names |= {n for family in self.families for n in family.extensions}
        names |= {n for n, body in self.interface.macros.items() if body in self.macros}
        return names | {a for family in self.families for a in family.aliases} | {self.name}

    @property
    def arguments(self) -> list[d.Argument]:
        """Of all functions, each name once, in the order they come in."""
        found: dict[str, d.Argument] = {}
        for key in self.functions:
            if key in self.macros:
                inner = re.search(r"\((.*)\)", self.macros[key])
                listed = [d.argument_of(a) for a in d.split_arguments(inner[1])] if inner and inner[1] else []
            else:
                family = self.interface.families.get(key)
                listed = [a for f in family.shown for a in f.arguments] if family else []
            for a in listed:
                found.setdefault(a.name, a)
        known = {name.lower() for name in found}
        for a in (a for family in self.families for p in family.procedures for a in p.arguments):
            if a.name.lower() not in known:
                found.setdefault(a.name, a)
        return list(found.values())

    def meaning(self, a: d.Argument) -> str | None:
        """What an argument is: as the page, the chapter, the interface says, or by its kind."""
        for table in (
            self.table.get("arguments", {}),
            self.chapter.arguments,
            self.interface.shared.get("arguments", {}),
        ):
            if a.name in table:
                return table[a.name]
        kinds = self.interface.shared.get("kinds", {})
        return kinds.get(f"{a.kind}.{a.direction}") or kinds.get(a.kind)

    @property
    def errors(self) -> dict[str, str]:
        """The page's own, after those that follow from the kinds of its arguments."""
        rules: dict[str, str] = self.interface.shared.get("errors_by_kind", {})
        texts: dict[str, str] = self.interface.shared.get("errors", {})
        found: dict[str, str] = {}
        checked = all(f.returns == "int" for family in self.families for f in family.functions)
        if checked and not self.chapter.own_errors:
            for a in self.arguments:
                for pattern, code in rules.items():
                    if re.fullmatch(pattern, f"{a.name} {a.kind} {a.direction}"):
                        found.setdefault(code, texts[code])
        for code, text in self.table.get("errors", {}).items():
            found[code] = text or texts[code]
        return {code: text for code, text in found.items() if text != "never"}


def load(cc: str, only: list[str] | None = None) -> list[Interface]:
    interfaces = []
    for folder in sorted(p.parent for p in FOLDER.glob("*/interface.toml")):
        if only and folder.name not in only:
            continue
        shared = tomllib.loads((folder / "interface.toml").read_text())
        read = READERS.get(folder.name) or d.plain(shared["headers"], *shared.get("options", []))
        interface = Interface(folder.name, shared, read(cc))
        for name in shared["chapters"]:
            table = tomllib.loads((folder / f"{name}.toml").read_text())
            chapter = Chapter(name, table["title"], table.get("text", ""), table.get("arguments", {}), interface)
            chapter.own_errors = table.get("own_errors", False)
            chapter.pages = [Page(chapter, page) for page in table["page"]]
            interface.chapters.append(chapter)
        interfaces.append(interface)
    return interfaces


def index(interfaces: list[Interface]) -> dict[str, Page]:
    """The page of each name."""
    pages: dict[str, Page] = {}
    for interface in interfaces:
        for page in interface.pages:
            pages.update(dict.fromkeys(page.names, page))
    return pages


# ---- checks ----


def page_breaches(page: Page) -> Iterator[str]:
    families, macros = page.interface.families, page.macros
    known = set(families) | set(macros)
    for key, line in page.functions.items():
        if key not in known:
            yield f"{key}: no such function"
        if not line.strip():
            yield f"{key}: says nothing"
    for key in page.table.get("macros", {}).keys() - page.functions.keys():
        yield f"{key}: has a synopsis and no line on what it does"
    for key in page.table.keys() - PAGE_KEYS:
        yield f"{page.name}: unknown key {key}"
    section = page.table.get("section", "")
    if page.interface.shared.get("sections") and not all(SECTION.fullmatch(s) for s in section.split(", ")):
        yield f"{page.name}: section {section!r} is no section number"
    names = {a.name for a in page.arguments}
    for a in page.arguments:
        if page.meaning(a) is None:
            yield f"{page.name}: nothing says what {a.name} is ({a.kind}.{a.direction})"
    for name in page.table.get("arguments", {}).keys() - names:
        yield f"{page.name}: no function has an argument {name}"
    if len(page.functions) > 1 and not page.table.get("purpose"):
        yield f"{page.name}: has several functions and no purpose"


@cache
def known_words() -> set[str]:
    """All words of the headers, and the names of environment variables."""
    files = [*(d.ROOT / "include").rglob("*.h"), *(d.ROOT / "docs" / n for n in ("environment.md", "pvm.md"))]
    return {word for file in files for word in re.findall(r"\w+", file.read_text())}


def example_breaches(page: Page, pages: dict[str, Page]) -> Iterator[str]:
    """Calls in the example of functions that nobody has."""
    pattern = page.interface.shared.get("names")
    for word in re.findall(r"(\w+)\(", page.table.get("example", "")) if pattern else []:
        if re.fullmatch(pattern, word) and word not in pages:
            yield f"{page.name}: the example calls {word}, which is not a function"


def word_breaches(page: Page, pages: dict[str, Page]) -> Iterator[str]:
    """Functions and constants that the text names and nobody has."""
    words = set(re.findall(r"`(\w+)", str(page.table))) | page.errors.keys()
    for word in words:
        if CONSTANT.fullmatch(word) and not word.endswith("_") and word not in known_words():
            yield f"{page.name}: names {word}, which is in no header and no variable"
    yield from example_breaches(page, pages)
    pattern = page.interface.shared.get("names")
    if pattern:
        for word in re.findall(r"`(\w+)(?:\(\))?`", str(page.table)):
            if re.fullmatch(pattern, word) and word not in pages and word not in page.interface.families:
                yield f"{page.name}: names {word}, which is not a function"
    for name in page.table.get("see", []):
        if name not in pages:
            yield f"{page.name}: refers to {name}, which has no page"


def breaches(interfaces: list[Interface]) -> Iterator[str]:
    pages = index(interfaces)
    for interface in interfaces:
        owner: dict[str, Page] = {}
        for page in interface.pages:
            yield from page_breaches(page)
            yield from word_breaches(page, pages)
            for name in page.names:
                if owner.setdefault(name, page) is not page:
                    yield f"{name}: on the pages {owner[name].name} and {page.name}"
        described = {key for page in interface.pages for key in page.functions}
        for key in interface.families.keys() - described:
            yield f"{interface.name}: {key} has no contract"
        for name in d.required_macros(interface.macros, interface.families) - owner.keys():
            if interface.name != "shmem":
                yield f"{interface.name}: the macro {name} has no contract"
        for chapter in interface.chapters:
            used = {a.name for page in chapter.pages for a in page.arguments}
            for name in chapter.arguments.keys() - used:
                yield f"{chapter.name}: no function has an argument {name}"
