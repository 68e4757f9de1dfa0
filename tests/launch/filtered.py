# SPDX-License-Identifier: BSD-3-Clause
"""Jobs below a filter of system calls, as containers have it: what Docker's and Podman's profiles refuse to processes
without privileges, today's and those of years ago, is done without; what cannot be done without is named."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent
below = h.build(HERE / "filtered.c", wrapper="cc")
probe = h.build(HERE / "probe.c")
bodies = h.build(HERE / "filtered_mpi.c", wrapper=h.BUILD / "bin/mpicc")
if h.run([below, "setns", "--", "true"]).status != 0:
    print("no filters of system calls here")
    sys.exit(77)

# Named apart: where neither of the two ways to a table of descriptors is there, a third serves.
NAMESPACES = ["unshare", "setns", "clone3"]
MEMORY = ["get_mempolicy", "mbind", "set_mempolicy", "userfaultfd"]
OTHERS = ["process_vm_readv", "process_vm_writev", "ptrace", "pidfd_getfd", "pidfd_open", "perf_event_open"]
NEW = ["close_range", "membarrier", "rseq", "sched_setattr", "sched_setaffinity", "statx"]
for filtered in (NAMESPACES, NEW, [*NAMESPACES, *MEMORY, *OTHERS], [*NAMESPACES, *MEMORY, *OTHERS, *NEW]):
    for n in (3, 20):
        r = h.run([below, *filtered, "--", h.MPTRUN, "-n", n, probe, "identity"])
        h.expect(r.status == 0 and r.out.count(f"of {n}\n") == n and r.err == "", f"{n} PEs without {filtered}", r)
    r = h.run([below, *filtered, "--", h.MPTRUN, "--tag-output", "-n", 3, bodies])
    h.expect(r.status == 0 and r.out == "[0] whole\n", f"MPI without {filtered}", r)
    r = h.run([below, *filtered, "--", probe, "identity"], {"NPES": "2"})
    h.expect(r.status == 0 and r.out.count("of 2\n") == 2, f"no launcher, without {filtered}", r)

# Processes that MPI and PVM start are then copies of the one that starts them; a task's memory is still shared with it.
for mode in [], ["--tasks"]:
    for program in "t_mpi_dyn_spawn", "t_mpi_dyn_programs":
        exe = h.BUILD / "tests" / program
        if exe.exists():
            r = h.run([below, "clone3", "children-on-our-memory", "--", h.MPTRUN, *mode, "-n", 2, exe], limit=60)
            h.expect(r.status == 0 and r.err == "", f"{program} {mode}: children that are copies", r)

for needed, text in (
    ("epoll_create1", "wait for events"),
    ("signalfd4", "receive signals"),
    ("memfd_create", "memory"),
):
    r = h.run([below, needed, "--", h.MPTRUN, "-n", 2, probe, "identity"], limit=20)
    h.expect(r.status == 1 and text in r.err and r.err.count("\n") == 1, f"one line, without {needed}", r)
    h.expect("seccomp" in r.err, f"it is said what refuses {needed}", r)
h.finish()
