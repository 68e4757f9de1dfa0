#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every procedure of libfpvm3.a is called by the Fortran tests, and none that PVM 3.4 has is missing.

Usage: names.py LIBFPVM3 NM
"""

import re
import subprocess
import sys
from pathlib import Path

KNOWN = """addhost addmhf archcode barrier bcast bufinfo catchout config delhost delinfo delmhf exit freebuf
freecontext freezegroup gather getcontext getinst getmboxinfo getopt getrbuf getsbuf gettid gsize halt
hostsync initsend joingroup kill lvgroup mcast mkbuf mstat mytid newcontext notify nrecv pack parent perror
precv probe psend pstat putinfo recv recvinfo reduce scatter send sendsig setcontext setopt setrbuf setsbuf
siblings sleep spawn startpvmd tasks tidtohost trecv unpack advise getminfo getpe pkmesg pkmesgbody serror
setminfo upkmesg""".split()


def main() -> int:
    out = subprocess.run(
        [sys.argv[2], "--defined-only", sys.argv[1]], capture_output=True, text=True, check=True
    ).stdout
    have = set(re.findall(r" T pvmf(\w+)_$", out, re.M))
    folder = Path(__file__).parent
    text = "".join(f.read_text().lower() for f in [*folder.glob("*.f90"), *folder.glob("*.f")])
    called = set(re.findall(r"\bcall pvmf(\w+)", text))
    problems = [f"libfpvm3.a has no pvmf{name}" for name in sorted(set(KNOWN) - have)]
    problems += [f"no test calls pvmf{name}" for name in sorted(have - called)]
    print("\n".join(problems) or f"{len(have)} procedures, each one called")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
