#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Several hundred wrong programs, made from tables, and their right twins, under mptrun --check.

A case is a form (how a message is sent, which collective, how an epoch is opened) and a defect put into it: a call
left out, made twice, moved, or with an argument changed. All cases are functions of one generated program, which runs
the one that it is told. A case counts as found if a finding names one of its kinds, and as located if that finding
names one of the lines that the defect concerns.
Usage: many.py BUILD_FOLDER SUITE [--only PART] [-n PES] [--rounds N]. Fails if a right twin is not silent, if
too little is found, or if something is found in some rounds only.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import fresh
import many_mpi
import many_rma
import many_shmem
from many_cases import Case

LEAST = {"found": 0.95, "located": 0.95}
LIMIT_S = 40

SUITES = {
    "mpi": many_mpi.SUITE,
    "shmem": many_shmem.SUITE,
    "rma": many_rma.PLAIN,
    "rma_own": many_rma.OWN,
    "fresh_mpi": fresh.MPI,
    "fresh_mpi_own": fresh.MPI_OWN,
    "fresh_shmem": fresh.SHMEM,
    "fresh_plain": fresh.PLAIN,
}


@dataclass
class Ran:
    """Of one run."""

    status: int | None
    text: str
    findings: list[dict]


def run(built: Path, exe: Path, number: int, twin: str, pes: int, turn: int = 0) -> Ran:
    """One case."""
    report = exe.parent / f"{number}.{twin}.{turn}.json"
    command = [
        str(built / "bin/mptrun"),
        "-q",
        "--check-report",
        str(report),
        "-n",
        str(pes),
        str(exe),
        str(number),
        twin,
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return Ran(None, "not ended in time", [])
    return Ran(done.returncode, done.stdout + done.stderr, json.loads(report.read_text())["findings"])


def judge(c: Case, wrong: Ran, lines: set[int], verbose: bool) -> str:
    """Where a wrong program belongs: "found", "another line" or "not found"."""
    hits = [f for f in wrong.findings if f["kind"] in c.kinds]
    told = {p["line"] for f in hits for p in f["places"]}
    result = "found" if told & lines else "another line" if hits else "not found"
    if verbose and result != "found":
        print(f"{c.name}: {result}: expected {sorted(c.kinds)}, lines {sorted(lines)}; status {wrong.status}")
        print(wrong.text)
    return result


def summarize(title: str, names: dict[str, list[str]], not_silent: list[str]) -> bool:
    """Print what came out. True: enough was found, and nothing of right programs."""
    for why in "another line", "not found":
        if names[why]:
            print(f"{why}:", *names[why], sep="\n  ")
    located, n = len(names["found"]), sum(len(part) for part in names.values())
    found = located + len(names["another line"])
    print(
        f"{title}: {n} wrong programs, found {found} ({found / n:.3f}), with the line {located}"
        f" ({located / max(found, 1):.3f}); right ones that are not silent: {len(not_silent)}"
    )
    return not not_silent and found >= LEAST["found"] * n and located >= LEAST["located"] * found


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("--only", default="")
    parser.add_argument("-n", type=int, default=2)
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("-v", action="store_true", help="what was said of cases that were not found")
    options = parser.parse_args()
    suite = SUITES[options.suite]
    os.environ.pop("MPT_CHECK", None)
    source, marked = suite.program()
    names, not_silent, unsteady = collections.defaultdict(list), [], []
    with tempfile.TemporaryDirectory(prefix="mpt-check-many-") as folder:
        path, exe = Path(folder) / "many.c", Path(folder) / "many"
        path.write_text(source)
        compiler = [str(options.build / "bin" / suite.compiler), *suite.options, "-g", "-O0", "-w"]
        subprocess.run([*compiler, str(path), "-o", str(exe)], check=True)
        chosen = [(i, c) for i, c in enumerate(suite.cases) if options.only in c.name]
        with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
            ran = {
                (c.name, twin, turn): pool.submit(run, options.build, exe, i, twin, options.n, turn)
                for turn in range(options.rounds)
                for i, c in chosen
                for twin in ("wrong", "right")
            }
        for (name, twin, _), one in ran.items():
            right = one.result() if twin == "right" else None
            if right and (right.status != 0 or right.findings or right.text):
                not_silent.append(name)
                print(f"{name}: the right twin: status {right.status}\n{right.text}")
        for _, c in chosen:
            turns = [ran[c.name, "wrong", turn].result() for turn in range(options.rounds)]
            verdicts = [judge(c, wrong, marked[c.name], options.v) for wrong in turns]
            names[verdicts[0]].append(c.name)
            if len(set(verdicts)) > 1:
                unsteady.append(c.name)
                print(f"{c.name}: found in {verdicts.count('found')} of {options.rounds} rounds")
    steady = summarize(f"{options.suite}, {options.n} PEs", names, not_silent) and not unsteady
    sys.exit(not steady)


if __name__ == "__main__":
    main()
