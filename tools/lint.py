#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every check of the sources that runs nothing of them: layers, sizes, layout, spelling, shell, Python, clang-tidy.

Usage: lint.py [--build FOLDER] [CHECK...]; without CHECKs, all of them. The
checkers are taken from FOLDER/lint-venv, which `make lint-tools` makes, else from
PATH; one that is missing is an error. Exits 1 if a check finds something.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tree import ROOT, files

Command = list[str | Path]


def tool(build: Path, name: str) -> str:
    own = build / "lint-venv/bin" / name
    found = str(own) if own.exists() else shutil.which(name)
    if not found:
        raise SystemExit(f"lint: {name} is missing: run `make lint-tools`, or see tools/lint-requirements.txt")
    return found


def layers(build: Path) -> Iterator[Command]:
    built: list[str | Path] = [build] if (build / "lib/libmpt.a").exists() else []
    yield [sys.executable, "tools/layers.py", ".", *built]
    if built:
        yield [sys.executable, "tools/state.py", ".", *built]


def sizes(build: Path) -> Iterator[Command]:
    yield [sys.executable, "tools/sizes.py"]


def layout(build: Path) -> Iterator[Command]:
    yield [tool(build, "clang-format"), "--dry-run", "-Werror", *files("*.c", "*.h", "*.cc")]


def spelling(build: Path) -> Iterator[Command]:
    names = files(":!*.tsv", ":!*.json", ":!*.jsonl", ":!*.js", ":!tests/data", ":!LICENSE")
    yield [tool(build, "codespell"), *names]


def shell(build: Path) -> Iterator[Command]:
    yield [tool(build, "shellcheck"), "-x", *files("*.sh", ".ci/run", "report/mpt")]
    with tempfile.TemporaryDirectory() as folder:  # what CMake writes the wrappers from
        for name in files("*.sh.in"):
            made = Path(folder) / Path(name).stem
            text = (ROOT / name).read_text()
            made.write_text(
                "".join(
                    "x".join(line.split("@")[::2]) if line.count("@") > 1 else line
                    for line in text.splitlines(keepends=True)
                )
            )
            yield [tool(build, "shellcheck"), "--rcfile", ".shellcheckrc", made]


def python(build: Path) -> Iterator[Command]:
    yield [tool(build, "ruff"), "check", "."]
    yield [tool(build, "ruff"), "format", "--check", "."]
    yield [tool(build, "mypy"), "--config-file", "report/pyproject.toml", "report/mpt_report", "report/tests"]


def tidy(build: Path) -> Iterator[Command]:
    """clang-tidy reads a build's commands; of its own, because it knows no precompiled headers of gcc."""
    own = build / "lint"
    flags = ["-DMPT_PCH=OFF", "-DMPT_TESTS=OFF", "-DMPT_BENCH=OFF"]
    subprocess.run(["cmake", "-S", ROOT, "-B", own, "-G", "Ninja", *flags], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(
        ["cmake", "--build", own, "--target", "mpt_generated", "mpich_generated"], check=True, stdout=subprocess.DEVNULL
    )
    known = {entry["file"] for entry in json.loads((own / "compile_commands.json").read_text())}
    sources = sorted(
        name for name in known if name.endswith(".c") and name.startswith((f"{ROOT}/src", f"{ROOT}/tools"))
    )
    for first in range(0, len(sources), 16):
        yield [tool(build, "clang-tidy"), "-p", own, "--quiet", *sources[first : first + 16]]


CHECKS: dict[str, Callable[[Path], Iterator[Command]]] = {
    "layers": layers,
    "sizes": sizes,
    "layout": layout,
    "spelling": spelling,
    "shell": shell,
    "python": python,
    "tidy": tidy,
}


def passes(command: Command) -> bool:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout + done.stderr, end="", flush=True)
    return done.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="build folder: checkers, and what is built")
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=f"some of: {' '.join(CHECKS)}")
    options = parser.parse_args()
    if wrong := set(options.checks) - set(CHECKS):
        parser.error(f"no such check: {' '.join(sorted(wrong))}")
    failed = []
    for name in options.checks or CHECKS:
        began = time.monotonic()
        commands = CHECKS[name](options.build.resolve())
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            # One by one, but for what takes minutes: what a generator makes for a command is there until the next.
            results = list((pool.map if name == "tidy" else map)(passes, commands))
        good = all(results)
        print(f"lint: {name}: {'clean' if good else 'FAILED'} ({time.monotonic() - began:.1f} s)", flush=True)
        if not good:
            failed.append(name)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
