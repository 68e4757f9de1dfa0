#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs compiled with the wrappers' --check: what instrumented code tells of, and that it does what it did before.

Compiled at several levels, in one step and in two, with libmpt.a, by each compiler that is there; run with mptrun
--check and without, and as tasks. Usage: run.py BUILD_FOLDER.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = Path(sys.argv[1]).resolve()
BIN = BUILD / "bin"
INSIDE = f"-I{HERE.parents[1] / 'src'}"
failed = 0


def run(command: list, expected: str | None = None) -> str:
    """Its output; expected: lines that this must consist of."""
    global failed
    command = [str(word) for word in command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    said = done.stdout + done.stderr
    if done.returncode != 0 or (expected is not None and set(said.split("\n")) != {expected, ""}):
        failed += 1
        print(f"{' '.join(command)}: status {done.returncode}\n{said}")
    return said


def units(folder: Path, level: str) -> None:
    """Programs that are told of all, at one level of optimisation."""
    program = folder / "unit"
    for source, wrapper, words, line in (
        ("counts.c", "oshcc", [INSIDE], "counts right"),
        ("atomics.c", "oshcc", [INSIDE, "-DSIXTEEN", "-pthread"], "atomics right"),
        ("objects.cc", "oshc++", ["-pthread"], "objects right"),
        ("loops.f90", "oshfort", [], "loops right0"),
    ):
        if (BIN / wrapper).exists():
            words += [f"-J{folder}"] if source.endswith(".f90") else []
            run([BIN / wrapper, "--check", "-g", level, *words, HERE / source, "-o", program], "")
            run([program], line)
            if level == "-O2":
                run([BIN / wrapper, "--check", "-flto", level, *words, HERE / source, "-o", program])
                run([program], line)


def steps(folder: Path) -> None:
    """Compiled and linked in steps, objects of both kinds, a library of the program's; processes and tasks."""
    program, main, helper = folder / "work", folder / "main.o", folder / "helper.o"
    for checked in (("--check", "--check"), ("--check", ""), ("", "--check")):
        flags = [[word] if word else [] for word in checked]
        run([BIN / "oshcc", *flags[0], "-g", "-O1", "-c", HERE / "work.c", "-o", main], "")
        run([BIN / "oshcc", *flags[1], "-O2", "-fopenmp", "-DHELPER", "-c", HERE / "work.c", "-o", helper], "")
        run([BIN / "oshcc", "--check", "-fopenmp", main, helper, "-o", program], "")
        for words in ([], ["--check"], ["--tasks", "--check"]):
            run([BIN / "mptrun", *words, "-n", "3", program], "work right")
    library = folder / "libhelper.so"
    run([BIN / "oshcc", "--check", "-fPIC", "-shared", "-DHELPER", HERE / "work.c", "-o", library], "")
    run([BIN / "oshcc", "--check", main, library, f"-Wl,-rpath,{folder}", "-o", program], "")
    for words in ([], ["--check"], ["--tasks", "--check"]):
        run([BIN / "mptrun", *words, "-n", "2", program], "work right")
    # With libmpt.a, and no sanitizer's library with either.
    if "tsan" in run(["ldd", program]):
        print("the sanitizer is linked")
        sys.exit(1)
    lib = BUILD / "lib"
    run(["cc", main, helper, "-fopenmp", f"{lib}/libmptcheck.a", f"{lib}/libmpt.a", "-ldl", "-lm", "-o", program], "")
    run([BIN / "mptrun", "--check", "-n", "2", program], "work right")


def split_c(folder: Path) -> None:
    """Split-C."""
    program = folder / "split"
    for source in "histogram.sc", "matmul.sc":
        run([BIN / "scc", "--check", "-O1", HERE.parents[1] / "examples/splitc" / source, "-o", program], "")
        for words in ([], ["--check"]):
            run([BIN / "mptrun", *words, "-n", "3", program])


def flags() -> None:
    """What build systems ask for; other compilers are refused."""
    told = run([BIN / "mpicc", "--check", "-showme:compile"]) + run([BIN / "mpicc", "--check", "-showme:link"])
    if ("gcc.specs" not in told and "tsan" not in told) or "-lmptcheck" not in told:
        print(f"flags are not told: {told}")
        sys.exit(1)
    done = subprocess.run([BIN / "oshcc", "--check", "-cc=true", "x.c"], capture_output=True, text=True, check=False)
    if done.returncode == 0 or "needs gcc or clang" not in done.stderr:
        print(f"another compiler is not refused: {done.stderr}")
        sys.exit(1)


def main() -> None:
    """See above."""
    with tempfile.TemporaryDirectory(prefix="mpt-instrument-") as name:
        for level in "-O0", "-O1", "-O2", "-O3":
            units(Path(name), level)
        steps(Path(name))
        split_c(Path(name))
        flags()
        clang = shutil.which("clang")
        for source, line in (("counts.c", "counts right"), ("atomics.c", "atomics right")) if clang else ():
            program = Path(name) / "clang"
            run([BIN / "oshcc", "--check", "-cc=clang", "-O1", INSIDE, "-pthread", HERE / source, "-o", program])
            run([program], line)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
