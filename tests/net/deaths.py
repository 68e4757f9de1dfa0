# SPDX-License-Identifier: BSD-3-Clause
"""A PE that ends as it should not, on two hosts and on one: the job ends within seconds, wherever the others wait; the
launcher's status is not zero, and the PE's where the launcher passes it on; a message names the PE and its host;
nothing is left. On one host so also when the launcher is told to let the others go on.
"""

import re

import hosts
import launchers
from hosts import h

LIMIT = 15  # mpirun alone takes up to 4 s to end a job, Slurm up to 10


def check(job, what, r, status, pe, host=None):
    what = f"{job.name}: {what}"
    h.expect(r.status not in (0, None), f"{what}: expected a nonzero status", r)
    if job.name in launchers.STATUS_PASSED_ON and status:
        h.expect(r.status == status, f"{what}: expected status {status}", r)
    host = host or f"mpt{pe // 2 + 1}"
    text = r.out + r.err
    named = rf"PE {pe}\b[^\n]*{host}|{host}[^\n]*PE {pe}\b"
    by_launcher = rf"(rank|task) {pe}\b[^\n]*( on\n)?[^\n]*{host}|{host}[^\n]*(rank|task)s? {pe}\b|,\s*{pe}\]"
    h.expect(re.search(named, text) or re.search(by_launcher, text), f"{what}: no message names PE {pe} and {host}", r)
    h.expect("went on" not in r.out, f"{what}: a PE went on", r)
    job.clean(what)


def on_one_host(job):
    """PEs that all share memory have no lifeline. `exit=0` is left, which needs no end while nobody waits for it."""
    for how, passed in (("kill=9", 137), ("_exit=0", None)):
        for place in ("barrier", "sleep"):
            r = job.run((3, 0), victim, how, 0, place, limit=LIMIT)
            check(job, f"one host: PE 0 {how}, others in {place}", r, passed, 0, "mpt1")
    for how in ("kill=9", "_exit=0", "exit=0") if job.keep_going else ():
        what = f"{job.name}: one host, {' '.join(job.keep_going)}: PE 2 {how}"
        r = job.run(
            (3, 0), victim, how, 2, "barrier" if how == "exit=0" else "sleep", limit=LIMIT, options=job.keep_going
        )
        h.expect(r.status is not None and "went on" not in r.out, f"{what}: expected the job's end", r)
        h.expect(re.search(r"mpt: PE \d: [^\n]*\bPE 2\b", r.err), f"{what}: no message names PE 2", r)
        h.expect(len(re.findall(r"^mpt: ", r.err, re.M)) == 1, f"{what}: expected one message", r)
        job.clean(what)


hosts.need_namespaces()
victim = h.build(h.SOURCE / "tests" / "death" / "victim.c", flags=["-O0"])
probe = h.build(hosts.HERE / "net_probe.c")
with launchers.Job(2) as the_job:
    for how, passed in (("exit=3", 3), ("kill=9", 137), ("segv", 139), ("return=4", 4)):
        for the_pe in (3, 0):
            result = the_job.run((2, 2), victim, how, the_pe, "barrier", limit=LIMIT)
            check(the_job, f"PE {the_pe} {how}, others in barrier", result, passed, the_pe)
    for place in ("wait", "reduce", "sleep", "signal"):
        result = the_job.run((2, 2), victim, "exit=3", 3, place, limit=LIMIT)
        check(the_job, f"PE 3 exit=3, others in {place}", result, 3, 3)
    # leaves with 0, but without shmem_finalize: who waits for it must learn so
    result = the_job.run((2, 2), victim, "exit=0", 3, "barrier", limit=LIMIT)
    check(the_job, "PE 3 exit=0, others in barrier", result, None, 3)
    for layout in ((2, 2), (1, 1)):
        result = the_job.run(layout, probe, "global_exit", 5, limit=LIMIT)
        h.expect(result.status == 5, f"{the_job.name} {layout}: shmem_global_exit(5) is the job's status", result)
        the_job.clean("global_exit")
    on_one_host(the_job)
h.finish()
