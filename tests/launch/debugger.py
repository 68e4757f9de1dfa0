# SPDX-License-Identifier: BSD-3-Clause
"""Parallel debuggers: what they read of a launcher (MPIR), that PEs wait for them in their initialization, that a job's
end is told, and mptrun -gdb, which is such a debugger. The client here is gdb, with the interface's names only."""

import pathlib
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

GDB = shutil.which("gdb")
if not GDB or subprocess.run([GDB, "-nx", "-batch", "-ex", "python 1"], capture_output=True, timeout=30).stderr:
    print("needs gdb with Python")
    sys.exit(77)

MPICC = h.BUILD / "bin" / "mpicc"
RING = h.build(
    """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, code = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine = 100 + rank;
    printf("rank %d has %d\\n", rank, mine); /* the line */
    MPI_Barrier(MPI_COMM_WORLD);
    if (code && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, code);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
""",
    "ring",
    ("-O0",),
    wrapper=str(MPICC),
)
WAITS = h.build(
    """
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    shmem_init();
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("PE %d is process %d\\n", shmem_my_pe(), getpid());
    pause();
}
""",
    "waits",
)

# Prints the table of the launcher that gdb has before it, in the interface's terms.
TABLE = """python
import struct
def value(kind, name): return int(gdb.parse_and_eval("*(%s *) &MPIR_%s" % (kind, name)))
def string(at): return gdb.Value(at).cast(gdb.lookup_type("char").pointer()).string() if at else None
at = value("unsigned long", "proctable")
for i in range(value("int", "proctable_size")):
    entry = bytes(gdb.selected_inferior().read_memory(at + 24 * i, 24))
    host, program, pid = struct.unpack("PPi4x", entry)
    print("rank", i, "of", string(host), "runs", string(program), "as", pid)
print("state", value("int", "debug_state"), string(value("unsigned long", "debug_abort_string")))
end
"""
table_file = h.SCRATCH / "table.gdb"
table_file.write_text(TABLE)


def gdb(*arguments, limit=90, text=None):
    return h.run([GDB, "-nx", "-batch", "-q", *arguments], {"DEBUGINFOD_URLS": None}, limit, text)


def table(r):
    return re.findall(r"^rank (\d+) of (\S+) runs (\S+) as (\d+)$", r.out, re.M)


# A launcher that runs is attached to: PEs of two programs, and tasks, which share their process.
host = subprocess.run(["uname", "-n"], capture_output=True, text=True).stdout.strip()
for options in ("-n 2 {0} : -n 1 {0}", "--tasks=1 -n 3 {0}"):
    if "tasks" in options and not h.can_be_tasks():
        continue
    job = h.start([h.MPTRUN, "--timeout", "60", *options.format(WAITS).split()])
    pids = dict(re.findall(r"PE (\d+) is process (\d+)", "".join(job.stdout.readline() for _ in range(3))))
    r = gdb("-p", job.pid, "-x", table_file)
    want = [(str(i), host, str(pathlib.Path(WAITS).resolve()), pids.get(str(i))) for i in range(3)]
    h.expect(table(r) == want, f"{options}: the table of a launcher that runs is {want}", r)
    h.expect("state 1 None" in r.out, f"{options}: MPIR_DEBUG_SPAWNED", r)
    job.send_signal(signal.SIGINT)
    h.collect(job)

# A debugger starts the launcher: while it is stopped no PE goes on, though it is long; then the job runs.
begin = []
for command in ("starti", "set var *(int *) &MPIR_being_debugged = 1", "break MPIR_Breakpoint", "continue"):
    begin += ["-ex", command]
r = gdb(
    *begin,
    "-ex",
    "shell sleep 0.7",
    "-ex",
    "echo held\\n",
    "-x",
    table_file,
    "-ex",
    "continue",
    "--args",
    h.MPTRUN,
    "-n",
    "3",
    RING,
)
h.expect(len(table(r)) == 3 and "state 1 None" in r.out, "started by a debugger: three processes in the table", r)
ranks = [m.start() for m in re.finditer(r"^rank \d has 10\d$", r.out, re.M)]
h.expect(len(ranks) == 3 and min(ranks) > r.out.index("held"), "PEs go on only after the launcher does", r)
h.expect("exited normally" in r.out, "the job ends in order", r)

# One that fails: the debugger is told before the others are ended.
r = gdb(*begin, "-ex", "continue", "-x", table_file, "-ex", "continue", "--args", h.MPTRUN, "-n", "3", RING, "7")
h.expect("state 2 mptrun ends the job with status 7" in r.out, "MPIR_DEBUG_ABORTING, with a reason", r)
h.expect("exited with code 07" in r.out, "the launcher's own status", r)

# A debugger that is killed takes the launcher with it, and that the PEs (h.finish looks for what is left).
child = h.start(
    [GDB, "-nx", "-batch", *begin, "-ex", "shell echo stopped; sleep 60", "--args", h.MPTRUN, "-n", 3, RING]
)
while (line := child.stdout.readline()) and "stopped" not in line.split():
    pass
child.kill()
h.collect(child)
h.expect(h.wait_for(lambda: len(h.processes()) <= 1), "nothing is left of a job whose debugger was killed")
h.end(h.processes())  # its sleep

# mptrun -gdb: a prompt with all PEs.
session = "break ring.c:11\ncontinue\nthread apply all -q print mine\ndelete\ncontinue\ncontinue\ncontinue\n"
r = h.run([h.MPTRUN, "-gdb", "-n", "2", RING, ":", "-n", "1", RING], limit=90, text=session)
inferiors = re.findall(r"^inferior (\d): PE (\d), process \d+, \S+ring$", r.out, re.M)
h.expect(inferiors == [("2", "0"), ("3", "1"), ("4", "2")], "-gdb: three inferiors", r)
h.expect(re.search(r'"PE \d" hit Breakpoint', r.out), "-gdb: a breakpoint set at the prompt is hit", r)
h.expect(len(re.findall(r"^rank \d has 10\d$", r.out, re.M)) == 3, "-gdb: the job runs to its end", r)
r = h.run([h.MPTRUN, "-gdb", "-n", "2", RING], {"PATH": "/nowhere"})
h.expect(r.status == 127 and "cannot run gdb" in r.err and "apt-get install gdb" in r.err, "-gdb without gdb", r)
h.finish()
