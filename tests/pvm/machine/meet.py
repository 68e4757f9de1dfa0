#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which machine a program belongs to: its own; the one that PVM_VMID names; the
console's. Machines side by side do not meet."""
import os
import socket
import subprocess
import time
from machine import CONSOLE, environment, main, run, start

NAME = f"test-{os.getpid()}"


def first_line(process):
    tid, n = process.stdout.readline().split()
    return int(tid, 16), int(n)


def finish(process):
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0, (out, err)
    return out


def side_by_side():
    a, b = start("member"), start("member")
    assert first_line(a) == (0x40001, 1) and first_line(b) == (0x40001, 1)
    finish(a), finish(b)
    loops = [start("loop", "15") for _ in range(3)]
    for process in loops:
        finish(process)


def shared():
    members = [start("member", PVM_VMID=NAME)]
    assert first_line(members[0]) == (0x40001, 1)
    for i in range(1, 4):
        members.append(start("member", PVM_VMID=NAME))
        assert first_line(members[i]) == (0x40001 + i, i + 1)
    other = start("member", PVM_VMID=NAME + "-other")
    assert first_line(other) == (0x40001, 1)
    for process in members:
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in reversed(members):
        assert "met 3" in finish(process)
    finish(other)


def at_once():
    """Only one of many that start together is the first."""
    members = [start("member", PVM_VMID=NAME + "-race") for _ in range(8)]
    tids = sorted(first_line(p)[0] for p in members)
    assert tids == [0x40001 + i for i in range(8)], tids
    for process in members:
        process.stdin.write("go\n")
        process.stdin.close()
    for process in members:
        assert process.wait(timeout=30) == 0, process.stderr.read()


def again_after_the_end():
    for _ in range(5):
        process = start("member", PVM_VMID=NAME)
        assert first_line(process) == (0x40001, 1)
        process.kill()
        process.communicate(timeout=10)


def wrong_names():
    _, err = run("member", status=1, PVM_VMID="x" * 200)
    assert "PVM_VMID=xxx" in err and "too long" in err, err


def somebody_else_has_the_name():
    """A socket of this user that answers with no machine, and one that does not answer at all."""
    name = f"\0mpt-pvm-{os.getuid()}-{NAME}-x"
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(name)
        s.listen(100)
        s.settimeout(0.1)
        process = start("member", PVM_VMID=NAME + "-x")
        begin = time.monotonic()
        while process.poll() is None and time.monotonic() - begin < 30:
            try:
                s.accept()[0].close()
            except TimeoutError:
                pass
        _, err = process.communicate(timeout=5)
        assert process.returncode == 1 and "does not answer" in err, (process.returncode, err)


def console_names():
    """Programs that name none belong to a console's machine, while there is one."""
    env = environment()
    if subprocess.run([CONSOLE], env=env, input="id\n", text=True, capture_output=True, timeout=20, check=False).stdout.count("t40001") != 1:
        print("  (somebody's console is running: skipped)")
        return
    console = subprocess.Popen([CONSOLE], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    console.stdin.write("id\n")
    console.stdin.flush()
    while "t40001" not in console.stdout.readline():
        pass
    members = [start("member"), start("member")]
    tids = sorted(first_line(p)[0] for p in members)
    assert tids == [0x40002, 0x40003], tids
    for process in members:
        finish(process)
    console.communicate("quit\n", timeout=20)
    alone = start("member")
    assert first_line(alone) == (0x40001, 1)
    finish(alone)


main([side_by_side, shared, at_once, again_after_the_end, wrong_names, somebody_else_has_the_name, console_names])
