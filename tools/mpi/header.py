#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write include/mpi.h: the C header of the MPI-5.0 standard ABI, from src/mpi/api.tsv and constants.tsv, and what
stands beyond it in *_ulfm.tsv and *_removed.tsv.

Usage: header.py > include/mpi.h   (the test mpi.header_current compares)
"""

from pathlib import Path

import api

HANDLES = "Comm Datatype Errhandler File Group Info Message Op Request Session Win".split()
TOOL_HANDLES = "enum cvar_handle pvar_handle pvar_session event_registration event_instance".split()
TABLES = ("constants.tsv", "constants_ulfm.tsv", "constants_removed.tsv")
ENUMS = ("MPI_T_cb_safety", "MPI_T_source_order")

TOP = """\
/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C header of the MPI-5.0 standard ABI (chapter 20 of the standard): a program
 * compiled with it runs on every library that offers libmpi_abi.so.1. Written by
 * tools/mpi/header.py; edit that.
 *
 * All functions return MPI_SUCCESS or an error code after the error handler in
 * force has been called (section 9.3). Counts are in elements of the datatype,
 * displacements of window, vector and file calls in their units, sizes in bytes.
 * Functions whose names end in _c take MPI_Count where the others take int.
 */
#ifndef MPI_H_ABI
#define MPI_H_ABI

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset;
typedef int64_t MPI_Count;

typedef struct {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int MPI_internal[5];
} MPI_Status;
"""


def constants() -> list[list[str]]:
    folder = Path(__file__).parents[2] / "src/mpi"
    text = "".join((folder / name).read_text() for name in TABLES)
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


def expression(value: str, c_type: str) -> str:
    if c_type == "int":
        return f"({value})" if value.startswith("-") else value
    if c_type.startswith("MPI_") and c_type[4:] in HANDLES:
        return f"(({c_type})0x{int(value):x})"
    return f"(({c_type}){value})"


def constant_lines() -> list[str]:
    lines: list[str] = []
    last = ""
    for category, name, value, c_type in constants():
        if (c_type == "None" and name != "MPI_STATUS_SIZE") or c_type in ENUMS or name == "MPI_STATUS_SIZE":
            continue
        if category != last:
            lines.append("\n/* " + category.replace("_", " ").lower() + " */")
            last = category
        lines.append(f"#define {name} {expression(value, c_type)}")
    return lines


def enum_lines() -> list[str]:
    lines = []
    for enum in ENUMS:
        members = ", ".join(f"{name} = {value}" for _, name, value, c_type in constants() if c_type == enum)
        lines.append(f"typedef enum {{ {members} }} {enum};")
    return lines


def callback_lines() -> list[str]:
    lines = []
    for p in api.load():
        if "callback" not in p.flags:
            continue
        for large in (False, True) if any(q.poly for q in p.parameters) else (False,):
            parameters = ", ".join(q.declare(large) for q in p.parameters if "noc" not in q.flags)
            lines.append(f"typedef {p.returns} {p.name}{'_c' if large else ''}({parameters});")
    return lines


def prototype_lines() -> list[str]:
    lines = []
    for p in sorted(api.c_functions(), key=lambda p: p.name):
        for prefix in ("", "P"):
            lines.append(p.declare(False, prefix) + ";")
            if p.has_large:
                lines.append(p.declare(True, prefix) + ";")
    return lines


# Fortran's side of C (19.3.4): not in the C ABI (20.4), so these are macros over what is: a program that uses them runs
# on every library. Our libmpi_abi has the functions, too, for a program that takes their address or looks them up. One
# that brings its own has defined MPI_Comm_c2f before, or redefines them.
FORTRAN_TOP = """
/* Fortran's handles and statuses in C (19.3.4, 19.3.5). The functions are no part of the C ABI, and other libraries may
 * lack them: what is called by name is of it, by these macros. */
#ifndef MPI_Comm_c2f
typedef int MPI_Fint;
typedef MPI_Status MPI_F08_status;
extern MPI_Fint mpt_f_status_ignore_[], mpt_f_statuses_ignore_[]; /* in libmpifort_abi */
#define MPI_F_STATUS_IGNORE mpt_f_status_ignore_
#define MPI_F_STATUSES_IGNORE mpt_f_statuses_ignore_
#define MPI_F08_STATUS_IGNORE ((MPI_F08_status *)mpt_f_status_ignore_)
#define MPI_F08_STATUSES_IGNORE ((MPI_F08_status *)mpt_f_statuses_ignore_)
static __inline__ int mpt_status_copy(const void *from, void *to)
{
    if (!from || !to)
        return MPI_ERR_ARG;
    *(MPI_Status *)to = *(const MPI_Status *)from;
    return MPI_SUCCESS;
}"""


# The forms of a status in C.
STATUS_TYPES = {"c": "MPI_Status", "f": "MPI_Fint", "f08": "MPI_F08_status"}
STATUS_PAIRS = [(a, b) for a in STATUS_TYPES for b in STATUS_TYPES if a != b]


def fortran_prototypes() -> list[str]:
    lines = []
    for p in ("MPI", "PMPI"):
        for h in sorted(h if h != "Datatype" else "Type" for h in HANDLES):
            c_type = "MPI_Datatype" if h == "Type" else f"MPI_{h}"
            lines += [f"MPI_Fint {p}_{h}_c2f({c_type});", f"{c_type} {p}_{h}_f2c(MPI_Fint);"]
        lines += [
            f"int {p}_Status_{a}2{b}(const {STATUS_TYPES[a]} *{a}_status, {STATUS_TYPES[b]} *{b}_status);"
            for a, b in STATUS_PAIRS
        ]
    return lines


def fortran_lines() -> list[str]:
    lines = fortran_prototypes()
    for h in sorted(h if h != "Datatype" else "Type" for h in HANDLES):
        argument = "datatype" if h == "Type" else h.lower()
        lines += [
            f"#define {p}_{h}_c2f({argument}) {p}_{h}_toint({argument})\n"
            f"#define {p}_{h}_f2c({argument}) {p}_{h}_fromint({argument})"
            for p in ("MPI", "PMPI")
        ]
    lines += [
        f"#define {p}_Status_{a}2{b}({a}_status, {b}_status) mpt_status_copy({a}_status, {b}_status)"
        for a, b in STATUS_PAIRS
        for p in ("MPI", "PMPI")
    ]
    return [*lines, "#endif"]


def main() -> None:
    print(TOP)
    for handle in HANDLES:
        print(f"typedef struct MPI_ABI_{handle} *MPI_{handle};")
    for handle in TOOL_HANDLES:
        print(f"typedef struct MPI_ABI_T_{handle} *MPI_T_{handle};")
    print("\n".join(["", *enum_lines(), "", *callback_lines()]))
    print("typedef MPI_Comm_errhandler_function MPI_Handler_function; /* MPI-1's name */")
    print("\n".join(constant_lines()))
    print("\n/* Functions; PMPI_ are the same ones for tools that define the MPI_ names. */")
    print("\n".join(prototype_lines()))
    print(FORTRAN_TOP)
    print("\n".join(fortran_lines()))
    print("\n#ifdef __cplusplus\n}\n#endif\n\n#endif")


if __name__ == "__main__":
    main()
