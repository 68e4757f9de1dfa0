#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which machine a program belongs to: its own; the one that PVM_VMID names; the
console's. Machines side by side do not meet."""

import contextlib
import fcntl
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from machine import CONSOLE, environment, main, run, start, stop

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


def any_names():
    for name in "x" * 200, "../" + NAME, NAME + "/\u00e9 ?":
        members = [start("member", PVM_VMID=name) for _ in range(2)]
        assert sorted(first_line(p)[0] for p in members) == [0x40001, 0x40002], name
        for process in members:
            finish(process)


def nobody_answers():
    """The one that has the name does not move."""
    first = start("member", PVM_VMID=NAME + "-x")
    assert first_line(first) == (0x40001, 1)
    stop(first)
    begin = time.monotonic()
    _, err = run("member", status=1, PVM_VMID=NAME + "-x")
    assert "does not answer" in err and time.monotonic() - begin < 15, (err, time.monotonic() - begin)
    first.send_signal(signal.SIGCONT)
    finish(first)


def another_user():
    """What other users may take has no meaning for us."""
    taken = [socket.socket(socket.AF_UNIX) for _ in range(2)]
    if os.getuid() == 0:
        os.seteuid(65534)
    for s, vmid in zip(taken, ("", NAME), strict=False):
        try:
            s.bind(f"\0mpt-pvm-{os.getuid()}-{vmid}")
            s.listen(0)
        except OSError as e:
            print(f"  ({e})")
    if os.getuid() == 0:
        os.seteuid(0)
    for env in {}, {"PVM_VMID": NAME}:
        process = start("member", **env)
        assert first_line(process) == (0x40001, 1)
        finish(process)
    for s in taken:
        s.close()


def nothing_is_left():
    """Also of those that are killed, when the next one comes."""
    with tempfile.TemporaryDirectory() as folder:
        process = start("member", PVM_VMID=NAME, XDG_RUNTIME_DIR=folder)
        first_line(process)
        assert len(list(Path(folder, "mpt").iterdir())) == 1
        finish(process)
        assert not list(Path(folder).iterdir()), list(Path(folder).iterdir())
        process = start("member", PVM_VMID=NAME, XDG_RUNTIME_DIR=folder)
        first_line(process)
        process.kill()
        process.communicate(timeout=10)
        process = start("member", PVM_VMID=NAME, XDG_RUNTIME_DIR=folder)
        assert first_line(process) == (0x40001, 1)
        finish(process)
        assert not list(Path(folder).iterdir()), list(Path(folder).iterdir())


def the_folder_comes_and_goes():
    """It goes with the last socket in it. Who is about to take a name meanwhile takes it there all the same."""
    over = threading.Event()
    with tempfile.TemporaryDirectory() as folder:

        def remove():
            while not over.is_set():
                with contextlib.suppress(OSError):
                    fd = os.open(Path(folder, "mpt"), os.O_RDONLY)
                    try:
                        fcntl.flock(fd, fcntl.LOCK_EX)
                        if os.path.samestat(os.fstat(fd), Path(folder, "mpt").stat()):
                            Path(folder, "mpt").rmdir()  # only while it is empty
                    finally:
                        os.close(fd)

        remover = threading.Thread(target=remove)
        remover.start()
        try:
            for i in range(20):
                process = start("member", PVM_VMID=f"{NAME}-{i}", XDG_RUNTIME_DIR=folder)
                assert first_line(process) == (0x40001, 1)
                assert list(Path(folder).glob("mpt/*")), f"machine {i} is in another folder"
                finish(process)
        finally:
            over.set()
            remover.join()


def console_names():
    """Programs that name none belong to a console's machine, while there is one."""
    console = subprocess.Popen([CONSOLE], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
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


main(
    [
        side_by_side,
        shared,
        at_once,
        again_after_the_end,
        any_names,
        nobody_answers,
        another_user,
        nothing_is_left,
        the_folder_comes_and_goes,
        console_names,
    ]
)
