#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write, at build time, the twins of MPI's calls that `--trace` records (src/mpi/traced/traced.h).

A twin begins a record, fills in what the kinds of its parameters tell, calls the body by the table of bodies, and ends
the record. Calls that only ask, and those on objects of this process alone, have none. Usage: traced.py FOLDER
"""

import re
import sys
from pathlib import Path

import api
import fronts

COLLECTIVE = re.compile(
    r"MPI_I?(barrier|bcast|gatherv?|scatterv?|allgatherv?|alltoall[vw]?|reduce|allreduce|reduce_scatter(_block)?|scan|exscan|"
    r"neighbor_\w+?)(_init)?",
    re.IGNORECASE,
)
MAKES_COMMUNICATOR = re.compile(
    r"MPI_(Comm_(i?dup(_with_info)?|create|split(_type)?|free|disconnect|accept|connect|spawn(_multiple)?)|Cart_(create|sub)|"
    r"Graph_create|Dist_graph_create(_adjacent)?|Intercomm_(create|merge)|Win_(create|allocate|allocate_shared|"
    r"create_dynamic)|File_open)|MPIX_Comm_(agree|shrink|iagree|ishrink)"
)
SENDS = re.compile(r"MPI_I?[bsr]?send", re.IGNORECASE)
RECEIVES = re.compile(r"MPI_M?recv", re.IGNORECASE)
MESSAGE = re.compile(
    r"MPI_I?([bsr]?send|m?recv|m?probe|sendrecv(_replace)?)(_init)?|MPI_P(send|recv)_init", re.IGNORECASE
)
STORES = {"MPI_Put", "MPI_Rput", "MPI_Accumulate", "MPI_Raccumulate"}
LOADS = {"MPI_Get", "MPI_Rget"}
BOTH = {"MPI_Get_accumulate", "MPI_Rget_accumulate", "MPI_Fetch_and_op", "MPI_Compare_and_swap"}
WINDOW = re.compile(
    r"MPI_Win_(fence|free|start|complete|post|wait|test|lock|unlock|lock_all|unlock_all|flush|flush_all|flush_local|"
    r"flush_local_all|sync)"
)
TOGETHER_IN_WINDOW = {"MPI_Win_fence", "MPI_Win_free"}
FILE = re.compile(
    r"MPI_File_(i?(read|write)\w*|close|set_view|set_size|preallocate|sync|set_atomicity|seek_shared)",
)
FILE_ALONE = re.compile(r"MPI_File_i?(read|write)(_at|_shared|\w*_end)?")
OTHER = re.compile(
    r"MPI_(Wait(all|any|some)?|Test(all|any|some)?|Start(all)?|Request_(free|get_status\w*)|Cancel|Pready\w*|Parrived|"
    r"Finalize|Abort|Session_(init|finalize|detach_buffer|flush_buffer)|Buffer_(detach|flush)|Comm_(detach|flush)_buffer|"
    r"Comm_join|Comm_create_group|Comm_create_from_group|Intercomm_create_from_groups|Open_port|Close_port|Publish_name|"
    r"Unpublish_name|Lookup_name|File_delete)"
)
TESTS = re.compile(r"MPI_(Test(all|any|some)?|I?m?probe|Request_get_status\w*|Parrived|Win_test)", re.IGNORECASE)


def first(p: api.Procedure, *kinds: str) -> str | None:
    """The first parameter of such a kind that is given."""
    return next((q.name for q in p.c_parameters if q.kind in kinds and q.direction in {"in", "inout"}), None)


def named(p: api.Procedure, *names: str) -> api.Parameter | None:
    return next((q for name in names for q in p.c_parameters if q.name == name), None)


def given(p: api.Procedure, *names: str) -> str | None:
    found = named(p, *names)
    return found.name if found else None


def is_array(q: api.Parameter | None) -> bool:
    return bool(q and q.brackets)


def plain_bytes(p: api.Procedure, count: str | None, kind: str | None) -> str:
    if not count or not kind:
        return "0"
    return f"mpii_traced_bytes({count}, {kind})"


def many_bytes(p: api.Procedure, counts: str, kind: api.Parameter, comm: str, remote: bool) -> str:
    types = f"MPI_DATATYPE_NULL, {kind.name}" if is_array(kind) else f"{kind.name}, NULL"
    return f"mpii_traced_many({counts}, {types}, {comm}, {str(remote).lower()}, {'wide' if p.wide else '1'})"


def collective_bytes(p: api.Procedure, comm: str) -> str:
    """Of what this process gives, or gets where it gives nothing."""
    count, kind = named(p, "sendcount", "count"), named(p, "sendtype", "datatype")
    counts, types = named(p, "sendcounts", "recvcounts"), named(p, "sendtypes", "sendtype", "datatype", "recvtype")
    neighbours = "eighbor" in p.name
    scatterv = "catterv" in p.name
    if scatterv:
        return plain_bytes(p, "recvcount", "recvtype")
    if count and kind and not is_array(count):
        out = plain_bytes(p, count.name, kind.name)
        took = given(p, "recvcount")
        if given(p, "sendbuf") and took and not is_array(named(p, "recvcount")):
            return f"sendbuf == MPI_IN_PLACE ? {plain_bytes(p, took, given(p, 'recvtype'))} : {out}"
        return f"sendbuf == MPI_IN_PLACE ? 0 : {out}" if took and given(p, "sendbuf") else out
    if counts and types and not neighbours:
        text = many_bytes(p, counts.name, types, comm, remote=counts.name == "sendcounts")
        in_place = given(p, "sendbuf") and counts.name == "sendcounts"
        return f"sendbuf == MPI_IN_PLACE ? 0 : {text}" if in_place else text
    return "0"


def roles(*names: str) -> str:
    return " | ".join(f"CORE_TRACE_{name}" for name in names) or "0"


def out_request(p: api.Procedure) -> str | None:
    return next((q.name for q in p.c_parameters if q.kind == "REQUEST" and q.direction == "out"), None)


def begins(p: api.Procedure) -> list[str]:
    """A request comes out of it."""
    return ["BEGINS"] if out_request(p) else []


def fill(p: api.Procedure) -> str | None:
    """What fills in the record; "": nothing; None: the call is not recorded."""
    comm = first(p, "COMMUNICATOR")
    win, file = first(p, "WINDOW"), first(p, "FILE")
    if MESSAGE.fullmatch(p.name):
        if not comm:
            return ""
        rank = given(p, "dest", "source")
        tag = given(p, "sendtag", "tag")
        many = named(p, "partitions")
        size = plain_bytes(p, given(p, "sendcount", "count"), given(p, "sendtype", "datatype"))
        sends = not re.search(r"probe|precv|^MPI_I?m?recv", p.name, re.IGNORECASE)
        size = (f"(uint64_t)partitions * {size}" if many else size) if sends else "0"
        return f"mpii_traced_message(&t_, {comm}, {rank}, {tag}, {size}, {roles(*begins(p))});"
    if COLLECTIVE.fullmatch(p.name) and comm:
        root = given(p, "root") or "MPI_PROC_NULL"
        size = collective_bytes(p, comm)
        return f"mpii_traced_together(&t_, {comm}, {root}, {size}, {roles('COLLECTIVE', *begins(p))});"
    if MAKES_COMMUNICATOR.fullmatch(p.name) and comm:
        handle = f"{comm} ? *{comm} : MPI_COMM_NULL" if named(p, comm).stars else comm
        return f"mpii_traced_together(&t_, {handle}, MPI_PROC_NULL, 0, {roles('COLLECTIVE', *begins(p))});"
    if p.name in STORES | LOADS | BOTH:
        return access(p, win)
    if WINDOW.fullmatch(p.name):
        together = ["COLLECTIVE"] if p.name in TOGETHER_IN_WINDOW else []
        handle = f"{win} ? *{win} : MPI_WIN_NULL" if named(p, win).stars else win
        return f"mpii_traced_window(&t_, {handle}, {given(p, 'rank') or 'MPI_PROC_NULL'}, {roles('SYNC', *together)});"
    if FILE.fullmatch(p.name) and file:
        together = [] if FILE_ALONE.fullmatch(p.name) else ["COLLECTIVE"]
        handle = f"{file} ? *{file} : MPI_FILE_NULL" if named(p, file).stars else file
        size = plain_bytes(p, given(p, "count"), given(p, "datatype"))
        return f"mpii_traced_file(&t_, {handle}, {size}, {roles(*together, *begins(p))});"
    return "" if OTHER.fullmatch(p.name) else None


def access(p: api.Procedure, win: str | None) -> str:
    kinds = ["STORES"] * (p.name in STORES | BOTH) + ["LOADS"] * (p.name in LOADS | BOTH) + begins(p)
    size = plain_bytes(p, given(p, "target_count") or "1", given(p, "target_datatype", "datatype"))
    value = given(p, "origin_addr") if p.name in STORES | BOTH else "NULL"
    source = given(p, "origin_count")
    if value != "NULL" and source:  # what is there may be less
        origin = plain_bytes(p, source, given(p, "origin_datatype"))
        value = f"{origin} == {size} ? {value} : NULL"
    return (
        f"mpii_traced_access(&t_, {win}, {given(p, 'target_rank')}, {given(p, 'target_disp')}, {size}, {value}, "
        f"{roles(*kinds)});"
    )


def in_vain(p: api.Procedure) -> str:
    """Did a test find nothing?"""
    if not TESTS.fullmatch(p.name) or p.name in {"MPI_Probe", "MPI_Mprobe"}:
        return "false"
    if flag := given(p, "flag"):
        return f"result_ == MPI_SUCCESS && !*{flag}"
    return "result_ == MPI_SUCCESS && *outcount == 0" if given(p, "outcount") else "false"


def direct(p: api.Procedure) -> str:
    if SENDS.fullmatch(p.name):
        return "MPII_TRACE_SENDS"
    return "MPII_TRACE_RECEIVES" if RECEIVES.fullmatch(p.name) else "MPII_TRACE_NOTHING"


def twin(p: api.Procedure, filled: str) -> str:
    names = fronts.arguments(p) + (["wide"] if p.wide else [])
    started = "COLLECTIVE" in filled and "BEGINS" in filled and not p.name.endswith("_init")
    after = f"    mpii_traced_begun(&t_, result_, {out_request(p)});\n" if started else ""
    inside = f"    if (t_.kind != CORE_TRACE_NONE)\n        {filled}\n" if filled else ""
    if "eighbor" in p.name:
        inside += f"    mpii_traced_neighbours(&t_, {first(p, 'COMMUNICATOR')});\n"
    return (
        f"static {p.declare_core('traced_' + p.bare)}\n{{\n    struct core_trace_record t_;\n    int result_;\n\n"
        f'    mpii_traced_begin(&t_, "{p.name}", __builtin_return_address(0), {direct(p)});\n{inside}'
        f"    result_ = mpii_state.trace.bodies->{p.bare}({', '.join(names)});\n{after}"
        f"    return mpii_traced_end(&t_, result_, {in_vain(p)});\n}}\n\n"
    )


def main() -> None:
    procedures = sorted(api.c_functions(), key=lambda p: p.name)
    recorded = [(p, f) for p in procedures if (f := fill(p)) is not None and p.returns == "int"]
    text = (
        "/* SPDX-License-Identifier: BSD-3-Clause\n *\n"
        " * Made by tools/mpi/traced.py: the twins of MPI's calls that are recorded. */\n"
        '#include "mpi/traced/traced.h"\n\n'
        + "".join(twin(p, f) for p, f in recorded)
        + "void mpii_traced_fill(struct mpii_table *table)\n{\n"
        + "".join(f"    table->{p.bare} = traced_{p.bare};\n" for p, _ in recorded)
        + "}\n"
    )
    (Path(sys.argv[1]) / "traced.c").write_text(text)


if __name__ == "__main__":
    main()
