# SPDX-License-Identifier: BSD-3-Clause
"""The existing test programs on two hosts with two PEs each: a few of each part of the standard, or with `all` as the
second argument every one; with further arguments those."""

import sys

import hosts
import launchers
from hosts import h

FEW = """t_rma_put_typed t_rma_strided_typed t_rma_large t_rma_globals t_rma_nbi_many t_atomics_arithmetic
t_atomics_concurrent_sums t_atomics_compare_swap_lock t_sync_wait_until t_sync_signal t_sync_put_signal_typed
t_order_message_passing t_order_contexts t_coll_broadcast t_coll_reduce_arith t_coll_alltoall t_coll_stress
t_teams_split_2d t_teams_sync t_heap_random t_threads_stress t_api_lock_mutex t_examples_shmem_pi""".split()
PARTS = (
    "t_rma_",
    "t_atomics_",
    "t_sync_",
    "t_order_",
    "t_coll_",
    "t_teams_",
    "t_heap_",
    "t_threads_",
    "t_api_",
    "t_setup_",
    "t_examples_shmem_",
    "t_examples_mpi_",
    "t_examples_am_",
    "t_examples_splitc_",
    "t_examples_mixed_",
    "t_examples_pvm_variance",
)
STATUS = {0: "passed", 77: "skipped", None: "took too long"}


def wanted():
    chosen = sys.argv[2:]
    if chosen and chosen != ["all"]:
        return chosen
    folder = h.BUILD / "tests"
    there = sorted(one.name for one in folder.iterdir() if one.name.startswith(PARTS)) if folder.is_dir() else []
    return [name for name in there if chosen or name in FEW]


hosts.need_namespaces()
names = wanted()
if not names:
    hosts.skip(f"no test programs in {h.BUILD / 'tests'}")
with launchers.Job(2) as job:
    for name in names:
        r = job.run((2, 2), h.BUILD / "tests" / name, limit=90)
        print(f"{name}: {STATUS.get(r.status, r.status)} after {r.seconds:.1f} s", flush=True)
        h.expect(r.status in (0, 77), f"{job.name} {name} on 2 hosts x 2 PEs", r)
        job.clean(name)
h.finish()
