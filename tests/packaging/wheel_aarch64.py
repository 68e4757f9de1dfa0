# SPDX-License-Identifier: BSD-3-Clause
"""The wheel for arm64, made on another processor: by zig, all for that processor and for old C libraries; and in a
Debian 11 of arm64 (glibc 2.31), under an emulator, its wrappers compile and its launcher runs rings. Status 77 without
cross tools or PyPI. Without root, debootstrap, its archive or an emulator the programs are not run, and it says so."""

import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import debian_root as debian
from debian_root import skip

import harness as h

WORK = h.BUILD / "external/wheel-aarch64"
SUITE = "bullseye"
RING_SAYS = ["0 got 3", "1 got 0", "2 got 1", "3 got 2"]
NO_NETWORK = ("Could not fetch URL", "No matching distribution", "Retrying (", "connection broken")
# In a namespace with a binfmt_misc of its own, as tools/arm64.sh has it.
INSIDE = r"""
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
head='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
printf '%s' ":aarch64:M::$head:$mask:$1:FP" >/proc/sys/fs/binfmt_misc/register
mount --rbind /proc "$2/proc"
mount --rbind /dev "$2/dev"
exec chroot "$2" env -i PATH=/opt/mpt/bin:/usr/bin:/bin HOME=/tmp sh -ec "$3"
"""


def built():
    words = [sys.executable, h.SOURCE / "packaging/wheel/build.py", "--build", WORK / "build", "--machine", "aarch64"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        if any(words in done.stderr for words in NO_NETWORK):
            skip("PyPI cannot be reached")
        sys.exit(f"failed: the wheel is not built\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return pathlib.Path(done.stdout.split()[-1])


def checked(wheel):
    h.expect(wheel.name.endswith("-manylinux_2_28_aarch64.whl"), wheel.name)
    words = [WORK / "build/tools/bin/python", h.SOURCE / "packaging/wheel/elf_check.py", WORK / "build/wheel"]
    r = h.run([*words, "2.28", "aarch64"], limit=120)
    h.expect(r.status == 0, "all is for arm64, and glibc 2.28 is enough", r)
    r = h.run([*words, "2.28", "x86_64"], limit=120)
    h.expect(r.status == 1 and "is for EM_AARCH64" in r.out, "the check finds what is for another processor", r)


def emulator():
    """The one that tools/arm64.sh fetches where this machine's is too old."""
    folder = h.BUILD / "arm64"
    done = subprocess.run(
        [h.SOURCE / "tools/arm64.sh", "fetch"],
        env={**os.environ, "MPT_ARM64": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    own = folder / "emulator"
    found = str(own) if own.exists() else shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
    if done.returncode or not found:
        print(f"programs were not run: no emulator: {done.stderr[-500:]}")
    return None if done.returncode else found


def root():
    """A Debian with a compiler: unpacked only, which is enough to run programs."""
    folder = WORK / SUITE
    if os.geteuid() or not shutil.which("debootstrap"):
        print("programs were not run: only root can, with debootstrap")
        return None
    if not (folder / "ready").exists():
        shutil.rmtree(folder, ignore_errors=True)
        words = ["debootstrap", "--foreign", "--arch=arm64", "--variant=minbase", "--include=gcc,libc6-dev", SUITE]
        done = subprocess.run([*words, folder, debian.MIRROR], capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"programs were not run: no Debian of arm64 from {debian.MIRROR}: {done.stdout[-500:]}")
            return None
        for package in (folder / "var/cache/apt/archives").glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
        (folder / "usr/bin/cc").symlink_to("gcc")
        (folder / "ready").touch()
    return folder


def used(folder, qemu):
    shutil.rmtree(folder / "opt/mpt", ignore_errors=True)
    data = next((WORK / "build/wheel").glob("*.data")) / "data"
    shutil.copytree(data, folder / "opt/mpt")
    for name in ("tests/packaging/ring.c", "examples/shmem/hello.c", "examples/splitc/histogram.sc"):
        shutil.copy(h.SOURCE / name, folder / "tmp")

    def does(script, limit=300):
        words = ["unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child"]
        words += ["sh", "-ec", INSIDE, "sh", qemu, folder, script]
        r = h.run(words, limit=limit)
        h.expect(r.status == 0, script, r)
        return r.out

    h.expect(does("uname -m").strip() == "aarch64", "programs are arm64's")
    out = does("cd /tmp && mpicc ring.c -o ring && mpiexec -n 4 ./ring")
    h.expect(sorted(out.splitlines()) == RING_SAYS, f"a ring of 4: {out!r}")
    out = does("cd /tmp && mpicc -static ring.c -o ring && mpiexec -n 4 ./ring")
    h.expect(sorted(out.splitlines()) == RING_SAYS, f"a static ring of 4: {out!r}")
    out = does("cd /tmp && oshcc hello.c -o hello && oshrun -n 3 ./hello")
    h.expect("hello from PE 2 of 3" in out, f"OpenSHMEM: {out!r}")
    out = does("cd /tmp && scc histogram.sc -o histogram && mptrun -n 2 ./histogram")
    h.expect("0 buckets are wrong" in out, f"Split-C: {out!r}")
    out = does("cd /tmp && scc -static histogram.sc -o histogram && mptrun -n 2 ./histogram")
    h.expect("0 buckets are wrong" in out, f"Split-C, static: {out!r}")
    out = does("cd /tmp && printf 'conf\\nhalt\\n' | pvm")
    h.expect("1 host, 1 data format" in out, f"PVM's console: {out!r}")


def main():
    if h.platform.machine() == "aarch64":
        skip("packaging.wheel makes it here")
    if not shutil.which("aarch64-linux-gnu-strip"):
        skip("no aarch64-linux-gnu-strip (Debian: binutils-aarch64-linux-gnu)")
    WORK.mkdir(parents=True, exist_ok=True)
    checked(built())
    folder = root()
    qemu = emulator() if folder else None
    if qemu:
        used(folder, qemu)
    h.finish()


if __name__ == "__main__":
    main()
