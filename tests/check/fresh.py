# SPDX-License-Identifier: BSD-3-Clause
"""Wrong programs of kinds that many_mpi.py and many_shmem.py have none of (many.py), written case by case.

They are in fresh_mpi.cases and fresh_shmem.cases: a line "== name: kinds", then the body. Where "instrumented" stands
before the kinds, only loads and stores of the program itself show what is wrong.
"""
# ruff: noqa: E501 (lines of C)

from pathlib import Path

import many_mpi
import many_shmem
from many_cases import Suite

MPI, MPI_OWN = Suite("mpicc", []), Suite("mpicc", ["--check"])
SHMEM, PLAIN = Suite("oshcc", ["--check"]), Suite("oshcc", [])

MPI.head = MPI_OWN.head = (
    many_mpi.SUITE.head
    + r"""
#include <stdio.h>
#include <unistd.h>
static double e[64], f[64];
static int to, from, one[8] = {1, 1, 1, 1, 1, 1, 1, 1}, at[8] = {0, 1, 2, 3, 4, 5, 6, 7}, key;
static MPI_Comm x;
static MPI_Datatype t, u;
static MPI_Group g, all;
static MPI_Win w;
static MPI_File fh;
static int (*volatile finished)(void);
static int quiet(void *state, MPI_Status *s) { (void)state; MPI_Status_set_elements(s, MPI_INT, 0); MPI_Status_set_cancelled(s, 0); s->MPI_SOURCE = MPI_UNDEFINED; s->MPI_TAG = MPI_UNDEFINED; return 0; }
static int quiet_free(void *state) { (void)state; return 0; }
static int quiet_cancel(void *state, int done) { (void)state, (void)done; return 0; }
static void neighbours(void) { int p = 1; MPI_Cart_create(world, 1, &size, &p, 0, &x); }
static void group_of(int who) { MPI_Comm_group(world, &all); MPI_Group_incl(all, 1, &who, &g); MPI_Group_free(&all); }
static void intercomm(void)
{
    MPI_Comm half;
    MPI_Comm_split(world, rank > 0, rank, &half);
    MPI_Intercomm_create(half, 0, world, rank > 0 ? 0 : 1, 3, &x);
    MPI_Comm_free(&half);
}
static void window(void) { MPI_Win_create(c, sizeof c, 4, MPI_INFO_NULL, world, &w); }
static void done(void) { MPI_Barrier(world); MPI_Win_free(&w); }
static void open_file(MPI_Comm comm, int mode)
{
    char name[64];
    snprintf(name, sizeof name, "/tmp/mpt-fresh-%d", comm == world ? (int)getppid() : (int)getpid());
    MPI_File_open(comm, name, mode | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &fh);
    MPI_Barrier(comm);
    unlink(name); /* a wrong program may not come to its end */
}
"""
)
MPI.main = MPI_OWN.main = many_mpi.SUITE.main.replace(
    "wrong = ", "to = (rank + 1) % size, from = (rank + size - 1) % size;\n    wrong = "
)
SHMEM.head = PLAIN.head = (
    many_shmem.SUITE.head
    + r"""
static int *word;
static shmem_ctx_t k, l;
static shmem_team_t half;
static int far(int n) { return (me + n) % npes; }
"""
)
SHMEM.main = PLAIN.main = many_shmem.SUITE.main.replace(
    "    sig = ", "    word = shmem_calloc(64, sizeof *word);\n    sig = "
)


def load(suite: Suite, name: str, *, plain: bool = False, instrumented: bool = False) -> None:
    """Add the cases of a file, of these kinds."""
    text = (Path(__file__).parent / name).read_text()
    for part in text.split("\n== ")[1:]:
        first, body = part.split("\n", 1)
        title, kinds = first.split(": ", 1)
        if instrumented if "instrumented" in kinds.split() else plain:
            suite.case(f"fresh.{title}", kinds.replace("instrumented", ""), body)


load(MPI, "fresh_mpi.cases", plain=True)
load(MPI_OWN, "fresh_mpi.cases", instrumented=True)
load(SHMEM, "fresh_shmem.cases", plain=True, instrumented=True)
load(PLAIN, "fresh_shmem.cases", plain=True)
