# SPDX-License-Identifier: BSD-3-Clause
"""Limits of the system that a job would meet half-way are told in one line, with their value, what is needed and what
raises them, before any PE is started; a job that just fits starts."""

import os
import pathlib
import re
import resource
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

probe = h.build(pathlib.Path(__file__).resolve().parent / "probe.c")
MARK = h.SCRATCH / "started"
toucher = h.SCRATCH / "toucher"
toucher.write_text(f"#!/bin/sh\n: > {MARK}\n")
toucher.chmod(0o755)


def run(command, limits, env=None, **who):
    def lower():
        for which, value in limits.items():
            resource.setrlimit(which, (value, value))

    done = subprocess.run(
        [str(c) for c in command],
        capture_output=True,
        text=True,
        timeout=60,
        env=h.environment(env),
        cwd=h.SCRATCH,
        preexec_fn=lower,
        stdin=subprocess.DEVNULL,
        **who,
    )
    return h.Result(done.returncode, done.stdout, done.stderr, 0)


def refused(r, n, need, limit, what):
    """One line that names limit, its value and what is needed; nothing was started."""
    line = rf"mptrun: cannot start {n} PEs: {need}.*{limit}.*\n"
    h.expect(r.status == 1 and re.fullmatch(line, r.err), f"{what}: {line}", r)
    h.expect(not MARK.exists(), f"{what}: a PE was started", r)


capable = int(re.search(r"CapEff:\s*(\w+)", pathlib.Path("/proc/self/status").read_text())[1], 16) >> 24 & 1
if not capable:  # CAP_SYS_RESOURCE raises hard limits
    r = run([h.MPTRUN, "-n", 150, toucher], {resource.RLIMIT_NOFILE: 200})
    refused(r, 150, r"3\d\d open files are needed", r"ulimit -Hn\) is 200; raise it", "descriptors")
    r = run([h.MPTRUN, "-n", 90, probe, "identity"], {resource.RLIMIT_NOFILE: 400})
    h.expect(r.status == 0 and r.out.count("of 90") == 90, "90 PEs with 400 descriptors", r)

# The sanitizers themselves take more address space than that.
sanitized = re.search(r"^MPT_SANITIZE:\w+=.", (h.BUILD / "CMakeCache.txt").read_text(), re.M)
if not sanitized:
    r = run([h.MPTRUN, "-n", 4, toucher], {resource.RLIMIT_AS: 2 << 30})
    refused(
        r,
        4,
        r"\d+ bytes of address space are needed",
        rf"ulimit -v\) is {2 << 30}; raise it, or lower",
        "address space",
    )

    # MPI's tables are smaller where there is less room.
    hello = h.build(
        "#include <mpi.h>\nint main(void) { MPI_Init(0, 0); return MPI_Finalize(); }",
        "hello",
        wrapper=h.BUILD / "bin/mpicc",
    )
    need = 2 << 30
    while asked := re.search(
        r"(\d+) bytes of address space", run([h.MPTRUN, "-n", 2, hello], {resource.RLIMIT_AS: need}).err
    ):
        need = max(int(asked[1]), need + (64 << 20))
    for more in (1 << 29, 3 << 29):
        r = run([h.MPTRUN, "-n", 2, hello], {resource.RLIMIT_AS: need + more})
        h.expect(r.status == 0 and r.err == "", f"MPI with {more >> 20} MiB more addresses than are needed", r)

r = h.oshrun(60000, toucher)
line = (
    r"mptrun: cannot make the memory of 60000 PEs with .*MPT_GLOBALS_MAX.*: each takes at least \d+ MiB of address "
    r"space.*lower these.*\n"
)
h.expect(r.status == 1 and re.fullmatch(line, r.err), "address space of all", r)
h.expect(not MARK.exists(), "address space of all: a PE was started", r)

# Few PEs with few descriptors: told before the first starts, by one who may not raise the limit.
for few in (6, 10, 14):
    r = run([h.MPTRUN, "-n", 10, toucher], {resource.RLIMIT_NOFILE: few})
    h.expect(r.err.count("\n") <= 1 and "ulimit -u" not in r.err, f"{few} descriptors: the limit is named", r)
    h.expect(r.status == 0 or ("ulimit -n" in r.err or "ulimit -Hn" in r.err), f"{few} descriptors: how to raise it", r)
    h.expect(r.status == 0 or not MARK.exists(), f"{few} descriptors: a PE was started", r)
    MARK.unlink(missing_ok=True)

# More processes than the kernel has numbers for, or memory, or descriptors: whichever is met first.
r = h.oshrun(60000, toucher, env={"SHMEM_SYMMETRIC_SIZE": "1m", "MPT_GLOBALS_MAX": "1m"})
pids = int(pathlib.Path("/proc/sys/kernel/pid_max").read_text())
if pids < 60000:
    refused(r, 60000, r"\d+ ", "(is|has) ", "60,000 PEs")

# The limit on a user's processes does not hold for root: become nobody, if nobody can see the programs.
who = {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}
h.SCRATCH.chmod(0o755)
if run([h.MPTRUN, "-n", 2, "/bin/true"], {}, **who).status == 0:
    r = run([h.MPTRUN, "-n", 100, "/bin/true"], {resource.RLIMIT_NPROC: 90}, **who)
    refused(r, 100, r"100 processes are needed beside \d+ in use", r"ulimit -u\) is 90; raise it", "processes")

# A program that starts its own PEs looks, too.
if not sanitized:
    r = run([probe, "identity"], {resource.RLIMIT_AS: 2 << 30}, {"NPES": 4})
    h.expect(r.status != 0 and "cannot start 4 PEs" in r.err and "ulimit -v" in r.err, "NPES=4 and address space", r)
h.finish()
