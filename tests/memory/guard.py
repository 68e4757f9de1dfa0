# SPDX-License-Identifier: BSD-3-Clause
"""Checkers of memory from outside: AddressSanitizer and valgrind find what programs do wrong with the symmetric heap
and with buffers that our own copies fill, say nothing of right programs, and end."""

import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

SHMEM = """
#include <shmem.h>
#include <stdlib.h>
#include <string.h>
static long whole;
int main(int argc, char **argv)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), what = argc > 1 ? atoi(argv[1]) : 0;
    char *block = shmem_malloc(100), *next = shmem_malloc(1 << 20), *own = calloc(1, 70000);
    volatile char *look = block;
    shmem_long_p(&whole, me, (me + 1) % n);
    shmem_putmem(next, own, 70000, (me + 1) % n);
    block = shmem_realloc(block, 300);
    memset(block, 1, 300);
    block = shmem_realloc(block, 120);
    shmem_barrier_all();
    look = block;
    switch (what) {
    case 1: look[120] = 1; break;
    case 2: shmem_free(block); look[3] = 1; return 0;
    case 3: shmem_putmem(next, own, 70001, (me + 1) % n); break;
    case 4: shmem_getmem(own, next, 70001, (me + 1) % n); break;
    case 5: shmem_putmem(next + (1 << 20) - 10, own, 11, (me + 1) % n); break;
    }
    shmem_barrier_all();
    free(own);
    if (what == 0)
        shmem_free(next);
    shmem_finalize();
    return 0;
}
"""
MPI = """
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int me, sent[20] = {0}, *got = malloc(10 * sizeof *got);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    const int n = argc > 1 ? 20 : 10;
    if (me == 0)
        MPI_Send(sent, n, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else if (me == 1)
        MPI_Recv(got, n, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(got);
    MPI_Finalize();
    return 0;
}
"""


def build(name, source, wrapper, *flags):
    file = h.SCRATCH / f"{name}.c"
    file.write_text(source.strip() + "\n")
    return h.build(file, f"{name}{len(flags)}", flags, str(h.BUILD / "bin" / wrapper))


WRONG = {
    1: ("out of its block",),
    2: ("freed",),
    3: ("shmem_putmem: source=", "has 70000 bytes of memory, but the call needs 70001"),
    4: ("shmem_getmem: dest=", "has 70000 bytes of memory, but the call needs 70001"),
    5: ("shmem_putmem: dest=", "has 10 bytes of memory, but the call needs 11"),
}
ASAN = ("-fsanitize=address",)
shmem, mpi = build("shmem", SHMEM, "oshcc", *ASAN), build("mpi", MPI, "mpicc", *ASAN)
for program in (shmem, mpi):
    r = h.run([h.MPTRUN, "-n", 3, program], limit=60)
    h.expect(r.status == 0 and r.err == "", "right, with AddressSanitizer: no finding, no leak", r)
for what, words in WRONG.items():
    r = h.run([h.MPTRUN, "-n", 2, shmem, what], limit=60)
    told = "AddressSanitizer: use-after-poison" in r.err if what < 3 else all(word in r.err for word in words)
    h.expect(r.status not in (0, None) and told and "shmem.c:" in r.err, f"AddressSanitizer, {what}: {words}", r)
r = h.run([h.MPTRUN, "-n", 2, mpi, "short"], limit=60)
h.expect(
    "MPI_Recv: buf=" in r.err and "has 40 bytes of memory, but 20 elements of data need 80" in r.err, "MPI_Recv", r
)
h.expect("MPI_ERR_BUFFER" in r.err and "mpi.c:" in r.err, "with the code and the line", r)

valgrind = shutil.which("valgrind")
if valgrind and pathlib.Path("/usr/include/valgrind/memcheck.h").exists():
    shmem, mpi = build("shmem", SHMEM, "oshcc"), build("mpi", MPI, "mpicc")
    for program in (shmem, mpi):
        r = h.run([h.MPTRUN, "-n", 2, valgrind, "-q", "--leak-check=full", "--error-exitcode=9", program], limit=120)
        h.expect(r.status == 0 and "ERROR" not in r.err and "lost" not in r.err, "right, with valgrind", r)
    for what, words in {1: "0 bytes after a ", 2: "3 bytes inside a block of size"}.items():
        r = h.run([valgrind, "-q", "--leak-check=no", shmem, what], limit=120)
        h.expect(words in r.err and "shmem.c:" in r.err, f"valgrind, {what}: {words}", r)
h.finish()
