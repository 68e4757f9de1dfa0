# SPDX-License-Identifier: BSD-3-Clause
"""The translator's front end against the C compiler: a tree printed again is the text that was read, types
and values are those cc finds, and absurd nesting is an error, never a crash.

front.py roundtrip cc folder part
"""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDTRIP, CC, FOLDER, PART = sys.argv[1:]
NESTS = ["int x = " + "(" * 50000, "int f(){" + "{" * 50000, "int " + "*" * 20000 + "x;", "int x=" + " - " * 50000 + "1;",
         "int x=" + "1?1:" * 50000 + "1;", "int x" + "[1]" * 20000 + ";", "int f" + "()" * 10000 + ";",
         "struct{" * 50000, "typeof(" * 50000, "int f(" + "int (*)(" * 20000 + ";", "int x[]=" + "{" * 50000,
         "int f(){" + "if(1);else " * 50000 + ";}", "int x __attribute__((aligned(" * 20000]


def run(*command, **more):
    return subprocess.run(command, capture_output=True, timeout=60, check=False, **more)


def preprocess(name):
    done = run(CC, "-E", *(["-xc"] if name.endswith(".sc") else []), os.path.join(HERE, name))
    assert done.returncode == 0, done.stderr.decode()
    path = os.path.join(FOLDER, name + ".i")
    with open(path, "wb") as out:
        out.write(done.stdout)
    return path, done.stdout


def roundtrip(name, same=True):
    path, text = preprocess(name)
    done = run(ROUNDTRIP, path)
    assert done.returncode == 0, done.stderr.decode()
    if not same:  # a string's raw newlines became escapes
        done.stdout = done.stdout.replace(b"\\n\\\n", b"\n")
    assert done.stdout == text, f"{name}: printed text differs"


def types():
    path, _ = preprocess("types.c")
    done = run(ROUNDTRIP, "-t", path)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.count(b"_Static_assert") > 250
    cc = run(CC, "-w", "-xcpp-output", "-fsyntax-only", "-", input=done.stdout)
    assert cc.returncode == 0, cc.stderr.decode()


def nesting():
    path = os.path.join(FOLDER, "nest.i")
    for text in NESTS:
        with open(path, "w", encoding="ascii") as out:
            out.write(text)
        done = run(ROUNDTRIP, "-q", path)
        assert done.returncode == 1 and b"error:" in done.stderr, (text[:40], done.returncode, done.stderr[-300:])


os.makedirs(FOLDER, exist_ok=True)
{"headers": lambda: roundtrip("headers.c"), "syntax": lambda: roundtrip("syntax.sc", same=False), "types": types,
 "nesting": nesting}[PART]()
