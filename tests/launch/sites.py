# SPDX-License-Identifier: BSD-3-Clause
"""Messages about wrong calls and about PEs that wait name the program's line: in every language, as processes and as
tasks, through inlined functions of headers; and what is said where the program has no debug information."""

import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

if "MPT_DW_INCLUDE:PATH=MPT_DW_INCLUDE-NOTFOUND" in (h.BUILD / "CMakeCache.txt").read_text():
    print("the library was built without libdw")
    sys.exit(77)

HAS_TASKS = h.machine() in h.HAVE_TASKS

# In each program the line with HERE is the one that must be named.
WRONG = {
    "mpi.c": (
        "mpicc",
        """#include <mpi.h>
static __attribute__((noinline)) void send(int n)
{
    int x = 0;
    MPI_Send(&x, 1, MPI_INT, n + 5, 0, MPI_COMM_WORLD); /* HERE in send */
}
int main(int c, char **v)
{
    int n;
    MPI_Init(&c, &v);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    send(n);
    MPI_Finalize();
}
""",
    ),
    "shmem.c": (
        "oshcc",
        """#include <shmem.h>
static long dest;
static void put(int pe)
{
    shmem_put(&dest, &dest, 1, pe); /* HERE in put */
}
int main(void)
{
    shmem_init();
    put(shmem_n_pes() + 3);
    shmem_finalize();
}
""",
    ),
    "add.cc": (
        "oshc++",
        """#include <shmem.h>
struct Sum {
    long *at;
    void add(int pe) { shmem_long_atomic_add(at, 1, pe); } // HERE in add
};
int main()
{
    shmem_init();
    Sum s{static_cast<long *>(shmem_malloc(8))};
    s.add(77);
    shmem_finalize();
}
""",
    ),
    "send.f90": (
        "mpifort",
        """program p
  use mpi_f08
  call MPI_Init()
  call send(7)
  call MPI_Finalize()
contains
  subroutine send(to)
    integer, intent(in) :: to
    integer :: x = 1
    call MPI_Send(x, 1, MPI_INTEGER, to, 0, MPI_COMM_WORLD) ! HERE in send
  end subroutine
end program
""",
    ),
    "write.sc": (
        "scc",
        """#include <split-c/split-c.h>
int x;
splitc_main()
{
    int *global p = toglobal(55, &x);
    *p = 3; /* HERE in splitc_main */
}
""",
    ),
    "am.c": (
        "oshcc",
        """#include <am.h>
static void f(vnn_t from, int a0, int a1, int a2, int a3) { (void)from, (void)a0, (void)a1, (void)a2, (void)a3; }
int main(void)
{
    am_enable();
    am_request_4(am_procs() + 9, (handler_4_t)f, 0, 0, 0, 0); /* HERE in main */
    am_disable();
}
""",
    ),
}

WAITING = """#include <mpi.h>
static __attribute__((noinline)) void take(int from)
{
    int x;
    MPI_Recv(&x, 1, MPI_INT, from, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FIRST */
}
int main(int c, char **v)
{
    int n, me;
    MPI_Init(&c, &v);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == n - 1)
        MPI_Barrier(MPI_COMM_WORLD); /* SECOND */
    take((me + 1) % n);
    MPI_Finalize();
}
"""


def line_of(source, mark):
    return next(i for i, text in enumerate(source.splitlines(), 1) if mark in text)


def write(name, source):
    path = h.SCRATCH / name
    path.write_text(source)
    return path


def compiled(wrapper, path, *flags):
    name = h.SCRATCH / (path.name.replace(".", "_") + "".join(flags))
    r = h.run([h.BUILD / "bin" / wrapper, *flags, path, "-o", name], limit=60)
    return name if h.expect(r.status == 0, f"{path.name} can be built", r) else None


def ways(name):
    """As processes, and as tasks where the language can."""
    yield []
    if HAS_TASKS and not name.endswith(".sc"):
        yield ["--tasks"]


def wrong_call(name, wrapper, source):
    path = write(name, source)
    program = compiled(wrapper, path, "-g", "-O2")
    function = re.search(r"HERE in (\w+)", source)[1]
    for options in ways(name) if program else ():
        r = h.run([h.MPTRUN, *options, "-n", "4", program])
        h.expect(
            r.status not in (0, None) and f"{name}:{line_of(source, 'HERE')} in {function}]" in r.err,
            f"{name} {options}: its line is named",
            r,
        )


def waits(options):
    program = compiled("mpicc", write("wait.c", WAITING), "-g", "-O2")
    r = h.run([h.MPTRUN, *options, "--timeout", "1", "-n", "5", program]) if program else None
    first, second = (f"wait.c:{line_of(WAITING, mark)} in" for mark in ("FIRST", "SECOND"))
    h.expect(
        r is not None
        and re.search(rf"PEs 0-3 were waiting in MPI_Recv[^\n]*{first} take\]", r.err)
        and re.search(rf"PE 4 was waiting in MPI_Barrier[^\n]*{second} main\]", r.err),
        f"{options}: the lines in which PEs wait are named",
        r,
    )


def without_information():
    """The function, or the place in the file."""
    program = compiled("mpicc", write("plain.c", WRONG["mpi.c"][1]), "-O2")
    r = h.run([h.MPTRUN, "-n", "2", program]) if program else None
    h.expect(r is not None and re.search(r" \[[\w-]+\+0x[0-9a-f]+( in [\w-]+)?\]", r.err), "a place without -g", r)


for file, (command, text) in WRONG.items():
    if command != "mpifort" or (shutil.which("gfortran") and (h.BUILD / "bin" / "mpifort").exists()):
        wrong_call(file, command, text)
for extra in [[], ["--tasks"]] if HAS_TASKS else [[]]:
    waits(extra)
without_information()
h.finish()
