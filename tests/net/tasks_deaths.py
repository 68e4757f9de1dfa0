# SPDX-License-Identifier: BSD-3-Clause
"""PEs that are tasks below a launcher of PMIx, of which one ends as it should not: the job ends within seconds, as it
does where each is a process, on two hosts and on one; what the launcher or a PE says names the process, or the PE.
"""

import re

import hosts
import launchers
from hosts import h

LIMIT = 15
TASKS = {"MPT_TASKS": "2"}


def check(job, what, r, status, said):
    what = f"{job.name}, tasks: {what}"
    h.expect(r.status not in (0, None), f"{what}: expected a nonzero status", r)
    if job.name in launchers.STATUS_PASSED_ON and status:
        h.expect(r.status == status, f"{what}: expected status {status}", r)
    h.expect(re.search(said, r.out + r.err), f"{what}: nothing like /{said}/", r)
    h.expect("went on" not in r.out, f"{what}: a PE went on", r)
    job.clean(what)


def by_process(rank):
    """What launchers say of a process, and what PEs say of one of its PEs."""
    return rf"(rank|task)s? {rank}\b|,\s*{rank}\]|\bPEs? {2 * rank}\b|\bPE {2 * rank + 1}\b"


def check_all(job, layout, where):
    last = 2 * sum(layout) - 1
    for how, status in (("exit=3", 3), ("kill=9", 137), ("segv", 139), ("return=4", 4)):
        for pe in (last, 0):
            r = job.run(layout, victim, how, pe, "barrier", env=TASKS, limit=LIMIT)
            check(job, f"{where}: PE {pe} {how}", r, status, by_process(pe // 2))
    for place in ("wait", "reduce", "sleep"):
        r = job.run(layout, victim, "exit=3", last, place, env=TASKS, limit=LIMIT)
        check(job, f"{where}: PE {last} exit=3, others in {place}", r, 3, rf"PE {last}\b")
    r = job.run(layout, victim, "exit=0", last, "barrier", env=TASKS, limit=LIMIT)
    check(job, f"{where}: PE {last} exit=0", r, None, rf"PE {last}\b")
    r = job.run(layout, probe, "global_exit", 5, env=TASKS, limit=LIMIT)
    h.expect(r.status == 5, f"{job.name}, tasks, {where}: shmem_global_exit(5) is the job's status", r)
    job.clean("global_exit")


def waits_in_vain(job, layout, where):
    """A deadlock is told with the places where all PEs wait."""
    r = job.run(layout, mpi, "deadlock", env={**TASKS, "MPT_CHECK": "1"}, limit=30)
    check(job, f"{where}: deadlock", r, None, "deadlock: ")
    h.expect("MPI_Recv" in r.err, f"{job.name}, tasks, {where}: where PEs wait", r)


def goes_on(job):
    """Where the launcher lets others go on, PEs end the job themselves, and name the one that ran."""
    for layout, where in (((2, 0), "one host"), ((1, 1), "two hosts")):
        r = job.run(layout, victim, "kill=9", 3, "sleep", env=TASKS, limit=LIMIT, options=job.keep_going)
        what = f"{job.name}, tasks, {where}: {' '.join(job.keep_going)}"
        h.expect(r.status is not None and "went on" not in r.out, f"{what}: expected the job's end", r)
        h.expect(re.search(r"mpt: PE \d: .*\b(PE 3|one of PEs 2 to 3)\b.*has died", r.err), f"{what}: names the PE", r)
        job.clean(what)


hosts.need_namespaces()
victim = h.build(h.SOURCE / "tests" / "death" / "victim.c", flags=["-O0"])
probe = h.build(hosts.HERE / "net_probe.c")
mpi = h.build(h.SOURCE / "tests" / "death" / "leave_mpi.c", wrapper=str(h.BUILD / "bin" / "mpicc"))
with launchers.Job(2) as the_job:
    check_all(the_job, (1, 1), "two hosts")
    check_all(the_job, (2, 0), "one host")
    goes_on(the_job)
    for the_layout, the_place in (((1, 1), "two hosts"), ((2, 0), "one host")):
        waits_in_vain(the_job, the_layout, the_place)
h.finish()
