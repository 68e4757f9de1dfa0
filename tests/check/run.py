#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run one wrong program and its right twin under mptrun --check.

A program is one source file. With -DWRONG it has the defect, without it is right. Its first comment says:

    check: KIND ...       kinds (src/core/check/kinds.def) that must be found in the wrong program, and no others;
                          A|B: one of them, as time decides
    also: KIND ...        kinds that may be found, too
    pes: N ...            numbers of PEs (default: 2 3 4)
    options: WORD ...     of mptrun, besides --check
    compile: WORD ...     of the compiler

Lines of the defect end with the comment "found": each kind's finding names one of them, unless no line is marked. The
right twin must be silent, and both must end in time; the right one with status 0, the wrong one with another.
Usage: run.py BUILD_FOLDER SOURCE. Exit status 77: a compiler is missing.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

COMPILERS = {"mpi": "mpicc", "shmem": "oshcc", "splitc": "scc", "am": "oshcc", "pvm": "mpicc"}
BY_SUFFIX = {
    ("mpi", ".f90"): "mpifort",
    ("mpi", ".cc"): "mpicxx",
    ("shmem", ".f90"): "oshfort",
    ("shmem", ".cc"): "oshc++",
}
LIMIT_S = 30


def words(source: str, name: str) -> list[str]:
    """Of a line "name: words" in the first comment."""
    found = re.search(rf"^[\s*!/]*{name}:(.*)$", source, re.MULTILINE)
    return found.group(1).replace("*/", "").split() if found else []


def marked(source: str) -> set[int]:
    """Numbers of the lines marked as the defect's."""
    return {i for i, line in enumerate(source.splitlines(), 1) if re.search(r"(/\*|//|!) found\b", line)}


def build(bin_folder: Path, source: Path, program: Path, more: list[str]) -> None:
    """Compile a program with debug information."""
    name = BY_SUFFIX.get((source.parent.name, source.suffix)) or COMPILERS[source.parent.name]
    command = [str(bin_folder / name), "-g", "-O1", str(source), "-o", str(program), *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")


def run(bin_folder: Path, program: Path, pes: int, options: list[str]) -> tuple[int, str, list[dict]]:
    """Exit status, what was printed, findings."""
    report = program.with_suffix(".json")
    command = [str(bin_folder / "mptrun"), "--check-report", str(report), *options, "-n", str(pes), str(program)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired as e:
        sys.exit(f"{' '.join(command)}: not ended after {LIMIT_S} s\n{(e.stderr or b'').decode()}")
    return done.returncode, done.stdout + done.stderr, json.loads(report.read_text())["findings"]


def judge_wrong(text: str, status: int, findings: list[dict], source: str) -> list[str]:
    """What is not as it should be with the wrong program."""
    kinds, lines = {f["kind"] for f in findings}, marked(source)
    named, allowed = words(source, "check"), set(words(source, "also"))
    expected = {kind for choice in named for kind in choice.split("|")}
    bad = [f"not found: {choice}" for choice in named if not kinds & set(choice.split("|"))]
    bad += [f"found, too: {kind}" for kind in sorted(kinds - expected - allowed)]
    if status == 0:
        bad.append("exit status 0")
    for kind in sorted(expected & kinds):
        places = {p["line"] for f in findings if f["kind"] == kind for p in f["places"]}
        if lines and not places & lines:
            bad.append(f"{kind}: lines {sorted(places)}, not one of {sorted(lines)}")
    if "mpt: " not in text:
        bad.append("nothing printed")
    return bad


def judge_right(status: int, text: str, findings: list[dict]) -> list[str]:
    """What is not as it should be with the right program."""
    bad = [f"found in the right program: {f['kind']}: {f['what']}" for f in findings]
    if status != 0:
        bad.append(f"exit status {status} of the right program")
    if "mpt: " in text or "mptrun: " in text:
        bad.append("the right program is not silent")
    return bad


def main() -> None:
    """See above."""
    bin_folder, path = Path(sys.argv[1]) / "bin", Path(sys.argv[2])
    source = path.read_text()
    flags, failed = words(source, "compile"), False
    os.environ.pop("MPT_CHECK", None)
    with tempfile.TemporaryDirectory(prefix="mpt-check-") as folder:
        for twin in "wrong", "right":
            program = Path(folder) / twin
            build(bin_folder, path, program, flags + (["-DWRONG"] if twin == "wrong" else []))
            for pes in [int(n) for n in words(source, "pes")] or [2, 3, 4]:
                status, text, findings = run(bin_folder, program, pes, words(source, "options"))
                bad = (
                    judge_wrong(text, status, findings, source)
                    if twin == "wrong"
                    else judge_right(status, text, findings)
                )
                for line in bad:
                    print(f"{path.name}, {twin}, {pes} PEs: {line}")
                if bad:
                    failed = True
                    print(text)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
