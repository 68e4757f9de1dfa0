# SPDX-License-Identifier: BSD-3-Clause
"""gdb and tasks: it attaches, and with the script that lies beside the library it tells what each PE does and shows its
stack with lines of the program, one that runs and those that wait, in a process and in a core file."""

import contextlib
import pathlib
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

GDB = shutil.which("gdb")
if h.machine() != "x86_64" or not GDB:
    print("needs gdb, on x86-64")
    sys.exit(77)
python = [GDB, "-nx", "-batch", "-ex", "python import gdb.unwinder"]
if subprocess.run(python, capture_output=True, text=True, timeout=30).stderr:
    print("needs gdb with Python")
    sys.exit(77)

SOURCE = """
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static long flag;
static volatile long work;
static void waits_for_word(int pe)
{
    int mine = 100 + pe;
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, mine); /* the word */
}
static void computes(int pe)
{
    for (;;)
        work += pe; /* the work */
}
static void meets(void)
{
    shmem_barrier_all(); /* the barrier */
}
int main(int argc, char **argv)
{
    shmem_init();
    int pe = shmem_my_pe();
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("process %d of PE %d\\n", getpid(), pe);
    if (pe == 1)
        waits_for_word(pe);
    if (pe == 2 && argc > 1 && strcmp(argv[1], "busy") == 0)
        computes(pe);
    meets();
    return 0;
}
"""
program = h.build(SOURCE, "stacks", ("-O0",))
line_of = {
    name: next(i for i, line in enumerate(SOURCE.splitlines(), 1) if f"the {name} */" in line)
    for name in ("word", "work", "barrier")
}
TRUST = f"add-auto-load-safe-path {h.BUILD / 'lib'}"


def gdb(target, *commands):
    """A debugger that hangs is ended."""
    command = [GDB, "-nx", "-batch", "-iex", TRUST, "-iex", "set width 0", *target]
    for text in commands:
        command += ["-ex", text]
    return h.run(command, {"DEBUGINFOD_URLS": None}, limit=60)


@contextlib.contextmanager
def job(mode):
    """Four PEs in one process that have come to where they stay. Its number."""
    child = h.start([h.MPTRUN, "--tasks=1", "--timeout", "120", "-n", "4", program, mode])
    try:
        seen = [child.stdout.readline() for _ in range(4)]
        pid = int(seen[0].split()[1])
        h.wait_for(lambda: False, 0.5)
        yield pid
    finally:
        child.send_signal(signal.SIGINT)
        h.collect(child, 20)


def stacks(text):
    """What `mpt bt` has printed, by PE."""
    parts = re.split(r"^PE (\d+) (.*):$", text, flags=re.M)
    return {int(pe): (how, stack) for pe, how, stack in zip(parts[1::3], parts[2::3], parts[3::3], strict=True)}


def check(what, r, busy):
    got = stacks(r.out)
    h.expect(r.status == 0 and sorted(got) == [0, 1, 2, 3], f"{what}: mpt bt shows four PEs", r)
    for pe, (how, stack) in got.items():
        name, function = ("barrier", "meets")
        if pe == 1:
            name, function = ("word", "waits_for_word")
        elif pe == 2 and busy:
            name, function = ("work", "computes")
        place = re.search(rf"{function} \(.*\) at .*stacks\.c:{line_of[name]}\b", stack)
        h.expect(place and " main (" in stack, f"{what}: PE {pe} stands in {function}, line {line_of[name]}", r)
        call = {"barrier": "shmem_barrier_all", "word": "shmem_long_wait_until"}.get(name)
        want = f"waits in {call}" if call and not busy else "runs" if name == "work" else ""
        h.expect(want in how, f"{what}: PE {pe} {want}", r)


core = h.SCRATCH / "core"
with job("idle") as pid:
    r = gdb(["-p", str(pid)], "mpt bt 7", "mpt tasks", "mpt bt")
    h.expect(len(re.findall(r"^PE \d: thread \d+, waits in shmem_", r.out, re.M)) == 4, "mpt tasks: four that wait", r)
    check("attached", r, False)
    h.expect("PE 7: this process has PEs 0 to 3" in r.err, "a PE that is not there", r)
    r = gdb(["-p", str(pid)], "mpt pe 1", "up 1", "mpt bt 1", "info threads", "thread apply all bt")
    h.expect(all(f'"PE {pe}"' in r.out for pe in range(4)), "threads are named after the PEs", r)
    h.expect(len(re.findall(r" main \(.*stacks\.c:", r.out)) >= 5, "thread apply all bt shows all PEs", r)
    r = gdb(["-p", str(pid)], "mpt pe 1", "frame function waits_for_word", "print mine", "print flag")
    h.expect("$1 = 101" in r.out, "a PE's own variable", r)
    pathlib.Path(f"/proc/{pid}/coredump_filter").write_text("0x31")
    gdb(["-p", str(pid)], f"generate-core-file {core}")
with job("busy") as pid:
    check("one runs", gdb(["-p", str(pid)], "mpt bt all"), True)
if core.exists():
    r = gdb([program, str(core)], "mpt tasks", "mpt bt all")
    check("a core file", r, False)

# Under gdb from the beginning: no stop by the library's own signals, and it stops where a PE fails.
debugger = (GDB, "-nx", "-batch", "-iex", TRUST, "-iex", "set width 0", "-ex", "run", "-ex", "mpt bt")
fails = h.build(pathlib.Path(__file__).parent / "tasks.c")
r = h.run([h.MPTRUN, "--tasks=1", "-n", "3", *debugger, "--args", fails, "fault"], limit=60)
h.expect("SIGSEGV" in r.out and "SIG63" not in r.out, "started by gdb: stops at the fault only", r)
got = stacks(re.sub(r"^\[?\d*\]? ?", "", r.out, flags=re.M) if "[0]" in r.out else r.out)
h.expect(2 in got and "main (" in got[2][1] and "runs" in got[2][0], "started by gdb: PE 2 has failed in main", r)

# Processes of one PE each: the commands say so.
child = h.start([h.MPTRUN, "--timeout", "60", "-n", "4", program, "idle"])
pid = int(child.stdout.readline().split()[1])
r = gdb(["-p", str(pid)], "mpt tasks")
h.expect("no tasks: this process is one PE" in r.err, "a process of one PE", r)
child.send_signal(signal.SIGINT)
h.collect(child, 20)
h.finish()
