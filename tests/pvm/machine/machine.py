# SPDX-License-Identifier: BSD-3-Clause
"""Shared by the scripts of this folder: where the build's programs are, running one
with a time limit, processes that must be gone."""

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

BUILD = Path(os.environ["MPT_BUILD"])
ACTOR = str(BUILD / "tests" / "t_pvm_machine_actor")
CONSOLE = str(BUILD / "bin" / "pvm")
LIMIT = 40
_folder = tempfile.TemporaryDirectory(prefix="mpt-test-")


def environment(**more):
    """Programs meet in a folder of this script: a console elsewhere, another test's too, is none of theirs."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PVM", "MPT_MACHINE"))}
    env["XDG_RUNTIME_DIR"] = _folder.name
    env.update(more)
    return env


def run(*words, status=0, **more):
    """Standard output and error of a program that must end with this status (None: any)."""
    done = subprocess.run(
        [ACTOR, *words], env=environment(**more), capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert status is None or done.returncode == status, (
        f"{words}: status {done.returncode}\n{done.stdout}\n{done.stderr}"
    )
    return done.stdout, done.stderr


def start(*words, **more):
    return subprocess.Popen(
        [ACTOR, *words],
        env=environment(**more),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def state_of(stat):
    return stat.read_text().rpartition(")")[2].split()[0]


def alive(pid):
    try:
        return state_of(Path(f"/proc/{pid}/stat")) not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def stop(process):
    """Until all its threads stand still, which takes a while when cores are busy: they run until they notice."""
    process.send_signal(signal.SIGSTOP)
    begin = time.monotonic()
    while any(state_of(stat) != "T" for stat in Path(f"/proc/{process.pid}/task").glob("*/stat")):
        assert time.monotonic() - begin < LIMIT, "it does not stop"
        time.sleep(0.001)


def wait_gone(pids, seconds):
    """Seconds until all have ended."""
    begin = time.monotonic()
    while any(alive(p) for p in pids):
        assert time.monotonic() - begin < seconds, f"still there after {seconds} s: {[p for p in pids if alive(p)]}"
        time.sleep(0.01)
    return time.monotonic() - begin


def main(tests):
    for test in tests:
        print(test.__name__, flush=True)
        test()
