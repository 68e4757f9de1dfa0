# SPDX-License-Identifier: BSD-3-Clause
"""Files that the system does not execute: one line says what is wrong with the file, and the status is the shell's."""

import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h

probe = pathlib.Path(h.build(pathlib.Path(__file__).resolve().parent / "probe.c")).read_bytes()
SPARCV9, BIG = 43, 2  # ELF's numbers
MACHINE = 18  # where the number of the machine stands
order = "<" if sys.byteorder == "little" else ">"
foreign = probe[:MACHINE] + struct.pack(order + "H", SPARCV9) + probe[MACHINE + 2 :]
swapped = probe[:5] + bytes([BIG if sys.byteorder == "little" else 1]) + foreign[6:]

FILES = {  # what is in it, whether it may be executed, the status, what is said
    "empty": (b"", True, 126, "the file is empty"),
    "foreign": (foreign, True, 126, f"it is a program for sparc64, and this machine is {h.machine()}"),
    "swapped": (swapped, True, 126, "it is a program for another machine"),
    "cut": (probe[:64], True, 126, "the file is damaged, or not whole"),
    "data": (b"GIF89a\0\1\2\3", True, 126, "the file is neither a program nor a script"),
    "object": (probe[:16] + struct.pack(order + "H", 1) + probe[18:], True, 126, "which has yet to be linked"),
    "windows": (b"#!/bin/sh\r\necho\r\n", True, 127, "its interpreter /bin/sh is missing: the first line ends with"),
    "script": (b"#! /no/such/shell -x\necho\n", True, 127, "its interpreter /no/such/shell is missing"),
    "closed": (b"#!/bin/sh\necho\n", False, 126, "chmod +x makes a file executable"),
}
for name, (content, executable, status, text) in FILES.items():
    path = h.SCRATCH / name
    path.write_bytes(content)
    path.chmod(0o755 if executable else 0o644)
    for n in (1, 3):
        r = h.run([h.MPTRUN, "-n", n, path])
        h.expect(r.status == status, f"{name}: status {status}", r)
        h.expect(text in r.err and str(path) in r.err and r.err.count("\n") == 1, f"{name}: one line, {text}", r)

plain = h.SCRATCH / "plain"
plain.write_text("echo of $MPT_NPES\n")
plain.chmod(0o755)
r = h.run([h.MPTRUN, "-n", 2, plain])
h.expect(r.status == 0 and r.out == "of 2\n" * 2, "a script that does not say by whom is one for sh", r)
h.finish()
