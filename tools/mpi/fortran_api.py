# SPDX-License-Identifier: BSD-3-Clause
"""MPI's procedures as Fortran sees them: which there are, and what type each argument has.

Three forms read this: the C bodies (fortran.py), and mpif.h with the modules (fortran_modules.py).
"""

from __future__ import annotations

import api

# Kind of a parameter -> the part of our C helpers' names (mpif_comm, mpif_comm_int), and of the type MPI_Xxx.
HANDLES = {
    "COMMUNICATOR": "Comm",
    "DATATYPE": "Datatype",
    "ERRHANDLER": "Errhandler",
    "FILE": "File",
    "GROUP": "Group",
    "INFO": "Info",
    "MESSAGE": "Message",
    "OPERATION": "Op",
    "REQUEST": "Request",
    "SESSION": "Session",
    "WINDOW": "Win",
}
HANDLE_TYPES = sorted(HANDLES.values())

# C type -> Fortran's KIND of an integer (None: default).
INTEGER_KINDS = {
    "int": None,
    "MPI_Aint": "MPI_ADDRESS_KIND",
    "MPI_Offset": "MPI_OFFSET_KIND",
    "MPI_Count": "MPI_COUNT_KIND",
}

CHOICE = ("BUFFER", "LOGICAL_VOID")
POINTER_RESULT = ("C_BUFFER", "C_BUFFER2")

FUNCTIONS = {"MPI_Wtime": "double", "MPI_Wtick": "double", "MPI_Aint_add": "MPI_Aint", "MPI_Aint_diff": "MPI_Aint"}

# The large form differs by a dummy procedure only, or by more: a name of its own in mpi_f08 (19.2).
OWN_LARGE_NAME = {"MPI_Op_create", "MPI_Register_datarep"}

# A module procedure: generic over all types.
IN_MODULE = {"MPI_Sizeof"}


def parameters(p: api.Procedure, large: bool = False) -> list[api.Parameter]:
    """In Fortran's order, without ierror."""
    return [
        q
        for q in p.parameters
        if "nof" not in q.flags and q.kind != "VARARGS" and (large or "large" not in q.flags) and not is_error(q)
    ]


def has_descriptors(p: api.Procedure) -> bool:
    """mpi_f08 passes buffers as descriptors, where the compiler can: TYPE(*), DIMENSION(..)."""
    return any(q.kind == "BUFFER" for q in p.parameters)


def specific(p: api.Procedure, large: bool, sections: bool) -> str:
    """The end of the specific procedure's name in mpi_f08 (19.1.5)."""
    return ("_c" if large else "") + ("_f08ts" if sections and has_descriptors(p) else "_f08")


def is_error(q: api.Parameter) -> bool:
    return "noc" in q.flags and q.kind.startswith("ERROR_CODE")


def has_error(p: api.Procedure) -> bool:
    return any(is_error(q) for q in p.parameters)


def is_array(q: api.Parameter) -> bool:
    if q.kind in ("STRING", "BUFFER", "LOGICAL_VOID") or "CB" in q.kind:
        return False
    return (
        bool(q.brackets) or q.kind == "WEIGHT" or q.kind in ("STRING_ARRAY", "STRING_2DARRAY") or q.length is not None
    )


def base(q: api.Parameter, large: bool) -> str:
    c = api.C_TYPES.get(q.kind, "int")
    return c if isinstance(c, str) else c[large]


def integer_kind(q: api.Parameter, large: bool, f08: bool) -> str | None:
    """KIND of an integer argument; None: default."""
    if q.kind in ("EXTRA_STATE", "ATTRIBUTE_VAL") or q.kind in POINTER_RESULT:
        return "MPI_ADDRESS_KIND"
    if q.kind in ("EXTRA_STATE2", "ATTRIBUTE_VAL_10"):
        return None
    return INTEGER_KINDS[base(q, large)]


def large_differs(p: api.Procedure) -> bool:
    """May the large form share a generic name with the small one? Kinds of equal width cannot be told apart."""
    if not p.has_large or p.name in OWN_LARGE_NAME:
        return False

    def widths(large: bool) -> list[bool]:
        return [q.poly and not q.function and integer_kind(q, large, True) is not None for q in parameters(p, large)]

    return widths(False) != widths(True)


def procedures(form: str) -> list[api.Procedure]:
    """form: f90 or f08. The procedures a program calls, by name."""
    return [
        p
        for p in sorted(api.load(), key=lambda p: p.name.lower())
        if form in p.flags and not p.flags & {"callback", "predefined"} and p.name not in IN_MODULE
    ]


def callbacks() -> list[api.Procedure]:
    return [p for p in api.load() if "callback" in p.flags and "f08" in p.flags]


def predefined(form: str) -> list[api.Procedure]:
    return [p for p in api.load() if "predefined" in p.flags and form in p.flags]
