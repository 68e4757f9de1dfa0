# SPDX-License-Identifier: BSD-3-Clause
"""What cannot run as tasks is refused by one line, before it starts, that says what to do: below the launcher and
with NPES. PVM's programs that a launcher starts are not among them."""

import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

h.need_tasks()

here = pathlib.Path(__file__).resolve().parent
program = h.build(here / "tasks.c")


def refused(what, r, *words):
    """One line, which has all of these words."""
    text = [line for line in r.err.splitlines() if line]
    ok = r.status not in (0, None) and len(text) == 1 and all(word in text[0] for word in words)
    h.expect(ok and not r.out, f"{what}: refused by one line with {words}", r)


def launch(prog, *options, env=None):
    return h.run([h.MPTRUN, "--tasks=1", *options, "-n", "4", prog, "own"], env)


def alone(prog, env=None):
    return h.run([prog, "own"], {"NPES": 4, "MPT_TASKS": 1, **(env or {})})


def both(what, prog, *words):
    refused(what, launch(prog), "--tasks", *words)
    refused(f"{what}, NPES=4", alone(prog), "MPT_TASKS", *words)


def compiled(name, source, *flags):
    """A program with further words behind its source; None: they are not known here."""
    path = h.SCRATCH / name
    command = [h.OSHCC, "-std=gnu17", "-D_GNU_SOURCE", "-g", source, "-o", path, *flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=h.environment())
    if done.returncode != 0:
        print(f"cannot build {name}: {done.stderr[-300:]}")
    return str(path) if done.returncode == 0 else None


both("a program that is not position-independent", h.build(here / "tasks.c", "fixed", ("-fno-pie", "-no-pie")), "-pie")
for name, flags, word in (
    ("archive", (h.BUILD / "lib" / "libmpt.a", "-lm"), "libmpt.so"),
    ("static", ("-static", h.BUILD / "lib" / "libmpt.a", "-lm"), "without -static"),
    ("static_pie", ("-static-pie", h.BUILD / "lib" / "libmpt.a", "-lm"), "-static-pie"),
    ("address", ("-fsanitize=address",), "sanitizer"),
    ("thread", ("-fsanitize=thread",), "sanitizer"),
    ("undefined", ("-fsanitize=undefined",), "sanitizer"),
):
    built = compiled(name, here / "tasks.c", *flags)
    if built and "-static-pie" in flags:  # some C libraries cannot run them at all
        refused(name, launch(built), "--tasks", word)
    elif built:
        both(name, built, word)

scc = h.BUILD / "bin" / "scc"
if scc.exists():
    source = h.SCRATCH / "split.sc"
    source.write_text("#include <split-c/split-c.h>\nsplitc_main() { barrier(); }\n")
    split = h.SCRATCH / "split"
    done = subprocess.run([scc, source, "-o", split], capture_output=True, text=True, env=h.environment())
    if h.expect(done.returncode == 0, f"scc: {done.stderr}"):
        both("Split-C", str(split), "Split-C", "as processes")
if shutil.which("valgrind"):
    r = h.run([h.MPTRUN, "--tasks=1", "-n", "4", shutil.which("valgrind"), program, "own"])
    refused("valgrind", r, "valgrind", "without --tasks")

refused("--ft", launch(program, "--ft"), "outlive", "--ft")
refused("MPT_FT", launch(program, env={"MPT_FT": 1}), "outlive", "MPT_FT")
refused("NPES with MPT_FT", alone(program, {"MPT_FT": 1}), "outlive", "MPT_FT")
r = h.run([h.MPTRUN, "--tasks=1", "-n", "1025", program, "own"])
refused("too many PEs for a process", r, "1025", "more than the 1024", "more processes")
r = h.run([program, "own"], {"NPES": 1025, "MPT_TASKS": 1})
refused("NPES=1025", r, "1025", "more than the 1024", "more processes")
server = {"PMIX_NAMESPACE": "prterun-none-1@1", "PMIX_RANK": 0, "PMIX_SERVER_URI41": "none.0;tcp4://127.0.0.1:1"}
for asked in ("auto", "1025"):
    r = h.run([program, "own"], {"MPT_TASKS": asked, **server})
    refused(f"MPT_TASKS={asked} below a launcher of PMIx", r, "PMIx", "from 1 to 1024")
r = h.run([program, "own"], {"MPT_TASKS": 2, "MPT_FT": 1, **server})
refused("MPT_FT below a launcher of PMIx", r, "MPT_TASKS=2", "outlive")

# A library that the program is not linked with.
(h.SCRATCH / "stranger.c").write_text("int stranger = 1;\n")
h.build(h.SCRATCH / "stranger.c", "libstranger.so", ("-shared", "-fPIC"))
r = launch(program, env={"LD_PRELOAD": h.SCRATCH / "libstranger.so"})
h.expect(r.status == 1 and "not linked with" in r.err and "libstranger.so" in r.err, "a library of LD_PRELOAD", r)

# What does not share a process is not asked for more.
for options in (("--tasks",), ("--tasks=4", "--ft")):
    r = h.run([h.MPTRUN, *options, "-n", "1", program, "own"])
    h.expect(r.status == 0, f"one PE with {options} is a process", r)

PVM = """
#include <pvm3.h>
#include <stdio.h>
int main(void)
{
    int tid = pvm_mytid();
    if (tid < 0)
        return 1;
    printf("task %x\\n", tid);
    pvm_exit();
    return 0;
}
"""
(h.SCRATCH / "pvm.c").write_text(PVM)
pvm = compiled("pvm", h.SCRATCH / "pvm.c", "-lpvm3")
h.expect(pvm, "a program of PVM can be built")
for what, r in (
    ("mptrun --tasks", h.run([h.MPTRUN, "--tasks=1", "-n", "4", pvm])),
    ("NPES", h.run([pvm], {"NPES": 4, "MPT_TASKS": 1})),
):
    h.expect(r.status == 0 and len(set(r.out.splitlines())) == 4, f"PVM by {what}: four tasks", r)
r = h.run([pvm], {"MPT_TASKS": 1})
h.expect(r.status == 1 and "MPT_TASKS=1: what a virtual machine spawns" in r.err, "PVM's machine is refused", r)
h.finish()
