# SPDX-License-Identifier: BSD-3-Clause
"""Records pass through a ring in memory into the file: each call of each thread is there once and whole, also where the
ring has turned many times, regions that began before included, and of a PE that was killed."""

import collections
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import records as r

import harness as h

HERE = pathlib.Path(__file__).resolve().parent
program = h.build(HERE / "ring.c")
CALLS = 20000


def look(threads, calls, *words):
    what = f"{threads} threads, {calls} calls {words}"
    folder = h.SCRATCH / "trace"
    done = h.run([h.MPTRUN, "-n", 1, "--trace", folder, program, threads, calls, *words], limit=60)
    h.expect((done.status == 0) == (not words), what, done)
    h.expect((folder / "pe.0.tail").exists() == bool(words), f"{what}: the tail")
    trace = r.read(folder / "pe.0.trace")
    puts = collections.defaultdict(list)
    for t in trace:
        if t.call == "shmem_long_p":
            puts[t.message].append(t)
    h.expect(len(puts) == threads, f"{what}: words {sorted(puts)}")
    for address, mine in puts.items():
        mine.sort(key=lambda t: t.begin)
        values = [t.value for t in mine]
        h.expect(values == list(range(1, calls + 1)), f"{what}: {len(values)} values at {address}: {values[:3]} ...")
        h.expect(all(a.end <= b.begin for a, b in itertools.pairwise(mine)), f"{what}: in turn")
        h.expect(len({t.thread for t in mine}) == 1, f"{what}: of one thread")
    regions = collections.Counter(t.call for t in trace if t.kind == r.REGION)
    h.expect(regions == {"long": threads, "short": threads * calls // 1000}, f"{what}: regions {regions}")


look(1, CALLS)
look(1, 1000)
look(3, CALLS)
look(2, CALLS, "kill")
h.finish()
