# SPDX-License-Identifier: BSD-3-Clause
"""What mptrun --trace records of OpenSHMEM's calls, field by field: as processes and as tasks, at 2 and 4 PEs."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import records as r

import harness as h

HERE = pathlib.Path(__file__).resolve().parent
program = h.build(HERE / "shmem.c")
source = (HERE / "shmem.c").read_text().splitlines()


def line_of(name):
    """The first line that calls it."""
    return 1 + next(i for i, text in enumerate(source) if f"{name}(" in text)


def look(n, *options):
    folder = h.SCRATCH / f"trace{n}{''.join(options)}"
    done = h.run([h.MPTRUN, "-n", n, *options, "--trace", folder, program], limit=60)
    h.expect(done.status == 0 and done.err == "", f"{n} PEs {options}", done)
    traces = [r.read(folder / f"pe.{pe}.trace") for pe in range(n)]
    for pe, trace in enumerate(traces):
        look_at(n, pe, [t for t in trace if t.kind == r.CALL])
    stores = {(t.peer, t.message, t.value) for trace in traces for t in trace if t.role & r.STORES and t.bytes == 8}
    for pe, trace in enumerate(traces):
        for t in trace:
            if t.call == "shmem_long_wait_until":
                h.expect((pe, t.message, t.value) in stores, f"PE {pe}'s wait has its store: {t}")


def look_at(n, pe, calls):
    to, before = (pe + 1) % n, (pe - 1) % n
    even = tuple(range(0, n, 2))
    wanted = [  # call, role, peer, bytes, value, group
        ("shmem_init", 0, -1, 0, 0, 0),
        ("shmem_malloc", r.COLLECTIVE, -1, 80, 0, 0),
        ("shmem_putmem", r.STORES, to, 64, 0, 0),
        ("shmem_long_iput", r.STORES, to, 24, 0, 0),
        ("shmem_getmem", r.LOADS, to, 16, 0, 0),
        ("shmem_fence", r.SYNC, -1, 0, 0, 0),
        ("shmem_long_p", r.STORES, to, 8, pe + 10, 0),
        ("shmem_long_wait_until", r.WAITS, -1, 8, before + 10, 0),
        ("shmem_long_p", r.STORES, to, 8, pe + 20, 0),
        ("shmem_long_wait_until_any", r.WAITS, -1, 8, before + 20, 0),
        ("shmem_long_atomic_fetch_add", r.STORES | r.LOADS, 0, 8, 5, 0),
        ("shmem_long_put_signal", r.STORES, to, 72, 2**64 - 8, 0),
        ("shmem_signal_wait_until", r.WAITS, -1, 8, 2**64 - 8, 0),
        ("shmem_quiet", r.SYNC, -1, 0, 0, 0),
        ("shmem_int_p", r.STORES, to, 4, pe + 30, 0),
        ("shmem_int_test", r.WAITS, -1, 4, before + 30, 0),
        ("shmem_set_lock", r.WAITS, -1, 8, 0, 0),
        ("shmem_clear_lock", r.STORES, None, 8, 0, 0),
        ("shmem_long_sum_reduce", r.COLLECTIVE, -1, 16, 0, 0),
        ("shmem_team_split_strided", r.COLLECTIVE, -1, 0, 0, 0),
        ("shmem_broadcastmem", r.COLLECTIVE, 0, 24, 0, even),
        ("shmem_team_sync", r.COLLECTIVE, -1, 0, 0, even),
        ("shmem_barrier_all", r.COLLECTIVE, -1, 0, 0, 0),
        ("shmem_free", r.COLLECTIVE, -1, 0, 0, 0),
    ]
    if pe % 2:
        wanted = [w for w in wanted if w[5] == 0]
    names = [c.call for c in calls]
    h.expect(names[: len(wanted)] == [w[0] for w in wanted], f"PE {pe} of {n}: {names}")
    numbers = [c.message for c in calls if c.role & r.COLLECTIVE and c.group == 0]
    h.expect(numbers == list(range(1, len(numbers) + 1)), f"PE {pe}: collectives are numbered: {numbers}")
    for c, (name, role, peer, n_bytes, value, group) in zip(calls, wanted, strict=False):
        right = c.role == role and c.bytes == n_bytes and c.value == value and peer in (c.peer, None)
        same = c.group == group or (group == even and len(even) == 1) or (group == tuple(range(n)) and c.group == 0)
        h.expect(right and same and c.end >= c.begin, f"PE {pe}: {name}: {c}")
        if name not in ("shmem_long_p", "shmem_init"):
            h.expect(f"shmem.c:{line_of(name)} in main" in c.line, f"PE {pe}: line {line_of(name)}: {c}")


look(2)
look(4)
if h.can_be_tasks():
    look(4, "--tasks=2")
h.finish()
