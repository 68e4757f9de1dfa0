# SPDX-License-Identifier: BSD-3-Clause
"""What the script tests share: building a program with the wrappers, running a job with a clean environment and a
time limit, finding what a job left behind, and collecting failures into one exit status.
Every process started here carries a mark in its environment; only processes with this mark are ever looked at or
killed.
"""

import contextlib
import dataclasses
import os
import pathlib
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
import uuid

BUILD = pathlib.Path(os.environ["MPT_BUILD"])
SOURCE = pathlib.Path(os.environ["MPT_SOURCE"])
OSHCC = str(BUILD / "bin" / "oshcc")
OSHRUN = str(BUILD / "bin" / "oshrun")
MPTRUN = str(BUILD / "bin" / "mptrun")

MARK_NAME = "TEST_JOB_MARK"
MARK = uuid.uuid4().hex
FOREIGN = re.compile(r"^(OMPI_|PMI_|PMIX_|PMI2_|PALS_|ALPS_|SLURM_|MV2_|FLUX_|JSM_|SHMEM_|SMA_|MPT_|NPES$)")

_scratch = tempfile.TemporaryDirectory(prefix="mpt-test-")
SCRATCH = pathlib.Path(_scratch.name)
failures = []


@dataclasses.dataclass
class Result:
    """How a command ended. `status` is the exit status, minus the signal's number when a signal ended it, or None
    when it had to be killed after the time limit."""

    status: int | None
    out: str
    err: str
    seconds: float

    def __str__(self):
        end = f"status {self.status} after {self.seconds:.2f} s"
        return f"{end}\n--- stdout\n{self.out[-2000:]}--- stderr\n{self.err[-2000:]}"


def expect(condition, message, result=None):
    """Note a failure and go on."""
    if not condition:
        failures.append(message)
        print(f"FAIL: {message}" + (f"\n{result}" if result is not None else ""), flush=True)
    return bool(condition)


def finish():
    """Report and exit: 0 when nothing failed."""
    orphans = processes()
    expect(not orphans, f"processes left behind by the test: {orphans}")
    end(orphans)
    print(f"{len(failures)} failures", flush=True)
    sys.exit(1 if failures else 0)


HAVE_TASKS = ("x86_64", "aarch64")


def machine():
    """What the programs are for: in a cross build not what Python runs on (cmake/MptTest.cmake)."""
    return os.environ.get("MPT_PROCESSOR") or platform.machine()


def can_be_tasks():
    """PEs can: on these processors, with programs that have no sanitizer."""
    return machine() in HAVE_TASKS and "SANITIZE" not in os.environ


def need_tasks():
    """Skips the script where PEs cannot be tasks."""
    if machine() not in HAVE_TASKS:
        print("PEs can be tasks on x86-64 and arm64 only")
        sys.exit(77)


def environment(extra=None):
    """The caller's environment without any launcher's or library's variables but the transport that the tests run
    over, plus `extra` (None unsets)."""
    env = {k: v for k, v in os.environ.items() if not FOREIGN.match(k) or k == "MPT_TRANSPORT"}
    env[MARK_NAME] = MARK
    env["TMPDIR"] = str(SCRATCH)
    for name, value in (extra or {}).items():
        if value is None:
            env.pop(name, None)
        else:
            env[name] = str(value)
    return env


def build(source, name=None, flags=(), wrapper=OSHCC, standard="gnu17"):
    """Compile `source` (a path, or program text) into the scratch folder. Returns the program's path."""
    if "\n" in str(source):
        path = SCRATCH / f"{name}.c"
        path.write_text(source)
    else:
        path = pathlib.Path(source)
    program = SCRATCH / (name or path.stem)
    command = [wrapper, f"-std={standard}", "-D_GNU_SOURCE", "-O1", "-g", *flags, str(path), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment())
    if done.returncode != 0:
        print(f"FAIL: {' '.join(command)}\n{done.stdout}{done.stderr}")
        sys.exit(1)
    return str(program)


def start(command, env=None, stdin=subprocess.DEVNULL, cwd=None):
    """Start without waiting, in a process group of its own; stdout and stderr are pipes of text."""
    return subprocess.Popen(
        [str(c) for c in command],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(env),
        cwd=cwd or SCRATCH,
        start_new_session=True,
    )


def collect(child, limit=20.0, text=None):
    """Wait for a command begun with start(), kill all of it when it takes too long."""
    begun = time.monotonic()
    try:
        out, err = child.communicate(text, timeout=limit)
        return Result(child.returncode, out, err, time.monotonic() - begun)
    except subprocess.TimeoutExpired:
        child.kill()
        end(processes())
        out, err = child.communicate()
        return Result(None, out, err, time.monotonic() - begun)


def run(command, env=None, limit=20.0, text=None, cwd=None):
    stdin = subprocess.DEVNULL if text is None else subprocess.PIPE
    return collect(start(command, env, stdin, cwd), limit, text)


def oshrun(npes, program, *args, env=None, limit=20.0, text=None, options=()):
    return run([OSHRUN, "-np", npes, *options, program, *args], env, limit, text)


def processes():
    """Living processes that carry this test's mark, the test itself excepted."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            marked = f"{MARK_NAME}={MARK}".encode() in (entry / "environ").read_bytes()
            if marked and (entry / "stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX":
                found.append(int(entry.name))
        except OSError:
            continue
    return sorted(found)


def end(pids):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def wait_for(condition, limit=10.0, step=0.01):
    """Poll until the condition holds. Returns whether it did."""
    until = time.monotonic() + limit
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(step)
    return True


def named_files(pid):
    """Files below /dev/shm and /tmp that a process has open or mapped."""
    paths = set()
    base = pathlib.Path(f"/proc/{pid}")
    try:
        for line in (base / "maps").read_text().splitlines():
            path = line.split(maxsplit=5)[5] if len(line.split(maxsplit=5)) == 6 else ""
            paths.add(path)
        for fd in (base / "fd").iterdir():
            paths.add(str(fd.readlink()))
    except OSError:
        pass
    ours = (str(SCRATCH), str(BUILD), str(SOURCE))
    return sorted(p for p in paths if p.startswith(("/dev/shm/", "/tmp/")) and not p.startswith(ours))
