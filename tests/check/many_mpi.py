# SPDX-License-Identifier: BSD-3-Clause
"""Tables of wrong MPI programs (many.py)."""
# ruff: noqa: E501 (lines of C)

import itertools

from many_cases import Suite

SUITE = Suite("mpicc", [])
case = SUITE.case

SUITE.head = r"""
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
static int rank, size, a[64], b[64], c[256], d[256], wrong, flag;
static MPI_Comm world, twin;
static MPI_Request r, q, both[2];
static MPI_Status st;
static MPI_Message m;
static char space[8192];
#define V(x, y) (wrong ? (x) : (y))
static void add(void *x, void *y, int *n, MPI_Datatype *t) { (void)x, (void)y, (void)n, (void)t; }
static void handle(MPI_Comm *x, int *code, ...) { (void)x, (void)code; }
"""

SUITE.main = r"""
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    world = MPI_COMM_WORLD;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    wrong = strcmp(argv[2], "wrong") == 0;
    for (int i = 0; i < 64; i++)
        a[i] = b[i] = i;
    cases[atoi(argv[1])]();
    MPI_Finalize();
    return 0;
}
"""


# ------------------------------------------------------------------ messages --
# Forms: begin, end, and what they need around them. {a} arguments of a send or receive.
SENDS = {
    "send": ("MPI_Send({a});", ""),
    "ssend": ("MPI_Ssend({a});", ""),
    "bsend": (
        "MPI_Buffer_attach(space, sizeof space); MPI_Bsend({a});",
        "{{ void *p; int n; MPI_Buffer_detach(&p, &n); }}",
    ),
    "isend": ("MPI_Isend({a}, &r);", "MPI_Wait(&r, &st);"),
    "issend": ("MPI_Issend({a}, &r);", "MPI_Waitall(1, &r, &st);"),
    "psend": ("MPI_Send_init({a}, &r); MPI_Start(&r);", "MPI_Wait(&r, &st); MPI_Request_free(&r);"),
}
RECVS = {
    "recv": ("MPI_Recv({a}, &st);", ""),
    "irecv": ("MPI_Irecv({a}, &r);", "MPI_Wait(&r, &st);"),
    "irecv_test": ("MPI_Irecv({a}, &r);", "for (flag = 0; !flag;) MPI_Test(&r, &flag, &st);"),
    "precv": ("MPI_Recv_init({a}, &r); MPI_Start(&r);", "MPI_Waitany(1, &r, &flag, &st); MPI_Request_free(&r);"),
}
# Defect of a message: kinds, then the arguments of the send and of the receive in the wrong program.
GOOD_SEND, GOOD_RECV = "a, 4, MPI_INT, 0, 5, world", "b, 4, MPI_INT, 1, 5, world"
WRONG_SENDS = {
    "tag": ("deadlock message-not-received", "a, 4, MPI_INT, 0, 6, world"),
    "comm": ("deadlock message-not-received", "a, 4, MPI_INT, 0, 5, twin"),
    "type": ("type-mismatch", "(float *)a, 4, MPI_FLOAT, 0, 5, world"),
    "longer": ("truncation", "a, 8, MPI_INT, 0, 5, world"),
    "to_self": ("deadlock message-not-received", "a, 4, MPI_INT, 1, 5, world"),
    "bad_rank": ("argument", "a, 4, MPI_INT, size, 5, world"),
    "bad_tag": ("argument", "a, 4, MPI_INT, 0, -7, world"),
    "bad_count": ("argument", "a, -1, MPI_INT, 0, 5, world"),
    "null_type": ("argument", "a, 4, MPI_DATATYPE_NULL, 0, 5, world"),
    "null_comm": ("argument", "a, 4, MPI_INT, 0, 5, MPI_COMM_NULL"),
    "null_buffer": ("argument", "NULL, 4, MPI_INT, 0, 5, world"),
}
WRONG_RECVS = {
    "source": ("deadlock message-not-received", "b, 4, MPI_INT, 0, 5, world"),
    "tag": ("deadlock message-not-received", "b, 4, MPI_INT, 1, 4, world"),
    "type": ("type-mismatch", "(double *)b, 4, MPI_DOUBLE, 1, 5, world"),
    "shorter": ("truncation", "b, 3, MPI_INT, 1, 5, world"),
    "bad_rank": ("argument", "b, 4, MPI_INT, -9, 5, world"),
    "bad_tag": ("argument", "b, 4, MPI_INT, 1, -9, world"),
    "bad_count": ("argument", "b, -3, MPI_INT, 1, 5, world"),
    "null_type": ("argument", "b, 4, MPI_DATATYPE_NULL, 1, 5, world"),
    "null_comm": ("argument", "b, 4, MPI_INT, 1, 5, MPI_COMM_NULL"),
}


def either(wrong: str, right: str) -> str:
    """A statement for each."""
    return f"if (wrong) {{ {wrong} }} else {{ {right} }}"


def message(send: str, recv: str) -> str:
    """Rank 1 sends to rank 0: the statements."""
    return f"if (rank == 1) {{ {send} }} @\nif (rank == 0) {{ {recv} }} @"


def form(pair: tuple[str, str], args: str) -> str:
    """Both halves of a form."""
    return " ".join(half.format(a=args) for half in pair)


def messages() -> None:
    """All sends with all defects."""
    dup, free = "MPI_Comm_dup(world, &twin);\n", "\nMPI_Comm_free(&twin);"
    for s, send in SENDS.items():
        recv = form(RECVS["recv"], GOOD_RECV)
        for w, (kinds, args) in WRONG_SENDS.items():
            # A synchronous or large send that nobody receives waits for ever: also a deadlock.
            if w == "null_buffer" and s == "bsend":
                continue
            body = message(either(form(send, args), form(send, GOOD_SEND)), recv)
            case(f"p2p.{s}.{w}", kinds, dup + body + free if w == "comm" else body)
        case(f"p2p.{s}.no_send", "deadlock", message("if (!wrong) { " + form(send, GOOD_SEND) + " }", recv))
        case(
            f"p2p.{s}.no_recv",
            "deadlock message-not-received",
            message(form(send, GOOD_SEND), "if (!wrong) { " + recv + " }"),
        )
        case(
            f"p2p.{s}.twice",
            "deadlock message-not-received",
            message(form(send, GOOD_SEND) + " if (wrong) { " + form(send, GOOD_SEND) + " }", recv),
        )
        if send[1] and s != "bsend":
            case(
                f"p2p.{s}.no_wait",
                "request-leak resource-leak",
                message(send[0].format(a=GOOD_SEND) + " if (!wrong) { " + send[1].format() + " }", recv),
            )
            case(
                f"p2p.{s}.changed",
                "buffer-in-use",
                message(send[0].format(a=GOOD_SEND) + " if (wrong) a[1] = 77; " + send[1].format(), recv),
            )


def receives() -> None:
    """All receives with all defects."""
    for n, recv in RECVS.items():
        send = form(SENDS["isend"], GOOD_SEND)
        for w, (kinds, args) in WRONG_RECVS.items():
            case(f"p2p.{n}.{w}", kinds, message(send, either(form(recv, args), form(recv, GOOD_RECV))))
        case(f"p2p.{n}.none_sent", "deadlock", message("if (!wrong) { " + send + " }", form(recv, GOOD_RECV)))
        case(
            f"p2p.{n}.not_received",
            "message-not-received deadlock",
            message(send, "if (!wrong) { " + form(recv, GOOD_RECV) + " }"),
        )
        if recv[1]:
            case(
                f"p2p.{n}.no_wait",
                "request-leak resource-leak message-not-received",
                message(send, recv[0].format(a=GOOD_RECV) + " if (!wrong) { " + recv[1].format() + " }"),
            )
            case(
                f"p2p.{n}.changed",
                "buffer-in-use",
                "MPI_Barrier(world);\n"
                + message(
                    "MPI_Recv(d, 0, MPI_INT, 0, 9, world, &st); " + send,
                    recv[0].format(a=GOOD_RECV)
                    + " if (wrong) b[1] = 77; MPI_Send(d, 0, MPI_INT, 1, 9, world); "
                    + recv[1].format(),
                ),
            )


def patterns() -> None:
    """Of several messages."""
    both = "MPI_Irecv(b, 4, MPI_INT, 1, 5, world, &both[0]); MPI_Irecv(V(b + 2, b + 8), 4, MPI_INT, 1, 6, world, &both[1]);"
    case(
        "p2p.irecv.overlap",
        "buffer-overlap",
        message(
            "MPI_Send(a, 4, MPI_INT, 0, 5, world); MPI_Send(a, 4, MPI_INT, 0, 6, world);",
            both + " MPI_Waitall(2, both, MPI_STATUSES_IGNORE);",
        ),
    )
    for s in ("Send", "Ssend"):
        case(
            f"p2p.{s}.ring",
            "deadlock relies-on-buffering",
            f"int to = (rank + 1) % size, from = (rank + size - 1) % size;\n"
            f"if (!wrong) MPI_Irecv(c, 32, MPI_INT, from, 5, world, &r);\n"
            f"MPI_{s}(a, 32, MPI_INT, to, 5, world); @\n"
            f"if (wrong) MPI_Recv(c, 32, MPI_INT, from, 5, world, &st); else MPI_Wait(&r, &st); @",
        )
    case(
        "p2p.Recv.ring",
        "deadlock",
        "int to = (rank + 1) % size, from = (rank + size - 1) % size;\n"
        "if (wrong || rank > 0) MPI_Recv(c, 4, MPI_INT, from, 5, world, &st); @\n"
        "MPI_Send(a, 4, MPI_INT, to, 5, world);\n"
        "if (!wrong && rank == 0) MPI_Recv(c, 4, MPI_INT, from, 5, world, &st);",
    )
    case(
        "p2p.probe.never",
        "deadlock",
        message(
            "if (!wrong) MPI_Send(a, 4, MPI_INT, 0, 5, world);",
            "MPI_Probe(MPI_ANY_SOURCE, 5, world, &st); MPI_Recv(b, 4, MPI_INT, 1, 5, world, &st);",
        ),
    )
    case(
        "p2p.mprobe.lost",
        "request-leak resource-leak message-not-received",
        message(
            "MPI_Send(a, 4, MPI_INT, 0, 5, world);",
            "MPI_Mprobe(1, 5, world, &m, &st); if (!wrong) MPI_Mrecv(b, 4, MPI_INT, &m, &st);",
        ),
    )
    case(
        "p2p.sendrecv.partner",
        "deadlock message-not-received",
        "int to = (rank + 1) % size, from = wrong ? to : (rank + size - 1) % size;\nif (size == 2) from = wrong ? rank : from;\n"
        "MPI_Sendrecv(a, 4, MPI_INT, to, 5, c, 4, MPI_INT, from, 5, world, &st); @",
    )
    case(
        "p2p.any_source.nobody",
        "deadlock",
        "if (!wrong && rank > 0) MPI_Send(a, 4, MPI_INT, 0, 5, world);\n"
        "if (wrong || rank == 0) for (int i = 1; i < size; i++) MPI_Recv(c, 4, MPI_INT, MPI_ANY_SOURCE, 5, world, &st); @",
    )


# ------------------------------------------------------------------ requests --
def requests() -> None:
    """Their life."""
    case(
        "request.start_twice",
        "request-misuse argument",
        "MPI_Recv_init(b, 4, MPI_INT, rank, 3, world, &r);\nMPI_Start(&r);\nif (wrong) MPI_Start(&r); @\n"
        "MPI_Send(a, 4, MPI_INT, rank, 3, world);\nMPI_Wait(&r, &st);\nMPI_Request_free(&r);",
    )
    case(
        "request.persistent_not_freed",
        "request-leak resource-leak",
        "MPI_Recv_init(b, 4, MPI_INT, rank, 3, world, &r); @\nMPI_Start(&r);\n"
        "MPI_Send(a, 4, MPI_INT, rank, 3, world);\nMPI_Wait(&r, &st);\nif (!wrong) MPI_Request_free(&r);",
    )
    case(
        "request.never_started",
        "request-leak resource-leak",
        "MPI_Recv_init(b, 4, MPI_INT, rank, 3, world, &r); @\nif (!wrong) MPI_Request_free(&r);",
    )
    case(
        "request.used_after_free",
        "use-after-free argument",
        "MPI_Recv_init(b, 4, MPI_INT, rank, 3, world, &r);\nq = r;\nMPI_Request_free(&r);\nif (wrong) MPI_Start(&q); @",
    )
    case(
        "request.lost_by_overwriting",
        "request-leak",
        "MPI_Irecv(b, 4, MPI_INT, rank, 3, world, &r); @\nif (!wrong) { MPI_Send(a, 4, MPI_INT, rank, 3, world); MPI_Wait(&r, &st); }\n"
        "MPI_Irecv(c, 4, MPI_INT, rank, 4, world, &r);\nMPI_Send(a, 4, MPI_INT, rank, 4, world);\nMPI_Wait(&r, &st);"
        "\nif (wrong) MPI_Send(a, 4, MPI_INT, rank, 3, world);",
    )
    case(
        "request.partition_twice",
        "request-misuse argument",
        "if (rank == 1) { MPI_Psend_init(a, 2, 2, MPI_INT, 0, 3, world, MPI_INFO_NULL, &r); MPI_Start(&r);\n"
        "MPI_Pready(0, r);\nMPI_Pready(V(0, 1), r); @\nMPI_Wait(&r, &st); MPI_Request_free(&r); }\n"
        "if (rank == 0) { MPI_Precv_init(b, 2, 2, MPI_INT, 1, 3, world, MPI_INFO_NULL, &r); MPI_Start(&r); MPI_Wait(&r, &st); MPI_Request_free(&r); }",
    )


# --------------------------------------------------------------- collectives --
COLLECTIVES = {  # name: arguments; {t} type, {n} count, {root}, {op}, {c} communicator
    "Barrier": "{c}",
    "Bcast": "a, {n}, {t}, {root}, {c}",
    "Reduce": "a, c, {n}, {t}, {op}, {root}, {c}",
    "Allreduce": "a, c, {n}, {t}, {op}, {c}",
    "Gather": "a, {n}, {t}, c, {n}, {t}, {root}, {c}",
    "Scatter": "d, {n}, {t}, c, {n}, {t}, {root}, {c}",
    "Allgather": "a, {n}, {t}, c, {n}, {t}, {c}",
    "Alltoall": "d, {n}, {t}, c, {n}, {t}, {c}",
    "Scan": "a, c, {n}, {t}, {op}, {c}",
    "Exscan": "a, c, {n}, {t}, {op}, {c}",
    "Reduce_scatter_block": "d, c, {n}, {t}, {op}, {c}",
}
GOOD = {"n": "4", "t": "MPI_INT", "root": "0", "op": "MPI_SUM", "c": "world"}
WRONG_ARGS = {
    "root": ("collective-mismatch argument", "root", "(rank == 1 ? 1 : 0)"),
    "op": ("collective-mismatch", "op", "(rank == 1 ? MPI_MAX : MPI_SUM)"),
    "type": ("collective-mismatch type-mismatch truncation", "t", "(rank == 1 ? MPI_DOUBLE : MPI_INT)"),
    "count": ("collective-mismatch truncation", "n", "(rank == 1 ? 2 : 4)"),
    "bad_root": ("argument", "root", "size"),
    "bad_count": ("argument", "n", "-1"),
    "null_op": ("argument", "op", "MPI_OP_NULL"),
    "null_type": ("argument", "t", "MPI_DATATYPE_NULL"),
    "null_comm": ("argument", "c", "MPI_COMM_NULL"),
}


def call(name: str, how: str, **more: str) -> tuple[str, str]:
    """A collective's call, and what completes it."""
    args = COLLECTIVES[name].format(**(GOOD | more))
    if how == "blocking":
        return f"MPI_{name}({args});", ""
    if how == "nonblocking":
        return f"MPI_I{name.lower()}({args}, &r);", "MPI_Wait(&r, &st);"
    return (f"MPI_{name}_init({args}, MPI_INFO_NULL, &r); MPI_Start(&r);", "MPI_Wait(&r, &st); MPI_Request_free(&r);")


def collectives() -> None:
    """Each, in each way, with each defect that it can have."""
    for how in "blocking", "nonblocking", "persistent":
        for name in COLLECTIVES:
            good, done = call(name, how)
            title = f"coll.{how}.{name}"
            for w, (kinds, key, value) in WRONG_ARGS.items():
                if "{" + key + "}" not in COLLECTIVES[name]:
                    continue
                bad, _ = call(name, how, **{key: value})
                case(f"{title}.{w}", kinds, f"if (wrong) {{ {bad} {done} }} else {{ {good} {done} }} @")
            other = "MPI_Barrier(world);" if name != "Barrier" else "MPI_Allreduce(a, c, 1, MPI_INT, MPI_SUM, world);"
            case(f"{title}.left_out", "deadlock collective-mismatch", f"if (!wrong || rank != 1) {{ {good} {done} }} @")
            case(
                f"{title}.order",
                "deadlock collective-mismatch",
                f"if (wrong && rank == 1) {{ {other} }} @\n{good} {done} @\nif (!wrong || rank != 1) {{ {other} }} @",
            )
            case(
                f"{title}.comm",
                "deadlock collective-mismatch",
                "MPI_Comm_dup(world, &twin);\n"
                f"if (wrong && rank == 1) {{ {call(name, how, c='twin')[0]} {done} }} else {{ {good} {done} }} @\n"
                f"if (wrong && rank == 1) {{ {good} {done} }} else {{ {call(name, how, c='twin')[0]} {done} }} @\n"
                "MPI_Comm_free(&twin);",
            )
            if done:
                case(f"{title}.no_wait", "request-leak resource-leak", f"{good} @\nif (!wrong) {{ {done} }}")
            if done and name not in ("Barrier", "Bcast"):
                where = "d" if "d, " in COLLECTIVES[name] else "a"
                case(
                    f"{title}.changed", "buffer-in-use", f"{good} @\nif (wrong && rank == 0) {where}[1] = 99;\n{done} @"
                )
    for name in ("Barrier", "Bcast", "Allreduce"):
        one, two = call(name, "blocking"), call(name, "nonblocking")
        case(
            f"coll.mixed.{name}",
            "collective-mismatch deadlock",
            f"if (wrong && rank == 1) {{ {two[0]} {two[1]} }} else {{ {one[0]} }} @",
        )
    case("coll.alias.Allreduce", "buffer-overlap argument", "MPI_Allreduce(a, V(a, c), 4, MPI_INT, MPI_SUM, world); @")
    case(
        "coll.alias.Alltoall",
        "buffer-overlap argument",
        "MPI_Alltoall(d, 1, MPI_INT, V(d + 1, c), 1, MPI_INT, world); @",
    )
    case(
        "coll.split.left_out",
        "deadlock collective-mismatch",
        "if (!wrong || rank != 1) { MPI_Comm_split(world, 0, rank, &twin); MPI_Comm_free(&twin); } @",
    )
    case(
        "coll.against_p2p",
        "deadlock",
        "if (wrong && rank == 1) MPI_Recv(b, 1, MPI_INT, 0, 1, world, &st); @\nMPI_Barrier(world); @\n"
        "if (wrong && rank == 0) MPI_Send(a, 1, MPI_INT, 1, 1, world);",
    )


# ----------------------------------------------------------------- resources --
RESOURCES = {
    "comm_dup": ("MPI_Comm x; MPI_Comm_dup(world, &x);", "MPI_Comm_free(&x);"),
    "comm_split": ("MPI_Comm x; MPI_Comm_split(world, rank % 2, 0, &x);", "MPI_Comm_free(&x);"),
    "comm_idup": ("MPI_Comm x; MPI_Comm_idup(world, &x, &r); MPI_Wait(&r, &st);", "MPI_Comm_free(&x);"),
    "cart": ("MPI_Comm x; int p = 0; MPI_Cart_create(world, 1, &size, &p, 0, &x);", "MPI_Comm_free(&x);"),
    "type": ("MPI_Datatype x; MPI_Type_contiguous(3, MPI_INT, &x); MPI_Type_commit(&x);", "MPI_Type_free(&x);"),
    "vector": ("MPI_Datatype x; MPI_Type_vector(2, 1, 4, MPI_INT, &x);", "MPI_Type_free(&x);"),
    "group": ("MPI_Group x; MPI_Comm_group(world, &x);", "MPI_Group_free(&x);"),
    "op": ("MPI_Op x; MPI_Op_create(add, 1, &x);", "MPI_Op_free(&x);"),
    "win": ("MPI_Win x; MPI_Win_create(c, sizeof c, 4, MPI_INFO_NULL, world, &x);", "MPI_Win_free(&x);"),
    "win_allocate": (
        "MPI_Win x; int *at; MPI_Win_allocate(64, 4, MPI_INFO_NULL, world, &at, &x);",
        "MPI_Win_free(&x);",
    ),
    "errhandler": ("MPI_Errhandler x; MPI_Comm_create_errhandler(handle, &x);", "MPI_Errhandler_free(&x);"),
    "info": ("MPI_Info x; MPI_Info_create(&x);", "MPI_Info_free(&x);"),
    "file": (
        'MPI_File x; MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &x);',
        "MPI_File_close(&x);",
    ),
    "keyval": (
        "int x; MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &x, NULL);",
        "MPI_Comm_free_keyval(&x);",
    ),
}
AFTER_FREE = {
    "comm_dup": "MPI_Barrier(y);",
    "type": "MPI_Send(a, 0, y, MPI_PROC_NULL, 0, world);",
    "group": "MPI_Group_size(y, &flag);",
    "op": "MPI_Allreduce(a, c, 1, MPI_INT, y, world);",
    "win": "MPI_Win_fence(0, y);",
    "info": "MPI_Info_get_nkeys(y, &flag);",
}


def resources() -> None:
    """Made and not freed; used after they were freed."""
    for name, (make, free) in RESOURCES.items():
        case(f"leak.{name}", "resource-leak", f"{make} @\nif (!wrong) {{ {free} }} else (void)x;")
        if name in AFTER_FREE:
            kind = make.split()[0]
            case(
                f"freed.{name}",
                "use-after-free argument",
                f"{make}\n{kind} y = x;\n{free}\nif (wrong) {{ {AFTER_FREE[name]} }} else (void)y; @",
            )
    case(
        "type.not_committed",
        "argument type-mismatch call-order",
        "MPI_Datatype x; MPI_Type_contiguous(3, MPI_INT, &x);\nif (!wrong) MPI_Type_commit(&x);\n"
        "MPI_Sendrecv(a, 1, x, rank, 1, c, 1, x, rank, 1, world, &st); @\nMPI_Type_free(&x);",
    )
    case(
        "buffer.too_small",
        "argument",
        "MPI_Buffer_attach(space, V(8, 4096));\n"
        "MPI_Bsend(a, 64, MPI_INT, rank, 1, world); @\nMPI_Recv(c, 64, MPI_INT, rank, 1, world, &st);\n"
        "{ void *p; int n; MPI_Buffer_detach(&p, &n); }",
    )
    case("order.after_finalize", "call-order argument", "if (wrong) { MPI_Finalize(); MPI_Barrier(world); exit(0); } @")
    case("order.init_twice", "call-order argument", "if (wrong) MPI_Init(NULL, NULL); @")


# ----------------------------------------------------------------------- RMA --
RMA_OPS = {
    "put": "MPI_Put(a, 4, MPI_INT, {to}, {at}, 4, MPI_INT, w);",
    "get": "MPI_Get(b, 4, MPI_INT, {to}, {at}, 4, MPI_INT, w);",
    "acc": "MPI_Accumulate(a, 4, MPI_INT, {to}, {at}, 4, MPI_INT, MPI_SUM, w);",
}
EPOCHS = {
    "fence": ("MPI_Win_fence(0, w);", "MPI_Win_fence(0, w);"),
    "lock": ("MPI_Win_lock(MPI_LOCK_SHARED, {to}, 0, w);", "MPI_Win_unlock({to}, w);"),
    "lock_all": ("MPI_Win_lock_all(0, w);", "MPI_Win_unlock_all(w);"),
}
WINDOW = "MPI_Win w; MPI_Win_create(c, sizeof c, 4, MPI_INFO_NULL, world, &w);\n"
NEXT = "int to = (rank + 1) % size; (void)to;\n"


END = "\nMPI_Barrier(world);\nMPI_Win_free(&w);"


def window(name: str, kinds: str, body: str, end: str = END) -> None:
    """A case with a window w over c, and a target."""
    case(name, kinds, WINDOW + NEXT + body + end)


def windows() -> None:
    """Epochs and the memory they guard."""
    for (o, op), (e, (begin, done)) in itertools.product(RMA_OPS.items(), EPOCHS.items()):
        opened, closed = begin.format(to="to"), done.format(to="to")
        title, do = f"rma.{e}.{o}", op.format(to="to", at="0")
        nobody, outside = op.format(to="size", at="0"), op.format(to="to", at="254")
        buffer = "b" if o == "get" else "a"
        always = int(e == "fence")
        window(
            f"{title}.not_opened",
            "epoch",
            f"if (!wrong) {{ {opened} }} @\n{do} @\nif (!wrong || {always}) {{ {closed} }}",
        )
        window(f"{title}.not_closed", "epoch deadlock", f"{opened}\n{do} @\nif (!wrong) {{ {closed} }}", END + " @")
        window(f"{title}.bad_rank", "argument", f"{opened}\nif (wrong) {{ {nobody} }} else {{ {do} }} @\n{closed}")
        window(f"{title}.range", "argument epoch", f"{opened}\nif (wrong) {{ {outside} }} else {{ {do} }} @\n{closed}")
        window(
            f"{title}.changed",
            "buffer-in-use not-complete race",
            f"{opened}\n{do} @\nif (wrong) {buffer}[1] = 55;\n{closed} @",
        )


def conflicts() -> None:
    """Two origins, the same words of one target."""
    for e, (begin, done) in EPOCHS.items():
        opened, closed = begin.format(to="0"), done.format(to="0")
        put = RMA_OPS["put"].format(to="0", at="V(0, 4 * rank)")
        window(f"rma.{e}.put.conflict", "race", f"{opened}\n{put} @\n{closed}")
        window(
            f"rma.{e}.get.conflict",
            "race",
            f"{opened}\nif (rank == 1) MPI_Put(a, 4, MPI_INT, 0, 0, 4, MPI_INT, w); @\n"
            f"if (rank != 1) MPI_Get(b, 4, MPI_INT, 0, V(2, 8), 4, MPI_INT, w); @\n{closed}",
        )


def epochs() -> None:
    """Calls that open and close them, out of order."""
    end = END
    case("rma.unlock_without_lock", "epoch", WINDOW + "if (wrong) MPI_Win_unlock(0, w); @" + end)
    case(
        "rma.lock_twice",
        "epoch",
        WINDOW
        + "MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w);\nif (wrong) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w); @\nMPI_Win_unlock(0, w);"
        + end,
    )
    case("rma.flush_outside", "epoch", WINDOW + "if (wrong) MPI_Win_flush(0, w); @" + end)
    case(
        "rma.fence_left_out",
        "epoch deadlock collective-mismatch",
        WINDOW + "MPI_Win_fence(0, w);\nif (!wrong || rank != 1) MPI_Win_fence(0, w); @\nMPI_Win_free(&w); @",
    )
    group = "MPI_Group g, all; MPI_Comm_group(world, &all); int who = {who}; MPI_Group_incl(all, 1, &who, &g); MPI_Group_free(&all);\n"
    case(
        "rma.pscw.no_post",
        "deadlock epoch",
        WINDOW
        + group.format(who="1 - rank % 2")
        + "if (rank == 0) { MPI_Win_start(g, 0, w); MPI_Put(a, 1, MPI_INT, 1, 0, 1, MPI_INT, w); MPI_Win_complete(w); } @\n"
        "if (rank == 1 && !wrong) { MPI_Win_post(g, 0, w); MPI_Win_wait(w); }\nMPI_Group_free(&g);\nMPI_Win_free(&w); @",
    )
    case(
        "rma.pscw.no_complete",
        "deadlock epoch",
        WINDOW
        + group.format(who="1 - rank % 2")
        + "if (rank == 0) { MPI_Win_start(g, 0, w); MPI_Put(a, 1, MPI_INT, 1, 0, 1, MPI_INT, w); if (!wrong) MPI_Win_complete(w); } @\n"
        "if (rank == 1) { MPI_Win_post(g, 0, w); MPI_Win_wait(w); } @\nMPI_Group_free(&g);\nMPI_Win_free(&w); @",
    )
    case("rma.pscw.wait_without_post", "epoch", WINDOW + "if (wrong) MPI_Win_wait(w); @" + end)
    case("rma.pscw.complete_without_start", "epoch", WINDOW + "if (wrong) MPI_Win_complete(w); @" + end)
    case(
        "rma.locks_crosswise",
        "deadlock",
        WINDOW + "MPI_Win v; MPI_Win_create(d, sizeof d, 4, MPI_INFO_NULL, world, &v);\n"
        "if (rank < 2) { MPI_Win first = wrong && rank == 1 ? v : w, second = first == w ? v : w;\n"
        "MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, first); MPI_Get(b, 1, MPI_INT, 0, 0, 1, MPI_INT, first); MPI_Win_flush(0, first);\n"
        "if (wrong) { int x; MPI_Sendrecv(a, 1, MPI_INT, 1 - rank, 1, &x, 1, MPI_INT, 1 - rank, 1, world, &st); }\n"
        "MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, second); MPI_Get(b, 1, MPI_INT, 0, 0, 1, MPI_INT, second); MPI_Win_flush(0, second); @\n"
        "MPI_Win_unlock(0, second); MPI_Win_unlock(0, first); }\nMPI_Barrier(world);\nMPI_Win_free(&v);\nMPI_Win_free(&w);",
    )


for make in messages, receives, patterns, requests, collectives, resources, windows, conflicts, epochs:
    make()
