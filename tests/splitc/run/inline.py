#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plain inline functions of Split-C sources are definitions, as in the gnu89 of their time: one file may define what
another calls, and a header may define it for both. Static ones and those of C99's way stay what they are.
Usage: inline.py SCC MPTRUN"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SCC, MPTRUN = sys.argv[1:3]
FLAGS = os.environ.get("SCC_FLAGS", "").split()
FILES = {
    "both.h": """inline int both(int *global p) { return *p + 1; }
__inline__ int unused(void) { return 0; }
static inline int own(void) { return FILE_NUMBER; }
static int early(void);
inline int early(void) { return 10 * FILE_NUMBER; }
int late(int);
""",
    "one.sc": """#define FILE_NUMBER 1
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include "both.h"
int one(int), two(int *global p), *global three(int *global p);
int variable = 4, (*by_address)(int *global) = both;
inline int late(int n) { return n < 2 ? 1 : n * late(n - 1); }
splitc_main()
{
    int *global g = toglobal(PROCS - 1, &variable);

    on_one printf("%d %d %d %d %d %d %d\\n", one(1), two(g), *three(g), both(g), by_address(g),
                   own() + early(), late(3));
}
""",
    "two.sc": """#define FILE_NUMBER 2
#include <split-c/split-c.h>
#include <string.h>
#include <stdlib.h>
#include "both.h"
inline int one(int n) { return atoi("1") + n; }
int inline *global three(int *global p) { return p; }
inline two(p) int *global p; { return both(p) + 100 * own() + early() + late(2); }
""",
    "plain.c": "inline int c99(void) { return 1; }\nextern inline int c99(void);\n",
}


def run(folder, *words, status=0):
    done = subprocess.run([str(w) for w in words], cwd=folder, capture_output=True, text=True, timeout=100)
    if done.returncode != status:
        sys.exit(f"FAIL: {words}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


with tempfile.TemporaryDirectory() as folder:
    for file, text in FILES.items():
        (Path(folder) / file).write_text(text)
    for optimised in ("-O0", "-O2", "-O2 -g -Wall"):
        run(folder, SCC, *FLAGS, *optimised.split(), "one.sc", "two.sc", "plain.c", "-lm", "-o", "program")
        for order in ("one.o", "two.o"), ("two.o", "one.o"):
            run(folder, SCC, *FLAGS, *optimised.split(), "-c", "one.sc")
            run(folder, SCC, *FLAGS, *optimised.split(), "-c", "two.sc")
            run(folder, SCC, *FLAGS, *order, "-o", "program2")
        for program in ("program", "program2"):
            said = run(folder, MPTRUN, "-n", "2", Path(folder) / program)
            if said != "2 227 4 5 5 11 6\n":
                sys.exit(f"FAIL {optimised}: {said}")
    # Who asks for C99's way gets it: no definition, and the linker says so.
    said = run(folder, SCC, *FLAGS, "-O0", "-fno-gnu89-inline", "one.sc", "two.sc", "-o", "program", status=1)
    if "undefined reference" not in said:
        sys.exit(f"FAIL -fno-gnu89-inline: {said}")
