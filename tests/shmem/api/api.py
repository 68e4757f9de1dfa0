# SPDX-License-Identifier: BSD-3-Clause
"""The interface of OpenSHMEM 1.6 as data, read from tests/data: every function with its C types, every generic with
the types it serves. The scripts beside this one generate their programs from it."""

import dataclasses
import pathlib
import re

DATA = pathlib.Path(__file__).resolve().parents[2] / "data"

TYPES = {
    "float": "float",
    "double": "double",
    "longdouble": "long double",
    "char": "char",
    "schar": "signed char",
    "short": "short",
    "int": "int",
    "long": "long",
    "longlong": "long long",
    "uchar": "unsigned char",
    "ushort": "unsigned short",
    "uint": "unsigned int",
    "ulong": "unsigned long",
    "ulonglong": "unsigned long long",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "size": "size_t",
    "ptrdiff": "ptrdiff_t",
    "complexd": "double _Complex",
    "complexf": "float _Complex",
}
SIZES = ("8", "16", "32", "64", "128")

# TYPENAMEs that are one C type on 64-bit Linux: a generic may choose any of them.
SAME_TYPE = [
    {"schar", "int8"},
    {"short", "int16"},
    {"int", "int32"},
    {"long", "int64", "ptrdiff"},
    {"uchar", "uint8"},
    {"ushort", "uint16"},
    {"uint", "uint32"},
    {"ulong", "uint64", "size"},
]


def read_list(name):
    lines = (DATA / name).read_text().splitlines()
    return [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]


NAMES = read_list("openshmem-1.6-names.txt")
GENERICS = read_list("openshmem-1.6-generics.txt")
CRAY = read_list("cray-names.txt")


@dataclasses.dataclass
class Function:
    name: str
    result: str
    params: list  # of (type, name); [("...", "")] ends a variable list
    typename: str  # "" when not typed
    generic: str  # the generic that serves it, or ""

    def parameters(self):
        return ", ".join(f"{t} {n}".strip() for t, n in self.params) or "void"

    def types(self):
        return ", ".join(t for t, _ in self.params) or "void"

    def arguments(self):
        return ", ".join(n for _, n in self.params)


def parse_params(text):
    params = []
    for part in text.split(","):
        part = part.strip()
        if part == "void":
            continue
        match = re.fullmatch(r"(.*?)(\w+)", part) if part != "..." else None
        params.append((match[1].strip(), match[2]) if match else (part, ""))
    return params


def expand(prototype, c11):
    """All functions one synopsis stands for."""
    stem = re.search(r"([\w<>]+)\(", prototype)[1]
    keys = TYPES if "<T>" in stem else SIZES if "<S>" in stem else ("",)
    for key in keys:
        name = stem.replace("<T>", key).replace("<S>", key)
        if name not in KNOWN:
            continue
        text = re.sub(r"\bTYPE\b", TYPES.get(key, "TYPE"), prototype.replace(stem, name))
        result, params = re.fullmatch(rf"(.*?)\s*{name}\((.*)\)", text).groups()
        generic = stem.replace("ctx_", "").replace("<T>_", "") if c11 else ""
        yield Function(name, result, parse_params(params), key if "<T>" in stem else "", generic)


KNOWN = set(NAMES) | {"shmem_pcontrol"}


def functions():
    """Every function of the standard, once."""
    found = {}
    for line in (DATA / "openshmem-1.6-synopses.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        _, c11, prototype = line.split("|")
        for function in expand(prototype, c11):
            found.setdefault(function.name, function)
    return list(found.values())


def twin(name):
    """The profiling name of a call."""
    return "p" + name


def same_type(a, b):
    return a == b or any(a in group and b in group for group in SAME_TYPE)
