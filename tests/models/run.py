#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The protocols of the library under the memory model of C11: each model holds, and each of its mutants does not.

run.py BUILD [MODEL ...]: Rust's loom tries all executions of the models of tests/models. A row of orders.tsv names the
orders that a model must find wrong and those that it cannot tell from the library's. Status 77: no cargo, or no loom.
"""

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIMIT_S = 300
FOUND = ("deadlock", "Causality violation", "assertion")  # what loom, or a model, says
SKIP = 77


def rows() -> dict[str, dict[str, list[str]]]:
    """Tag: the orders that must be found, and those that need not be."""
    table = {}
    for line in (HERE / "orders.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            tag, _, wrong, weaker, *_ = line.split("\t")
            lists = ([o for o in words.split(",") if o != "-"] for words in (wrong, weaker))
            table[tag] = dict(zip(("wrong", "weaker"), lists, strict=True))
    return table


def build(folder: Path) -> Path | None:
    """The program; None: it cannot be had here."""
    cargo = shutil.which("cargo")
    if not cargo:
        print("no cargo")
        return None
    environment = os.environ | {"CARGO_TARGET_DIR": str(folder)}
    command = [cargo, "build", "--release", "--locked", "--manifest-path", str(HERE / "Cargo.toml")]
    for offline in (["--offline"], []):  # what is there already is enough
        done = subprocess.run(command + offline, env=environment, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return folder / "release" / "models"
        if "could not compile" in done.stderr:
            sys.exit(done.stderr)
    print(done.stderr)
    return None


class Run:
    """One run of a model: the library's orders, or one of them changed."""

    def __init__(self, program: Path, model: str, mutant: str = "", found: bool = False):
        self.model, self.mutant, self.found = model, mutant, found
        began = time.monotonic()
        environment = os.environ | {"MODEL_MUTANT": mutant, "RUST_BACKTRACE": "0"}
        try:
            done = subprocess.run(
                [program, model], env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False
            )
            self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            self.status, self.out, self.err = None, "", "too long"
        self.seconds = time.monotonic() - began

    def said(self) -> dict[str, str]:
        return dict(line.partition(" ")[::2] for line in self.out.splitlines())

    def fault(self, tags: set[str]) -> str:
        """What is not as it should be; empty: nothing."""
        if self.status is None:
            return f"takes more than {LIMIT_S} s"
        if self.status != 0:
            if not any(word in self.err for word in FOUND):
                return f"fails otherwise: {self.err[-300:]}"
            if not self.mutant:
                return f"does not hold: {first_line(self.err)}"
            return "" if self.found else "is found, though the table says that it can be weaker"
        if self.found:
            return "is not found"
        if int(self.said()["whole"]) == 0:
            return "has no execution that comes to its end"
        used = {tag for tag in self.said()["tags"].split() if tag.split(".")[0] == self.model}
        return "" if used == tags else f"looks up {used ^ tags}, unlike the table"


def first_line(text: str) -> str:
    return next((line for line in text.splitlines() if any(word in line for word in FOUND)), "")


def main() -> int:
    program = build(Path(sys.argv[1]) / "models")
    if not program:
        return SKIP
    table = rows()
    listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout.split()
    models = sys.argv[2:] or listed
    of = {model: {tag for tag in table if tag.split(".")[0] == model} for model in models}
    if not sys.argv[2:] and (stray := set(table) - set().union(*of.values())):
        sys.exit(f"orders.tsv: no model for {stray}")

    jobs = [(model, "", False) for model in models]
    for model in models:
        for tag in sorted(of[model]):
            for found, orders in ((True, table[tag]["wrong"]), (False, table[tag]["weaker"])):
                jobs += [(model, f"{tag}:{order}", found) for order in orders]
    faults = 0
    with ThreadPoolExecutor(max_workers=os.process_cpu_count() if hasattr(os, "process_cpu_count") else 2) as pool:
        for run in pool.map(lambda job: Run(program, *job), jobs):
            fault = run.fault(of[run.model])
            faults += bool(fault)
            what = run.mutant or f"{run.said().get('executions', '?')} executions"
            print(f"{run.model:10} {what:32} {run.seconds:6.1f} s  {fault or 'ok'}", flush=True)
    print(f"{len(models)} models, {len(jobs) - len(models)} mutants, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
