#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scc as a compiler driver: stages, names of outputs, several files, temporary files, what it says and its exit status.
Usage: driver.py SCC MPTRUN LIBRARY-FOLDER"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SCC, MPTRUN, LIB = sys.argv[1:4]
FLAGS = os.environ.get("SCC_FLAGS", "").split()
MAIN = """#include <split-c/split-c.h>
#include <stdio.h>
#include "part.h"
splitc_main(int argc, char **argv)
{
    number = MYPROC;
    barrier();
    on_one printf("%d %d %s\\n", part(toglobal(PROCS - 1, &number)), plain(2), argv[1]);
}
"""
FILES = {
    "main.sc": MAIN,
    "part.h": "int number;\nint part(int *global p);\nint plain(int n);\n",
    "part.sc": '#include "part.h"\nint part(int *global p) { return *p; }\n',
    "plain.c": "int plain(int n) { return n + 1; }\n",
    "bad.sc": "int *global g; int *p; int f() { p = g; }\n",
    "old.sc": '#warning kept\nchar *text = "one\ntwo";\n',
    "unclosed.sc": 'char *text = "one;\n',
}


def scc(folder, *words, status=0, env=None):
    done = subprocess.run(
        [SCC, *FLAGS, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, **(env or {})},
    )
    if done.returncode != status:
        sys.exit(f"scc {words}: status {done.returncode}, not {status}\n{done.stderr}")
    return done.stdout, done.stderr


def expect(good, what):
    if not good:
        sys.exit(f"FAIL: {what}")


def stages(at):
    scc(at, "-c", "main.sc", "part.sc", "-MMD")
    expect(
        (at / "main.o").exists() and {"main.sc", "part.h"} <= set((at / "main.d").read_text().split()),
        "objects and dependences",
    )
    scc(at, "main.o", "part.o", "plain.c", "-o", "one")
    scc(at, "-O1", "-g", "main.sc", "plain.c", "part.sc", "-lm", "-o", "two")
    for name in ("one", "two"):
        done = subprocess.run([MPTRUN, "-n", "3", at / name, "word"], capture_output=True, text=True, timeout=60)
        expect(done.stdout == "2 3 word\n", f"{name} says {done.stdout} {done.stderr}")
    scc(at, "-C", "part.sc", "-o", "out.c")
    expect((at / "out.c").read_text().startswith("#include <split-c/rep.h>"), "-C")
    scc(at, "-S", "part.sc")
    expect((at / "part.s").exists() and "int *global" in scc(at, "-E", "part.sc")[0], "-S, -E")
    shown = scc(at, "-###", "main.sc", "-o", "three")[1]
    expect("-lmpt" in shown and not (at / "three").exists(), "-###")
    expect(scc(at, "-show", "main.sc", "-o", "three")[1] == shown, "-show")


def refusals(at):
    expect(
        "no input" in scc(at, status=2)[1] and "-o" in scc(at, "-c", "main.sc", "part.sc", "-o", "x", status=2)[1],
        "command lines",
    )
    expect("cannot be read" in scc(at, "-c", "none.sc", status=1)[1], "a file that is not there")
    expect("MPT_CC" in scc(at, "-c", "part.sc", "-cc=no-such-compiler", status=127)[1], "a compiler that is not there")
    said = scc(at, "-c", "bad.sc", status=1)[1]
    expect("bad.sc:1:38: error: assigning a global pointer" in said and not (at / "bad.o").exists(), said)
    expect("kept" in (said := scc(at, "-c", "old.sc")[1]) and "terminating" not in said, said)
    expect("unclosed.sc:1:14: error: " in (said := scc(at, "-c", "unclosed.sc", status=1)[1]), said)


def temporaries(at):
    scratch = at / "scratch"
    scratch.mkdir()
    scc(at, "-c", "part.sc", env={"TMPDIR": str(scratch)})
    scc(at, "-c", "bad.sc", status=1, env={"TMPDIR": str(scratch)})
    expect(not list(scratch.iterdir()), "temporary files are left")
    expect("/no/such" in scc(at, "-c", "part.sc", status=2, env={"TMPDIR": "/no/such"})[1], "TMPDIR")


def static(at):
    if FLAGS or not (Path(LIB) / "libmpt.a").exists():
        return
    scc(at, "-static", "main.sc", "plain.c", "part.sc", "-o", "whole")
    done = subprocess.run([MPTRUN, "-n", "2", at / "whole", "word"], capture_output=True, text=True, timeout=60)
    expect(done.stdout == "1 3 word\n", f"static: {done.stdout} {done.stderr}")


with tempfile.TemporaryDirectory() as folder:
    for file, text in FILES.items():
        (Path(folder) / file).write_text(text)
    for test in (stages, refusals, temporaries, static):
        test(Path(folder))
