# SPDX-License-Identifier: BSD-3-Clause
"""A program that another library's launcher started as one of several says so and stops, instead of running as many
lone PEs; as the only process, or below our own launcher within such a job, it runs."""

import pathlib
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
    r = h.oshrun(2, probe, "identity", env=env)
    h.expect(r.status == 0 and "PE 1 of 2" in r.out, f"our launcher within a job of {name}", r)
    alone = {k: (1 if "SIZE" in k or "TASKS" in k else 0) for k in env}
    r = h.run([probe, "identity"], alone)
    h.expect(r.status == 0 and "PE 0 of 1" in r.out, f"the only process of a job of {name}", r)
h.finish()
