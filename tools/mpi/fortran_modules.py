#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write mpif.h, mpi.F90 and mpi_f08.F90: MPI's three Fortran forms (chapter 19 of the standard), for gfortran.

Both modules have the types of handles and statuses, from a module mpt_mpi_types.

Choice arguments of mpi_f08 are assumed-type and assumed-rank, by gfortran's own descriptors
(docs/adr/0027-fortran-sections.md). In the module mpi, and with compilers that cannot (by-address), they are
assumed-size with NO_ARG_CHECK: any type, kind and rank; the compiler copies sections that are not contiguous in and
out, so MPI_SUBARRAYS_SUPPORTED is .FALSE. They are TARGETs: for other arguments gfortran takes for granted that nobody
keeps their address after the call, whatever ASYNCHRONOUS says of them, and would not see that a later MPI_WAIT changes
them. Usage: fortran_modules.py FOLDER by-descriptor|by-address
"""

from __future__ import annotations

import sys
from pathlib import Path

import api
import fortran_api as f
import header

C_KINDS = {"MPI_INTEGER_KIND": 4, "MPI_ADDRESS_KIND": 8, "MPI_OFFSET_KIND": 8, "MPI_COUNT_KIND": 8}
LOGICALS = ("MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING")

OFFSETS = ("MPI_DISPLACEMENT_CURRENT",)  # constants of MPI_OFFSET_KIND; all others are default integers

# Variables known by their address: name, declaration in mpif.h's words, shape, common block
# (src/mpi/fortran/special.c).
SPECIAL = [
    ("MPI_BOTTOM", "INTEGER", "", "bottom"),
    ("MPI_IN_PLACE", "INTEGER", "", "in_place"),
    ("MPI_BUFFER_AUTOMATIC", "INTEGER", "", "automatic"),
    ("MPI_ERRCODES_IGNORE", "INTEGER", "(1)", "errcodes_ignore"),
    ("MPI_UNWEIGHTED", "INTEGER", "(1)", "unweighted"),
    ("MPI_WEIGHTS_EMPTY", "INTEGER", "(1)", "weights_empty"),
    ("MPI_ARGV_NULL", "CHARACTER", "(1)", "argv_null"),
    ("MPI_ARGVS_NULL", "CHARACTER", "(1,1)", "argvs_null"),
    ("MPI_STATUS_IGNORE", "STATUS", "", "status_ignore"),
    ("MPI_STATUSES_IGNORE", "STATUS", "(1)", "statuses_ignore"),
]


def integers() -> list[tuple[str, int, str | None]]:
    """Constants with an integer value in Fortran: name, value, type of handle."""
    result: list[tuple[str, int, str | None]] = [(name, value, None) for name, value in C_KINDS.items()]
    for category, name, value, c_type in header.constants():
        if category.startswith(("TOOL_", "FORTRAN_", "VARIABLE_ADDR")) or name.startswith("MPI_T_") or value == "None":
            continue
        if c_type == "int" or category == "STATUS_ARRAY_SIZE_AND_INDEX_FORTRAN":
            # Strings have no zero at the end (19.3.9).
            result.append((name, int(value) - (category == "MAX_STR_SIZE_CONSTANTS"), None))
        elif c_type.removeprefix("MPI_") in f.HANDLE_TYPES:
            result.append((name, int(value), c_type))
    return result


# ---------------------------------------------------------------- mpif.h --


def special_77() -> list[str]:
    lines = []
    for name, kind, shape, block in SPECIAL:
        if kind == "STATUS":
            kind, shape = "INTEGER", "(MPI_STATUS_SIZE" + (",1)" if shape else ")")
        kind = "CHARACTER*1" if kind == "CHARACTER" else kind
        lines += [f"{kind} {name}{shape}", f"COMMON /MPT_F_{block.upper()}/ {name}"]
    return lines


def mpif_h() -> str:
    lines = []
    for name, value, _ in integers():
        kind = "(KIND=MPI_OFFSET_KIND)" if name in OFFSETS else ""
        lines += [f"INTEGER{kind} {name}", f"PARAMETER ({name}={value})"]
    for name in LOGICALS:  # nothing declares mpif.h's procedures
        lines += [f"LOGICAL {name}", f"PARAMETER ({name}=.FALSE.)"]
    lines += special_77()
    for p in f.predefined("f90"):
        lines.append(f"EXTERNAL {p.name.upper()}")
    for name, c in f.FUNCTIONS.items():
        kind = "DOUBLE PRECISION" if c == "double" else "INTEGER(KIND=MPI_ADDRESS_KIND)"
        for prefix in ("", "P"):
            lines += [f"{kind} {prefix}{name.upper()}", f"EXTERNAL {prefix}{name.upper()}"]
    top = [
        "! SPDX-License-Identifier: BSD-3-Clause",
        "!",
        "! MPI's constants for programs that INCLUDE 'mpif.h', in fixed and free form.",
        "! Made by tools/mpi/fortran_modules.py.",
    ]
    return "\n".join(top + ["      " + line for line in lines]) + "\n"


# --------------------------------------------------------------- modules --


class Form:
    """mpi or mpi_f08: how arguments are declared; sections: choice arguments are descriptors."""

    def __init__(self, f08: bool, sections: bool = False):
        self.f08, self.sections = f08, sections
        self.name = "f08" if f08 else "f90"

    def type_of(self, q: api.Parameter, large: bool, callback: bool) -> str:
        if q.kind in f.HANDLES:
            return f"type(MPI_{f.HANDLES[q.kind]})" if self.f08 else "integer"
        if q.kind.endswith("_STATUS") or q.kind == "STATUS":
            return "type(MPI_Status)" if q.kind == "F08_STATUS" or (self.f08 and q.kind == "STATUS") else "integer"
        if q.kind in ("STRING", "STRING_ARRAY", "STRING_2DARRAY"):
            return "character(len=*)"
        if q.kind.startswith("LOGICAL"):
            return "logical"
        if q.kind in f.POINTER_RESULT and self.f08:
            return "type(c_ptr)"
        if q.kind in ("C_BUFFER3", "C_BUFFER4") and callback:
            return "type(c_ptr), value" if self.f08 else "type(*)"
        kind = f.integer_kind(q, large, self.f08)
        return f"integer(kind={kind})" if kind else "integer"

    def shape(self, q: api.Parameter) -> str:
        status = q.kind == "F90_STATUS" or (q.kind == "STATUS" and not self.f08)
        if status:
            return "(MPI_STATUS_SIZE,*)" if f.is_array(q) else "(MPI_STATUS_SIZE)"
        if q.kind == "STRING_2DARRAY":
            return "(count,*)"
        if q.length and ";" in q.length:
            return f"({q.length.split(';')[1]},*)"
        return "(*)" if f.is_array(q) else ""

    def intent(self, q: api.Parameter) -> str:
        if (
            not self.f08
            or q.kind == "WEIGHT"
            or (q.kind == "STATUS" and q.direction != "in")
            or (q.kind == "ERROR_CODE" and f.is_array(q))
        ):
            return ""  # some actual arguments are constants of a kind (19.3.10)
        return f", intent({q.direction})"

    def declare(self, q: api.Parameter, large: bool) -> list[str]:
        later = ", asynchronous" if "async" in q.flags else ""
        if self.sections and q.kind == "BUFFER":
            return [f"type(*), dimension(..), target{later} :: {q.name}"]
        if q.kind in f.CHOICE or (q.kind == "C_BUFFER2" and not self.f08):
            return [f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {q.name}", f"type(*), dimension(*), target{later} :: {q.name}"]
        if q.function:
            name = q.function + ("_c" if large and q.poly else "")
            return [f"procedure({name}) :: {q.name}" if self.f08 else f"external :: {q.name}"]
        return [f"{self.type_of(q, large, False)}{self.intent(q)} :: {q.name}{self.shape(q)}"]

    def body(self, p: api.Procedure, name: str, large: bool = False, cptr: bool = False) -> list[str]:
        """An interface body; the arguments in Fortran's order, sizes declared before arrays."""
        arguments = f.parameters(p, large)
        names = [q.name for q in arguments] + (["ierror"] if f.has_error(p) else [])
        what, result = "subroutine", []
        if p.name in f.FUNCTIONS:
            what = "function"
            result = [
                ("double precision" if f.FUNCTIONS[p.name] == "double" else "integer(kind=MPI_ADDRESS_KIND)")
                + " :: "
                + name
            ]
        lines = [f"{what} {name}({', '.join(names)})"]
        if cptr or (self.f08 and any(q.kind in f.POINTER_RESULT for q in arguments)):
            lines.append("use, intrinsic :: iso_c_binding, only: c_ptr")
        lines.append("import")
        for q in sorted(arguments, key=f.is_array):
            lines += [f"type(c_ptr) :: {q.name}"] if cptr and q.kind in f.POINTER_RESULT else self.declare(q, large)
        if f.has_error(p):
            lines.append("integer, optional, intent(out) :: ierror" if self.f08 else "integer :: ierror")
        return lines + result + [f"end {what}"]

    def callback_body(self, p: api.Procedure, name: str, large: bool) -> list[str]:
        arguments = [q for q in p.parameters if q.kind != "VARARGS"]
        lines = [f"subroutine {name}({', '.join(q.name for q in arguments)})"]
        if self.f08 and any(q.kind.startswith("C_BUFFER") for q in arguments):
            lines.append("use, intrinsic :: iso_c_binding, only: c_ptr")
        lines.append("import")
        for q in arguments:
            kind = self.type_of(q, large, True)
            if kind == "type(*)":
                lines += [f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {q.name}", f"type(*), dimension(*) :: {q.name}"]
            else:
                lines.append(
                    f"{kind} :: {q.name}" + ("(MPI_STATUS_SIZE)" if q.kind == "STATUS" and not self.f08 else "")
                )
        return [*lines, "end subroutine"]


def interface(name: str, bodies: list[list[str]]) -> list[str]:
    return (
        ["interface" + (" " + name if name else "")] + ["  " + line for b in bodies for line in b] + ["end interface"]
    )


def procedures_90(form: Form) -> list[str]:
    lines = []
    for prefix in ("", "P"):
        plain = []
        for p in f.procedures("f90"):
            name = prefix + p.name
            if "overload" in p.flags:
                lines += interface(name, [form.body(p, name), form.body(p, name + "_cptr", cptr=True)])
            else:
                plain.append(form.body(p, name))
        lines += interface("", plain)
    return lines


def procedures_08(form: Form) -> list[str]:
    lines = []
    for prefix in ("", "P"):
        for p in f.procedures("f08"):
            name = prefix + p.name
            bodies = [
                form.body(p, name + f.specific(p, large, form.sections), large)
                for large in (False, True)[: 1 + f.large_differs(p)]
            ]
            lines += interface(name, bodies)
            if p.name in f.OWN_LARGE_NAME:
                lines += interface(name + "_c", [form.body(p, name + "_c_f08", True)])
    return lines


def predefined(form: Form) -> list[str]:
    bodies = [form.callback_body(p, p.name, False) for p in f.predefined(form.name)]
    if form.f08:
        bodies += [
            form.callback_body(p, p.name + "_C", True)
            for p in f.predefined("f08")
            if p.name == "MPI_CONVERSION_FN_NULL"
        ]
    return interface("", bodies)


def abstract(form: Form) -> list[str]:
    lines = []
    for p in f.callbacks():
        for large in (False, True) if any(q.poly for q in p.parameters) else (False,):
            lines += [
                "abstract interface",
                *form.callback_body(p, p.name + ("_c" if large else ""), large),
                "end interface",
            ]
    return lines


def constant_lines(form: Form) -> list[str]:
    lines = []
    for name, value, handle in integers():
        if handle and form.f08:
            lines.append(f"type({handle}), parameter :: {name} = {handle}({value})")
        else:
            kind = "(kind=MPI_OFFSET_KIND)" if name in OFFSETS else ""
            lines.append(f"integer{kind}, parameter :: {name} = {value}")
    lines += [
        f"logical, parameter :: {name} = .{str(value).lower()}."
        for name, value in zip(LOGICALS, (form.sections, True), strict=True)
    ]
    for name, kind, shape, block in SPECIAL:
        if kind == "STATUS":
            shape = shape if form.f08 else "(MPI_STATUS_SIZE,1)" if shape else "(MPI_STATUS_SIZE)"
            kind = "type(MPI_Status)" if form.f08 else "integer"
        kind = "character(len=1)" if kind == "CHARACTER" else kind.replace("INTEGER", "integer")
        lines += [f"{kind} :: {name}{shape}", f"common /mpt_f_{block}/ {name}"]
    return lines


# MPI_SIZEOF: each type and kind that the compiler has, of any rank. gfortran's macro says whether it has it.
SIZED = (
    [("character", "len=*", None)]
    + [
        (t, f"kind={k}", "__GFC_INT_16__" if k == 16 else None)
        for t in ("integer", "logical")
        for k in (1, 2, 4, 8, 16)
    ]
    + [(t, f"kind={k}", f"__GFC_REAL_{k}__" if k > 8 else None) for t in ("real", "complex") for k in (4, 8, 10, 16)]
)


def sizeof(form: Form) -> tuple[list[str], list[str]]:
    names, bodies = [], []
    for kind, parameter, macro in SIZED:
        name = f"mpt_sizeof_{kind}_{parameter.split('=')[1].replace('*', 'any')}"
        optional = ", optional, intent(out)" if form.f08 else ""
        done = "if (present(ierror)) ierror = MPI_SUCCESS" if form.f08 else "ierror = MPI_SUCCESS"
        text = [
            f"subroutine {name}(x, size, ierror)",
            f"{kind}({parameter}), dimension(..), intent(in) :: x",
            "integer, intent(out) :: size",
            f"integer{optional} :: ierror",
            "size = int(storage_size(x) / 8)",
            done,
            "end subroutine",
        ]
        guard = ([f"#ifdef {macro}"], ["#endif"]) if macro else ([], [])
        names += guard[0] + [f"module procedure {name}"] + guard[1]
        bodies += guard[0] + text + guard[1]
    return ["interface MPI_Sizeof", *names, "end interface", "interface PMPI_Sizeof", *names, "end interface"], bodies


def types_08() -> list[str]:
    lines = []
    for handle in f.HANDLE_TYPES:
        lines += [f"type, bind(C) :: MPI_{handle}", "  integer :: MPI_VAL", "end type"]
    lines += [
        "type, bind(C) :: MPI_Status",
        "  integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR",
        "  integer, private :: internal(5)",
        "end type",
    ]
    for operator, word in (("==", "equal"), ("/=", "differ")):
        lines += (
            [f"interface operator({operator})"]
            + [f"  module procedure mpt_{word}_{h}" for h in f.HANDLE_TYPES]
            + ["end interface"]
        )
    lines += [f"private :: mpt_{word}_{h}" for word in ("equal", "differ") for h in f.HANDLE_TYPES]
    return lines


def types_module() -> str:
    return module_text("mpt_mpi_types", ["implicit none", *types_08(), "contains", *operators()])


def operators() -> list[str]:
    lines = []
    for operator, word in (("==", "equal"), ("/=", "differ")):
        for h in f.HANDLE_TYPES:
            lines += [
                f"elemental logical function mpt_{word}_{h}(a, b)",
                f"type(MPI_{h}), intent(in) :: a, b",
                f"mpt_{word}_{h} = a%MPI_VAL {operator} b%MPI_VAL",
                "end function",
            ]
    return lines


def module(form: Form) -> str:
    generic, bodies = sizeof(form)
    lines = ["use mpt_mpi_types", "implicit none", *constant_lines(form)]
    if form.f08:
        lines += abstract(form)
    lines += predefined(form) + (procedures_08(form) if form.f08 else procedures_90(form)) + generic
    return module_text("mpi_f08" if form.f08 else "mpi", [*lines, "contains", *bodies])


def module_text(name: str, lines: list[str]) -> str:
    top = [
        "! SPDX-License-Identifier: BSD-3-Clause",
        "!",
        f"! The module {name}, made by tools/mpi/fortran_modules.py.",
    ]
    return "\n".join([*top, f"module {name}", *lines, f"end module {name}"]) + "\n"


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mpif.h").write_text(mpif_h())
    (folder / "mpt_mpi_types.F90").write_text(types_module())
    (folder / "mpi.F90").write_text(module(Form(False)))
    (folder / "mpi_f08.F90").write_text(module(Form(True, sys.argv[2] == "by-descriptor")))


if __name__ == "__main__":
    main()
