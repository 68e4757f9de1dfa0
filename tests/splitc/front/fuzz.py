# SPDX-License-Identifier: BSD-3-Clause
"""Feeds the front end mutated programs and random bytes; a crash, a hang or a malformed tree fails.

fuzz.py roundtrip-binary seconds seed file.i...   (build the binary with -fsanitize=address,undefined)
"""

import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOKEN = re.compile(rb'"(?:\\.|[^"\\])*"|\w+|\s+|.', re.S)
EXTRA = [
    b":=",
    b":-",
    b"::",
    b"*global",
    b"*spread",
    b"(",
    b")",
    b"[",
    b"]",
    b"{",
    b"}",
    b";",
    b",",
    b"sizeof",
    b"typeof",
    b"struct",
    b"enum",
    b"__attribute__((aligned(8)))",
    b"...",
    b"? :",
    b"_Generic(",
    b'"',
    b"'",
    b"\\",
    b"#",
    b"\0",
    b"0x",
    b"99999999999999999999",
    b"1e",
    b"case",
    b"({",
    b"})",
    b".",
    b"->",
    b"&&",
    b"-",
    b"int",
    b"[-1]",
    b"<<65",
]


def mutate(rng, tokens):
    tokens = list(tokens)
    for _ in range(rng.randint(1, 12)):
        at = rng.randrange(len(tokens))
        what = rng.randrange(5)
        if what == 0:
            tokens[at] = rng.choice(EXTRA)
        elif what == 1:
            del tokens[at : at + rng.randint(1, 4)]
        elif what == 2:
            tokens[at:at] = tokens[(start := rng.randrange(len(tokens))) : start + rng.randint(1, 20)]
        elif what == 3:
            tokens[at] = rng.choice(tokens)
        else:
            tokens[at:at] = [rng.choice(EXTRA)] * rng.choice([1, 1, 2, 300])
        if not tokens:
            tokens = [b";"]
    return b"".join(tokens)


def main():
    binary, seconds, seed, *files = sys.argv[1:]
    rng = random.Random(int(seed))
    corpus = [TOKEN.findall(Path(name).read_bytes()) for name in files]
    end, runs = time.time() + float(seconds), 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "case.i")
        while time.time() < end:
            data = rng.randbytes(rng.randint(0, 2000)) if runs % 20 == 0 else mutate(rng, rng.choice(corpus))
            path.write_bytes(data)
            runs += 1
            run = subprocess.run([binary, "-q", path], capture_output=True, timeout=5, check=False)
            if run.returncode not in (0, 1):
                keep = f"crash-{seed}-{runs}.i"
                path.rename(keep)
                print(f"{keep}: exit {run.returncode}\n{run.stderr[-1500:].decode(errors='replace')}")
                return 1
    print(f"{runs} runs, seed {seed}: no crash")
    return 0


sys.exit(main())
