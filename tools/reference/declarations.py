# SPDX-License-Identifier: BSD-3-Clause
"""What functions there are, with their arguments: of C headers as the compiler sees them, and of MPI's table.

The unit of the reference is a family: `shmem_TYPE_put` stands for shmem_int_put, shmem_ctx_int_put and their kin,
`MPI_Send` for itself and MPI_Send_c. Most families are one function.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools/mpi"))

import api  # noqa: E402
import header  # noqa: E402


@dataclass
class Argument:
    name: str
    text: str  # as declared
    kind: str = ""  # of MPI's table
    direction: str = ""


@dataclass
class Function:
    name: str
    returns: str
    arguments: list[Argument]
    literal: str = ""  # the declaration, where it is not "returns name(arguments)"

    @property
    def text(self) -> str:
        if self.literal:
            return self.literal
        space = "" if self.returns.endswith("*") or not self.returns else " "
        return f"{self.returns}{space}{self.name}({', '.join(a.text for a in self.arguments) or 'void'})"


@dataclass
class Procedure:
    """Of Fortran."""

    name: str
    result: str  # of a function
    arguments: list[Argument] = field(default_factory=list)
    leads: bool = True  # its name leads to its page; not where C has another call of that name

    def call(self, name: str = "") -> str:
        words = f"{name or self.name}({', '.join(a.name for a in self.arguments)})"
        return f"{self.result} function {words}" if self.result else f"call {words}"


@dataclass
class Family:
    key: str
    functions: list[Function] = field(default_factory=list)  # all of them
    shown: list[Function] = field(default_factory=list)  # what the synopsis has
    aliases: list[str] = field(default_factory=list)  # other names of the same: generics, macros
    types: list[str] = field(default_factory=list)  # what TYPE, SIZE or OP stand for
    fortran: str = ""  # how Fortran calls it
    procedures: list[Procedure] = field(default_factory=list)  # OpenSHMEM's for Fortran
    extensions: list[str] = field(default_factory=list)  # names of shmemx.h


# ---- C headers ----


def split_arguments(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and not depth:
            parts.append(text[start:i])
            start = i + 1
    return [" ".join(p.split()).replace("* ", "*") for p in [*parts, text[start:]]]


def argument_of(text: str) -> Argument:
    pointer = re.search(r"\(\*(\w+)\)", text)
    name = pointer[1] if pointer else text if text == "..." else re.findall(r"\w+", re.sub(r"\[.*?\]", "", text))[-1]
    return Argument(name, text)


def function_of(statement: str) -> Function | None:
    """Of a declaration; None: declares something else."""
    text = " ".join(statement.split())
    if re.match(r"(typedef|struct \w+ \{|enum|extern)\b", text):
        return None
    returns_pointer = re.fullmatch(r"[\w ]+\(\*(\w+)\((.*)\)\)\((.*)\)", text)
    plain = re.fullmatch(r"((?:[\w]+[ \*]+)*)(\w+) ?\((.*)\)", text)
    if returns_pointer:
        return Function(returns_pointer[1], "", [argument_of(a) for a in split_arguments(returns_pointer[2])], text)
    if not plain:
        return None
    returns = re.sub(r"\b(static|inline)\b ?", "", plain[1]).strip()
    arguments = [] if plain[3] in ("void", "") else [argument_of(a) for a in split_arguments(plain[3])]
    return Function(plain[2], returns, arguments)


def statements(text: str) -> Iterator[str]:
    """What stands between semicolons and bodies, outside of braces."""
    depth, start = 0, 0
    for i, c in enumerate(text):
        if c == "{":
            if not depth:
                yield text[start:i]
            depth += 1
        elif c == "}":
            depth -= 1
            start = i + 1
        elif c == ";" and not depth:
            yield text[start:i]
            start = i + 1


def of_header(cc: str, name: str, *options: str) -> list[Function]:
    """The functions that a public header declares, by itself or by others of ours."""
    made = subprocess.run(
        [cc, "-E", *options, f"-I{ROOT / 'include'}", "-x", "c", "-"],
        input=f"#include <{name}>\n",
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    ours, lines = False, []
    for line in made.splitlines():
        marker = re.match(r'# \d+ "(.*)"', line)
        if marker:
            ours = marker[1].startswith(str(ROOT / "include"))
        elif ours and not line.startswith("#"):
            lines.append(line)
    text = re.sub(r"__extension__|__(attribute|asm)__ ?\(\(?\"?[^;{]*?\)?\)(?=[ ;])", "", "\n".join(lines))
    found = {f.name: f for s in statements(text) if (f := function_of(s))}
    return list(found.values())


def macros(*names: str) -> dict[str, str]:
    """Names that a program calls like functions, with what they are, of these headers."""
    text = "\n".join((ROOT / "include" / n).read_text() for n in names).replace("\\\n", " ")
    found = re.findall(r"^#\s*define ([a-z]\w*)(\([^)]*\))?[ \t]*(.*)$", text, re.M)
    return {n: body for n, _, body in found if not n.endswith("_") and not n.startswith(("sc_", "mpt_"))}


# ---- OpenSHMEM ----


def shmem_types() -> dict[str, str]:
    text = (ROOT / "include/mpt/shmem_types.h").read_text()
    rows = re.findall(r"S\(M, A, (\w+), ([\w ]+), [A-Z]\w*,", text)
    return {n: {"mpt_complexd": "double _Complex", "mpt_complexf": "float _Complex"}.get(t, t) for n, t in rows}


BLOCKS = r"(i?x?b?(?:put|get)|broadcast|f?collect|alltoalls?)(8|16|32|64|128)(_nbi|_signal|_signal_nbi|)"


def shmem_key(name: str, types: dict[str, str]) -> tuple[str, str]:
    """The family of a name that has no context, and which type or size it is in it."""
    words = name.removeprefix("shmem_").split("_", 1)
    if words[0] in types and len(words) > 1:
        return f"shmem_TYPE_{words[1]}", words[0]
    block = re.fullmatch(r"shmem_" + BLOCKS, name)
    return (f"shmem_{block[1]}SIZE{block[3]}", block[2]) if block else (name, "")


def with_placeholder(f: Function, kind: str, types: dict[str, str]) -> Function:
    """The function with TYPE or SIZE for what it has."""
    if kind.isdigit():
        return Function(re.sub(r"(?<=[a-z])" + kind, "SIZE", f.name), f.returns, f.arguments)

    def general(text: str) -> str:
        return re.sub(rf"(?<!long )\b{types[kind]}\b(?! long)", "TYPE", text)

    arguments = [Argument(a.name, general(a.text)) for a in f.arguments]
    return Function(f.name.replace(f"_{kind}_", "_TYPE_"), general(f.returns), arguments)


def extend(cc: str, families: dict[str, Family]) -> None:
    """The names of shmemx.h, which are other names of functions or of generics."""
    of = {name: family for family in families.values() for name in [f.name for f in family.functions] + family.aliases}
    declared = [f.name for f in of_header(cc, "shmemx.h", "-DSHMEM_NO_GENERICS", "-DSHMEM_NO_INLINE")]
    for name in [*declared, *macros("shmemx.h")]:
        if name.startswith("shmemx_"):
            of[name.replace("shmemx_", "shmem_", 1)].extensions.append(name)


def shmem(cc: str) -> dict[str, Family]:
    types = shmem_types()
    functions = {f.name: f for f in of_header(cc, "shmem.h", "-DSHMEM_NO_GENERICS", "-DSHMEM_NO_INLINE")}
    functions = {n: f for n, f in functions.items() if not n.startswith(("pshmem_", "pstart", "mpt_"))}
    for f in functions.values():
        f.returns = f.returns.replace("mpt_complexd", "double _Complex").replace("mpt_complexf", "float _Complex")
        for a in f.arguments:
            a.text = re.sub(r"mpt_complex([df])", lambda m: {"d": "double", "f": "float"}[m[1]] + " _Complex", a.text)
    families: dict[str, Family] = {}
    for name, f in functions.items():
        plain = name.replace("shmem_ctx_", "shmem_")
        key, kind = shmem_key(plain if plain in functions else name, types)
        family = families.setdefault(key, Family(key))
        family.functions.append(f)
        if kind and kind not in family.types:
            family.types.append(kind)
        # A type whose name is not also that of another argument stands for all.
        if kind in ("", "ulong", "32") or (kind == "longlong" and "ulong" not in family.types):
            shown = with_placeholder(f, kind, types) if kind else f
            family.shown = [s for s in family.shown if s.name != shown.name] + [shown]
    for generic in macros("mpt/shmem_generics.h"):
        key = generic.replace("shmem_", "shmem_TYPE_", 1)
        families[key if key in families else generic].aliases.append(generic)
    extend(cc, families)
    for family in families.values():
        family.types = [f"{t} ({types[t]})" if types.get(t, t) != t else t for t in family.types]
    return families


# ---- MPI ----


def mpi_function(p: api.Procedure, large: bool) -> Function:
    arguments = [
        Argument("..." if a.kind == "VARARGS" else a.name, a.declare(large), a.kind, a.direction)
        for a in p.c_parameters
        if large or "large" not in a.flags
    ]
    return Function(p.name + ("_c" if large else ""), p.returns, arguments)


def mpi_callbacks() -> dict[str, str]:
    """The declarations of the types of functions that programs pass, by name."""
    return {re.search(r" (MPI\w+)\(", line)[1]: line for line in header.callback_lines()}  # type: ignore[index]


def mpi(cc: str) -> dict[str, Family]:
    families = {}
    for p in api.c_functions():
        both = [mpi_function(p, large) for large in ((False, True) if p.has_large else (False,))]
        families[p.name] = Family(p.name, both, both)
        if "f08" in p.flags and p.returns == "int":
            names = ", ".join(a.name for a in p.parameters if not a.flags.keys() & {"nof", "large"})
            families[p.name].fortran = f"call {p.name}({names})"
    for line in header.fortran_prototypes():
        if not line.startswith(("PMPI", "MPI_Fint PMPI")) and " PMPI" not in line:
            f = function_of(line.rstrip(";"))
            assert f
            for a in f.arguments:
                if re.fullmatch(r"MPI_\w+", a.text):  # a type alone
                    a.name = "i" if a.text == "MPI_Fint" else a.text.removeprefix("MPI_").lower()
                    a.text += " " + a.name
            families.setdefault(f.name, Family(f.name, [f], [f]))
    return families


# ---- the others: a family is a function, but for Split-C's reductions ----


def split_c_key(name: str) -> tuple[str, str]:
    reduction = re.fullmatch(r"(all_reduce_to_one|all_reduce_to_all|all_scan)_(\w+)", name)
    return (f"{reduction[1]}_OP", reduction[2]) if reduction else (name, "")


def plain(names: list[str], *options: str) -> Callable[[str], dict[str, Family]]:
    def read(cc: str) -> dict[str, Family]:
        families: dict[str, Family] = {}
        for f in of_header(cc, names[0], *options):
            if f.name.startswith(
                ("sc_", "mpt_ring", "mpt_looked", "mpt_idx", "mpt_addr", "mpt_bell", "mpt_watch", "mpt_n")
            ):
                continue  # behind macros
            while f.arguments and f.arguments[-1].name in ("file", "line") and names[0].startswith("split-c"):
                f.arguments.pop()  # macros add them
            key, kind = split_c_key(f.name)
            family = families.setdefault(key, Family(key))
            family.functions.append(f)
            if kind:
                family.types.append(kind)
            if not kind:
                family.shown.append(f)
            elif not family.shown:
                arguments = [Argument(a.name, a.text.replace("int ", "TYPE ")) for a in f.arguments]
                family.shown.append(Function(key, "TYPE", arguments))
        for name, body in macros(*names).items():
            if body in families:
                families[body].aliases.append(name)
        return families

    return read


FORTRAN_OF_PVM = {
    "pvmfaddhost": "pvm_addhosts",
    "pvmfdelhost": "pvm_delhosts",
    "pvmfgetpe": "pvm_get_PE",
    "pvmfstartpvmd": "pvm_start_pvmd",
    "pvmfpack": "pvm_pkbyte",
    "pvmfunpack": "pvm_upkbyte",
    "pvmfadvise": "pvm_setopt",
    "pvmfserror": "pvm_setopt",
}


def pvm(cc: str) -> dict[str, Family]:
    """With the names of Fortran's procedures as aliases."""
    families = plain(["pvm3.h"])(cc)
    for file in sorted((ROOT / "src/pvm/fortran").glob("*.c")):
        for name in re.findall(r"\b(pvmf\w+?)_\(", file.read_text()):
            family = families.get(FORTRAN_OF_PVM.get(name, "pvm_" + name[4:]))
            if family and name not in family.aliases:
                family.aliases.append(name)
    return families


def required_macros(found: dict[str, str], families: dict[str, Family]) -> set[str]:
    """Macros that are no second name of a function: pages must have them."""
    known = {f.name for family in families.values() for f in family.functions}
    known |= {a for family in families.values() for a in family.aliases}
    return found.keys() - known
