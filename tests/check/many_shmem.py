# SPDX-License-Identifier: BSD-3-Clause
"""Tables of wrong OpenSHMEM programs (many.py), compiled by oshcc --check: their own loads and stores count."""
# ruff: noqa: E501 (lines of C)

from many_cases import Suite

SUITE = Suite("oshcc", ["--check"])
case = SUITE.case

SUITE.head = r"""
#include <shmem.h>
#include <stdlib.h>
#include <string.h>
#define V(x, y) (wrong ? (x) : (y))
static int me, npes, next, wrong;
static long *x, *y, *flag, *box;       /* symmetric: 64 words each */
static uint64_t *sig;
static long own[64], sum;
static volatile long sink;
static void write_own(long *at) { for (int i = 0; i < 8; i++) at[i] = i; }
static void read_own(const long *at) { for (int i = 0; i < 8; i++) sink += at[i]; }
"""
SUITE.main = r"""
int main(int argc, char **argv)
{
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    next = (me + 1) % npes;
    wrong = strcmp(argv[2], "wrong") == 0;
    x = shmem_calloc(64, sizeof *x);
    y = shmem_calloc(64, sizeof *y);
    flag = shmem_calloc(64, sizeof *flag);
    box = shmem_calloc(64, sizeof *box);
    sig = shmem_calloc(8, sizeof *sig);
    shmem_barrier_all();
    cases[atoi(argv[1])]();
    shmem_barrier_all();
    shmem_finalize();
    (void)argc;
    return 0;
}
"""

# PE `me` writes eight words at x of PE `next`, or reads them.
WRITES = {
    "put": "shmem_long_put(x, own, 8, next);",
    "put_nbi": "shmem_putmem_nbi(x, own, 64, next);",
    "p": "for (int i = 0; i < 8; i++) shmem_long_p(x + i, i, next);",
    "iput": "shmem_long_iput(x, own, 1, 1, 8, next);",
    "putmem": "shmem_putmem(x, own, 64, next);",
}
READS = {
    "get": "shmem_long_get(own, x, 8, next);",
    "g": "for (int i = 0; i < 8; i++) own[i] = shmem_long_g(x + i, next);",
    "iget": "shmem_long_iget(own, x, 1, 1, 8, next);",
}
# Orders all PEs.
ORDERS = {
    "barrier_all": "shmem_barrier_all();",
    "team_sync": "shmem_quiet(); shmem_team_sync(SHMEM_TEAM_WORLD);",
    "sync_all": "shmem_quiet(); shmem_sync_all();",
    "reduce": "shmem_quiet(); shmem_long_sum_reduce(SHMEM_TEAM_WORLD, y, box, 1);",
}


def remote_and_own() -> None:
    """One PE writes or reads remotely, the owner loads or stores; the order between them is left out."""
    for o, order in ORDERS.items():
        maybe = f"if (!wrong) {{ {order} }}"
        for w, write in WRITES.items():
            case(f"race.{w}.read.{o}", "race", f"{write} @\n{maybe}\nread_own(x); @")
            case(f"race.read.{w}.{o}", "race", f"read_own(x); @\n{maybe}\n{write} @")
            case(f"race.{w}.write.{o}", "race", f"{write} @\n{maybe}\nif (me == 0) write_own(x); @")
        for r, read in READS.items():
            case(f"race.write.{r}.{o}", "race", f"write_own(x); @\n{maybe}\n{read} @")
            case(f"race.{r}.write.{o}", "race", f"{read} @\n{maybe}\nwrite_own(x); @")


def remote_and_remote() -> None:
    """Two PEs, the same words of a third or of one of them."""
    for w, write in WRITES.items():
        to = write.replace("next", "0")
        case(f"race.{w}.{w}.same_target", "race", f"if (me < 2) {{ {to.replace('x', 'V(x, x + 8 * me)')} }} @")
        for r, read in READS.items():
            one, two = to, read.replace("next", "0")
            case(
                f"race.{w}.{r}.same_target",
                "race",
                f"if (me == 0) {{ {one} }} @\nif (!wrong) shmem_barrier_all();\nif (me == 1) {{ {two} }} @",
            )
    case(
        "race.put.atomic",
        "race",
        "if (me == 0) shmem_long_put(x, own, 1, 0); @\nif (!wrong) shmem_barrier_all();\n"
        "if (me == 1) shmem_long_atomic_inc(x, 0); @",
    )
    case(
        "race.atomic.get",
        "race",
        "if (me == 0) shmem_long_atomic_add(x, 3, 1); @\nif (!wrong) shmem_barrier_all();\nif (me == 1) sum = *x; @",
    )


def flags() -> None:
    """A put, then a flag: what must lie between; and who waits must do so by the library."""
    for w, write in WRITES.items():
        for s, sync in {"fence": "shmem_fence();", "quiet": "shmem_quiet();"}.items():
            # Blocking puts of different calls are not ordered either.
            case(
                f"flag.{w}.no_{s}",
                "race",
                f"{write} @\nif (!wrong) {sync}\nshmem_long_p(flag, 1, next);\n"
                "shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);\nread_own(x); @",
            )
        case(
            f"flag.{w}.atomic_no_fence",
            "race",
            f"{write} @\nif (!wrong) shmem_fence();\nshmem_long_atomic_set(flag, 1, next);\n"
            "while (shmem_long_atomic_fetch(flag, me) != 1) ;\nread_own(x); @",
        )
        case(
            f"flag.{w}.no_wait",
            "race",
            f"{write} @\nshmem_fence();\nshmem_long_p(flag, 1, next);\n"
            "if (!wrong) shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);\nread_own(x); @",
        )
        case(
            f"flag.{w}.wrong_target",
            "race",
            f"{write} @\nshmem_fence();\nshmem_long_p(V(flag + 1, flag), 1, next);\n"
            "if (wrong) shmem_long_p(flag, 1, me);\n"
            "shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);\nread_own(x); @",
        )
    case(
        "signal.no_wait",
        "race",
        "shmem_long_put_signal(x, own, 8, sig, 1, SHMEM_SIGNAL_SET, next); @\n"
        "if (!wrong) shmem_signal_wait_until(sig, SHMEM_CMP_EQ, 1);\nread_own(x); @",
    )
    case(
        "signal.other_put",
        "race",
        "shmem_long_put_nbi(x, own, 8, next); @\nif (!wrong) shmem_fence();\n"
        "shmem_long_put_signal(y, own, 8, sig, 1, SHMEM_SIGNAL_SET, next);\n"
        "shmem_signal_wait_until(sig, SHMEM_CMP_EQ, 1);\nread_own(x); @",
    )
    case(
        "signal.reused",
        "race deadlock",  # the second may be there before the first is looked for
        "shmem_long_put_signal(x, own, 8, sig, 1, SHMEM_SIGNAL_SET, next);\n"
        "shmem_signal_wait_until(sig, SHMEM_CMP_EQ, 1);\nread_own(x); @\nif (!wrong) shmem_barrier_all();\n"
        "shmem_long_put_signal(x, own, 8, sig, 2, SHMEM_SIGNAL_SET, next); @\n"
        "shmem_signal_wait_until(sig, SHMEM_CMP_EQ, 2);",
    )


def locks() -> None:
    """A critical section without its lock."""
    body = "sum = shmem_long_g(x, 0); shmem_long_p(x, sum + 1, 0); shmem_quiet();"
    case("lock.left_out", "race", f"if (!wrong) shmem_set_lock(flag); @\n{body} @\nif (!wrong) shmem_clear_lock(flag);")
    case(
        "lock.one_without",
        "race",
        f"if (!wrong || me != 1) shmem_set_lock(flag);\n{body} @\nif (!wrong || me != 1) shmem_clear_lock(flag);",
    )
    case("lock.not_held", "call-order argument deadlock", "if (wrong && me == 0) shmem_clear_lock(flag); @")


def local() -> None:
    """Local memory of operations under way."""
    case(
        "local.put_nbi.changed",
        "buffer-in-use race",
        "shmem_long_put_nbi(x, box, 8, next); @\nif (wrong) box[1] = 7; @\nshmem_quiet(); @",
    )
    case(
        "local.get_nbi.read",
        "not-complete race",
        "shmem_long_get_nbi(box, x, 8, next); @\nif (wrong) read_own(box); @\nshmem_quiet();",
    )


def collectives() -> None:
    """Arguments that do not agree, memory used too early, calls left out."""
    team = "SHMEM_TEAM_WORLD"
    case("coll.broadcast.root", "collective-mismatch", f"shmem_long_broadcast({team}, y, x, 4, V(me, 0)); @")
    case("coll.broadcast.count", "collective-mismatch", f"shmem_long_broadcast({team}, y, x, V(4 + me, 4), 0); @")
    case("coll.reduce.count", "collective-mismatch", f"shmem_long_sum_reduce({team}, y, x, V(1 + me, 1)); @")
    case("coll.reduce.overlap", "buffer-overlap argument", f"shmem_long_sum_reduce({team}, V(x + 1, y), x, 4); @")
    case(
        "coll.left_out",
        "deadlock collective-mismatch",
        f"if (!wrong || me != 1) shmem_long_fcollect({team}, y, x, 2); @",
    )
    case(
        "coll.order",
        "deadlock collective-mismatch",
        f"if (wrong && me == 1) {{ shmem_long_broadcast({team}, y, x, 4, 0); @\nshmem_long_sum_reduce({team}, box, x, 4); @\n"
        f"}} else {{ shmem_long_sum_reduce({team}, box, x, 4); @\nshmem_long_broadcast({team}, y, x, 4, 0); @\n}}",
    )
    for name, args in {"broadcast": "y, x, 8, 0", "fcollect": "y, x, 2", "alltoall": "y, x, 2"}.items():
        case(
            f"coll.{name}.source_written_before",
            "race",
            f"shmem_long_put(x, own, 8, next); @\nif (!wrong) shmem_barrier_all();\nshmem_long_{name}({team}, {args}); @",
        )
    case(
        "coll.malloc.size",
        "collective-mismatch",
        "long *p = shmem_malloc(V(64 + 64 * (size_t)me, 64)); @\nshmem_free(p);",
    )


def arguments() -> None:
    """Addresses, sizes and numbers."""
    case("argument.pe", "argument", "shmem_long_p(x, 1, V(npes, next)); @")
    case("argument.not_symmetric", "argument", "long here[8] = {0};\nshmem_long_put(V(here, x), own, 8, next); @")
    case(
        "argument.past_the_block",
        "argument",
        "long *p = shmem_malloc(64), *q = shmem_malloc(64);\n"
        "shmem_long_put(p, own, V(24, 8), next); @\nshmem_barrier_all();\nshmem_free(q);\nshmem_free(p);",
    )
    case(
        "argument.freed",
        "use-after-free argument",
        "long *p = shmem_malloc(64);\nshmem_free(p);\nif (wrong) shmem_long_p(p, 1, next); @",
    )
    case(
        "argument.free_twice",
        "use-after-free argument",
        "long *p = shmem_malloc(64);\nshmem_free(p);\nif (wrong) shmem_free(p); @",
    )
    case("argument.interior", "argument", "long *p = shmem_malloc(64);\nshmem_free(V(p + 1, p)); @\n")
    case("argument.wait_own", "argument", "long here = 1;\nshmem_long_wait_until(V(&here, x), SHMEM_CMP_GE, 0); @")
    case(
        "team.used_after_destroy",
        "use-after-free argument",
        "shmem_team_t t;\nshmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &t);\nshmem_team_destroy(t);\n"
        "if (wrong) shmem_team_sync(t); @",
    )
    case(
        "context.used_after_destroy",
        "use-after-free argument",
        "shmem_ctx_t k;\nshmem_ctx_create(0, &k);\nshmem_ctx_destroy(k);\nif (wrong) shmem_ctx_long_p(k, x, 1, next); @",
    )
    case(
        "deadlock.wait_never",
        "deadlock",
        "if (!wrong) shmem_long_p(flag, 1, next);\nshmem_long_wait_until(flag, SHMEM_CMP_EQ, 1); @",
    )
    case(
        "deadlock.barrier_left_out",
        "deadlock collective-mismatch",
        "if (wrong && me == 0)\nshmem_long_wait_until(flag, SHMEM_CMP_EQ, 1); @",
    )
    case(
        "deadlock.lock_twice",
        "deadlock call-order",
        "shmem_set_lock(flag);\nif (wrong) shmem_set_lock(flag); @\nshmem_clear_lock(flag);",
    )


for make in remote_and_own, remote_and_remote, flags, locks, local, collectives, arguments:
    make()
