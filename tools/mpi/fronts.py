#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write, at build time, the C that lies between the standard's names and src/mpi's bodies.

  calls.h       bodies' declarations (core form, see api.py) and the table of all of them
  calls.c       the table: each body behind the lock of MPI_THREAD_MULTIPLE
  front_abi.c   the standard ABI's functions, PMPI_ and (weak) MPI_, small and large: jumps through the table; and those
                of Fortran's handles and statuses, which the ABI leaves out

Bodies live in libmpt, whose exports must not collide with another MPI's; libmpi_abi.so.1 holds the
front only. Usage: fronts.py FOLDER
"""

import re
import sys
from pathlib import Path

import api
import bodies
import header

TOP = "/* SPDX-License-Identifier: BSD-3-Clause\n *\n * Made by tools/mpi/fronts.py: {what} */\n"

# Called before MPI_Init, by any thread, or without state: no lock.
NO_LOCK = {
    "MPI_Wtime",
    "MPI_Wtick",
    "MPI_Aint_add",
    "MPI_Aint_diff",
    "MPI_Pcontrol",
    "MPI_Initialized",
    "MPI_Finalized",
    "MPI_Get_version",
    "MPI_Get_library_version",
    "MPI_Abi_get_version",
    "MPI_Get_address",
    "MPI_Address",
    "MPI_Query_thread",
}

# Kinds of handles, and of objects (src/mpi/kind.h) whose makers and freers --check remembers (src/mpi/rt/ledger.h).
OBJECTS = {
    "COMMUNICATOR": "MPII_COMM",
    "DATATYPE": "MPII_TYPE",
    "ERRHANDLER": "MPII_ERRHANDLER",
    "FILE": "MPII_FILE",
    "GROUP": "MPII_GROUP",
    "INFO": "MPII_INFO",
    "MESSAGE": "MPII_MESSAGE",
    "OPERATION": "MPII_OP",
    "REQUEST": "MPII_REQUEST",
    "SESSION": "MPII_SESSION",
    "WINDOW": "MPII_WIN",
}
# What these give need not be freed (or it is not theirs), or their bodies enter it themselves: the short paths.
NOT_ENTERED = {
    "MPI_Comm_accept",
    "MPI_Comm_connect",
    "MPI_Comm_get_errhandler",
    "MPI_Comm_get_parent",
    "MPI_Comm_join",
    "MPI_Comm_spawn",
    "MPI_Comm_spawn_multiple",
    "MPI_Errhandler_get",
    "MPI_File_get_errhandler",
    "MPI_File_get_view",
    "MPI_Irecv",
    "MPI_Irsend",
    "MPI_Isend",
    "MPI_Issend",
    "MPI_Session_get_errhandler",
    "MPI_Type_create_f90_complex",
    "MPI_Type_create_f90_integer",
    "MPI_Type_create_f90_real",
    "MPI_Type_match_size",
    "MPI_Win_get_errhandler",
}
FREES = ("_free", "_disconnect", "_close", "Session_finalize")


def arguments(p: api.Procedure) -> list[str]:
    return [q.name for q in p.c_parameters if q.kind != "VARARGS"]


def member(p: api.Procedure) -> str:
    return p.bare


def calls_h(procedures: list[api.Procedure]) -> str:
    bodies = "".join(f"{p.declare_core()};\n" for p in procedures)
    members = "".join(f"    {p.declare_core('(*' + member(p) + ')')};\n" for p in procedures)
    return (
        TOP.format(what="the bodies of MPI's procedures in core form.")
        + "#ifndef MPI_CALLS_H\n#define MPI_CALLS_H\n\n#include <mpi.h>\n\n"
        "typedef void MPII_Function(void); /* of the small or the large type, as `wide` says */\n\n"
        + bodies
        + "\nstruct mpii_table {\n"
        + members
        + '};\n\nextern const struct mpii_table mpt_mpi_table __attribute__((visibility("default")));\n\n#endif\n'
    )


IN_REGISTERS = 6

# Behind it, but any thread may call them at any time, whatever its thread level (11.6.1).
ANY_THREAD = re.compile(
    r"MPI_(Is_thread_main|T_|Info_|Session_|Add_error_|Remove_error_|Error_|Errhandler_|Abort|Abi_|\w+_(create|call)_errhandler|\w+_(to|from)int)"
)
# Among tasks by text that they share (collective/coll_quick.h), before the lock.
QUICK = {"MPI_Barrier", "MPI_Allreduce"}


def lock_of(p: api.Procedure) -> str:
    return "mpii_lock_any" if ANY_THREAD.match(p.name) else "mpii_lock"


def locked(p: api.Procedure) -> str:
    """The quick way must not save registers for the other one: with arguments on the stack compilers need it apart."""
    names = arguments(p) + (["wide"] if p.wide else [])
    call = f"{p.core_name}({', '.join(names)})"
    lock = lock_of(p)
    if len(names) > IN_REGISTERS:
        return bodies.comment(p) + (
            f"static __attribute__((noinline)) {p.declare_core('in_lock_' + member(p))}\n"
            f"{{\n    {p.returns} result_;\n\n"
            f"    {lock}();\n    result_ = {call};\n    mpii_unlock();\n    return result_;\n}}\n\n"
            f"static {p.declare_core('locked_' + member(p))}\n"
            f"{{\n    if (MPT_LIKELY(core_process_single()))\n        return {call};\n"
            f"    return in_lock_{member(p)}({', '.join(names)});\n}}\n\n"
        )
    quick = (
        f"    if (mpii_quick_{member(p)}({', '.join(names)}))\n        return MPI_SUCCESS;\n" if p.name in QUICK else ""
    )
    return bodies.comment(p) + (
        f"static {p.declare_core('locked_' + member(p))}\n"
        f"{{\n    {p.returns} result_;\n\n{quick}    if (MPT_LIKELY(core_process_single()))\n        return {call};\n"
        f"    {lock}();\n    result_ = {call};\n    mpii_unlock();\n    return result_;\n}}\n\n"
    )


def made(p: api.Procedure) -> list[api.Parameter]:
    """Handles that it gives."""
    given = [q for q in p.c_parameters if q.kind in OBJECTS and q.direction == "out" and q.stars and not q.length]
    return [] if p.name in NOT_ENTERED or p.name.startswith("MPI_T_") else given


def freed(p: api.Procedure) -> list[api.Parameter]:
    """Handles that it takes back."""
    return [q for q in p.c_parameters if q.kind in OBJECTS and q.direction == "inout" and p.name.endswith(FREES)]


def entered(p: api.Procedure) -> str:
    """The same for calls that make or free objects: --check is told."""
    names = arguments(p) + (["wide"] if p.wide else [])
    before = "".join(f"    const void *had_ = {q.name} ? *{q.name} : NULL;\n" for q in freed(p))
    after = "".join(f"mpii_ledger_freed({OBJECTS[q.kind]}, had_, site_);\n" for q in freed(p)) + "".join(
        f'mpii_ledger_made({OBJECTS[q.kind]}, *{q.name}, "{p.name}", site_);\n' for q in made(p)
    )
    lines = ["const uintptr_t site_ = core_site_by(__builtin_return_address(0));\n", *after.splitlines()]
    body = "\n".join(f"        {line}" for line in lines) + "\n"
    return bodies.comment(p) + (
        f"static {p.declare_core('locked_' + member(p))}\n"
        f"{{\n    const bool lock_ = !core_process_single();\n{before}    {p.returns} result_;\n\n"
        f"    if (MPT_UNLIKELY(lock_))\n        {lock_of(p)}();\n"
        f"    result_ = {p.core_name}({', '.join(names)});\n"
        f"    if (MPT_UNLIKELY(core_params.check) && result_ == MPI_SUCCESS) {{\n{body}    }}\n"
        f"    if (MPT_UNLIKELY(lock_))\n        mpii_unlock();\n    return result_;\n}}\n\n"
    )


def wrapper(p: api.Procedure) -> str:
    return entered(p) if made(p) or freed(p) else locked(p)


def calls_c(procedures: list[api.Procedure]) -> str:
    wrappers = "".join(wrapper(p) for p in procedures if p.name not in NO_LOCK)
    rows = "".join(
        f"    .{member(p)} = {p.core_name if p.name in NO_LOCK else 'locked_' + member(p)},\n" for p in procedures
    )
    return (
        TOP.format(what="every body behind the lock, and the table of them.")
        + '#include "mpi/collective/coll_quick.h"\n#include "mpi/rt/ledger.h"\n#include "mpi/rt/lock.h"\n'
        + '#include "mpi/traced/traced.h"\n#include "calls.h"\n\n'
        + wrappers
        + f"const struct mpii_table mpt_mpi_table = {{\n{rows}}};\n"
    )


def front(p: api.Procedure, large: bool) -> str:
    args = [
        "0" if "large" in q.flags and not large else ("(MPII_Function *)" + q.name if q.function and q.poly else q.name)
        for q in p.c_parameters
        if q.kind != "VARARGS"
    ]
    if p.wide:
        args.append(str(int(large)))
    name = p.name + ("_c" if large else "")
    return bodies.comment(p, large) + (
        f"{p.declare(large, 'P')}\n{{\n    return mpt_mpi_table.{member(p)}({', '.join(args)});\n}}\n"
        f'extern __typeof__(P{name}) {name} __attribute__((weak, alias("P{name}")));\n\n'
    )


def alias_large(p: api.Procedure) -> str:
    """Some headers declare a large form that the standard does not have."""
    return "".join(
        f'extern __typeof__(P{p.name}) {prefix}{p.name}_c __attribute__((weak, alias("P{p.name}")));\n'
        for prefix in ("", "P")
    )


def fortran(procedures: list[api.Procedure]) -> str:
    """MPI_Comm_c2f and kin: MPI_Fint is int here. A status has the same 32 bytes in all three forms."""
    text = (
        "/* ---- what the Fortran library asks for ---- */\n\n"
        "const struct mpt_sections *mpt_abi_sections(void)\n{\n    return &mpt_mpi_sections;\n}\n\n"
        "/* ---- Fortran's handles and statuses; mpi.h has macros of these names ---- */\n\n"
    )
    for p in procedures:
        for suffix, new in (("_toint", "_c2f"), ("_fromint", "_f2c")):
            if p.name.endswith(suffix):
                name = p.name.removesuffix(suffix) + new
                text += (
                    f'extern __typeof__(P{p.name}) P{name} __attribute__((alias("P{p.name}")));\n'
                    f'extern __typeof__(P{p.name}) {name} __attribute__((weak, alias("P{p.name}")));\n'
                )
    for a, b in header.STATUS_PAIRS:
        name = f"MPI_Status_{a}2{b}"
        text += (
            f"\nint (P{name})(const {header.STATUS_TYPES[a]} *from, {header.STATUS_TYPES[b]} *to)\n"
            "{\n    return mpt_status_copy(from, to);\n}\n"
            f'extern __typeof__(P{name}) {name} __attribute__((weak, alias("P{name}")));\n'
        )
    return text


def front_abi_c(procedures: list[api.Procedure]) -> str:
    bodies = "".join(front(p, False) + (front(p, True) if p.has_large else "") for p in procedures)
    return (
        TOP.format(what="the functions of the MPI-5.0 standard ABI.")
        + '#include "calls.h"\n#include "mpi/front/sections.h"\n\n'
        '#pragma GCC diagnostic ignored "-Wcast-function-type"\n\n'
        + bodies
        + "".join(alias_large(p) for p in procedures if p.name in api.ONE_FORM)
        + "\n"
        + fortran(procedures)
    )


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    procedures = sorted(api.c_functions(), key=lambda p: p.name)
    for name, text in (
        ("calls.h", calls_h(procedures)),
        ("calls.c", calls_c(procedures)),
        ("front_abi.c", front_abi_c(procedures)),
    ):
        (folder / name).write_text(text)


if __name__ == "__main__":
    main()
