# SPDX-License-Identifier: BSD-3-Clause
"""A Debian system in a folder: debootstrap makes it once, and each test that changes it works on an overlay. Mounts and
processes live in namespaces of their own and end with the command that needed them."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

SUITE = "bookworm"
MIRROR = os.environ.get("MPT_DEBIAN_MIRROR", "http://deb.debian.org/debian")
OUTSIDE = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
MOUNTS = """
mount -t overlay overlay -o lowerdir={lower},upperdir={own}/upper,workdir={own}/work {own}/root
mount -t proc proc {own}/root/proc
mount -t sysfs -o ro sysfs {own}/root/sys
mount -t tmpfs tmpfs {own}/root/dev/shm
"""
BIND = "mkdir -p {own}/root{there}\nmount --bind {here} {own}/root{there}\n"


def skip(reason: str) -> None:
    print(f"skipped: {reason}")
    sys.exit(77)


def base(folder: Path) -> Path:
    """The system that all others lie over; made in a minute or two, once."""
    if os.geteuid():
        skip("only root can make a Debian system and change to it")
    for name in ("debootstrap", "unshare", "chroot"):
        if not shutil.which(name):
            skip(f"there is no {name}")
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode:
        skip("file systems cannot be mounted here")
    root = folder / SUITE
    if not (root / "ready").exists():
        shutil.rmtree(root, ignore_errors=True)
        words = ["debootstrap", "--variant=minbase", SUITE, root, MIRROR]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            print(done.stdout[-1500:], done.stderr[-1500:])
            skip(f"debootstrap cannot get Debian from {MIRROR}")
        (root / "ready").touch()
    return root


class Root:
    """A system over others. What it changes stays in `folder` from command to command, until another is made there."""

    def __init__(self, folder: Path, lower: Sequence[Path], bound: Mapping[str, Path]):
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("upper", "work", "root"):
            (folder / name).mkdir(parents=True)
        self.own, self.upper = folder, folder / "upper"
        self.mounts = MOUNTS.format(own=folder, lower=":".join(map(str, lower)))
        for there, here in bound.items():
            self.mounts += BIND.format(own=folder, here=here, there=there)

    def command(self, script: str, user: str = "root") -> list[str]:
        """The words that run a script there, for any user."""
        env = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/tmp",
            "LC_ALL": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive",
        }
        env |= {name: os.environ[name] for name in OUTSIDE if name in os.environ}
        become = [] if user == "root" else ["setpriv", f"--reuid={user}", "--clear-groups"]
        words = ["chroot", f"{self.own}/root", *become, "env", "-i", *(f"{k}={v}" for k, v in env.items())]
        inside = shlex.join([*words, "sh", "-ec", script])
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", f"{self.mounts}exec {inside}"]
