# SPDX-License-Identifier: BSD-3-Clause
"""The core file of a PE that crashes holds what it had in use of the job's memory, and is no larger than that."""

import pathlib
import resource
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

MOST = 20 << 20

SHMEM = r"""
#include <shmem.h>
#include <string.h>
int main(void)
{
    char *p;

    shmem_init();
    p = shmem_malloc(3 << 20);
    memset(p, 'q', 3 << 20);
    memcpy(p + (2 << 20) + 77, "symmetric heap", 15);
    if (shmem_my_pe() == 1)
        __builtin_trap();
    shmem_barrier_all();
    return 0;
}
"""
MPI = r"""
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
char *p; /* not local: then nobody would read what is written */

int main(void)
{
    int rank;

    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    p = malloc(3 << 20); /* in the arena */
    memset(p, 'q', 3 << 20);
    memcpy(p + (2 << 20) + 77, "malloc", 7);
    if (rank == 1)
        __builtin_trap();
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}
"""

pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text().strip()
if pattern.startswith("|") or "/" in pattern:
    print(f"core files go elsewhere ({pattern})")
    sys.exit(77)

for name, source, wrapper, mark in (
    ("shmem", SHMEM, h.OSHCC, b"qqqsymmetric heap\0qqq"),
    ("mpi", MPI, str(pathlib.Path(h.OSHCC).with_name("mpicc")), b"qqqmalloc\0qqq"),
):
    program = h.build(source, name, wrapper=wrapper)
    folder = h.SCRATCH / f"run-{name}"
    folder.mkdir()
    done = subprocess.run(
        [h.MPTRUN, "-n", "4", program],
        cwd=folder,
        env=h.environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2),
        capture_output=True,
        timeout=60,
        check=False,
    )
    cores = list(folder.glob("core*"))
    h.expect(done.returncode > 128 and len(cores) == 1, f"{name}: a core file, status {done.returncode}: {cores}")
    if not cores:
        continue
    size = cores[0].stat().st_size
    h.expect(size <= MOST, f"{name}: the core file has {size} bytes")
    h.expect(size > MOST or mark in cores[0].read_bytes(), f"{name}: what was in use is there")
h.finish()
