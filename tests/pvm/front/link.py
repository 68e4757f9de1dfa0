#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Link variables.c as users do: -lgpvm3 -lpvm3, shared and static, in each kind of program, and run it both ways.

Usage: link.py C_COMPILER [FLAG ...] (environment: MPT_BUILD, MPT_SOURCE).
"""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

LIB = Path(os.environ["MPT_BUILD"]) / "lib"
INCLUDE = Path(os.environ["MPT_SOURCE"]) / "include"
SOURCE = Path(__file__).parent / "variables.c"
SHARED = [f"-L{LIB}", f"-Wl,-rpath,{LIB}", "-lgpvm3", "-lpvm3"]
FORMS = {
    "shared": SHARED,
    "not position independent": ["-no-pie", "-fno-pie", *SHARED],
    "other order": [f"-L{LIB}", f"-Wl,-rpath,{LIB}", "-lpvm3", "-lgpvm3"],
    "archives": [LIB / "libgpvm3.a", LIB / "libpvm3.a", f"-L{LIB}"],
    "static": ["-static", f"-L{LIB}", "-lgpvm3", "-lpvm3"],
}


def run(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(
        [str(c) for c in command], capture_output=True, text=True, timeout=120, env=os.environ | environment
    )
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    compiler = sys.argv[1:]
    sanitized = any("-fsanitize" in flag for flag in compiler)
    with tempfile.TemporaryDirectory() as folder:
        for form, flags in FORMS.items():
            if sanitized and form in ("archives", "static"):
                continue
            program = Path(folder) / "a.out"
            run(*compiler, f"-I{INCLUDE}", SOURCE, "-o", program, *flags)
            for tasks, environment in ((1, {}), (2, {"NPES": "2"})):
                said = run(program, **environment).split("\n")[:-1]
                if said != ["one object"] * tasks:
                    sys.exit(f"{form}, {environment}: {said}")


if __name__ == "__main__":
    main()
