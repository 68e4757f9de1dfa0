# SPDX-License-Identifier: BSD-3-Clause
"""A job whose PEs all wait in vain is ended after MPT_DEADLOCK seconds, unasked. One that only seems so is not: a
timer or a thread will end the wait, a PE polls or is stopped, pvm_trecv has a limit. (With --check the last, too.)"""

import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

HERE = pathlib.Path(__file__).resolve().parent
MPICC = str(h.BUILD / "bin" / "mpicc")
ENDED = 7  # of in_vain.c
SECONDS = {"MPT_DEADLOCK": "1"}
TRECV = """
#include <pvm3.h>
#include <sys/time.h>

int main(void)
{
    struct timeval limit = {3, 0};

    pvm_mytid();
    if (pvm_trecv(-1, 99, &limit) != 0)
        return 1;
    pvm_exit();
    return 0;
}
"""


def told(program, options):
    for which, lines in (
        ("both", ["PEs 0-1 were waiting in MPI_Recv"]),
        ("apart", ["PE 0 was waiting in MPI_Recv", "PE 1 was waiting in MPI_Barrier"]),
    ):
        done = h.run([h.MPTRUN, *options, "-n", 2, program, which], SECONDS)
        h.expect(done.status == 1, f"{which}: status 1", done)
        h.expect("deadlock: every PE waits, and for 1 s nothing has come" in done.err, f"{which}: it is told", done)
        h.expect("MPT_DEADLOCK=0" in done.err, f"{which}: how to wait on", done)
        for line in lines:
            h.expect(line in done.err, f"{which}: {line!r}", done)
        h.expect(1.0 <= done.seconds < 10, f"{which}: after one second or a few", done)


def not_told(program, options, plays, ranks=2):
    for which in plays:
        done = h.run([h.MPTRUN, *options, "-n", ranks, program, which], SECONDS)
        expected = ENDED if which in ("alarm", "timer") else 0
        h.expect(done.status == expected, f"{which} {options}: status {expected}", done)
        h.expect("deadlock" not in done.err, f"{which} {options}: nothing is told", done)


def stopped(program):
    """Time enough for the launcher to take a stopped PE for one that waits."""
    job = h.start([h.MPTRUN, "-n", 2, program, "stopped"], SECONDS)
    pid = int(job.stdout.readline())
    time.sleep(0.5)
    os.kill(pid, signal.SIGSTOP)
    time.sleep(4)
    h.expect(job.poll() is None, "a job with a stopped PE goes on")
    os.kill(pid, signal.SIGCONT)
    done = h.collect(job)
    h.expect(done.status == 0, "it ends when the PE goes on", done)


def for_ever(program):
    job = h.start([h.MPTRUN, "-n", 2, program, "both"], {"MPT_DEADLOCK": "0"})
    time.sleep(4)
    h.expect(job.poll() is None, "with MPT_DEADLOCK=0 it goes on waiting")
    os.killpg(job.pid, signal.SIGTERM)
    h.collect(job)


def main():
    program = h.build(HERE / "in_vain.c", wrapper=MPICC)
    limit = h.build(TRECV, "trecv", flags=["-Wl,--no-as-needed", "-lpvm3"], wrapper=MPICC)
    told(program, [])
    not_told(program, [], ["alarm", "timer", "thread", "polls", "slow", "meet", "compute"])
    stopped(program)
    for_ever(program)
    not_told(limit, [], ["-"])
    not_told(limit, ["--check"], ["-"])
    if h.can_be_tasks():
        told(program, ["--tasks=1"])
        not_told(program, ["--tasks=1"], ["alarm", "thread", "polls", "slow"])
        # Where many say that they wait may be as old as the process's last sleep.
        not_told(program, ["--tasks=1"], ["meet", "compute"], ranks=64)
        not_told(program, ["--tasks=2", "--check"], ["meet", "compute"], ranks=64)
    h.finish()


main()
