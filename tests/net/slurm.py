# SPDX-License-Identifier: BSD-3-Clause
"""A small Slurm of its own for a test: munged, slurmctld on the first host and a slurmd on each host of hosts.py, all
files in the scratch folder. Nothing of an installed Slurm's configuration is read or changed.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile

import hosts
from hosts import h

TOOLS = ("munged", "slurmctld", "slurmd", "srun", "scontrol")
PATH = "/usr/sbin:/sbin:/usr/local/sbin:" + os.environ["PATH"]


def _find(tool):
    return shutil.which(tool, path=PATH)


def need():
    """End the test as skipped where Slurm cannot be started."""
    missing = [tool for tool in TOOLS if not _find(tool)]
    if missing:
        hosts.skip(f"no Slurm: {', '.join(missing)} not found")


class Slurm:
    """Slurm over `on` (a hosts.Hosts), `cpus` slots each."""

    def __init__(self, on, cpus=8):
        self.on, self.children = on, []
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="slurm-", dir=h.SCRATCH))
        self.munge = self.folder / "munge.socket"
        self._configure(cpus)
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _configure(self, cpus):
        for name in ("ctld", *self.on.names):
            (self.folder / name).mkdir()
        rows = [
            "ClusterName=mpt",
            f"SlurmctldHost={self.on.names[0]}({self.on.address(0, 'mgmt')})",
            "SlurmUser=root",
            "SlurmdUser=root",
            "AuthType=auth/munge",
            "CredType=cred/munge",
            f"AuthInfo=socket={self.munge}",
            "ProctrackType=proctrack/linuxproc",
            "TaskPlugin=task/none",
            "JobAcctGatherType=jobacct_gather/none",
            "SwitchType=switch/none",
            "SchedulerType=sched/builtin",
            "SelectType=select/linear",
            "AccountingStorageType=accounting_storage/none",
            "MpiDefault=pmix",
            "ReturnToService=2",
            f"TmpFS={hosts.LOCAL}",
            f"StateSaveLocation={self.folder / 'ctld'}",
            f"SlurmctldLogFile={self.folder / 'ctld.log'}",
            f"SlurmctldPidFile={self.folder / 'ctld.pid'}",
            f"SlurmdSpoolDir={self.folder}/%n",
            f"SlurmdLogFile={self.folder}/%n.log",
            f"SlurmdPidFile={self.folder}/%n.pid",
            "SlurmdParameters=config_overrides",
            "KillWait=3",
            "WaitTime=10",
            "UnkillableStepTimeout=20",
            "TCPTimeout=5",
            "MessageTimeout=10",
            "InactiveLimit=0",
        ]
        rows += [
            f"NodeName={name} NodeAddr={self.on.address(i, 'mgmt')} CPUs={cpus} State=UNKNOWN"
            for i, name in enumerate(self.on.names)
        ]
        rows.append(
            f"PartitionName=all Nodes={','.join(self.on.names)} Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES"
        )
        (self.folder / "slurm.conf").write_text("\n".join(rows) + "\n")
        (self.folder / "munge.key").write_bytes(os.urandom(128))
        (self.folder / "munge.key").chmod(0o600)
        self.env = {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def _daemon(self, command, log):
        with (self.folder / log).open("w") as out:
            self.children.append(
                subprocess.Popen(
                    [str(c) for c in command],
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=out,
                    start_new_session=True,
                    env={**hosts.unmarked(), **self.env},
                    preexec_fn=hosts.die_with_parent,
                )
            )

    def _start(self):
        self._daemon(
            [
                _find("munged"),
                "-F",
                "-f",
                f"--key-file={self.folder}/munge.key",
                f"--socket={self.munge}",
                f"--pid-file={self.folder}/munge.pid",
                f"--seed-file={self.folder}/munge.seed",
            ],
            "munge.log",
        )
        if not h.wait_for(self.munge.exists):
            hosts.skip(f"munged does not start: {self._log('munge.log')}")
        self._daemon(self.on.enter(0, _find("slurmctld"), "-D"), "ctld.out")
        for i, name in enumerate(self.on.names):
            self._daemon(self.on.enter(i, _find("slurmd"), "-D", "-N", name), f"{name}.out")
        if not h.wait_for(self._ready, 40, 0.5):
            hosts.skip(f"Slurm does not start: {self._log('ctld.log')} {self._log('mpt1.log')}")
        offered = h.run(self.on.enter(0, "srun", "--mpi=list"), self.env)
        if "pmix" not in offered.out + offered.err:
            hosts.skip(f"this Slurm has no PMIx plugin: {(offered.out + offered.err).split()}")

    def _log(self, name):
        path = pathlib.Path(self.folder / name)
        return path.read_text()[-600:] if path.exists() else ""

    def _ready(self):
        shown = h.run(self.on.enter(0, "sinfo", "-h", "-N", "-o", "%T"), self.env)
        return shown.status == 0 and shown.out.split().count("idle") == len(self.on.names)

    def srun(self, *words, env=None, limit=30.0):
        return h.run(self.on.enter(0, "srun", "--mpi=pmix", *words), {**self.env, **(env or {})}, limit)

    def close(self):
        for child in reversed(self.children):
            child.terminate()
        for child in reversed(self.children):
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self.children.clear()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
