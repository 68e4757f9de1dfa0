#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A machine ends with its first task: tasks left behind end when all of them wait,
and not before; nothing stays behind, whoever is killed."""

import os
import re
import signal
import time
from pathlib import Path

from machine import alive, main, run, start, wait_gone


def pids_of(text):
    return {int(t, 16): int(p) for t, p in re.findall(r"^(\w+) (\d+)$", text, re.M)}


def read_pids(process, n):
    return pids_of("".join(process.stdout.readline() for _ in range(n + 1)))


MESSAGE = "the virtual machine ends: its first task, t40001, has gone, and all tasks left wait"


def first_exits():
    begin = time.monotonic()
    out, err = run("master", "waiter", "3", "exit")  # until its children, who have its stderr, are gone
    assert time.monotonic() - begin < 5, "took long"
    assert err.count(MESSAGE) == 1 and re.search(r"libpvm \[t4000[2-4]\]: pvm_recv\(\): ", err), err
    wait_gone(pids_of(out).values(), 2)


def first_is_killed():
    process = start("master", "waiter", "3", "sleep")
    pids = read_pids(process, 3)
    time.sleep(1)
    assert all(alive(p) for p in pids.values()), "tasks end while the first one lives"
    process.kill()
    assert wait_gone(set(pids.values()), 3) < 3
    _, err = process.communicate(timeout=10)
    assert err.count(MESSAGE) == 1, err


def who_computes_runs_on():
    process = start("master", "computer", "2", "exit")
    _, err = process.communicate(timeout=20)
    assert err.count("computed") == 2 and MESSAGE not in err, err


def limited_waits_run_on():
    process = start("master", "timed_waiter", "2", "exit")
    _, err = process.communicate(timeout=20)
    assert err.count("time over") == 2 and MESSAGE not in err, err


def waiting_first_task_is_left_alone():
    process = start("master", "waiter", "2", "wait")
    pids = read_pids(process, 2)
    time.sleep(1.2)
    assert all(alive(p) for p in pids.values())
    process.kill()
    wait_gone(pids.values(), 3)
    process.communicate(timeout=10)


def children_are_killed():
    """All but the first: the machine goes on."""
    process = start("master", "waiter", "3", "sleep")
    pids = read_pids(process, 3)
    for tid, pid in pids.items():
        if tid != 0x40001:
            os.kill(pid, signal.SIGKILL)
    wait_gone([p for t, p in pids.items() if t != 0x40001], 3)
    assert alive(process.pid)
    process.kill()
    process.communicate(timeout=10)


def nothing_stays():
    before = set(Path("/dev/shm").iterdir())
    run("loop", "20")
    assert set(Path("/dev/shm").iterdir()) <= before


main(
    [
        first_exits,
        first_is_killed,
        who_computes_runs_on,
        limited_waits_run_on,
        waiting_first_task_is_left_alone,
        children_are_killed,
        nothing_stays,
    ]
)
