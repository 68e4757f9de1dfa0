#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write an mpi.h with MPICH's types and values, so that the chapters' tests can be compiled for libmpi.so.12 too.

For tests only: programs for this library come with MPICH's own. Usage: mpich_header.py > FILE
"""

import re

import header
import mpich

TOP = """\
/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI with MPICH's types and values, for tests of libmpi.so.12. Made by tools/mpi/mpich_header.py. */
#ifndef MPI_H_MPICH
#define MPI_H_MPICH

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset;
typedef int64_t MPI_Count;
typedef int MPI_Fint;

typedef struct {
    int count_lo;
    int count_hi_and_cancelled;
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
} MPI_Status;
typedef struct mpich_file *MPI_File;
"""
SYMBOLS = """\
extern int *const MPI_UNWEIGHTED, *const MPI_WEIGHTS_EMPTY;
extern struct mpich_T_pvar_handle *const MPI_T_PVAR_ALL_HANDLES;
int MPIR_Dup_fn(MPI_Comm, int, void *, void *, void *, int *);
"""
REMOVED = """\
int MPI_Address(const void *location, MPI_Aint *address);
int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent);
int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement);
int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement);
int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_hindexed(int count, const int blocklengths[], const MPI_Aint displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_struct(int count, const int blocklengths[], const MPI_Aint displacements[], const MPI_Datatype types[], MPI_Datatype *newtype);
int MPI_Errhandler_create(MPI_Comm_errhandler_function *function, MPI_Errhandler *errhandler);
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler);
MPI_Fint MPI_Comm_c2f(MPI_Comm comm);
MPI_Comm MPI_Comm_f2c(MPI_Fint comm);
MPI_Fint MPI_File_c2f(MPI_File file);
MPI_File MPI_File_f2c(MPI_Fint file);
int MPI_Status_c2f(const MPI_Status *c, MPI_Fint *f);
int MPI_Status_f2c(const MPI_Fint *f, MPI_Status *c);
"""  # noqa: E501 - a line of C for each function, as it is written out
IN_SYMBOLS = {"MPI_UNWEIGHTED", "MPI_WEIGHTS_EMPTY", "MPI_T_PVAR_ALL_HANDLES"}


def values() -> dict[str, str]:
    rows = (
        line.split("\t")
        for line in (mpich.ROOT / "src/mpi/mpich.tsv").read_text().splitlines()
        if not line.startswith("#")
    )
    return {name: value for group, name, value in rows if group != "alias"}


def constant_lines() -> list[str]:
    there = values()
    lines = []
    for _, name, _, c_type in header.constants():
        if c_type == "None" or c_type in header.ENUMS or name in IN_SYMBOLS:
            continue
        if name.endswith("DUP_FN"):
            lines.append(f"#define {name} (({c_type})MPIR_Dup_fn)")
        elif (
            name.endswith("_FN")
            or "CONVERSION_FN" in name
            or (name.startswith("MPI_T_") and c_type.startswith("MPI_T_"))
        ):
            lines.append(f"#define {name} (({c_type})0)")
        elif name in there:
            lines.append(f"#define {name} (({c_type}){there[name]})")
    return lines


def enum_lines() -> list[str]:
    there = values()
    members = {
        e: [f"{name} = {there[name]}" for _, name, _, c_type in header.constants() if c_type == e] for e in header.ENUMS
    }
    return [f"typedef enum {{ {', '.join(members[e])} }} {e};" for e in header.ENUMS]


def main() -> None:
    print(TOP)
    for handle in header.HANDLES:
        if handle != "File":
            print(f"typedef int MPI_{handle};")
    for handle in header.TOOL_HANDLES:
        print(f"typedef struct mpich_T_{handle} *MPI_T_{handle};")
    text = "\n".join(
        enum_lines() + header.callback_lines() + [SYMBOLS] + constant_lines() + header.prototype_lines() + [REMOVED]
    )
    # Compilers warn of an array argument that is MPI_STATUSES_IGNORE, an invented address.
    print(re.sub(r"MPI_Status (\w+)\[\]", r"MPI_Status *\1", text))
    print("#ifdef __cplusplus\n}\n#endif\n\n#endif")


if __name__ == "__main__":
    main()
