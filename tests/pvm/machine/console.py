#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The console: what its commands print, in the form that scripts know; its input by
pipe, with pauses; jobs; the end of the machine."""

import os
import re
import subprocess
import tempfile
import time
from pathlib import Path

from machine import ACTOR, CONSOLE, environment, main

NAME = f"console-{os.getpid()}"


def run(*commands, pause=0.0, status=0, home="/nonexistent", **more):
    """Output after each command, without prompt and echo; and all of it."""
    p = subprocess.Popen(
        [CONSOLE],
        env=environment(PVM_VMID=NAME, HOME=home, **more),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    for command in commands:
        p.stdin.write(command + "\n")
        p.stdin.flush()
        time.sleep(pause)
    out, _ = p.communicate(timeout=40)
    assert p.returncode == status, (p.returncode, out)
    parts = re.split(r"pvm> ", out)[1:]
    return [part.partition("\n")[2] for part in parts], out


def plain():
    (version, ident, echo, bogus, none, short), _ = run(
        "version", "id", "echo one 'two  three'", "bogus x", "# nothing", "quit"
    )
    assert (
        version == "3.4.6\n" and ident == "t40001\n" and echo == "one two  three\n" and bogus == "bogus: not found\n"
    ), (version, ident)
    assert none == "" and short == "\nConsole: exit handler called\n", (none, short)


def hosts():
    host = os.uname().nodename
    (conf, mstat, add, delete, _), _ = run("conf", f"mstat {host} nowhere", "add a b", "delete c", "quit")
    lines = conf.splitlines()
    assert lines[0] == "1 host, 1 data format" and lines[1].split() == ["HOST", "DTID", "ARCH", "SPEED", "DSIG"], conf
    assert re.fullmatch(rf" *{re.escape(host)}    40000 +LINUX\w* +1000 0x[0-9a-f]{{8}}", lines[2]), conf
    assert mstat == f"{host:>24}  ok\n{'nowhere':>24}  No such host\n", mstat
    assert add == f"0 successful\n{'HOST':>24}     DTID\n{'a':>24} Can't start pvmd\n{'b':>24} Can't start pvmd\n", add
    assert delete == f"0 successful\n{'HOST':>24}   STATUS\n{'c':>24} No such host\n", delete


def tasks():
    parts, _ = run(
        "ps",
        "ps -x",
        "spawn -2 /bin/sleep 30",
        "ps",
        "ps -al",
        "pstat t40002 40077 zz",
        "kill t40002 40077",
        "sig KILL t40003",
        "sig",
        "kill",
        "spawn /no/such",
        "spawn",
        "spawn -0 /bin/true",
        "quit",
        pause=0.15,
    )
    head = f"{'HOST':>24} {'TID':>8} {'FLAG 0x':>9} COMMAND\n"
    assert parts[0] == head and parts[1] == head + f"{'(cons)':>24}    40001       4/c -           \n", parts[:2]
    assert parts[2] == "2 successful\nt40002\nt40003\n", parts[2]
    rows = parts[3].splitlines()
    assert len(rows) == 3 and rows[1].split()[1:] == ["40002", "2/f", "/bin/sleep"], parts[3]
    assert re.search(r" 40003 +0 +\d+ +2/f /bin/sleep", parts[4]), parts[4]
    assert parts[5] == "t   40002  run\nt   40077  No such task\nzz: not a tid\n", parts[5]
    assert (
        parts[6] == ""
        and parts[7] == ""
        and parts[8].startswith("sig: wrong #args\n")
        and parts[9].startswith("kill: wrong #args\n")
    ), parts[6:10]
    assert (
        parts[10] == "0 successful\nNo such file\n"
        and parts[11].startswith("spawn: wrong #args\n")
        and parts[11] == parts[12]
    ), parts[10:13]
    assert "still running" not in parts[13], parts[13]


def jobs():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "out"
        parts, out = run(
            "spawn -2 -> /bin/echo a b",
            "jobs",
            "spawn -> /bin/sleep 1",
            "jobs -l",
            f"spawn ->{file} {ACTOR} speaker",
            f"spawn ->>{file} /bin/echo more",
            "spawn -:/usr -> /bin/pwd",
            f"spawn -> {ACTOR} grandparent",
            "quit",
            pause=0.7,
        )
        kept = file.read_text()
    assert parts[0].startswith("[1]\n2 successful\nt40002\nt40003\n") and parts[2].startswith("[2]\n1 successful\n"), (
        out
    )
    for line in (
        "[1:t40002] a b",
        "[1:t40003] a b",
        "[1:t40002] EOF",
        "[1] finished",
        "[2:t40004] EOF",
        "[5:t40007] /usr",
        "[3] finished",
    ):
        assert out.count(line + "\n") == 1, (line, out)
    assert parts[3] == " 2: t40004\n", parts[3]
    assert (
        "[3:t40005] to stderr\n" in kept and "[3:t40005] half a line, no end\n" in kept and "[4:t40006] more\n" in kept
    ), kept
    assert "[6:t40008] between\n" in out and "[6:t40009] to stderr\n" in out and out.count("[6] finished\n") == 1, out


def reset_and_mailbox():
    parts, _ = run("spawn -3 /bin/sleep 30", "names", "reset", "ps", "quit", pause=0.2)
    assert parts[3].count("sleep") == 0 and parts[1] == "", parts


def halts():
    p = subprocess.Popen(
        [CONSOLE], env=environment(PVM_VMID=NAME), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    other = subprocess.Popen(
        [CONSOLE], env=environment(PVM_VMID=NAME), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    p.stdin.write("spawn -2 /bin/sleep 30\nid\n")
    p.stdin.flush()
    time.sleep(0.5)
    p.stdin.write("halt\n")
    p.stdin.flush()
    out, _ = p.communicate(timeout=20)
    status = other.wait(timeout=20)
    assert p.returncode == 0 and status == -15 and "already running" in out + other.stdout.read(), (
        p.returncode,
        status,
        out,
    )


def settings():
    parts, _ = run(
        "alias",
        "alias j jobs -l",
        "alias",
        "j",
        "unalias j",
        "j",
        "setenv CONSOLE_TEST some",
        "setenv CONSOLE_TEST",
        "export CONSOLE_TEST B",
        "export",
        "unexport B",
        "setenv PVM_EXPORT",
        "setopt ShowTids 0",
        "getopt PvmShowTids",
        "getopt nothing",
        "trace",
        "help",
        "help ps",
        "help nothing",
        "quit",
    )
    assert parts[0] == "" and parts[2] == "j\tjobs -l\n" and parts[3] == "" and parts[5] == "j: not found\n", parts[:6]
    assert (
        parts[7] == "CONSOLE_TEST=some\n"
        and parts[9] == "PVM_EXPORT=CONSOLE_TEST:B\n"
        and parts[11] == "PVM_EXPORT=CONSOLE_TEST\n"
    ), parts[6:12]
    assert (
        parts[12] == parts[13] == "PvmShowTids Currently Set to 0\n" and parts[14] == 'PVM Option "nothing" Unknown.\n'
    ), parts[12:15]
    assert (
        "no tracer" in parts[15]
        and "\n  spawn " in parts[16]
        and "Syntax:  ps " in parts[17]
        and "no such command" in parts[18]
    ), parts[15:]


def files_and_arguments():
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / ".pvmrc").write_text("alias hi echo hello\n# a word\necho from the file\n")
        parts, out = run("hi there", "quit", home=home)
    assert out.startswith("from the file\npvm> ") and parts[0] == "hello there\n", out
    done = subprocess.run(
        [CONSOLE, "hostfile"], capture_output=True, text=True, timeout=20, check=False, env=environment()
    )
    assert done.returncode == 1 and "hostfile" in done.stderr, done
    done = subprocess.run(
        [CONSOLE, "--help"], capture_output=True, text=True, timeout=20, check=False, env=environment()
    )
    assert done.returncode == 0 and "usage" in done.stdout, done


def end_of_input():
    _, out = run("id")
    assert out.endswith("Console: exit handler called\n"), out


main([plain, hosts, tasks, jobs, reset_and_mailbox, halts, settings, files_and_arguments, end_of_input])
