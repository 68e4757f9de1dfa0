# SPDX-License-Identifier: BSD-3-Clause
"""PEs as tasks by MPT_TASKS: below the launcher, where --tasks counts before it, and of programs that start their own
PEs by NPES or start_pes. Several programs in one job, each with its own folder and variables: no process has PEs of
two."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

h.need_tasks()

SOURCE = """
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static long sum, process;
int main(int argc, char **argv)
{
    char folder[4096];
    int hint = argc > 2 && strcmp(argv[1], "old") == 0 ? atoi(argv[2]) : 0;

    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("begins");
    if (hint)
        start_pes(hint);
    else
        shmem_init();
    process = getpid();
    shmem_barrier_all();
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        shmem_long_atomic_add(&sum, 1, pe);
    shmem_barrier_all();
    int same = 0;
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        same += shmem_long_g(&process, pe) == process;
    shmem_barrier_all();
    printf("PE %d of %d, %ld counted, %d here, program %s in %s, X=%s, Y=%s\\n", shmem_my_pe(), shmem_n_pes(), sum,
           same, argc > 1 ? argv[1] : "", getcwd(folder, sizeof folder), getenv("X") ? getenv("X") : "",
           getenv("Y") ? getenv("Y") : "");
    if (argc > 2 && strcmp(argv[1], "leave") == 0 && shmem_my_pe() == atoi(argv[2]))
        return 7;
    return 0;
}
"""
program = h.build(SOURCE, "started")
LINE = re.compile(r"^PE (\d+) of (\d+), (\d+) counted, (\d+) here, program (\S*) in (\S+), X=(.*), Y=(.*)$", re.M)


def lines(r):
    return sorted(LINE.findall(r.out), key=lambda line: int(line[0]))


def check(what, r, npes, here):
    """One line of each PE, all of one job. `here`: PEs of its process, for each PE; None: whatever."""
    got = lines(r)
    ok = r.status == 0 and [(int(a), int(b), int(c)) for a, b, c, *_ in got] == [(pe, npes, npes) for pe in range(npes)]
    h.expect(ok, f"{what}: one job of {npes} PEs", r)
    h.expect(here is None or [int(line[3]) for line in got] == here, f"{what}: {here} PEs in the processes", r)


ones = {"MPT_TASKS": 1}
check("MPT_TASKS=1", h.run([h.MPTRUN, "-n", 6, program], ones), 6, [6] * 6)
check("MPT_TASKS=auto", h.run([h.MPTRUN, "-n", 600, program], {"MPT_TASKS": "auto"}, 60), 600, None)
check("MPT_TASKS=0", h.run([h.MPTRUN, "-n", 6, program], {"MPT_TASKS": 0}), 6, [1] * 6)
check("--tasks=0 with MPT_TASKS=1", h.run([h.MPTRUN, "--tasks=0", "-n", 6, program], ones), 6, [1] * 6)
check("--tasks=1 with MPT_TASKS=0", h.run([h.MPTRUN, "--tasks=1", "-n", 6, program], {"MPT_TASKS": 0}), 6, [6] * 6)
check("-env MPT_TASKS", h.run([h.MPTRUN, "-env", "MPT_TASKS=1", "-n", 3, program]), 3, [3] * 3)
r = h.run([h.MPTRUN, "-n", 6, program], {"MPT_TASKS": "many"})
h.expect(r.status == 2 and 'MPT_TASKS="many": expected' in r.err, "MPT_TASKS=many", r)

for npes in (2, 5, 64):
    check(f"NPES={npes}", h.run([program], {"NPES": npes, **ones}), npes, [npes] * npes)
    check(f"start_pes({npes})", h.run([program, "old", npes], ones), npes, [npes] * npes)
r = h.run([program], {"NPES": 5, **ones})
h.expect(r.out.count("begins") == 5, "NPES=5: the program begins once for each PE", r)
check("NPES=1", h.run([program], {"NPES": 1, **ones}), 1, [1])
check("no NPES", h.run([program], ones), 1, [1])
check("NPES=4, MPT_TASKS=0", h.run([program], {"NPES": 4, "MPT_TASKS": 0}), 4, [1] * 4)
check("NPES=4 without MPT_TASKS", h.run([program], {"NPES": 4}), 4, [1] * 4)
for how, command, env in (
    ("NPES=4", [program, "leave", 2], {"NPES": 4, **ones}),
    ("mptrun", [h.MPTRUN, "-n", 4, program, "leave", 2], ones),
):
    r = h.run(command, env)
    h.expect(r.status == 7 and "PE 2 " in r.err, f"{how}: the status of PE 2, which is named", r)
r = h.run([program], {"NPES": 4, "MPT_TASKS": "many"})
h.expect(r.status == 1 and "MPT_TASKS=many: expected" in r.err, "NPES=4, MPT_TASKS=many", r)

# Several programs, more and fewer than processes. Each is a file of its own.
other = h.build(SOURCE, "started_too")
folder = h.SCRATCH / "folder"
folder.mkdir()
first = ("-n", 3, "-wdir", folder, "-env", "X", "one", program, "first")
second = ("-n", 4, "-env", "X=two", other, "second")
r = h.run([h.MPTRUN, "--tasks=1", "-x", "Y=all", *first, ":", *second, ":", "-n", 1, program, "third"])
check("three programs", r, 8, [3, 3, 3, 4, 4, 4, 4, 1])
got = [line[4:] for line in lines(r)]
want = [("first", str(folder), "one", "all")] * 3
want += [("second", str(h.SCRATCH), "two", "all")] * 4 + [("third", str(h.SCRATCH), "", "all")]
h.expect(got == want, "three programs: each with its own folder and variables", r)
r = h.run([h.MPTRUN, "--tasks", "-n", 1, program, ":", "-n", 511, other], limit=60)
got = [int(line[3]) for line in lines(r)]
h.expect(r.status == 0 and len(got) == 512 and got[0] == 1, "a program of one PE has a process of its own", r)
h.expect(max(got) - min(got[1:]) <= 1, "the shares of the other differ by one at most", r)
h.finish()
