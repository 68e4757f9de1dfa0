# SPDX-License-Identifier: BSD-3-Clause
"""A program with ThreadSanitizer and the usual library: it runs, and of its two threads, which meet in MPI's calls only
with the other PE, the one race is found."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import harness as h

SOURCE = """#include <mpi.h>
#include <pthread.h>
#include <string.h>
static int common;
static void *work(void *arg)
{
    MPI_Comm comm = *(MPI_Comm *)arg;
    int me, n, got;

    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    for (int i = 0; i < 100; i++)
        MPI_Sendrecv(&i, 1, MPI_INT, (me + 1) % n, 0, &got, 1, MPI_INT, (me + n - 1) % n, 0, comm, MPI_STATUS_IGNORE);
    return NULL;
}
static void *race(void *arg)
{
    common++;
    return work(arg);
}
int main(int argc, char **argv)
{
    void *(*body)(void *) = argc > 1 ? race : work;
    MPI_Comm world = MPI_COMM_WORLD, other;
    pthread_t thread;
    int level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_dup(world, &other);
    pthread_create(&thread, NULL, body, &other);
    body(&world);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
"""
empty = h.SCRATCH / "empty.c"
empty.write_text("int main(void) { return 0; }\n")
made = subprocess.run(["cc", "-fsanitize=thread", empty, "-o", h.SCRATCH / "empty"], capture_output=True, check=False)
if made.returncode != 0 or h.run([h.SCRATCH / "empty"]).status != 0:
    print("no ThreadSanitizer here")
    sys.exit(77)

program = h.build(SOURCE, "threads", flags=["-fsanitize=thread", "-pthread"], wrapper=h.BUILD / "bin/mpicc")
r = h.run([h.MPTRUN, "-n", 2, program], limit=60)
h.expect(r.status == 0 and r.err == "", "a program without races", r)
r = h.run([h.MPTRUN, "-n", 2, program, "race"], limit=60)
h.expect(r.status == 66 and "data race" in r.err and " in race" in r.err, "the race is found", r)
h.finish()
