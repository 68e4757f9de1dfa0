# SPDX-License-Identifier: BSD-3-Clause
"""The translator's front end against the C compiler: a tree printed again is the text that was read, types
and values are those cc finds, and absurd nesting is an error, never a crash.

front.py roundtrip cc folder part
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROUNDTRIP, CC, _, PART = sys.argv[1:]
FOLDER = Path(sys.argv[3])
NESTS = [
    "int x = " + "(" * 50000,
    "int f(){" + "{" * 50000,
    "int " + "*" * 20000 + "x;",
    "int x=" + " - " * 50000 + "1;",
    "int x=" + "1?1:" * 50000 + "1;",
    "int x" + "[1]" * 20000 + ";",
    "int f" + "()" * 10000 + ";",
    "struct{" * 50000,
    "typeof(" * 50000,
    "int f(" + "int (*)(" * 20000 + ";",
    "int x[]=" + "{" * 50000,
    "int f(){" + "if(1);else " * 50000 + ";}",
    "int x __attribute__((aligned(" * 20000,
]


def run(*command, **more):
    return subprocess.run(command, capture_output=True, timeout=60, check=False, **more)


def preprocess(name):
    done = run(CC, "-E", *(["-xc"] if name.endswith(".sc") else []), HERE / name)
    assert done.returncode == 0, done.stderr.decode()
    path = FOLDER / f"{name}.i"
    path.write_bytes(done.stdout)
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
    path = FOLDER / "nest.i"
    for text in NESTS:
        path.write_text(text, encoding="ascii")
        done = run(ROUNDTRIP, "-q", path)
        assert done.returncode == 1 and b"error:" in done.stderr, (text[:40], done.returncode, done.stderr[-300:])


FOLDER.mkdir(parents=True, exist_ok=True)
{
    "headers": lambda: roundtrip("headers.c"),
    "syntax": lambda: roundtrip("syntax.sc", same=False),
    "types": types,
    "nesting": nesting,
}[PART]()
