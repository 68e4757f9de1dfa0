#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Loops over tests under mptrun --check.

In a job that is ended by a time limit or a signal each loop in vain is told: PE, call with arguments, line, how often,
and what nearly fits. Twins in which something comes late are silent.
Usage: loops.py BUILD_FOLDER
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIMIT_S = 40
OFTEN = r", \d+ times in vain in \d+\.\d s"
TAG_4 = r"rank 1 has a message from rank 0 with tag 4; this receive wants tag 3"
RECEIVE = r"receive from rank 0, tag 3, MPI_COMM_WORLD, 1 MPI_INT"
# what the program is told, the call, and what is told beside it
LOOPS = {
    "mpi": (
        ("test", rf"MPI_Test\({RECEIVE}\)", TAG_4),
        ("sleeps", rf"MPI_Test\({RECEIVE}\)", TAG_4),
        ("testany", rf"MPI_Testany\(2 requests, 1 not complete: {RECEIVE}\)", TAG_4),
        ("testall", rf"MPI_Testall\(1 requests, 1 not complete: {RECEIVE}\)", TAG_4),
        ("status", rf"MPI_Request_get_status\({RECEIVE}\)", TAG_4),
        ("iprobe", r"MPI_Iprobe\(from rank 0, tag 3, MPI_COMM_WORLD\)", TAG_4),
    ),
    "shmem": (
        ("test", r"shmem_long_test\(ivar=0x\w+, SHMEM_CMP_EQ, 7\), where it is 1", ""),
        (
            "test_some",
            r"shmem_long_test_some\(ivars=0x\w+, 4 words, SHMEM_CMP_GT\)",
            r"ivars\[0\] is 0, this test wants 3",
        ),
        ("test_lock", r"shmem_test_lock\(lock=0x\w+\), which PE 0 holds or waits for", ""),
    ),
    "pvm": (
        ("nrecv", r"pvm_nrecv\(task 0x\w+, tag 3\)", r"this task has a message from task 0x\w+ with tag 4"),
        ("probe", r"pvm_probe\(any task, tag 3\)", r"this task has a message from task 0x\w+ with tag 4"),
    ),
    "am": (("poll", r"am_poll", ""),),
}
COMPILERS = {"mpi": ["mpicc"], "shmem": ["oshcc"], "pvm": ["mpicc", "-lgpvm3", "-lpvm3"], "am": ["oshcc"]}


def build(bin_folder: Path, face: str, folder: Path) -> Path:
    """One program for each interface."""
    name, *libraries = COMPILERS[face]
    program = folder / f"loops_{face}"
    command = [str(bin_folder / name), "-g", "-O1", str(HERE / f"loops_{face}.c"), "-o", str(program), *libraries]
    subprocess.run(command, check=True)
    return program


def line_of(face: str, name: str) -> int:
    """Of the test in the loop."""
    text = (HERE / f"loops_{face}.c").read_text().splitlines()
    return next(i for i, line in enumerate(text, 1) if line.endswith(f"/* {name} */"))


def complain(what: str, text: str) -> bool:
    """Say it; False."""
    print(f"{what}\n{text}")
    return False


def is_told(face: str, name: str, call: str, beside: str, text: str) -> bool:
    """Is this loop in the report?"""
    said = rf"PE 1 was looping over {call}{OFTEN} \[\S*loops_{face}\.c:{line_of(face, name)} in \w+\]\n"
    return bool(re.search(said + (rf"\S+ +{beside}\n" if beside else ""), text))


def run(command: list[str]) -> tuple[int | None, str]:
    """Status, None if it did not end in time; and all that was said."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as job:
        try:
            text = job.communicate(timeout=LIMIT_S)[0]
        except subprocess.TimeoutExpired:
            job.kill()
            return None, job.communicate()[0]
        return job.returncode, text


def check_wrong(command: list[str], face: str, loop: tuple[str, str, str]) -> bool:
    """Ended by the time limit."""
    status, text = run([*command, loop[0], "never"])
    if status != 124 or not is_told(face, *loop, text) or "mpt: " in text:
        return complain(f"{face}, {loop[0]}: status {status}, expected {loop[1:]}", text)
    return True


def check_right(command: list[str], face: str, name: str) -> bool:
    """It comes in the end."""
    status, text = run([*command, name, "late"])
    if status != 0 or text:
        return complain(f"{face}, {name}, late: status {status}", text)
    return True


def check_signal(mptrun: Path, program: Path) -> bool:
    """Ended by a signal."""
    command = [str(mptrun), "--check", "-n", "3", str(program), "test", "never"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as job:
        time.sleep(2)
        job.send_signal(signal.SIGTERM)
        text = job.communicate(timeout=30)[1]
    waits = re.search(r"PEs 0, 2 were waiting in MPI_Barrier\S* \[", text) or re.search(
        r"PE 2 was waiting in MPI_B", text
    )
    if job.returncode != -signal.SIGTERM or not is_told("mpi", *LOOPS["mpi"][0], text) or not waits:
        return complain(f"by a signal: status {job.returncode}", text)
    return True


def main() -> None:
    """See above."""
    built = Path(sys.argv[1]).resolve() / "bin"
    os.environ.pop("MPT_CHECK", None)
    good = True
    with tempfile.TemporaryDirectory(prefix="mpt-check-loops-") as folder:
        for face, loops in LOOPS.items():
            program = build(built, face, Path(folder))
            for i, loop in enumerate(loops):
                for more in ([], ["--tasks"]) if i == 0 else ([],):
                    command = [str(built / "mptrun"), "--check", "--timeout", "2.5", *more, "-n", "3", str(program)]
                    good &= check_wrong(command, face, loop)
                    command = [str(built / "mptrun"), "--check", *more, "-n", "3", str(program)]
                    good &= check_right(command, face, loop[0])
            if face == "mpi":
                good &= check_signal(built / "mptrun", program)
    sys.exit(not good)


if __name__ == "__main__":
    main()
