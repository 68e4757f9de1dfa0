# SPDX-License-Identifier: BSD-3-Clause
"""Calls that wait in the kernel, children, messages of the C library: each mode of tasks_blocks.c gives the same as
processes and as tasks."""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h
from tasks_same import same

h.need_tasks()

here = pathlib.Path(__file__).resolve().parent
program = h.build(here / "tasks_blocks.c")


def folder():
    return tempfile.mkdtemp(dir=h.SCRATCH)


MODES = "pipes streams large sockets limits asleep handlers locks threads children messages"
for mode in MODES.split():
    same(mode, lambda mode=mode: [program, mode, folder()])
same("standard", [program, "standard"], "input\n")
h.finish()
