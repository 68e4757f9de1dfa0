# SPDX-License-Identifier: BSD-3-Clause
"""What the driver (drive/peers.py) sets for each other library, and why: the page has it beside the figures."""

SETTINGS = {
    "openmpi": (
        ("--bind-to core", "each process has a core of its own, as ours have, while there are enough"),
        ("--map-by :OVERSUBSCRIBE --bind-to none", "with more processes than cores: it then yields while it waits"),
        ("OMPI_MCA_memory=^patcher", "its SHMEM of 4.1 crashes at the end of programs without it"),
        ("SMA_SYMMETRIC_SIZE=1G", "a symmetric heap as large as ours"),
    ),
    "mpich": (
        ("-bind-to core", "each process has a core of its own, as ours have, while there are enough"),
        ("-bind-to none", "with more processes than cores"),
        (
            "MPIR_CVAR_CH4_PROGRESS_THROTTLE=1, ..._NO_PROGRESS_COUNT=1",
            "with more processes than cores: it then sleeps while it waits, its best setting here; without it a "
            "barrier of 8 processes on 2 cores takes 16 ms and more",
        ),
    ),
    "pvm": (("PvmRouteDirect", "messages go from task to task, not through the daemon"),),
}
