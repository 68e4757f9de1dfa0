#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write, at build time, the front with MPICH's ABI: libmpi.so.12 over the bodies of the standard ABI.

  mpich_tables.h/.c  constants there and here, joined by name (src/mpi/mpich.tsv, src/mpi/constants.tsv)
  mpich_calls.h      every function's declaration with MPICH's types
  front_mpich.c      the functions themselves: convert what goes in, jump through the table, convert what comes out

What an argument needs follows from its kind (api.py). Functions that need more than that are written by hand
in src/mpi/front_mpich. Usage: mpich.py FOLDER
"""

import re
import sys
from pathlib import Path

import api
import bodies
import header

ROOT = Path(__file__).parents[2]
TOP = "/* SPDX-License-Identifier: BSD-3-Clause\n *\n * Made by tools/mpi/mpich.py: {what} */\n"

HANDLES = {
    "COMMUNICATOR": "comm",
    "DATATYPE": "type",
    "ERRHANDLER": "errhandler",
    "FILE": "file",
    "GROUP": "group",
    "INFO": "info",
    "MESSAGE": "message",
    "OPERATION": "op",
    "REQUEST": "request",
    "SESSION": "session",
    "WINDOW": "win",
}
# Kinds of objects that are made, and the high bits of their handles there.
MADE = {
    "comm": ("MPII_COMM", 0xC4000000),
    "group": ("MPII_GROUP", 0xC8000000),
    "type": ("MPII_TYPE", 0xCC000000),
    "errhandler": ("MPII_ERRHANDLER", 0xD4000000),
    "op": ("MPII_OP", 0xD8000000),
    "info": ("MPII_INFO", 0xDC000000),
    "win": ("MPII_WIN", 0xE0000000),
    "request": ("MPII_REQUEST", 0xEC000000),
    "message": ("MPII_MESSAGE", 0xAC000000),
    "session": ("MPII_SESSION", 0xF8000000),
}
# Integers with special values: the expression into the standard's, and back. {} is the value.
TABLES = {
    "LOCK_TYPE": "lock",
    "SPLIT_TYPE": "split",
    "THREAD_LEVEL": "thread",
    "TYPECLASS": "typeclass",
    "UPDATE_MODE": "seek",
    "PVAR_CLASS": "pvar_class",
    "ORDER": "order",
    "DISTRIB_ENUM": "distribution",
    "DTYPE_DISTRIBUTION": "distribution",
    "KEYVAL": "keyval",
    "COMBINER": "combiner",
    "COMM_COMPARISON": "comparison",
    "GROUP_COMPARISON": "comparison",
    "TOPOLOGY_TYPE": "topology",
    "BIND_TYPE": "bind",
    "VARIABLE_SCOPE": "scope",
    "TOOL_VAR_VERBOSITY": "verbosity",
    "SOURCE_ORDERING": "source_order",
    "CALLBACK_SAFETY": "safety",
}
NUMBERS = {
    kind: (f"mpich_value_in(&mpich_{t}, {{}})", f"mpich_value_out(&mpich_{t}, {{}})") for kind, t in TABLES.items()
}
NUMBERS |= {
    kind: (f"mpich_bits_in(&mpich_{t}, {{}})", f"mpich_bits_out(&mpich_{t}, {{}})")
    for kind, t in {"ACCESS_MODE": "amode", "ASSERT": "assert"}.items()
}
NUMBERS |= {
    "RANK": ("mpich_rank_in({})", "mpich_rank_out({})"),
    "RANK_NNI": ("mpich_rank_in({})", "mpich_rank_out({})"),
    "TAG": ("mpich_tag_in({})", "mpich_tag_out({})"),
    "ERROR_CODE": ("mpich_code_in({})", "mpich_code_out({})"),
    "ERROR_CLASS": ("mpich_code_in({})", "mpich_code_out({})"),
}
BUFFERS = {"BUFFER", "C_BUFFER"}
# What it says is what it is: an exit status, an address, ranges whose strides may be negative.
AS_THEY_ARE = {
    ("MPI_Abort", "errorcode"),
    ("MPI_Get_address", "location"),
    ("MPI_Group_range_incl", "ranges"),
    ("MPI_Group_range_excl", "ranges"),
}
# Arrays with one entry for each peer of a w-collective.
PEERS = {"sendtypes": "to_", "recvtypes": "from_"}

BY_HAND = set(
    """MPI_Abi_get_version MPI_Op_create MPI_Comm_create_errhandler MPI_Win_create_errhandler MPI_File_create_errhandler
    MPI_Session_create_errhandler MPI_Errhandler_create
    MPI_Comm_create_keyval MPI_Win_create_keyval MPI_Type_create_keyval MPI_Keyval_create
    MPI_Grequest_start MPI_Register_datarep MPI_Get_processor_name MPI_Open_port MPI_Lookup_name
    MPI_File_set_view MPI_Comm_spawn MPI_Comm_spawn_multiple MPI_File_toint MPI_File_fromint""".split()
)
# The body, and what to do after it when all went well.
AFTER = {
    "MPI_Type_get_contents": "mpich_integers_out(datatype, max_integers, array_of_integers);",
    "MPI_Comm_get_attr": "mpich_attribute_out(comm_keyval, attribute_val, flag);",
    "MPI_Win_get_attr": "mpich_attribute_out(win_keyval, attribute_val, flag);",
    "MPI_Attr_get": "mpich_attribute_out(keyval, attribute_val, flag);",
    "MPI_Buffer_detach": "mpich_buffer_out(buffer_addr);",
    "MPI_Comm_detach_buffer": "mpich_buffer_out(buffer_addr);",
    "MPI_Session_detach_buffer": "mpich_buffer_out(buffer_addr);",
}

HANDLE_TYPE = re.compile(r"\bMPI_(Comm|Datatype|Errhandler|Group|Info|Message|Op|Request|Session|Win)\b")
FUNCTION_TYPE = re.compile(r"\bMPI_(?!T_)\w+_function(_c)?\b")


def mpich_c(text: str) -> str:
    return FUNCTION_TYPE.sub("MPII_Function", HANDLE_TYPE.sub("int", text.replace("MPI_Status", "struct mpich_status")))


def declare(p: api.Procedure, large: bool) -> str:
    return mpich_c(p.declare(large, "mpich_").replace("mpich_MPI_", "mpich_").replace("mpich_MPIX_", "mpich_"))


def plain_name(p: api.Procedure, large: bool) -> str:
    return p.bare + ("_c" if large else "")


class Call:
    """One function: what to do before the body, its arguments, what to do after it."""

    def __init__(self, p: api.Procedure, large: bool):
        self.p, self.large = p, large
        self.before: list[str] = []
        self.arguments: list[str] = []
        self.after: list[str] = []
        self.body = f"mpt_mpi_table.{p.bare}"
        peers = [q.name for q in p.c_parameters if q.name in PEERS and q.brackets]
        if peers:
            comm = next(q.name for q in p.c_parameters if q.kind == "COMMUNICATOR")
            neighbours = str("eighbor_" in p.name).lower()
            self.before += [
                "int to_, from_;",
                "",
                f"mpt_mpich_inside.peers(mpich_comm_in({comm}), {neighbours}, &to_, &from_);",
                "if (sendbuf == MPICH_IN_PLACE)\n        to_ = 0; /* sendtypes may be anything */",
            ]
        for q in p.c_parameters:
            if q.kind != "VARARGS":
                self.arguments.append("0" if "large" in q.flags and not large else self.argument(q))
        if p.wide:
            self.arguments.append(str(int(large)))

    def length(self, q: api.Parameter) -> str:
        if q.name in PEERS:
            return PEERS[q.name]
        if q.kind == "STATUS":
            return next(r.length for r in self.p.c_parameters if r.kind == "REQUEST")
        return q.length

    def argument(self, q: api.Parameter) -> str:
        if (self.p.name, q.name) in AS_THEY_ARE:
            return q.name
        if q.kind in HANDLES:
            return self.handle(q, HANDLES[q.kind])
        if q.kind == "STATUS":
            return self.status(q)
        if q.kind in NUMBERS:
            return self.number(q, *NUMBERS[q.kind])
        if q.kind in BUFFERS and q.stars == 1:
            return f"mpich_buffer_in({q.name})"
        if q.kind == "WEIGHT":
            return f"mpich_weights_in({q.name})"
        if q.kind == "PVAR" and not q.stars:
            return f"mpich_pvar_in({q.name})"
        return q.name

    def array(self, q: api.Parameter, c_type: str) -> str:
        self.before.append(f"MPICH_ARRAY({c_type}, {q.name}_, {self.length(q)})")
        return q.name + "_"

    def handle(self, q: api.Parameter, kind: str) -> str:
        c_type, room = api.C_TYPES[q.kind], q.name + "_"
        if q.brackets and q.length == "num_elements":  # of a tool's event: there are none
            self.before.append(f"(void){q.name};")
            return "NULL"
        if q.brackets:
            self.array(q, c_type)
            if q.direction == "out":
                self.before.append(f"MPICH_ARRAY_UNSET({room});")
                self.after.append(f"MPICH_ARRAY_OUT({room}, {q.name}, mpich_{kind}_out);")
            else:
                self.before.append(f"MPICH_ARRAY_IN({room}, {q.name}, mpich_{kind}_in);")
                if q.direction == "inout":
                    self.after.append(f"MPICH_ARRAY_OUT({room}, {q.name}, mpich_{kind}_out);")
            return f"{q.name} ? {room} : NULL"
        if not q.stars:
            return f"mpich_{kind}_in({q.name})"
        start = "MPICH_UNSET" if q.direction == "out" else f"{q.name} ? mpich_{kind}_in(*{q.name}) : MPICH_UNSET"
        self.before.append(f"{c_type} {room} = {start};")
        if q.direction != "in":
            self.after.append(f"if (mpich_is_handle({room}))\n        *{q.name} = mpich_{kind}_out({room});")
        return f"{q.name} ? &{room} : NULL"

    def status(self, q: api.Parameter) -> str:
        room = q.name + "_"
        if q.brackets:
            self.array(q, "MPI_Status")
            self.before.append(f"mpich_statuses_room({room}, {q.name}, {room}n);")
            self.after.append(f"mpich_statuses_out({q.name}, {room}, {room}n);")
            return f"mpich_status_ignored({q.name}) ? MPI_STATUSES_IGNORE : {room}"
        self.before.append(f"MPI_Status {room};")
        if q.direction == "out":
            self.after.append(f"mpich_status_out({q.name}, &{room});")
            return f"mpich_status_room(&{room}, {q.name})"
        if q.direction == "inout":
            self.after.append(f"mpich_status_out({q.name}, &{room});")
        return f"mpich_status_in(&{room}, {q.name})"

    def number(self, q: api.Parameter, into: str, out: str) -> str:
        if q.length == "*":  # of edges: no special rank is allowed among them
            return q.name
        if q.brackets and q.direction == "in":
            self.array(q, "int")
            self.before.append(
                f"for (MPI_Count i_ = 0; {q.name} && i_ < {q.name}_n; i_++)\n"
                f"        {q.name}_[i_] = {into.format(q.name + '[i_]')};"
            )
            return f"{q.name} ? {q.name}_ : NULL"
        if q.brackets:
            self.after.append(
                f"for (int i_ = 0; result_ == MPI_SUCCESS && {q.name} && i_ < {q.length}; i_++)\n"
                f"        {q.name}[i_] = {out.format(q.name + '[i_]')};"
            )
            return q.name
        if not q.stars:
            return into.format(q.name)
        if q.direction == "inout":
            self.before.append(f"int {q.name}_ = {q.name} ? {into.format('*' + q.name)} : 0;")
            self.after.append(f"if (result_ == MPI_SUCCESS)\n        *{q.name} = {out.format(q.name + '_')};")
            return f"{q.name} ? &{q.name}_ : NULL"
        self.after.append(f"if (result_ == MPI_SUCCESS && {q.name})\n        *{q.name} = {out.format('*' + q.name)};")
        return q.name

    def text(self) -> str:
        p = self.p
        names = "MPICH_NAMESX" if p.name.startswith("MPIX_") else "MPICH_NAMES"
        call = f"{self.body}({', '.join(self.arguments)})"
        code = p.returns_kind == "ERROR_CODE"
        after = list(self.after)
        if p.name in AFTER:
            after.append(f"if (result_ == MPI_SUCCESS)\n        {AFTER[p.name]}")
        if not after:
            result = [f"return mpich_code_out({call});" if code else f"return {call};"]
        else:
            self.before.append(f"{p.returns} result_;\n")
            result = [f"result_ = {call};", *after, "return mpich_code_out(result_);"]
        lines = "".join(f"    {line}\n" if line else "\n" for line in self.before + result)
        return (
            bodies.comment(p, self.large)
            + f"{declare(p, self.large)}\n{{\n{lines}}}\n{names}({plain_name(p, self.large)})\n\n"
        )


def as_integer(p: api.Procedure) -> str:
    """MPI_Xxx_toint and fromint: handles are integers."""
    return f"{declare(p, False)}\n{{\n    return {p.c_parameters[0].name};\n}}\nMPICH_NAMES({plain_name(p, False)})\n\n"


def forms(p: api.Procedure) -> list[bool]:
    return [False, True] if p.has_large else [False]


def function(p: api.Procedure) -> str:
    if p.name.endswith(("_toint", "_fromint")):
        return as_integer(p)
    return "".join(Call(p, large).text() for large in forms(p))


def front(procedures: list[api.Procedure]) -> str:
    return (
        TOP.format(what="the functions of MPICH's ABI.")
        + '#include "mpi/front_mpich/calls.h"\n\n'
        + "".join(function(p) for p in procedures if p.name not in BY_HAND)
    )


def calls_h(procedures: list[api.Procedure]) -> str:
    lines = "".join(
        f'{declare(p, large)} __asm__("P{p.name}{suffix}");\n'
        for p in procedures
        for large, suffix in zip(forms(p), ("", "_c"), strict=False)
    )
    return TOP.format(what="the functions of MPICH's ABI.") + lines


def tables() -> tuple[str, str]:
    here = {name: int(value, 0) for _, name, value, c_type in header.constants() if c_type != "None"}
    groups: dict[str, list[tuple[int, int, str]]] = {}
    for line in (ROOT / "src/mpi/mpich.tsv").read_text().splitlines():
        if not line.startswith("#"):
            group, name, value = line.split("\t")
            if group == "plain":  # of the header for tests
                continue
            groups.setdefault(group, []).append((int(value, 0), here[name], name))
    head, body = [], []
    for group, rows in groups.items():
        pairs = "".join(
            f"    {{(int){there:#x}, {value}}}, /* {name} */\n"
            if group in MADE or group == "keyval"
            else f"    {{{there}, {value}}}, /* {name} */\n"
            for there, value, name in rows
        )
        if group in MADE:
            kind, bits = MADE[group]
            head.append(f"extern const struct mpich_kind mpich_{group}_kind;")
            body.append(
                f"static const struct mpich_pair {group}[] = {{\n{pairs}}};\n"
                f"const struct mpich_kind mpich_{group}_kind = {{{kind}, {bits:#x}u, {{{len(rows)}, {group}}}}};\n"
            )
        else:
            head.append(f"extern const struct mpich_table mpich_{group};")
            body.append(
                f"static const struct mpich_pair {group}[] = {{\n{pairs}}};\n"
                f"const struct mpich_table mpich_{group} = {{{len(rows)}, {group}}};\n"
            )
    types = groups["type"]
    into = {
        there & 0xFF: f"    [{there & 0xFF:#04x}] = {{{there:#x}, {value:#x}}}, /* {name} */\n"
        for there, value, name in types
        if there >> 16 == 0x4C00
    }
    out = {
        value & 0xFF: f"    [{value & 0xFF:#04x}] = (int){there:#x}, /* {name} */\n"
        for there, value, name in reversed(types)
    }
    head.append(
        "extern const struct mpich_pair mpich_types_in[256]; /* by the low byte */\nextern int mpich_types_out[256];"
    )
    body.append(
        "const struct mpich_pair mpich_types_in[256] = {\n" + "".join(into.values()) + "};\n"
        "int mpich_types_out[256] = {\n" + "".join(out.values()) + "};\n"
    )
    declarations = "struct mpich_kind;\n" + "\n".join(head) + "\n"
    what = "the values of constants there and here."
    return TOP.format(what=what) + declarations, TOP.format(
        what=what
    ) + '#include "mpi/front_mpich/front.h"\n\n' + "\n".join(body)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    procedures = sorted(api.c_functions(), key=lambda p: p.name)
    tables_h, tables_c = tables()
    for name, text in (
        ("mpich_tables.h", tables_h),
        ("mpich_tables.c", tables_c),
        ("mpich_calls.h", calls_h(procedures)),
        ("front_mpich.c", front(procedures)),
    ):
        (folder / name).write_text(text)


if __name__ == "__main__":
    main()
