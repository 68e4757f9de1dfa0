# SPDX-License-Identifier: BSD-3-Clause
"""Hosts that do not agree, and a network that is not there: a message that names what is wrong, and where; no hang."""

import re
import shutil

import hosts
import launchers
from hosts import h


def on_host(name, setting, program):
    """A script that runs `program` with `setting` in its environment, on host `name` only."""
    script = h.SCRATCH / f"on-{name}"
    script.write_text(f'#!/bin/sh\n[ "$(hostname)" = {name} ] && export {setting}\nexec {program} "$@"\n')
    script.chmod(0o755)
    return script


def check(job, what, r, *patterns):
    h.expect(r.status not in (0, None), f"{job.name}: {what}: expected a nonzero status", r)
    for pattern in patterns:
        h.expect(re.search(pattern, r.err), f"{job.name}: {what}: no message with {pattern!r}", r)
    h.expect(r.seconds < 15, f"{job.name}: {what}: took {r.seconds:.1f} s", r)
    job.clean(what)


def heaps(job, probe):
    r = job.run(
        (1, 1), on_host("mpt2", "SHMEM_SYMMETRIC_SIZE=64M", probe), "place", env={"SHMEM_SYMMETRIC_SIZE": "32M"}
    )
    check(job, "heaps of different size", r, r"PE \d", r"mpt\d", "SHMEM_SYMMETRIC_SIZE", "33554432|32 ?M")


def providers(job, probe):
    r = job.run((1, 1), probe, "place", env={"MPT_OFI_PROVIDER": "nonsense"})
    check(job, "MPT_OFI_PROVIDER=nonsense", r, r"PE \d", "nonsense")
    r = job.run((1, 1), probe, "place", env={"MPT_TRANSPORT": "ofi", "FI_PROVIDER": "nonsense"})
    check(job, "FI_PROVIDER=nonsense", r, r"PE \d", "FI_PROVIDER|provider")
    r = job.run((1, 1), probe, "place", env={"MPT_IFACE": "nonsense"})
    check(job, "MPT_IFACE=nonsense", r, r"PE \d", "nonsense")
    r = job.run((1, 1), on_host("mpt2", "MPT_TRANSPORT=ofi", probe), "place", env={"MPT_TRANSPORT": "tcp"})
    check(
        job, "sockets on one host, libfabric on the other", r, r"PE \d", r"mpt\d", "uses the network", "MPT_TRANSPORT"
    )
    r = job.run((1, 1), probe, "place", env={"MPT_TRANSPORT": "shm"})
    check(job, "MPT_TRANSPORT=shm on two hosts", r, r"PE \d", "MPT_TRANSPORT")


def versions(job, probe):
    """The library on the second host says it is of another version."""
    libraries = sorted((h.BUILD / "lib").glob("libmpt.so*"))
    if not libraries:
        print("no shared library: versions cannot be told apart")
        return
    header = (h.SOURCE / "include/mpt/version.h").read_text()
    version = re.search(r'MPT_VERSION "(\d+\.\d+\.\d+)"', header).group(1).encode()
    other = h.SCRATCH / "other"
    shutil.copytree(h.BUILD / "lib", other, symlinks=True)
    for path in other.glob("libmpt.so*"):
        if not path.is_symlink():
            path.write_bytes(path.read_bytes().replace(version, b"9" + version[1:]))
    r = job.run((1, 1), on_host("mpt2", f"LD_LIBRARY_PATH={other}", probe), "place")
    check(
        job, "another version on the second host", r, r"PE \d", r"mpt\d", r"version|library", "9" + version[1:].decode()
    )


hosts.need_namespaces()
the_probe = h.build(hosts.HERE / "net_probe.c")
with launchers.Job(2) as the_job:
    for part in (heaps, providers, versions):
        part(the_job, the_probe)
h.finish()
