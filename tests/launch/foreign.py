# SPDX-License-Identifier: BSD-3-Clause
"""A program below other launchers. One that serves PMIx starts a job of as many PEs as processes; below any other the
program says so and stops, instead of running as many lone PEs. As the only process, or below our own launcher within
such a job, it runs."""

import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

probe = h.build(pathlib.Path(__file__).resolve().parent / "probe.c")

LAUNCHERS = {
    "Open MPI": {"OMPI_COMM_WORLD_SIZE": 2, "OMPI_COMM_WORLD_RANK": 1, "OMPI_COMM_WORLD_LOCAL_RANK": 1},
    "MPICH": {"PMI_SIZE": 4, "PMI_RANK": 0, "PMI_FD": 7},
    "Slurm": {"SLURM_PROCID": 2, "SLURM_NTASKS": 3, "SLURM_STEP_NUM_TASKS": 3, "SLURM_JOB_ID": 17},
}
for name, env in LAUNCHERS.items():
    r = h.run([probe, "identity"], env)
    h.expect(r.status is not None and 0 < r.status < 128, f"below {name}'s launcher: expected an error", r)
    h.expect("PE 0 of 1" not in r.out, f"below {name}'s launcher: it ran alone", r)
    h.expect("oshrun" in r.err or "mptrun" in r.err, f"below {name}'s launcher: the message says what to use", r)
    h.expect(name.split()[0] in r.err, f"the message names {name}", r)
    h.expect(name != "Slurm" or "srun --mpi=pmix" in r.err, "Slurm can start PEs: the message says how", r)
    r = h.oshrun(2, probe, "identity", env=env)
    h.expect(r.status == 0 and "PE 1 of 2" in r.out, f"our launcher within a job of {name}", r)
    alone = {k: (1 if "SIZE" in k or "TASKS" in k else 0) for k in env}
    r = h.run([probe, "identity"], alone)
    h.expect(r.status == 0 and "PE 0 of 1" in r.out, f"the only process of a job of {name}", r)

SERVER = {"PMIX_NAMESPACE": "prterun-none-1@1", "PMIX_RANK": 0, "PMIX_SERVER_URI41": "none.0;tcp4://127.0.0.1:1"}
r = h.run([probe, "identity"], SERVER)
h.expect(r.status == 1 and "PMIx" in r.err, "a PMIx server that is not there: a message", r)
r = h.oshrun(2, probe, "identity", env=SERVER)
h.expect(r.status == 0 and "PE 1 of 2" in r.out, "our launcher within a PMIx job", r)

STEPS = """#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static long word;
int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_long_p(&word, me + 1, (me + 1) % n);
    shmem_barrier_all();
    printf("PE %d of %d has %ld, reaches %d\\n", me, n, word, shmem_ptr(&word, (me + 1) % n) != NULL);
    if (me == 1 && strcmp(how, "exit") == 0)
        exit(argc > 2 ? atoi(argv[2]) : 0);
    if (me == 1 && strcmp(how, "global") == 0)
        shmem_global_exit(5);
    if (me == 1 && strcmp(how, "child") == 0 && system(argv[0]) != 0)
        return 9;
    if (strcmp(how, "leave") == 0)
        return 0;
    shmem_finalize();
    if (strcmp(how, "again") == 0) {
        shmem_init();
        shmem_barrier_all();
        shmem_finalize();
    }
    return 0;
}
"""


def under_mpirun(mpirun):
    """One host: shared memory between processes that somebody else started."""
    steps = h.build(STEPS, "steps")
    env = {"OMPI_ALLOW_RUN_AS_ROOT": 1, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": 1}

    def job(*args, more=()):
        return h.run([mpirun, "--oversubscribe", "-n", 3, *more, steps, *args], env, limit=30)

    full = {f"PE {pe} of 3 has {(pe + 2) % 3 + 1}, reaches 1" for pe in range(3)}
    for how in ("", "leave", "again", "child"):
        r = job(how)
        lines = set(r.out.split("\n")) - {"", "PE 0 of 1 has 1, reaches 1"}
        h.expect(r.status == 0 and lines == full, f"mpirun -n 3 {how}: three PEs that share memory", r)
        h.expect(("PE 0 of 1" in r.out) == (how == "child"), f"mpirun -n 3 {how}: a PE's child is a lone PE", r)
    r = job("exit", 3)
    h.expect(
        r.status == 3 and "PE 1" in r.err and "status 3" in r.err, "exit(3) of a PE ends the job with that status", r
    )
    r = job("exit", 0)
    h.expect(
        r.status not in (0, None) and "PE 1" in r.err and "without finalizing" in r.err,
        "the others cannot finish without a PE that left",
        r,
    )
    r = job("global")
    h.expect(r.status == 5, "shmem_global_exit(5) is the job's status", r)
    r = h.run([mpirun, "-n", 1, probe, "identity"], env)
    h.expect(r.status == 0 and "PE 0 of 1" in r.out, "mpirun -n 1", r)
    r = h.run([mpirun, "-n", 1, probe, "identity"], {**env, "NPES": 2})
    h.expect(r.status == 0 and "PE 1 of 2" in r.out, "the only process of a job starts its own PEs", r)
    r = h.run([mpirun, "-n", 1, h.OSHRUN, "-np", 2, probe, "identity"], env)
    h.expect(r.status == 0 and "PE 1 of 2" in r.out, "oshrun below mpirun", r)


found = os.environ.get("MPT_MPIRUN") or shutil.which("mpirun")
if found and "Open MPI) 4." in h.run([found, "--version"]).out:
    under_mpirun(found)
else:
    print("SKIPPED the part with mpirun: no Open MPI 4 in the PATH")
h.finish()
