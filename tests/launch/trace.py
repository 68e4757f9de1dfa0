# SPDX-License-Identifier: BSD-3-Clause
"""What --trace leaves: each receive has its send, with the same tag and bytes; a killed PE's file is readable."""

import pathlib
import subprocess
import sys

from harness import BUILD, MPTRUN, SCRATCH, expect, finish

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "trace"))
import records

PROGRAM = r"""
#include <mpi.h>
#include <signal.h>
int main(int argc, char **argv)
{
    int me, n, x, out[64] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int i = 0; i < 100; i++) {
        MPI_Request q[2];
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, q);
        MPI_Isend(&me, 1, MPI_INT, (me + 1) % n, i, MPI_COMM_WORLD, q + 1);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % n, i, &x, 1, MPI_INT, (me + n - 1) % n, i, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (me == 0)
            MPI_Send(out, 64, MPI_INT, 1, 7, MPI_COMM_WORLD);
        if (me == 1)
            MPI_Recv(out, 64, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (argc > 1 && me == 1)
        raise(SIGKILL);
    MPI_Finalize();
    return 0;
}
"""


def messages(folder):
    sent, received = {}, {}
    for file in folder.glob("pe.*.trace"):
        me = int(file.name.split(".")[1])
        for t in records.read(file):
            if t.kind in {records.CALL, records.SEND} and t.role & records.SENDS:
                sent[me, t.peer, t.message] = (t.tag, t.bytes)
            if t.kind in {records.CALL, records.RECEIVE} and t.role & records.RECEIVES:
                received[t.peer, me, t.message] = (t.tag, t.bytes)
    return sent, received


def run(name, *words, kill=False):
    folder = SCRATCH / name
    done = subprocess.run(
        [MPTRUN, "--trace", str(folder), *words, str(SCRATCH / "prog"), *(["kill"] if kill else [])],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    expect((done.returncode == 0) != kill, f"{name}: status {done.returncode}: {done.stderr}")
    sent, received = messages(folder)
    expect(len(sent) >= 500 and sent == received, f"{name}: {len(sent)} messages sent, {len(received)} received")


(SCRATCH / "prog.c").write_text(PROGRAM)
subprocess.run([str(BUILD / "bin/mpicc"), "-o", str(SCRATCH / "prog"), str(SCRATCH / "prog.c")], check=True)
run("processes", "-n", "3")
run("tasks", "--tasks=1", "-n", "3")
run("killed", "-n", "3", kill=True)
finish()
