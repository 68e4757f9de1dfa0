# SPDX-License-Identifier: BSD-3-Clause
"""Many at once: two jobs side by side do not see each other, many more PEs than cores make progress, a PE may start a
job of its own, and jobs one after another leave nothing."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

probe = h.build(pathlib.Path(__file__).resolve().parent / "probe.c")

pair = [h.start([h.OSHRUN, "-np", n, probe, "ring", 200]) for n in (3, 4)]
for n, child in zip((3, 4), pair, strict=True):
    r = h.collect(child)
    h.expect(r.status == 0 and r.out == f"200 rounds of {n} PEs\n", f"one of two jobs at once, {n} PEs", r)

r = h.oshrun(32, probe, "ring", 20)
h.expect(r.status == 0 and r.out == "20 rounds of 32 PEs\n", "32 PEs", r)
h.expect(r.seconds < 10, f"32 PEs on {os.cpu_count()} cores took {r.seconds:.1f} s")
r = h.oshrun(64, probe, "identity")
h.expect(r.status == 0 and r.out.count("of 64") == 64, "64 PEs", r)

NESTED = r"""
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    shmem_init();
    int status = 0;
    if (shmem_my_pe() == 0 && argc > 1)
        status = system(argv[1]);
    shmem_barrier_all();
    shmem_finalize();
    return status != 0;
}
"""
nested = h.build(NESTED, "nested")
r = h.oshrun(2, nested, f"'{h.OSHRUN}' -np 3 '{probe}' ring 5")
h.expect(r.status == 0 and "5 rounds of 3 PEs" in r.out, "a job started by a PE", r)
r = h.oshrun(2, nested, f"'{probe}' identity")
h.expect(r.status == 0 and "PE 0 of 1" in r.out, "a lone program started by a PE", r)

for i in range(20):
    r = h.oshrun(4, probe, "ring", 2)
    if not h.expect(r.status == 0 and r.seconds < 2, f"job {i} of many", r):
        break
h.expect(h.wait_for(lambda: not h.processes(), 1), f"left behind: {h.processes()}")
h.finish()
