# SPDX-License-Identifier: BSD-3-Clause
"""PEs as tasks below a launcher of PMIx: MPT_TASKS of them in each process, on one, two and three hosts. They are
numbered in blocks, those of a host share memory, however processes are dealt out, and processes with other numbers of
PEs take part. What cannot be is refused in a line. With `all` as the second argument more programs run.
"""

import re
import sys

import hosts
import launchers
from hosts import h

FEW = """t_rma_strided_typed t_rma_large t_atomics_concurrent_sums t_sync_signal t_order_message_passing t_coll_stress
t_teams_sync t_mpi_p2p_sizes t_mpi_p2p_threads t_mpi_coll_long t_mpi_coll_nodes t_mpi_rma_basics t_am_mix
t_am_bulk""".split()
MORE = """t_rma_put_typed t_rma_globals t_rma_nbi_many t_atomics_arithmetic t_sync_wait_until t_sync_put_signal_typed
t_order_contexts t_coll_alltoall t_coll_reduce_arith t_teams_split_2d t_heap_random t_threads_stress t_api_lock_mutex
t_mpi_p2p_order t_mpi_p2p_probe t_mpi_p2p_push t_mpi_p2p_persist t_mpi_coll_move t_mpi_coll_neighbor t_mpi_coll_reduce
t_mpi_coll_threads t_mpi_rma_locks t_mpi_rma_atomics t_mpi_rma_random t_am_short
t_am_stress""".split()


def check_places(what, r, shares):
    """shares: for each host the numbers of its PEs."""
    n = sum(len(pes) for pes in shares)
    expected = {
        f"PE {pe} of {n} on mpt{host + 1} shares memory with " + ",".join(map(str, pes))
        for host, pes in enumerate(shares)
        for pe in pes
    }
    got = set(r.out.strip().splitlines())
    h.expect(r.status == 0 and got == expected, f"{what}: expected {sorted(expected)}", r)


def check_line(what, r, line):
    h.expect(r.status == 0 and re.search(line, r.out), f"{what}: expected status 0 and a line {line!r}", r)


def blocks(layout, tasks, processes=None):
    """The PEs of each host; processes: which ones each host has, if not in blocks, too."""
    if processes is None:
        first = [sum(layout[:i]) for i in range(len(layout))]
        processes = [range(first[i], first[i] + n) for i, n in enumerate(layout)]
    return [[rank * tasks + k for rank in ranks for k in range(tasks)] for ranks in processes]


def basics(job):
    for layout, tasks in (((1, 1, 0), 2), ((2, 2, 0), 2), ((1, 1, 1), 3), ((1, 1, 0), 16)):
        what = f"{job.name} {layout} x {tasks}"
        env = {"MPT_TASKS": tasks}
        check_places(f"{what} place", job.run(layout, probe, "place", env=env), blocks(layout, tasks))
        check_line(f"{what} traffic", job.run(layout, probe, "traffic", 1, env=env), r"\d+ rounds, 0 faults")
        job.clean(what)
    r = job.run((2, 2, 0), probe, "place", env={"MPT_TASKS": 2}, options=job.cyclic)
    check_places(f"{job.name} cyclic", r, blocks((2, 2), 2, ((0, 2), (1, 3))))
    r = job.run((2, 2, 0), probe, "traffic", 1, env={"MPT_TASKS": 2}, options=job.cyclic)
    check_line(f"{job.name} cyclic traffic", r, "0 faults")
    r = job.run((1, 1, 0), probe, "large", 32 << 20, env={"MPT_TASKS": 2})
    check_line(f"{job.name} 32 MiB", r, "0 faults")


def one_host(job):
    """Memory, and each network in its place."""
    for by, near in ((None, "0,1,2,3"), ("tcp", None), ("ofi", None)):
        env = {"MPT_TASKS": 2, **({"MPT_TRANSPORT": by} if by else {})}
        r = job.run((2, 0, 0), probe, "place", env=env)
        lines = re.findall(r"PE (\d) of 4 on mpt1 shares memory with (\S+)$", r.out, re.M)
        h.expect(r.status == 0 and len(lines) == 4 and all(n == (near or pe) for pe, n in lines), f"one host, {by}", r)
        check_line(f"one host, {by}: traffic", job.run((2, 0, 0), probe, "traffic", 1, env=env), "0 faults")
    check_line(
        "libfabric", job.run((1, 1, 0), probe, "traffic", 1, env={"MPT_TASKS": 2, "MPT_TRANSPORT": "ofi"}), "0 f"
    )
    job.clean("one host")


def mixed(job):
    """Processes with three PEs, with one, and with two in turn."""
    script = h.SCRATCH / "mixed"
    script.write_text('#!/bin/sh\ncase $PMIX_RANK in 0) export MPT_TASKS=3;; 2) export MPT_TASKS=2;; esac\nexec "$@"\n')
    script.chmod(0o755)
    check_places(f"{job.name} mixed", job.run((2, 2, 0), script, probe, "place"), [range(4), range(4, 7)])
    check_line(f"{job.name} mixed traffic", job.run((2, 2, 0), script, probe, "traffic", 1), "0 faults")
    job.clean("mixed")


def container_each(job):
    """Processes that cannot share memory: PEs of each do."""
    script = h.SCRATCH / "contained"
    script.write_text('#!/bin/sh\nexec unshare --pid --fork --mount-proc "$@"\n')
    script.chmod(0o755)
    r = job.run((2, 2, 0), script, probe, "place", env={"MPT_TASKS": 2})
    near = dict(re.findall(r"PE (\d) of 8 on mpt\d shares memory with (\S+)$", r.out, re.M))
    expected = {str(pe): f"{pe // 2 * 2},{pe // 2 * 2 + 1}" for pe in range(8)}
    h.expect(r.status == 0 and near == expected, f"{job.name}: a container per process", r)
    r = job.run((2, 2, 0), script, probe, "traffic", 1, env={"MPT_TASKS": 2})
    check_line(f"{job.name}: a container per process, traffic", r, "0 faults")


def busy(job):
    """A PE that computes keeps neither those of its process from their network, nor others from its memory."""
    r = job.run((1, 1, 0), fair, env={"MPT_TASKS": 3}, limit=60)
    check_line(f"{job.name} a PE that computes", r, r"served within \d+ ms")


def refused(job):
    fixed = h.build(hosts.HERE / "net_probe.c", "net_probe_fixed", ("-fno-pie", "-no-pie"))
    for what, program, env, said in (
        ("auto", probe, {"MPT_TASKS": "auto"}, "the number of PEs in each process"),
        ("too many", probe, {"MPT_TASKS": 1025}, "from 1 to 1024"),
        ("MPT_FT", probe, {"MPT_TASKS": 2, "MPT_FT": 1}, "outlive"),
        ("no -pie", fixed, {"MPT_TASKS": 2}, "link it with -pie"),
    ):
        r = job.run((1, 1, 0), program, "place", env=env, limit=20)
        h.expect(r.status not in (0, None) and said in r.err, f"{job.name} {what} is refused", r)
        h.expect(
            len(re.findall(r"^.*mpt: ", r.err, re.M)) <= 2, f"{job.name} {what}: a line for each process at most", r
        )
        job.clean(f"{what} refused")


def programs(job):
    names = FEW + (MORE if sys.argv[2:] == ["all"] else [])
    folder = h.BUILD / "tests"
    there = [name for name in names if (folder / name).exists()]
    for name in there:
        for layout in ((1, 1, 0), (2, 2, 0)) if sys.argv[2:] == ["all"] else ((2, 2, 0),):
            r = job.run(layout, folder / name, env={"MPT_TASKS": 2}, limit=90)
            print(f"{name} {layout}: {r.status} after {r.seconds:.1f} s", flush=True)
            h.expect(r.status in (0, 77), f"{job.name} {name} on {layout} processes of 2 PEs", r)
            job.clean(name)


hosts.need_namespaces()
probe = h.build(hosts.HERE / "net_probe.c")
fair = h.build(hosts.HERE / "busy.c")
with launchers.Job(3) as the_job:
    for part in (basics, one_host, mixed, container_each, busy, refused, programs):
        part(the_job)
h.finish()
