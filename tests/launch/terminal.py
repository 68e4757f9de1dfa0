# SPDX-License-Identifier: BSD-3-Clause
"""PEs that fit on the cores have sessions of their own where the scheduler goes by sessions; all the same the
terminal's keys stop, continue and interrupt every PE, and only who runs in the background is stopped for reading."""

import os
import pathlib
import pty
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent
AUTOGROUP = pathlib.Path("/proc/sys/kernel/sched_autogroup_enabled")
probe = h.build(HERE / "probe.c")


def autogroups():
    return AUTOGROUP.exists() and AUTOGROUP.read_text().strip() == "1"


def stat(pid):
    """State and session of a process."""
    field = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return field[0], int(field[3])


def bound(pid):
    return len(os.sched_getaffinity(pid)) == 1


def pes():
    """Processes that run the program."""
    found = []
    for pid in h.processes():
        try:
            if str(pathlib.Path(f"/proc/{pid}/exe").readlink()) == probe:
                found.append(pid)
        except OSError:
            continue
    return found


def on_terminal(command, env=None):
    """The command in the foreground of a terminal, as a shell with job control starts it: its process, that of the
    shell, and the terminal's other side."""
    told, tell = os.pipe()
    shell, master = pty.fork()
    if shell == 0:
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        job = os.fork()
        if job == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(0, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            os.chdir(h.SCRATCH)
            os.execve(command[0], [str(c) for c in command], h.environment(env))
        os.write(tell, str(job).encode())
        status = os.waitstatus_to_exitcode(os.waitpid(job, 0)[1])
        os._exit(status if status >= 0 else 128 - status)
    job = int(os.read(told, 16))
    os.close(told)
    os.close(tell)
    return job, shell, master


def ready(mode, command, env=None, terminal=True, args=()):
    mark = h.SCRATCH / f"ready{time.monotonic_ns()}"
    whole = [*command, probe, mode, *args, mark]
    job = on_terminal(whole, env) if terminal else h.start(whole, env)
    h.expect(
        h.wait_for(lambda: all(pathlib.Path(f"{mark}.{pe}").exists() for pe in range(2)), 20),
        f"{mode}: PEs did not get ready",
    )
    return job


def text_of(master, limit=10.0):
    """What comes until the other side closes."""
    text, until = b"", time.monotonic() + limit
    while time.monotonic() < until:
        try:
            more = os.read(master, 65536)
        except OSError:
            break
        if not more:
            break
        text += more
    os.close(master)
    return text.decode()


# Bound PEs have sessions of their own, the others not; the switch turns it off.
for on in (True, False):
    child = ready("linger", [h.OSHRUN, "-np", "2"], {"MPT_SESSIONS": int(on)}, terminal=False)
    running = pes()
    h.expect(len(running) == 2, f"{len(running)} processes run the program, not 2")
    for pid in running:
        own = stat(pid)[1] == pid
        h.expect(
            own == (on and bound(pid) and autogroups()),
            f"MPT_SESSIONS={int(on)}: session of its own: {own}, bound: {bound(pid)}",
        )
    child.send_signal(signal.SIGTERM)
    h.collect(child, 10)

for env in ({"MPT_SESSIONS": 1}, {"MPT_SESSIONS": 0}):
    for command, more in (([h.OSHRUN, "-np", "2"], {}), (["/usr/bin/env", "NPES=2"], {})):
        what = f"{command}, {env}"

        # Ctrl-C
        pid, shell, master = ready("linger", command, {**env, **more})
        os.write(master, b"\x03")
        text_of(master)
        status = os.waitstatus_to_exitcode(os.waitpid(shell, 0)[1])
        h.expect(status == 128 + signal.SIGINT, f"{what}: ended with {status} after Ctrl-C")
        h.expect(h.wait_for(lambda: not h.processes(), 3), f"{what}: left behind after Ctrl-C {h.processes()}")
        h.end(h.processes())

        # Ctrl-Z, and on
        pid, shell, master = ready("await", command, {**env, **more}, args=[int(signal.SIGUSR1)])
        os.write(master, b"\x1a")
        h.expect(
            h.wait_for(lambda pid=pid: all(stat(p)[0] == "T" for p in [pid, *pes()]), 5),
            f"{what}: not all stopped by Ctrl-Z",
        )
        os.kill(pid, signal.SIGCONT)
        h.expect(
            h.wait_for(lambda pid=pid: all(stat(p)[0] != "T" for p in [pid, *pes()]), 5), f"{what}: not all continued"
        )
        os.kill(pid, signal.SIGUSR1)
        text = text_of(master)
        status = os.waitstatus_to_exitcode(os.waitpid(shell, 0)[1])
        h.expect(status == 0 and text.count("caught") == 2, f"{what}: stopped and continued: status {status}, {text!r}")

# PE 0 reads the terminal
pid, shell, master = on_terminal([h.OSHRUN, "-np", "2", probe, "echo"])
os.write(master, b"typed in\n\x04")
text = text_of(master)
status = os.waitstatus_to_exitcode(os.waitpid(shell, 0)[1])
h.expect(status == 0 and text.count("typed in") == 2, f"reading the terminal: status {status}, {text!r}")
h.finish()
