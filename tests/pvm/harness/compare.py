#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compile PVM's examples and the programs of tests/pvm/programs against PVM 3.4.6 and against ours, run each under
both, and compare what they print. Then the same with Debian's binaries on our libraries.

Usage: compare.py BUILD ROOT EXAMPLES WORK [--record] [RECIPE ...]: ROOT is where Debian's packages are unpacked,
EXAMPLES where their examples are; --record keeps what the programs printed under PVM 3.4.6 (programs/*.expected).
"""

import difflib
import platform
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from machines import TIMED_OUT, Machine, Ours, Outcome, Real, Step, normal
from recipes import BINARIES, BINARY_RECIPES, FORTRAN, RECIPES, RENAMED, UNORDERED, WITH_TASKF, C, Recipe

HERE = Path(__file__).parent
SOURCE = HERE.parents[2]
PROGRAMS = HERE.parent / "programs"
LINES = 60  # of a difference that are shown
OLD_C = ["gcc", "-w", "-std=gnu89"]
OLD_FORTRAN = ["gfortran", "-w", "-fallow-argument-mismatch", "-std=legacy"]


def compiles(command: list[str | Path]) -> bool:
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        print(f"does not compile: {' '.join(map(str, command))}\n{done.stderr[:2000]}")
    return done.returncode == 0


def build_examples(examples: Path, to: Path, include: Path, lib: Path, only: set[str] | None) -> set[str]:
    """Those of `only` (None: all) that can be built; with `only`, one that cannot is a failure the caller sees."""
    to.mkdir(parents=True, exist_ok=True)
    groups = [f"-L{lib}", "-l:libgpvm3.so.3", "-l:libpvm3.so.3", f"-Wl,-rpath-link,{lib}"]
    built = set()
    for name, (source, options) in C.items():
        more = [examples / "examples/taskf.c"] if name in WITH_TASKF else []
        if (only is None or name in only) and compiles(
            [*OLD_C, f"-I{include}", *options.split(), examples / source, *more, "-o", to / name, *groups]
        ):
            built.add(name)
    for name, source in FORTRAN.items():
        if (only is None or name in only) and compiles(
            [*OLD_FORTRAN, f"-I{include}", examples / source, "-o", to / name, lib / "libfpvm3.a", *groups]
        ):
            built.add(name)
    for source in [HERE / "starter.c", *sorted(PROGRAMS.glob("*.c"))]:
        if compiles(["gcc", "-w", f"-I{include}", source, "-o", to / source.stem, *groups]):
            built.add(source.stem)
    return built


def record(machine: Machine, recipe: Recipe, root: Path) -> list[str]:
    """Run it; what is to be compared of it."""
    steps = [replace(s, words=s.words.format(root=root, host=platform.node())) for s in recipe.steps]
    machine.start(recipe.shared, recipe.kept)
    try:
        outcomes = machine.run(steps)
        files = sorted(f.name for f in machine.folder.glob(recipe.files) if f.stat().st_size) if recipe.files else []
    finally:
        machine.stop()
    return lines_of(recipe, machine, outcomes) + [f"--- left {name}" for name in files]


def lines_of(recipe: Recipe, machine: Machine, outcomes: list[Outcome]) -> list[str]:
    lines = []
    for step, outcome in zip(recipe.steps, outcomes, strict=False):
        lines += [
            f"--- {step.words}",
            *normal(outcome.text, platform.node(), machine.programs, recipe.numbers, recipe.order, recipe.drop),
        ]
        if outcome.status == TIMED_OUT or outcome.status < 0:  # others are often whatever main left behind
            lines.append(f"--- status {outcome.status}")
    return lines


def judge(title: str, recipe: Recipe, real: list[str], ours: list[str]) -> bool:
    if real == ours:
        print(f"{title} {recipe.name}: equal, {len(ours)} lines")
        return True
    print(f"{title} {recipe.name}: differs")
    print("\n".join(list(difflib.unified_diff(real, ours, "real", "ours", lineterm="", n=1))[:LINES]))
    return False


def binaries(root: Path, ours: Path, to: Path) -> Path:
    """Debian's programs under the names the examples call each other by."""
    to.mkdir(parents=True, exist_ok=True)
    for name in [*C, *FORTRAN, *BINARIES]:
        program = root / "usr/bin" / RENAMED.get(name, name)
        if program.exists():
            shutil.copy2(program, to / name)
    shutil.copy2(ours / "starter", to / "starter")
    return to


def main() -> int:
    build, root, examples, work = (Path(a).resolve() for a in sys.argv[1:5])
    chosen = set(sys.argv[5:]) - {"--record"}
    shutil.rmtree(work, ignore_errors=True)
    real_lib, our_lib = root / "usr/lib/x86_64-linux-gnu", build / "lib"
    real = build_examples(examples, work / "real", root / "usr/include", real_lib, None)
    ours = build_examples(examples, work / "ours", SOURCE / "include", our_lib, real)
    missing = sorted(real - ours)
    print(
        f"{len(real & set(C))} C and {len(real & set(FORTRAN))} Fortran examples compile against PVM 3.4.6; "
        f"{len(ours & set(C))} and {len(ours & set(FORTRAN))} of them against ours"
        + (f", not: {' '.join(missing)}" if missing else "")
    )
    keeper = work / "ours/keeper"
    if not compiles(
        [
            "gcc",
            f"-I{SOURCE}/include",
            HERE / "keeper.c",
            "-o",
            keeper,
            f"-L{our_lib}",
            "-lpvm3",
            f"-Wl,-rpath,{our_lib}",
        ]
    ):
        return 1
    machines = {
        "source": Ours(work / "ours", build, keeper),
        "binary": Ours(binaries(root, work / "ours", work / "debian"), build, keeper),
    }
    probes = [
        Recipe(source.stem, [Step(source.stem)], order=source.stem not in UNORDERED)
        for source in sorted(PROGRAMS.glob("*.c"))
    ]
    good = not missing
    for recipe in [*probes, *RECIPES]:
        if (chosen and recipe.name not in chosen) or not set(recipe.programs()) - {"nosuchprogram"} <= real:
            continue
        daemon = Real(work / "real", root)
        expected = record(daemon, recipe, root)
        if recipe in probes and "--record" in sys.argv:
            (PROGRAMS / f"{recipe.name}.expected").write_text("\n".join(expected[1:]) + "\n")
        for title, machine in machines.items():
            if all((machine.programs / name).exists() for name in recipe.programs()):
                good &= judge(title, recipe, expected, record(machine, recipe, root))
    for recipe in BINARY_RECIPES:
        if (chosen and recipe.name not in chosen) or not all(
            (work / "debian" / name).exists() for name in recipe.programs()
        ):
            continue
        daemon = Real(work / "debian", root)
        good &= judge("binary", recipe, record(daemon, recipe, root), record(machines["binary"], recipe, root))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
