#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write the C bodies of mpi_f08's procedures with choice buffers, which come as descriptors: mpi_xxx_f08ts_,
mpi_xxx_c_f08ts_.

Where all are contiguous the procedure that takes addresses is called (fortran.py). Else each buffer gets a view
(src/mpi/fortran/section.h): what a count and a datatype describe, a datatype of the section; what is an array of parts,
or operands of a reduction, a copy. Usage: fortran_sections.py FILE
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import api
import fortran
import fortran_api as f

TOP = """/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Made by tools/mpi/fortran_sections.py: mpi_f08's procedures whose buffers are descriptors. */
#include "section.h"

"""

# Count and datatype of a buffer, by the buffer's name.
DESCRIBED = {
    "buf": ("count", "datatype"),
    "buffer": ("count", "datatype"),
    "sendbuf": ("sendcount", "sendtype"),
    "recvbuf": ("recvcount", "recvtype"),
    "origin_addr": ("origin_count", "origin_datatype"),
    "result_addr": ("result_count", "result_datatype"),
    "inbuf": ("incount", "datatype"),
    "outbuf": ("outcount", "datatype"),
}
# The collectives of which all parts of a side, or the operands, are one argument (and what the local ones do is alike).
OF_PARTS = re.compile(r"MPI_(I|N|Ineighbor_|Neighbor_)?(all)?(gather|scatter|toall|reduce|scan|exscan)", re.I)
# Their sides of one part: what is gathered here, and what is scattered to here.
OF_ONE = (("gather", "sendbuf"), ("scatter", "recvbuf"))
CONTIGUOUS = {
    "MPI_Win_create",
    "MPI_Win_attach",
    "MPI_Buffer_attach",
    "MPI_Comm_attach_buffer",
    "MPI_Session_attach_buffer",
}
FIRST = {"MPI_Fetch_and_op", "MPI_Compare_and_swap"}


def view(p: api.Procedure, q: api.Parameter, i: int) -> str:
    """The call that makes view i of buffer q."""
    names = {r.name for r in p.parameters}
    where = f'"{p.name}", "{q.name}"'
    one = any(kind in p.name.lower() and q.name == name for kind, name in OF_ONE) and "reduce" not in p.name.lower()
    if p.name in FIRST:
        return f"mpif_view_first(&v[{i}], {q.name}, *datatype, {where})"
    if p.name in CONTIGUOUS:
        return f"mpif_view_whole(&v[{i}], {q.name}, {where})"
    count, datatype = DESCRIBED.get(q.name, ("", ""))
    if count in names and (one or not OF_PARTS.match(p.name)):
        all_of = f"(MPI_Count)*partitions * *{count}" if "partitions" in names else "*" + count
        if not ("async" in q.flags or "request" in names):
            return (
                f"mpif_view_now(&v[{i}], {q.name}, {all_of}, *{datatype}, {str(q.direction != 'in').lower()}, {where})"
            )
        return f"mpif_view_typed(&v[{i}], {q.name}, {all_of}, *{datatype}, {where})"
    return f"mpif_view_copied(&v[{i}], {q.name}, {str(q.direction != 'in').lower()})"


def address_only(p: api.Procedure) -> bool:
    """Of the buffer it is enough to know where it begins."""
    return p.name in ("MPI_Get_address", "MPI_Free_mem", "MPI_Win_detach") or p.name.endswith("_end")


class Sections:
    """One procedure: its parameters with descriptors, and as the procedure that takes addresses has them."""

    def __init__(self, p: api.Procedure, large: bool):
        self.p, self.large = p, large
        self.plain = fortran.body(p, large)
        self.parameters = f.parameters(p, large)
        self.buffers = [q for q in self.parameters if q.kind == "BUFFER"]
        self.views = [view(p, q, i) for i, q in enumerate(self.buffers)]
        self.lengths = [f"{q.name}_len" for q in self.parameters if q.kind == "STRING"]
        self.local = f"mpif_{p.name.lower()}{'_c' if large else ''}"

    def declared(self) -> str:
        declared = [
            f"const struct mpif_array *{q.name}" if q.kind == "BUFFER" else d
            for q, d in zip(self.parameters, self.plain.declared, strict=True)
        ]
        return ", ".join([*declared, "int *ierror", *self.plain.lengths])

    def call(self, error: str, instead: dict[str, str]) -> str:
        """Of the procedure that takes addresses."""
        arguments = [
            instead.get(q.name, f"{q.name}->base_addr" if q.kind == "BUFFER" else q.name) for q in self.parameters
        ]
        return f"{self.local}({', '.join([*arguments, error, *self.lengths])});"

    def of_views(self) -> str:
        """The way of sections that are not contiguous."""
        n, instead, counts = len(self.views), {}, []
        copied = any("_copied" in text or "_now" in text for text in self.views)
        for i, (q, text) in enumerate(zip(self.buffers, self.views, strict=True)):
            instead[q.name] = f"v[{i}].at"
            if "_typed" not in text and "_now" not in text:
                continue
            count, datatype = DESCRIBED[q.name]
            c_type = f.base(next(r for r in self.parameters if r.name == count), self.large)
            counts.append(f"const {c_type} {count}_{i} = v[{i}].typed ? 1 : *{count};")
            instead |= {count: f"&{count}_{i}", datatype: f"&v[{i}].type"}
        lines = [f"struct mpif_view v[{n}] = {{0}};", f"int error_ = {self.views[0]};", ""]
        lines += [line for text in self.views[1:] for line in ("if (error_ == MPI_SUCCESS)", f"    error_ = {text};")]
        later = copied and any(q.name == "request" for q in self.parameters)
        if later:
            lines += ["if (error_ == MPI_SUCCESS)", f"    error_ = mpif_views_later(v, {n});"]
        lines += ["if (error_ == MPI_SUCCESS) {"] + [
            "    " + s for s in counts + [""] * bool(counts) + [self.call("&error_", instead)]
        ]
        if later:
            lines += ["    if (error_ == MPI_SUCCESS)", "        error_ = mpif_views_keep(v, *request);"]
        elif copied:
            lines.append(f"    mpif_views_back(v, {n});")
        return "".join(
            f"    {s}\n" if s else "\n"
            for s in [*lines, "}", f"mpif_views_close(v, {n});", "mpif_result(ierror, error_);"]
        )

    def text(self) -> str:
        name, declared = f"{self.p.name.lower()}{'_c' if self.large else ''}_f08ts_", self.declared()
        plain = ", ".join([*self.plain.declared, "int *ierror", *self.plain.lengths])
        text = f"void {self.local}({plain});\n"
        if address_only(self.p):
            body = f"    {self.call('ierror', {})}\n"
        else:
            arguments = ", ".join([q.name for q in self.parameters] + ["ierror"] + self.lengths)
            slow = f"{self.local}_sections"
            text += f"static __attribute__((noinline)) void {slow}({declared})\n{{\n{self.of_views()}}}\n\n"
            flat = " && ".join(f"mpif_flat({q.name})" for q in self.buffers)
            body = f"    if ({flat})\n        {self.call('ierror', {})}\n    else\n        {slow}({arguments});\n"
        return (
            text
            + f"void MPIF_PUBLIC p{name}({declared});\nvoid p{name}({declared})\n{{\n{body}}}\n"
            + f"MPIF_WEAK(p{name}, {name});\n\n"
        )


def main() -> None:
    text = TOP
    for p in f.procedures("f08"):
        if f.has_descriptors(p) and p.name not in fortran.BY_HAND:
            text += Sections(p, False).text()
            if f.large_differs(p):
                text += Sections(p, True).text()
    Path(sys.argv[1]).write_text(text)


if __name__ == "__main__":
    main()
