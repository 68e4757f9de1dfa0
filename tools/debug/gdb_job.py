# SPDX-License-Identifier: BSD-3-Clause
"""All PEs of a job in one gdb (mptrun -gdb): starts the launcher that gdb was given, waits until it has started the
PEs, attaches to each, and lets the launcher go.

A client of the interface that parallel debuggers use (src/launch/mpir.c). Works without debugging information of the
launcher, hence the casts.
"""

import contextlib
import struct

import gdb

ENTRY = "PPi4x"  # MPIR_PROCDESC: host, executable, process
SETTINGS = (
    "pagination off",
    "print inferior-events off",
    "print thread-events off",
    "startup-with-shell off",
    "detach-on-fork on",
    "follow-fork-mode parent",
)
PASSED = "SIGCHLD SIGTERM SIGUSR1 SIGUSR2 SIG63"  # the library's own, and what the launcher passes on


def quiet(command):
    gdb.execute(command, to_string=True)


def say_nothing(on):
    """gdb tells of each inferior that it turns to; before gdb 13 it can't be asked not to."""
    with contextlib.suppress(gdb.error):
        quiet(f"set suppress-cli-notifications {'on' if on else 'off'}")


def value(kind, name):
    return int(gdb.parse_and_eval(f"*({kind} *) &{name}"))


def text(address):
    memory = gdb.selected_inferior().read_memory
    got = b""
    while not got.endswith(b"\0"):
        got += bytes(memory(address + len(got), 1))
    return got[:-1].decode(errors="replace")


def processes():
    """What the launcher's table says, by rank: (process, executable)."""
    n, at = value("int", "MPIR_proctable_size"), value("unsigned long", "MPIR_proctable")
    size = struct.calcsize(ENTRY)
    entries = struct.iter_unpack(ENTRY, bytes(gdb.selected_inferior().read_memory(at, n * size)))
    return [(pid, text(program)) for _, program, pid in entries]


def start_launcher():
    """Until all PEs have been started. False: it has ended."""
    stop = gdb.Breakpoint("MPIR_Breakpoint", internal=True)
    stop.silent = True
    quiet("starti")
    quiet("set variable *(int *) &MPIR_being_debugged = 1")
    gdb.execute("continue", to_string=True)
    stopped = bool(gdb.selected_inferior().pid)
    stop.delete()
    return stopped


def attach(ranks):
    """One inferior for each process; its ranks as the name of its first thread."""
    for pid, (pes, _) in ranks.items():
        quiet("add-inferior")
        number = max(i.num for i in gdb.inferiors())
        quiet(f"inferior {number}")
        quiet(f"attach {pid}")
        gdb.selected_thread().name = f"PE {pes[0]}" if len(pes) == 1 else f"PEs {pes[0]} to {pes[-1]}"


def table(ranks):
    for number, (pid, (pes, program)) in enumerate(ranks.items(), 2):
        who = f"PE {pes[0]}" if len(pes) == 1 else f"PEs {pes[0]} to {pes[-1]}"
        print(f"inferior {number}: {who}, process {pid}, {program}")


def main():
    for setting in SETTINGS:
        quiet(f"set {setting}")
    quiet(f"handle {PASSED} nostop noprint pass")
    say_nothing(True)
    started = start_launcher()
    if not started:
        say_nothing(False)
        print("mptrun has ended before the PEs were started")
        return
    ranks = {}
    for pe, (pid, program) in enumerate(processes()):
        ranks.setdefault(pid, ([], program))[0].append(pe)
    attach(ranks)
    quiet("inferior 2")
    quiet("detach inferiors 1")
    quiet("remove-inferiors 1")
    quiet("set schedule-multiple on")
    say_nothing(False)
    table(ranks)
    print("No PE is beyond its initialization. Set breakpoints; `continue` runs all PEs.")


main()
