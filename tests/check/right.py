#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Right programs of unusual kinds under mptrun --check: nothing may be said.

A file of cases begins with what their bodies share, begin() and end(); then a line "== name" comes before each body.
All are functions of one program, which is run with 2, 3 and 4 PEs: as processes and as tasks, with and without
the adversary, and over two nodes.
Usage: right.py BUILD_FOLDER CASES COMPILER [OPTION...] [-- CASE... [ROUNDS]]
"""

import concurrent.futures
import os
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT_S = 60
MODES = {
    "processes": ([], {}),
    "tasks": (["--tasks"], {}),
    "adversary": ([], {"MPT_ADVERSARY": "1"}),
    "adversary, tasks": (["--tasks"], {"MPT_ADVERSARY": "1"}),
    "two nodes": ([], {"MPT_TRANSPORT": "tcp", "MPT_NODES": "2"}),
}

MAIN = """
int main(int argc, char **argv)
{
    const int i = argc > 1 ? atoi(argv[1]) : 0;
    begin(&argc, &argv);
    cases[i]();
    end();
    return 0;
}
"""


def program(text: str) -> tuple[str, list[str]]:
    """Its source, and the names of its cases."""
    head, *parts = text.split("\n== ")
    names = [part.split("\n", 1)[0] for part in parts]
    lines = [line for line in head.split("\n") if not line.startswith("# ")]
    source = "\n".join(lines)
    for name, part in zip(names, parts, strict=True):
        source += f"\nstatic void case_{name}(void)\n{{\n{part.split(chr(10), 1)[1]}\n}}\n"
    table = ", ".join(f"case_{name}" for name in names)
    return source + f"static void (*const cases[])(void) = {{{table}}};\n" + MAIN, names


def run(mptrun: Path, exe: Path, number: int, pes: int, mode: str) -> str:
    """What is wrong; "": nothing."""
    options, more = MODES[mode]
    command = [str(mptrun), "--check", *options, "-n", str(pes), str(exe), str(number)]
    environment = {**os.environ, **more}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=LIMIT_S, check=False, env=environment, cwd=exe.parent
        )
    except subprocess.TimeoutExpired as e:
        return f"not ended in {LIMIT_S} s\n{(e.stderr or b'').decode()}"
    text = done.stdout + done.stderr
    return f"status {done.returncode}\n{text}" if done.returncode != 0 or text else ""


def main() -> None:
    """See above."""
    words, _, only = " ".join(sys.argv[1:]).partition(" -- ")
    build, path, compiler, *options = words.split()
    rounds = next((int(word) for word in only.split() if word.isdigit()), 1)
    build = Path(build).resolve()
    source, names = program(Path(path).read_text())
    os.environ.pop("MPT_CHECK", None)
    failed = False
    with tempfile.TemporaryDirectory(prefix="mpt-right-") as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        exe = Path(folder) / "right"
        exe.with_suffix(".c").write_text(source)
        command = [f"{build}/bin/{compiler}", "-g", "-O1", "-w", f"{exe}.c", "-o", str(exe), *options]
        subprocess.run(command, check=True)
        ran = {
            (name, pes, mode, n): pool.submit(run, build / "bin/mptrun", exe, i, pes, mode)
            for i, name in enumerate(names)
            if not only or name in only.split()
            for mode in MODES
            for pes in (2, 3, 4)
            for n in range(rounds)
        }
        for (name, pes, mode, _), wrong in ran.items():
            if wrong.result():
                failed = True
                print(f"{name}, {pes} PEs, {mode}: {wrong.result()}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
