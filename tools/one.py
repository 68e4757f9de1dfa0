#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Build what some tests need and run them: one.py BUILD_FOLDER PREFIX [JOBS].

PREFIX is how the tests' names begin: mpi.p2p, mpi.p2p.sizes, pvm. A test that is
a script may start any program of its folder: then that folder, the libraries and
the tools are built.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

TEST = re.compile(r"^add_test\(\[=\[(.*?)\]=\] (.*)\)$", re.MULTILINE)


def tests(build: Path, prefix: str) -> Iterator[tuple[list[str], str]]:
    """Each test's words and its folder, from what CMake wrote: ctest names no programs that are still to be built."""
    for file in build.rglob("CTestTestfile.cmake"):
        for name, words in TEST.findall(file.read_text()):
            if name.startswith(prefix):
                yield words.replace('"', " ").split(), str(file.parent.relative_to(build))


def needed(words: list[str], folder: str, build: Path, known: set[str]) -> set[str]:
    """Ninja's targets that a test runs."""
    found = {word.removeprefix(f"{build}/") for word in words} & known
    if any(word.endswith((".py", ".sh")) for word in words):
        found |= {f"{folder}/all"} | {name for name in known if name.startswith(("bin/", "lib/"))}
    return found & known


def main() -> int:
    build, prefix, jobs = Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "2"
    chosen = list(tests(build, prefix))
    if not chosen:
        print(f"one: no test's name begins with '{prefix}'; `ctest --test-dir {build} -N` lists them", file=sys.stderr)
        return 1
    rows = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], capture_output=True, text=True, check=True)
    known = {row.rpartition(": ")[0] for row in rows.stdout.splitlines()}
    targets = set().union(*(needed(words, folder, build, known) for words, folder in chosen))
    if targets:
        subprocess.run(["ninja", "-C", build, "-j", jobs, *sorted(targets)], check=True)
    run = ["ctest", "--test-dir", build, "--output-on-failure", "-R", f"^{re.escape(prefix)}"]
    return subprocess.run(run, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
