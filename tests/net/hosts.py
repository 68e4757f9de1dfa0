# SPDX-License-Identifier: BSD-3-Clause
"""Several hosts on one machine, made of namespaces: each has its own host name, /etc/hosts, process numbers, /dev/shm
and two links, `mgmt` for the launcher and `data` for the program, so that one can be cut while the other lives.
Nothing is named outside the namespaces and all hang on processes that die with this one: also a killed test leaves
nothing behind.
"""

import ctypes
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "launch")]
import agent  # noqa: E402
import harness as h  # noqa: E402

NETS = {"mgmt": "198.18.1", "data": "198.18.2"}
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH", h.MARK_NAME)  # what a remote shell's start would set
LOCAL = h.SCRATCH / "local"  # each host has a disk of its own here
# What /sys says of interfaces, where it may be mounted; the rest of it, control groups above all, stays.
SYSFS = " && ".join(
    (
        f"mkdir {LOCAL}/sys",
        f"mount -t sysfs sysfs {LOCAL}/sys",
        *(f"mount --bind {LOCAL}/sys/{path} /sys/{path}" for path in ("class/net", "devices/virtual/net")),
        f"umount -l {LOCAL}/sys",
        f"rmdir {LOCAL}/sys",
    )
)
_libc = ctypes.CDLL(None, use_errno=True)


def skip(reason):
    print(f"SKIPPED: {reason}", flush=True)
    sys.exit(77)


def die_with_parent():
    _libc.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _call(command, check=True, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=30, **more)
    if check and done.returncode:
        raise RuntimeError(f"{shlex.join(map(str, command))}: {done.stderr.strip() or done.returncode}")
    return done


def need_namespaces():
    """End the test as skipped where hosts cannot be made."""
    if os.geteuid():
        skip("hosts are made of namespaces, which takes root")
    for tool in ("ip", "nsenter", "unshare", "tc"):
        if not shutil.which(tool):
            skip(f"hosts are made of namespaces, which takes `{tool}`")
    done = _call(
        [
            "unshare",
            "--net",
            "--uts",
            "--mount",
            "--pid",
            "--fork",
            "sh",
            "-c",
            "ip link add v0 type veth peer name v1 && ip link add b0 type bridge",
        ],
        check=False,
    )
    if done.returncode:
        skip(f"no network namespaces here: {done.stderr.strip()}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def unmarked():
    """The environment of what must outlive a job that is killed after its time limit."""
    return h.environment({h.MARK_NAME: None})


class Holder:
    """A process that keeps a set of namespaces alive, and the way into them. `inside` is run there first."""

    def __init__(self, kinds, inside=":"):
        self.kinds = kinds
        script = f"{inside} && echo ready && trap '' CHLD && exec sleep infinity"  # ignored: orphans are reaped
        self.outer = subprocess.Popen(
            [
                "unshare",
                *[f"--{k}" for k in kinds],
                "--fork",
                "--kill-child",
                *(["--mount-proc"] if "pid" in kinds else []),
                "sh",
                "-c",
                script,
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=die_with_parent,
            env=unmarked(),
            start_new_session=True,
        )
        if self.outer.stdout.readline() != "ready\n":
            raise RuntimeError(f"no namespaces: {self.outer.communicate()[1].strip()}")
        self.pid = int(pathlib.Path(f"/proc/{self.outer.pid}/task/{self.outer.pid}/children").read_text().split()[0])

    def enter(self, *command):
        return [
            "nsenter",
            f"--target={self.pid}",
            *[f"--{k}" for k in self.kinds],
            "--",
            "env",
            "-C",
            str(h.SCRATCH),
            *map(str, command),
        ]

    def call(self, *command, check=True):
        return _call(self.enter(*command), check)

    def close(self):
        self.outer.kill()  # --kill-child: the first process of the namespaces dies with it, and all others with that
        self.outer.communicate()


class Wire:
    """A switch in user space with delay and loss, for kernels without the netem discipline."""

    def __init__(self, holder, ports):
        program = h.SCRATCH / "wire"
        if not program.exists():
            _call([os.environ.get("CC", "cc"), "-O2", "-Wall", "-Wextra", HERE / "wire.c", "-o", program])
        self.process = subprocess.Popen(
            holder.enter(program, *ports),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=unmarked(),
            preexec_fn=die_with_parent,
            start_new_session=True,
        )
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError("the wire did not start")

    def tell(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        if self.process.stdout.readline() != "done\n":
            raise RuntimeError(f"the wire refused {words}")

    def close(self):
        self.process.kill()
        self.process.communicate()


class Hosts:
    """`n` hosts named mpt1, mpt2, ... (index 0, 1, ...). With `shaped`, the data network can delay and lose frames.
    With `shared`, process numbers and /dev/shm are the same on all hosts, which then differ by name only."""

    def __init__(self, n, shaped=False, shared=False):
        self.names = [f"mpt{i + 1}" for i in range(n)]
        self.wire = None
        self.hosts = []
        self.switch = None
        self.server = None
        try:
            self._make(shaped, shared)
        except BaseException:
            self.close()
            raise

    def _make(self, shaped, shared):
        table = h.SCRATCH / "etc-hosts"
        lines = ["127.0.0.1 localhost"]
        for i, name in enumerate(self.names):
            lines += [f"{self.address(i, 'mgmt')} {name}", f"{self.address(i, 'data')} {name}-data"]
        table.write_text("\n".join(lines) + "\n")
        self.switch = Holder(["net"], "ip link set lo up")
        LOCAL.mkdir(exist_ok=True)
        kinds = ["net", "uts", "mount"] + ([] if shared else ["ipc", "pid"])
        own = [LOCAL] if shared else [LOCAL, "/dev/shm"]
        mounts = " && ".join(f"mount -t tmpfs -o mode=1777 tmpfs {path}" for path in own)
        for name in self.names:
            self.hosts.append(
                Holder(
                    kinds,
                    f"hostname {name} && ip link set lo up && {mounts} && "
                    f"mount --bind {table} /etc/hosts && {{ {SYSFS} || :; }}",
                )
            )
        self.netem = shaped and self._has_netem()
        for net in NETS:
            if net == "data" and shaped and not self.netem:
                self._plug_wire()
            else:
                self._plug_bridge(net)
        self._write_agent()

    def _has_netem(self):
        ok = self.switch.call("tc", "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms", check=False)
        self.switch.call("tc", "qdisc", "del", "dev", "lo", "root", check=False)
        return ok.returncode == 0

    def _plug_bridge(self, net):
        self.switch.call("ip", "link", "add", f"{net}-br", "type", "bridge")
        self.switch.call("ip", "link", "set", f"{net}-br", "up")
        for i, host in enumerate(self.hosts):
            port = f"{net}{i + 1}"
            self.switch.call("ip", "link", "add", port, "type", "veth", "peer", "name", net, "netns", host.pid)
            self.switch.call("ip", "link", "set", port, "master", f"{net}-br", "up")
            self._address(i, net)

    def _plug_wire(self):
        ports = [f"data{i + 1}" for i in range(len(self.hosts))]
        self.wire = Wire(self.switch, ports)
        for i, host in enumerate(self.hosts):
            self.switch.call("ip", "link", "set", ports[i], "netns", host.pid, "name", "data")
            self._address(i, "data")

    def _address(self, i, net):
        self.hosts[i].call("ip", "address", "add", f"{self.address(i, net)}/24", "dev", net)
        self.hosts[i].call("ip", "link", "set", net, "up")

    def _write_agent(self):
        self.server = agent.Server(
            h.SCRATCH / "agent.socket",
            {
                name: host.enter()
                for i, host in enumerate(self.hosts)
                for name in (self.names[i], self.address(i, "mgmt"))
            },
            {name: value for name, value in h.environment({"TMPDIR": LOCAL}).items() if name in KEPT},
        )
        self.agent = h.SCRATCH / "agent"
        self.agent.write_text(f'#!/bin/sh\nexec {sys.executable} {HERE / "agent.py"} {self.server.path} "$@"\n')
        self.agent.chmod(0o755)

    def address(self, i, net="data"):
        return f"{NETS[net]}.{i + 1}"

    def enter(self, i, *command):
        """`command` with the words before it that make it run on host i."""
        return self.hosts[i].enter(*command)

    def call(self, i, *command, check=True):
        return self.hosts[i].call(*command, check=check)

    def cut(self, i, net="data"):
        """Host i's frames on this net vanish from now on, silently: its interface stays up."""
        if net == "data" and self.wire:
            self.wire.tell("cut", i)
        else:
            self.switch.call("ip", "link", "set", f"{net}{i + 1}", "nomaster")

    def join(self, i, net="data"):
        if net == "data" and self.wire:
            self.wire.tell("join", i)
        else:
            self.switch.call("ip", "link", "set", f"{net}{i + 1}", "master", f"{net}-br")

    def unplug(self, i, net="data"):
        """Host i's interface goes down, and host i knows it."""
        self.call(i, "ip", "link", "set", net, "down")

    def shape(self, delay_ms=0, loss_percent=0):
        """All frames of the data net take delay_ms one way; so many percent of them are lost."""
        if self.wire:
            self.wire.tell("shape", delay_ms, loss_percent)
        elif self.netem:
            for i in range(len(self.hosts)):
                self.switch.call(
                    "tc",
                    "qdisc",
                    "replace",
                    "dev",
                    f"data{i + 1}",
                    "root",
                    "netem",
                    "delay",
                    f"{delay_ms}ms",
                    "loss",
                    f"{loss_percent}%",
                    "limit",
                    100000,
                )
        else:
            raise RuntimeError("these hosts were not made with shaped=True")

    def shm_files(self):
        """What lies in /dev/shm of each host."""
        return {name: self.call(i, "ls", "/dev/shm").stdout.split() for i, name in enumerate(self.names)}

    def close(self):
        for part in [self.server, self.wire, *self.hosts, self.switch]:
            if part:
                part.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
