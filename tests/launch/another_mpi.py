# SPDX-License-Identifier: BSD-3-Clause
"""A program that is linked with another MPI library, or loads one, below our launcher: each process would be rank 0 of
1. The launcher says so and ends the job. Programs of ours that have such a library mapped as well are left alone,
and so are programs without any."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

folder = h.SCRATCH

# A library with a name of Open MPI's whose ranks are all alone.
(folder / "other.c").write_text("int MPI_Init(int *argc, char ***argv) { (void)argc, (void)argv; return 0; }\n")
subprocess.run(["cc", "-shared", "-fPIC", folder / "other.c", "-o", folder / "libmpi.so.40"], check=True)

LINKED = """
#include <unistd.h>
int MPI_Init(int *, char ***);
int main(void) { MPI_Init(0, 0); sleep(10); return 0; }
"""
LOADED = """
#include <dlfcn.h>
#include <unistd.h>
int main(int argc, char **argv) { (void)argc; usleep(300000); dlopen(argv[1], RTLD_NOW); sleep(10); return 0; }
"""
BOTH = """
#include <dlfcn.h>
#include <shmem.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    (void)argc;
    dlopen(argv[1], RTLD_NOW);
    usleep(500000);
    shmem_init();
    shmem_finalize();
    return 0;
}
"""


def plain(source, name, *flags):
    """Compiled without our wrapper."""
    path = folder / f"{name}.c"
    path.write_text(source)
    subprocess.run(["cc", path, "-o", folder / name, *flags], check=True)
    return folder / name


for program, arguments in (
    (plain(LINKED, "linked", str(folder / "libmpi.so.40"), f"-Wl,-rpath,{folder}"), []),
    (plain(LOADED, "loaded"), [str(folder / "libmpi.so.40")]),
):
    r = h.run([h.MPTRUN, "-n", "2", program, *arguments], limit=9)
    h.expect(r.status == 1, f"{program.name}: status 1, at once", r)
    h.expect("uses Open MPI" in r.err and "libmpi.so.40" in r.err and "mpicc" in r.err, "the library is named", r)
    h.expect(r.err.count("uses Open MPI") == 1, "once", r)

r = h.run([h.MPTRUN, "-n", "2", h.build(BOTH, "both"), str(folder / "libmpi.so.40")])
h.expect(r.status == 0 and r.err == "", "a program of ours that loads it, too, runs", r)
r = h.run([h.MPTRUN, "-n", "2", "sleep", "0.4"])
h.expect(r.status == 0 and r.err == "", "a program without MPI runs", r)
r = h.run([h.MPTRUN, "-n", "1", plain(LOADED.replace("sleep(10)", "sleep(0)"), "one"), str(folder / "libmpi.so.40")])
h.expect(r.status == 0 and r.err == "", "one rank is what it would be anyway", r)

# While the loader is at it, a library of ours is mapped before the libmpt.so that it needs.
MAPPED = """
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    (void)argc;
    if (mmap(0, 4096, PROT_READ, MAP_PRIVATE, open(argv[1], O_RDONLY), 0) == MAP_FAILED)
        return 1;
    usleep(500000);
    return 0;
}
"""
r = h.run([h.MPTRUN, "-n", "2", plain(MAPPED, "mapped"), h.BUILD / "lib" / "libmpi.so.12"])
h.expect(r.status == 0 and r.err == "", "our libmpi.so.12 is no other MPI", r)
h.finish()
