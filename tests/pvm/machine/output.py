#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Output of spawned tasks: labelled lines of pvm_catchout, without labels, as
messages, to the spawner's stderr; of grandchildren; after the catcher has ended."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from machine import main, run


def lines_of(out, tid):
    return re.findall(rf"^\[t{tid}\] (.*)$", out, re.M)


SPEAKER = {"one", "two", "to stderr", "half a line, no end"}


def labels():
    out, _ = run("catch", "speaker", "3")
    tids = sorted(set(re.findall(r"^\[t(\w+)\]", out, re.M)))
    assert tids == ["40002", "40003", "40004"], out
    for tid in tids:
        lines = lines_of(out, tid)
        assert lines[0] == "BEGIN" and lines[-1] == "EOF" and set(lines[1:-1]) == SPEAKER and len(lines) == 6, out
    assert all(re.match(r"^\[t\w+\] ", line) or line == "spawned" for line in out.splitlines()), out


def no_labels():
    out, _ = run("catch", "speaker", "2", "raw")
    assert sorted(out.splitlines()) == sorted(2 * list(SPEAKER) + ["spawned"]), out


def flood():
    out, _ = run("catch", "flooder", "3")
    for tid in ("40002", "40003", "40004"):
        lines = lines_of(out, tid)
        assert lines == ["BEGIN"] + [f"line {i} of many" for i in range(20000)] + ["EOF"], f"{tid}: {len(lines)} lines"


def grandchildren():
    out, _ = run("catch", "grandparent", "2")
    speakers = [t for t in ("40002", "40003", "40004", "40005") if "between" not in lines_of(out, t)]
    assert len(speakers) == 2, out
    for tid in speakers:
        assert set(lines_of(out, tid)) == SPEAKER | {"BEGIN", "EOF"}, out


def messages():
    out, _ = run("messages")
    parts = out.split("|")
    assert parts[0] == "it host -2 parent" and parts[1] == "it host -1 parent" and parts[-2] == "it host 0 ", parts
    text = "".join(p[len("it host 1 ") :] for p in parts[2:-2])
    assert all(p.startswith("it host 1 ") for p in parts[2:-2]) and sorted(text) == sorted(
        "one\ntwo\nto stderr\nhalf a line, no end"
    ), parts


def hoarded():
    out, err = run("hoard")
    assert out == f"{60 * sum(len(f'line {i} of many') + 1 for i in range(400))} bytes\n" and err == "", (out, err)


def uncaught():
    out, err = run("plain", "speaker")
    assert out == "" and err.replace("to stderr\n", "") == "one\ntwo\nhalf a line, no end" and "to stderr\n" in err, (
        out,
        err,
    )


def changed():
    out, err = run("catch", "changer", "1")
    assert lines_of(out, "40002") == ["BEGIN", "before", "EOF"] and err == "after\n", (out, err)


def left():
    """The catcher ends first: its children go on, and what they print is not lost."""
    _, err = run("leave", "late")
    for text in ("late 0", "late 2", "late end"):
        assert err.count(text + "\n") == 2, err


def again():
    """A task that has left catches output again when it comes back, by another socket."""
    out, _ = run("comer")
    assert out.count("BEGIN\n") == out.count("EOF\n") == 3 and all(out.count(text) == 3 for text in SPEAKER), out


def at_once():
    """pvm_exit right after pvm_spawn: the task takes the pipe's end before its thread, which must still read it."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    try:
        for _ in range(60):
            out, _ = run("run", "0", "/bin/echo", "said")
            assert out == "said\n", out
    finally:
        for process in busy:
            process.kill()
            process.wait()


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o700)


def environment_of_spawn():
    """PVM_PATH with variables, PVM_WD, PVM_DEBUGGER."""
    arch = "LINUX64" if os.environ.get("MPT_PROCESSOR", os.uname().machine) == "x86_64" else "LINUX64A"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script(folder / arch / "told", 'echo "told $1 in $PWD"\n')
        script(folder / "debug", 'echo "debugging ${1##*/}"; exec "$@"\n')
        out, _ = run(
            "run",
            "0",
            "told",
            "this",
            PVM_PATH="/nonexistent:$MY_PLACE/$PVM_ARCH:$NOT_SET",
            MY_PLACE=name,
            PVM_WD="/usr",
        )
        assert out == "told this in /usr\n", out
        out, _ = run("run", "4", "told", "that", PVM_PATH=f"{name}/$PVM_ARCH", PVM_DEBUGGER=f"{name}/debug", PVM_WD="/")
        assert out == "debugging told\ntold that in /\n", out
        out, _ = run("run", "0", "told", PVM_PATH="")
        assert out == "0 -7\n", out
        out, _ = run("run", "4", "/bin/true", PVM_DEBUGGER=f"{name}/none")
        assert out == "0 -7\n", out


TESTS = [environment_of_spawn, labels, no_labels, flood, grandchildren, messages, hoarded, uncaught, changed, left]
main([*TESTS, again, at_once])
