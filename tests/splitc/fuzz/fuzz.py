# SPDX-License-Identifier: BSD-3-Clause
"""The translator never crashes: programs of Split-C with names, operators and whole phrases exchanged, most of which
are still grammatical, so that every part of it meets types it did not expect.

fuzz.py translate scc folder seconds seed file.sc...   What crashed it stays in the folder.
"""

import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOKEN = re.compile(
    rb'"(?:\\.|[^"\\])*"|#[^\n]*\n|\w+|\s+|:=|:-|::|->|[-+*/%&|^<>=!]=|<<=?|>>=?|&&|\|\||\+\+|--|.', re.S
)
OWN = re.compile(rb'^# \d+ "[^"\n]*\.sc" 2\n', re.M)
BINARY = [b"+", b"-", b"*", b"/", b"%", b"&", b"|", b"^", b"<<", b"<", b"==", b"!=", b"&&", b"||", b",", b"="]
ASSIGN = [b"=", b"+=", b"-=", b"*=", b"|=", b"<<=", b":=", b":-"]
TYPES = [b"int", b"char", b"double", b"long", b"short", b"void", b"float", b"_Bool", b"__int128", b"unsigned"]
POINTERS = [b"*global ", b"*spread ", b"*", b"**global ", b"*global *", b"*spread *global ", b""]
WRAPS = [
    (b"tolocal(", b")"),
    (b"toglobal(0, ", b")"),
    (b"toglobal(", b")"),
    (b"tospread(1, ", b")"),
    (b"toproc(", b")"),
    (b"&", b""),
    (b"*", b""),
    (b"(", b")[1]"),
    (b"sizeof(", b")"),
    (b"(int *global)", b""),
    (b"(int *spread)", b""),
    (b"(void *)", b""),
    (b"!", b""),
    (b"-", b""),
    (b"atomic(", b")"),
    (b"__typeof__(", b")"),
    (b"({ ", b"; })"),
    (b"", b"++"),
    (b"--", b""),
    (b"", b"->x"),
    (b"", b".s"),
    (b"__real__ ", b""),
]
EXCHANGED = [
    (BINARY, BINARY),
    (ASSIGN, ASSIGN),
    (TYPES, TYPES),
    ([b"*"], POINTERS),
    ([b"::", b"]", b"["], [b"::", b"]::[", b"]", b"[", b"][1]"]),
]


def words(tokens):
    return [i for i, t in enumerate(tokens) if t[:1].isalpha() or t[:1] == b"_"]


def change(rng, tokens):
    names = words(tokens)
    at = rng.choice(names)
    what = rng.randrange(8)
    if what == 0:
        tokens[at] = tokens[rng.choice(names)]
    elif what == 1:
        before, after = rng.choice(WRAPS)
        tokens[at] = before + tokens[at] + after
    elif what < 7:
        among, by = EXCHANGED[what - 2]
        places = [i for i, t in enumerate(tokens) if t in among]
        if places:
            tokens[rng.choice(places)] = rng.choice(by)
    else:
        start, stop = rng.randrange(len(tokens)), rng.randrange(1, 12)
        tokens[at : at + stop] = tokens[start : start + stop]


def preprocess(scc, name):
    lang = HERE.parent / "lang"
    text = subprocess.run([scc, "-E", "-I", lang, name], stdout=subprocess.PIPE, check=True, timeout=60).stdout
    cut = [m.end() for m in OWN.finditer(text)][-1]
    return text[:cut], TOKEN.findall(text[cut:])


def main():
    translate, scc, folder, seconds, seed, *files = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    rng = random.Random(int(seed))
    corpus = [preprocess(scc, name) for name in files]
    end, runs, clean = time.time() + float(seconds), 0, 0
    path = Path(folder, f"{seed}.i")
    while time.time() < end:
        head, tokens = rng.choice(corpus)
        tokens = list(tokens)
        for _ in range(rng.choice((1, 1, 2, 3, 6))):
            change(rng, tokens)
        path.write_bytes(head + b"".join(tokens))
        runs += 1
        done = subprocess.run(
            [translate, path, rng.choice((os.devnull, Path(folder, f"{seed}.out")))],
            capture_output=True,
            timeout=20,
            check=False,
        )
        clean += done.returncode == 0
        if done.returncode not in (0, 1) or (done.returncode == 1 and b": error: " not in done.stderr):
            keep = path.rename(Path(folder, f"crash-{seed}-{runs}.i"))
            print(f"{keep}: exit {done.returncode}\n{done.stderr[-1500:].decode(errors='replace')}")
            return 1
    print(f"{runs} runs, seed {seed}, {clean} without an error: no crash")
    return 0 if runs and clean else 1


sys.exit(main())
