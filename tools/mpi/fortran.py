#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write the C bodies of MPI's Fortran procedures that the standard's table can say all about.

Each turns its arguments into C's (src/mpi/fortran/fortran.h has the helpers), calls the PMPI_ function
and turns the results back. mpi_xxx_ and pmpi_xxx_ serve mpif.h and `use mpi`; the same body serves mpi_f08
(mpi_xxx_f08_): handles there are structures of one INTEGER, a status has the same 8 integers. Large forms are
mpi_xxx_c_f08_. Usage: fortran.py FILE
"""

from __future__ import annotations

import sys
from pathlib import Path

import api
import bodies
import fortran_api as f

TOP = """/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Made by tools/mpi/fortran.py: MPI's Fortran procedures, by their C functions. */
#include "fortran.h"

#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* an array of no handles */
#endif

/* Did Waitsome and its like report requests? */
static inline bool some(int error) { return error == MPI_SUCCESS || error == MPI_ERR_IN_STATUS; }

"""

# Written by hand in src/mpi/fortran: callbacks, attributes, strings of a given length, spawning.
BY_HAND = set(
    """
    MPI_Init MPI_Init_thread MPI_Info_get MPI_Info_get_string MPI_Info_create_env MPI_Session_get_nth_pset
    MPI_Comm_spawn MPI_Comm_spawn_multiple MPI_Attr_put MPI_Attr_get MPI_Comm_set_attr MPI_Comm_get_attr
    MPI_Win_set_attr MPI_Win_get_attr MPI_Type_set_attr MPI_Type_get_attr MPI_Keyval_create MPI_Comm_create_keyval
    MPI_Win_create_keyval MPI_Type_create_keyval MPI_Comm_create_errhandler MPI_Win_create_errhandler
    MPI_File_create_errhandler MPI_Session_create_errhandler MPI_Op_create MPI_Grequest_start MPI_Register_datarep
    MPI_Buffer_detach MPI_Comm_detach_buffer MPI_Session_detach_buffer MPI_Pcontrol MPI_Status_f2f08 MPI_Status_f082f
    MPI_F_sync_reg MPI_Wtime MPI_Wtick MPI_Aint_add MPI_Aint_diff MPI_Session_init
""".split()
)

# Lengths that no argument tells: C expressions.
LENGTHS = {"sendtypes": "mpif_buffer(sendbuf) == MPI_IN_PLACE ? 0 : {of}", "recvtypes": "{of}"}
# Results that count from 1 in Fortran: the scalar, or array and its length.
ONE_BASED = {"MPI_Waitany", "MPI_Testany", "MPI_Request_get_status_any"}
ONE_BASED_ARRAYS = {"MPI_Waitsome", "MPI_Testsome", "MPI_Request_get_status_some"}
TRIMMED = ("key", "value")
LENGTH_OF = {"key": "MPI_MAX_INFO_KEY", "datarep": "MPI_MAX_DATAREP_STRING"}


class Body:
    """One procedure under construction: lines before the call, the call's arguments, lines after it."""

    def __init__(self, p: api.Procedure, large: bool):
        self.p, self.large = p, large
        self.declared: list[str] = []  # C parameters
        self.lengths: list[str] = []  # of CHARACTER arguments
        self.before: list[str] = []
        self.check: list[str] = []  # pointers that may be NULL for want of memory
        self.arguments: dict[str, str] = {}
        self.fill: list[str] = []  # when they are not
        self.after: list[str] = []  # always
        self.results: list[str] = []  # when the call succeeded

    def add(self, q: api.Parameter) -> None:
        kind = (
            "choice"
            if q.kind in f.CHOICE
            else "pointer"
            if q.kind in f.POINTER_RESULT
            else "status"
            if q.kind == "STATUS"
            else "string"
            if q.kind == "STRING"
            else "weights"
            if q.kind == "WEIGHT"
            else "handles"
            if q.kind in f.HANDLES and f.is_array(q)
            else "handle"
            if q.kind in f.HANDLES
            else "array"
            if f.is_array(q)
            else "logical"
            if q.kind.startswith("LOGICAL")
            else "integer"
        )
        getattr(self, kind)(q)

    def take(self, q: api.Parameter, c_type: str, argument: str) -> None:
        self.declared.append(f"{c_type} *{q.name}")
        self.arguments[q.name] = argument

    def choice(self, q: api.Parameter) -> None:
        self.take(q, "void", f"mpif_buffer({q.name})")

    def pointer(self, q: api.Parameter) -> None:
        self.take(q, "void", q.name)

    def status(self, q: api.Parameter) -> None:
        if q.direction == "in":
            self.take(q, "const MPI_Status", q.name)
        else:
            self.take(q, "int", f"mpif_status({q.name})")

    def weights(self, q: api.Parameter) -> None:
        self.take(q, "const int" if q.direction == "in" else "int", f"mpif_weights({q.name})")

    def array(self, q: api.Parameter) -> None:
        const = "const " if q.direction == "in" else ""
        cast = f"(int (*)[{q.length.split(';')[1]}])(uintptr_t)" if q.length and ";" in q.length else ""
        argument = f"mpif_errcodes({q.name})" if q.kind == "ERROR_CODE" else cast + q.name
        self.take(q, const + f.base(q, self.large), argument)
        if q.kind == "INDEX" and self.p.name in ONE_BASED_ARRAYS:
            self.after.append(
                f"for (int i = 0; some(error_) && *outcount != MPI_UNDEFINED && i < *outcount; i++) {q.name}[i]++;"
            )

    def logical(self, q: api.Parameter) -> None:
        if q.direction == "in":
            self.take(q, "const int", f"*{q.name} != 0")
            return
        self.before.append(f"int {q.name}_c = 0;")
        self.take(q, "int", f"&{q.name}_c")
        self.after.append(f"*{q.name} = {q.name}_c != 0;")

    def integer(self, q: api.Parameter) -> None:
        if q.direction == "in":
            self.take(q, "const " + f.base(q, self.large), "*" + q.name)
            return
        if q.kind == "INDEX" and self.p.name in ONE_BASED:
            self.before.append(f"int {q.name}_c = MPI_UNDEFINED;")
            self.take(q, "int", f"&{q.name}_c")
            self.after.append(f"*{q.name} = {q.name}_c == MPI_UNDEFINED ? MPI_UNDEFINED : {q.name}_c + 1;")
        else:
            self.take(q, f.base(q, self.large), q.name)

    def handle(self, q: api.Parameter) -> None:
        c, helper = "MPI_" + f.HANDLES[q.kind], helper_of(q)
        if q.direction == "in" and "pointer" not in q.flags:
            self.take(q, "const int", f"{helper}(*{q.name})")
            return
        start = f"{helper}(*{q.name})" if q.direction != "out" else f"MPI_{f.HANDLES[q.kind].upper()}_NULL"
        self.before.append(f"{c} {q.name}_c = {start};")
        self.take(q, "int", f"&{q.name}_c")
        if q.direction == "inout":
            self.after.append(f"*{q.name} = {helper}_int({q.name}_c);")
        elif q.direction == "out":
            self.results.append(f"*{q.name} = {helper}_int({q.name}_c);")

    def handles(self, q: api.Parameter) -> None:
        c, helper, n = "MPI_" + f.HANDLES[q.kind], helper_of(q), self.length(q)
        x = q.name
        self.before += [
            f"MPI_Count {x}_n = {n};",
            f"{c} {x}_here[MPIF_HERE], *{x}_c = mpif_array({x}_here, {x}_n, sizeof *{x}_c);",
        ]
        self.check.append(f"{x}_c")
        start = "(" + c + ")MPI_DATATYPE_NULL" if q.direction == "out" else f"{helper}({x}[i])"
        self.fill.append(f"for (MPI_Count i = 0; i < {x}_n; i++) {x}_c[i] = {start};")
        self.take(q, "const int" if q.direction == "in" else "int", f"{x}_c")
        if q.direction == "inout":
            self.after.append(f"for (MPI_Count i = 0; i < {x}_n; i++) {x}[i] = {helper}_int({x}_c[i]);")
        elif q.direction == "out":
            self.results.append(
                f"for (MPI_Count i = 0; i < {x}_n && {x}_c[i] != MPI_DATATYPE_NULL; i++) "
                f"{x}[i] = {helper}_int({x}_c[i]);"
            )
        self.after.append(f"mpif_done({x}_c, {x}_here);")

    def length(self, q: api.Parameter) -> str:
        if q.length != "*":
            return "*" + q.length
        outwards = str(q.name == "sendtypes").lower()
        of = (
            f"mpif_neighbours(mpif_comm(*comm), {outwards})"
            if "eighbor" in self.p.name
            else "mpif_peers(mpif_comm(*comm))"
        )
        return LENGTHS[q.name].format(of=of)

    def string(self, q: api.Parameter) -> None:
        x = q.name
        self.lengths.append(f"size_t {x}_len")
        if q.direction == "in":
            helper = "mpif_trimmed" if "Info_" in self.p.name and x in TRIMMED else "mpif_string"
            self.before.append(f"char *{x}_c = {helper}({x}, {x}_len);")
            self.check.append(f"{x}_c")
            self.take(q, "const char", f"{x}_c")
            self.after.append(f"free({x}_c);")
            return
        size = q.length if q.length and q.length.startswith("MPI_MAX") else LENGTH_OF[x]
        self.before.append(f'char {x}_c[{size} + 1] = "";')
        self.take(q, "char", f"{x}_c")
        self.results.append(f"mpif_string_out({x}, {x}_len, {x}_c);")

    def text(self, name: str) -> str:
        c_name = "P" + self.p.name + ("_c" if self.large else "")
        arguments = ", ".join(
            self.arguments.get(q.name, "") for q in self.p.c_parameters if self.large or "large" not in q.flags
        )
        declared = ", ".join([*self.declared, "int *ierror", *self.lengths])
        call = f"{c_name}({arguments})"
        lines = [*self.before, "int error_;", ""]
        if self.check:
            lines += (
                [f"if ({' && '.join(self.check)}) {{"]
                + ["    " + s for s in self.fill]
                + [f"    error_ = {call};", "} else {", "    error_ = mpif_no_memory();", "}"]
            )
        else:
            lines.append(f"error_ = {call};")
        if self.results:
            lines += ["if (error_ == MPI_SUCCESS) {"] + ["    " + s for s in self.results] + ["}"]
        # Arrays of requests are given back also after an error: some may be done. But only when they were made.
        for line in self.after:
            guard = f"if ({self.check[0]}) " if "_n; i++" in line and self.check else ""
            lines.append(guard + line)
        lines.append("mpif_result(ierror, error_);")
        return (
            f"void MPIF_PUBLIC {name}({declared});\nvoid {name}({declared})\n{{\n"
            + "".join(f"    {s}\n" if s else "\n" for s in lines)
            + "}\n"
        )


def helper_of(q: api.Parameter) -> str:
    name = f.HANDLES[q.kind].lower()
    return "mpif_" + ("type" if name == "datatype" else name)


def body(p: api.Procedure, large: bool) -> Body:
    b = Body(p, large)
    for q in f.parameters(p, large):
        b.add(q)
    return b


def local(p: api.Procedure, name: str, local_name: str) -> str:
    """The procedure's name for those that take descriptors (fortran_sections.py)."""
    return f"MPIF_LOCAL({name}, {local_name});\n" if "f08" in p.flags and f.has_descriptors(p) else ""


def procedure(p: api.Procedure) -> str:
    name = p.name.lower()
    text = bodies.comment(p) + body(p, False).text(f"p{name}_") + local(p, f"p{name}_", f"mpif_{name}")
    text += f"MPIF_NAMES{'' if 'f08' in p.flags else '_77'}({name});\n"
    if "overload" in p.flags:
        text += f"MPIF_NAMES_CPTR({name});\n"
    if "f08" in p.flags and f.large_differs(p):
        text += (
            "\n"
            + body(p, True).text(f"p{name}_c_f08_")
            + local(p, f"p{name}_c_f08_", f"mpif_{name}_c")
            + f"MPIF_NAMES_08({name}_c);\n"
        )
    return text + "\n"


def main() -> None:
    Path(sys.argv[1]).write_text(TOP + "".join(procedure(p) for p in f.procedures("f90") if p.name not in BY_HAND))


if __name__ == "__main__":
    main()
