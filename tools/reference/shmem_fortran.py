# SPDX-License-Identifier: BSD-3-Clause
"""OpenSHMEM's procedures for Fortran: their declarations, of shmem.fh and of the module, and which calls of C they are.

Both files declare shapes of calls, and procedures that have one. A procedure is on the page of its family of C:
shmem_integer_put is a shmem_TYPE_put, shmem_put4 a shmem_putSIZE. One that C does not have is a family of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from declarations import ROOT, Argument, Family, Procedure
from declarations import shmem as of_c

FILES = ("include/shmem.fh", "src/shmem/fortran/shmem.f90")
SHAPE = re.compile(r"^ *(?:([\w()]+) function|subroutine) (\w+)\((.*?)\)(.*?)end (?:function|subroutine)", re.M | re.S)
PROCEDURES = re.compile(r"^ *procedure\((\w+)\) :: (.*)$", re.M)
EXTERNAL = re.compile(r"^ *(\w+) (\w+)\n *external \2$", re.M)
DECLARATION = re.compile(r"^ *((?:integer|real|logical|character|type)(?:\([^)]*\))?)(?:, target)?(?: ::)? (.+)$", re.M)
# What a name of Fortran has where one of C has a type, and sizes that C has not: 4 is bytes there, as are 8 and 16.
TYPES = r"(?:character|complex|double|integer|logical|real|(?:int|real|comp)\d+)"
BLOCKS = r"(i?x?(?:put|get)|broadcast|f?collect|alltoalls?)(?:4|8|16|32|64|128|)(_nbi|)"
OTHERWISE = {
    "shmem_swap": "shmem_TYPE_swap",
    "shmem_ixput": "shmem_ixput",
    "shmem_ixget": "shmem_ixget",
}


def arguments_of(names: str, body: str) -> list[Argument]:
    """With what the shape's body declares them as."""
    types: dict[str, str] = {}
    for kind, declared in DECLARATION.findall(body):
        for name, shape in re.findall(r"(\w+)(\([^)]*\))?", declared):
            types[name.lower()] = f"any type :: {name}{shape}" if kind == "type(*)" else f"{kind} :: {name}{shape}"
    return [Argument(n, types[n.lower()]) for n in re.findall(r"\w+", names)]


def procedures() -> dict[str, Procedure]:
    """By name; as the preprocessed text of both files has them, continuations joined."""
    found: dict[str, Procedure] = {}
    shapes: dict[str, Procedure] = {}
    for file in FILES:
        text = re.sub(r" *&\n *& ?", " ", (ROOT / file).read_text())
        for result, name, names, body in SHAPE.findall(text):
            shapes[name] = Procedure(name, result, arguments_of(names, body))
        for shape, names in PROCEDURES.findall(text):
            for name in re.findall(r"\w+", names):
                found[name] = Procedure(name, shapes[shape].result, shapes[shape].arguments)
        for result, name in EXTERNAL.findall(text):
            found[name] = Procedure(name, result, [Argument("pe", "integer :: pe")])
    return found


def family_key(name: str, families: dict[str, Family], of: dict[str, str]) -> str:
    """The family of C whose call a procedure is, or its own name."""
    typed = re.sub(rf"^shmem_{TYPES}_", "shmem_TYPE_", name)
    block = re.fullmatch(f"shmem_{BLOCKS}", name)
    sized = f"shmem_{block[1]}SIZE{block[2]}" if block else ""
    return next((k for k in (OTHERWISE.get(name), of.get(name), typed, sized) if k in families), name)


def shmem(cc: str) -> dict[str, Family]:
    """The families of C, with their procedures, and those that only Fortran has."""
    families = of_c(cc)
    of = {f.name: key for key, family in families.items() for f in family.functions}
    generics = {a: key for key, family in families.items() for a in family.aliases}
    for p in procedures().values():
        key = family_key(p.name, families, of)
        p.leads = generics.get(p.name, key) == key
        families.setdefault(key, Family(key)).procedures.append(p)
    return families


def synopsis(families: Iterable[Family]) -> list[str]:
    """How Fortran calls them: a line for each shape, and the names that have it."""
    shapes: dict[str, list[Procedure]] = {}
    for family in families:
        for p in family.procedures:
            shapes.setdefault(p.call("NAME"), []).append(p)
    lines = []
    for call, those in shapes.items():
        lines.append(those[0].call() if len(those) == 1 else f"{call}")
        if len(those) > 1:
            lines.append(f"! NAME: {', '.join(p.name for p in those)}")
    names = [p.name for those in shapes.values() for p in those]
    if any(re.search(r"(put|get|cast|collect|alltoalls?)\d+", name) for name in names):
        lines.append("! 4, 8, 16: elements of so many bytes; 32, 64, 128: of so many bits; no number: of 64 bits")
    return lines
