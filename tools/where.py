#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where is the body of a public function? Usage: where.py NAME..., or where.py --check [BUILD]

Prints FILE:LINE: FUNCTION for each name of OpenSHMEM (C and Fortran), MPI (C), PVM (C and Fortran), Active Messages and
Split-C. Where a macro makes the function of a family of types, its place is the macro's use, and the function that it
calls follows. Reads the sources only; the C preprocessor (cc, or $CC) expands macros. --check (a test) looks up every
public name, and compares the names with what the libraries of a build folder export.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools/mpi"))
import api  # noqa: E402

NO_FUNCTIONS = set("if for while switch return sizeof __attribute__ __asm__ __typeof__ _Static_assert defined".split())
CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
ALIAS = re.compile(r"\b(\w+)\s+__attribute__\(\((?:weak, )?alias\(\"(\w+)\"\)\)\)")


@dataclass(frozen=True)
class Place:
    path: str
    line: int
    function: str
    body: str = ""
    made: bool = False  # by a macro

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.function}"


def blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def plain(text: str) -> str:
    """Without comments, and without what is in strings; of the same length."""
    return re.sub(
        r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'',
        lambda m: '"' + " " * (len(m[0]) - 2) + '"' if m[0][0] == '"' else blank(m),
        text,
        flags=re.S,
    )


def definitions(path: str, text: str) -> list[Place]:
    """The functions that the text defines at its outermost level, macros not expanded."""
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, plain(text), flags=re.M)
    places, depth, start, begin = [], 0, 0, 0
    for m in re.finditer(r"[{};]", text):
        if m[0] == "{":
            if depth == 0:
                head, begin = text[start : m.start()], m.start()
            depth += 1
        elif m[0] == "}":
            depth -= 1
            if depth == 0:
                head = re.split(r"\n[ \t]*\n", head)[-1].lstrip()  # calls of macros may stand before
                name = defined_name(head)
                if name:
                    line = text.count("\n", 0, begin - len(head) + head.find(name)) + 1
                    places.append(Place(path, line, name, text[begin : m.end()]))
                    start = m.end()
        elif depth == 0:
            start = m.end()
    return places


def defined_name(head: str) -> str:
    """Of `static int f(void)` f; of a struct, an array or a macro's call with nothing before it none."""
    head = re.sub(r"__(?:attribute|asm)__\s*\(\(?[^()]*(?:\([^()]*\)[^()]*)*\)\)?", "", head).strip()
    pointer = re.match(r"[\w\s*]+\(\*(\w+)\(", head)  # it returns a pointer to a function
    if pointer:
        return pointer[1]
    if not head.endswith(")") or "=" in head.split("(")[0]:
        return ""
    m = CALL.search(head)
    return m[1] if m and m.start() > 0 and m[1] not in NO_FUNCTIONS else ""


@functools.cache
def read(path: Path) -> str:
    return path.read_text()


def with_includes(path: Path, seen: set[Path]) -> str:
    """The file with the project's own headers in place of their includes; the system's are left out."""
    seen.add(path)
    lines = [f'# 1 "{path.relative_to(ROOT)}"']
    for number, line in enumerate(read(path).splitlines(), 1):
        m = re.match(r'\s*#\s*include\s*["<](.*)[">]', line)
        if not m:
            lines.append(line)
            continue
        header = next(
            (p for p in (path.parent / m[1], ROOT / "src" / m[1], ROOT / "include" / m[1]) if p.is_file()), None
        )
        if header and header.resolve() not in seen:
            lines += [with_includes(header.resolve(), seen), f'# {number + 1} "{path.relative_to(ROOT)}"']
        else:
            lines.append("")
    return "\n".join(lines)


@functools.cache
def preprocessed(path: Path) -> list[tuple[int, str]]:
    """Line numbers and lines of the file itself, macros expanded."""
    compiler = os.environ.get("CC", "").split() or [c for c in map(shutil.which, ("cc", "gcc", "clang")) if c][:1]
    if not compiler:
        return []
    command = [*compiler, "-E", "-w", "-x", "c", "-"]
    out = subprocess.run(command, input=with_includes(path, set()), capture_output=True, text=True, check=False).stdout
    own, number, result = False, 0, []
    for line in out.splitlines():
        m = re.match(r'# (\d+) "(.*?)"', line)
        if m:
            own, number = m[2] == str(path.relative_to(ROOT)), int(m[1])
            continue
        if own:
            result.append((number, line))
        number += 1
    return result


class Folder:
    """The functions and aliases of the C files of some folders."""

    def __init__(self, *folders: str) -> None:
        self.paths = sorted(p for f in folders for p in (ROOT / f).rglob("*.c"))
        self.places: dict[str, Place] = {}
        self.local: dict[tuple[str, str], Place] = {}  # by path and name, for static functions of one name
        for path in self.paths:
            for place in definitions(str(path.relative_to(ROOT)), read(path)):
                self.add(place)
        self.aliases: dict[str, str] = {}
        self.expanded = False

    def add(self, place: Place) -> None:
        self.places.setdefault(place.function, place)
        self.local.setdefault((place.path, place.function), place)

    def expand(self) -> None:
        """Add what macros make."""
        self.expanded = True
        for path in self.paths:
            if not re.search(r"^[A-Z]\w+\(", read(path), re.M) and "alias(" not in read(path):
                continue
            lines = preprocessed(path)
            text = "\n".join(line for _, line in lines)
            self.aliases.update(ALIAS.findall(text.replace('" "', "")))
            for place in definitions(str(path.relative_to(ROOT)), text):
                made = Place(place.path, lines[place.line - 1][0], place.function, place.body, made=True)
                if (made.path, made.function) not in self.local:
                    self.add(made)

    def find(self, name: str) -> list[Place]:
        """The function's place; while a macro has made it, that of the function it calls, too."""
        if name not in self.places and not self.expanded:
            self.expand()
        name = self.aliases.get(name, name)
        if name not in self.places:
            return []
        places = [self.places[name]]
        while places[-1].made:
            called = [self.local.get((places[-1].path, c)) or self.places.get(c) for c in CALL.findall(places[-1].body)]
            following = next((p for p in called if p and p not in places), None)
            if not following:
                break
            places.append(following)
        return places


# ---- the interfaces: public names, and the function that each is found by ----


def declared(header: str) -> dict[str, str]:
    """The functions that a public header declares."""
    text = "\n".join(line for _, line in preprocessed(ROOT / header) if not line.startswith("#"))
    names = {}
    for statement in map(str.strip, re.split(r"[;{}]", plain(text).replace("\n", " "))):
        m = re.match(r"(?!static|extern|typedef|return)[\w\s*]*?\b(\w+)\s*\(.*[)\"]$", statement)
        if m:
            names[m[1]] = m[1]
    return names


def shmem() -> dict[str, str]:
    names = {n: n for n in declared("include/mpt/shmem_api.h")}
    return {n: n if n.startswith("p") or "p" + n not in names else "p" + n for n in names}


def shmem_fortran() -> dict[str, str]:
    names = {}
    for line in read(ROOT / "tests/fortran/names.txt").splitlines():
        for word in [] if line.startswith("#") else line.split():
            names.update({f"{n}_": f"{n}_" for n in braces(word)})
    return names


def braces(pattern: str) -> list[str]:
    """a{b,c} is ab and ac."""
    m = re.search(r"\{([^}]*)\}", pattern)
    if not m:
        return [pattern]
    return [n for word in m[1].split(",") for n in braces(pattern[: m.start()] + word + pattern[m.end() :])]


def mpi() -> dict[str, str]:
    names = {}
    for p in api.c_functions():
        for name in [p.name, p.name + "_c"] if p.has_large or p.name in api.ONE_FORM else [p.name]:
            names.update({name: p.core_name, "P" + name: p.core_name})
        for suffix, old in (("_toint", "_c2f"), ("_fromint", "_f2c")):
            if p.name.endswith(suffix):
                name = p.name.removesuffix(suffix) + old
                names.update({name: p.core_name, "P" + name: p.core_name})
    return names


def pvm() -> dict[str, str]:
    lines = read(ROOT / "src/pvm/names.tsv").splitlines()
    return {name: name for name in (line.split("\t")[0] for line in lines if not line.startswith("#"))}


def pvm_fortran() -> dict[str, str]:
    text = "".join(read(p) for p in (ROOT / "src/pvm/fortran").glob("*.c"))
    return {name: name for name in re.findall(r"^void (pvmf\w+_)\(", text, re.M)}


# Interface: names, folders of the bodies.
INTERFACES = {
    "OpenSHMEM": (shmem, ["src/shmem"]),
    "OpenSHMEM, Fortran": (shmem_fortran, ["src/shmem/fortran"]),
    "MPI": (
        mpi,
        sorted(f"src/mpi/{p.name}" for p in (ROOT / "src/mpi").iterdir() if p.name not in {"fortran", "front_mpich"}),
    ),
    "PVM": (pvm, ["src/pvm"]),
    "PVM, Fortran": (pvm_fortran, ["src/pvm/fortran"]),
    "Active Messages": (lambda: declared("include/am.h"), ["src/am", "src/core"]),
    "Split-C": (lambda: declared("include/split-c/split-c.h"), ["src/splitc"]),
}


def where(name: str) -> list[Place]:
    for names, folders in INTERFACES.values():
        known = names()
        if name in known:
            return Folder(*folders).find(known[name])
    return []


# What libraries export, by interface: the lists above must have all of it.
EXPORTS = {
    "OpenSHMEM": ("libmpt.so", r"p?shmem_\w*[^_]"),
    "OpenSHMEM, Fortran": ("libmpt.so", r"shmem_\w+_"),
    "MPI": ("libmpi_abi.so", r"P?MPIX?_(?!Status_\w+2)\w*[a-z]\w*"),  # a status is the same in all languages
    "PVM": ("libpvm3.so", r"pvm_\w+"),
    "Active Messages": ("libmpt.so", r"am_\w+"),
}


def exported(library: Path, pattern: str) -> set[str]:
    if not library.exists():
        return set()
    out = subprocess.run(
        ["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True
    ).stdout
    return {name for name in re.findall(r" [TW] (\w+)$", out, re.M) if re.fullmatch(pattern, name)}


def check(build: Path | None) -> int:
    bad = 0
    for interface, (names, folders) in INTERFACES.items():
        known, folder = names(), Folder(*folders)
        lost = [name for name, function in known.items() if not folder.find(function)]
        library, pattern = EXPORTS.get(interface, ("", ""))
        unknown = exported(build / "lib" / library, pattern) - known.keys() if build and library else set()
        print(f"{interface}: {len(known)} names")
        for what, those in ("no body found", lost), ("exported, but in no list", sorted(unknown)):
            if those:
                print(f"  {what}: {' '.join(those)}")
        bad += len(lost) + len(unknown) + (not known)
    return 1 if bad else 0


def main() -> int:
    if sys.argv[1:2] == ["--check"]:
        return check(Path(sys.argv[2]) if sys.argv[2:] else None)
    if not sys.argv[1:]:
        sys.exit(__doc__)
    status = 0
    for name in sys.argv[1:]:
        places = where(name)
        print("\n".join(map(str, places)) or f"{name}: not a public name")
        status |= not places
    return status


if __name__ == "__main__":
    sys.exit(main())
