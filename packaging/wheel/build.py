#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the wheel mpt-toolkit: configures and compiles with CMake, installs into a folder, packs that.

The compiler is PyPI's ziglang, clang with the interface of each release of glibc, so the wheel runs from glibc 2.28 on
whatever system it was built on (docs/adr/0058-the-wheel.md). elf_check.py looks at each program and library before the
wheel gets its name, manylinux_2_28. Needs CMake, ninja, binutils' strip, and PyPI for the first time; headers of hwloc,
PMIx, libfabric and libdw, and gfortran, where there are any (without one the wheel lacks its part, and CMake says so).
--machine aarch64: for another processor, with that one's strip and gfortran (of Debian's cross packages).
Prints the wheel's path. Usage: build.py [--build FOLDER] [--out FOLDER] [--jobs N] [--machine NAME]
"""

import argparse
import os
import platform
import shlex
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
sys.path[:0] = [str(HERE), str(SOURCE / "tools")]
import layout  # noqa: E402

from version import version  # noqa: E402

GLIBC = "2.28"
# Headers of the libraries that are loaded at run time. The system's other headers are of its own C library.
OPTIONAL = ("hwloc", "hwloc.h", "rdma", "elfutils", "libelf.h", "gelf.h", "dwarf.h")


def run(*words: object, env: dict[str, str] | None = None) -> None:
    """To stderr, as stdout is for the wheel's path."""
    subprocess.run([str(word) for word in words], check=True, env=env, stdout=sys.stderr)


def tools(build: Path) -> Path:
    """The Python of an environment with what requirements.txt lists."""
    folder, wanted = build / "tools", (HERE / "requirements.txt").read_text()
    python, ready = folder / "bin/python", folder / "ready"
    if not ready.exists() or ready.read_text() != wanted:
        venv.create(folder, clear=True, with_pip=True)
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", HERE / "requirements.txt")
        ready.write_text(wanted)
    return python


def compilers(build: Path, python: Path, machine: str) -> dict[str, str]:
    """Scripts that are cc and c++ for the old C library, as an environment for CMake."""
    folder, target = build / "compilers", f"{machine}-linux-gnu.{GLIBC}"
    folder.mkdir(exist_ok=True)
    for name in ("cc", "c++"):
        words = [str(python), "-m", "ziglang", name, "-target", target]
        cache = shlex.quote(str(build / "cache"))
        (folder / name).write_text(
            f'#!/bin/sh\nZIG_GLOBAL_CACHE_DIR={cache} ZIG_LOCAL_CACHE_DIR={cache} exec {shlex.join(words)} "$@"\n'
        )
        (folder / name).chmod(0o755)
    flags = f"-isystem {headers(build)} -ffile-prefix-map={SOURCE}=. -DMPT_WHEEL"
    return {**os.environ, "CC": str(folder / "cc"), "CXX": str(folder / "c++"), "CFLAGS": flags, "CXXFLAGS": flags}


def headers(build: Path) -> Path:
    folder = build / "headers"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for place in (Path("/usr/include"), *Path("/usr/include").glob("*-linux-gnu")):
        for name in OPTIONAL:
            if (place / name).is_dir():
                shutil.copytree(place / name, folder / name, dirs_exist_ok=True)
            elif (place / name).exists():
                shutil.copy(place / name, folder)
    return folder


def tool(name: str, machine: str) -> str | None:
    """A tool of the machine's, which has its name ahead where that is not this one."""
    return shutil.which(name if machine == platform.machine() else f"{machine}-linux-gnu-{name}")


def cross(machine: str) -> list[str]:
    """What CMake must be told of a machine that is not this one."""
    if machine == platform.machine():
        return []
    fortran = tool("gfortran", machine)
    binutils = {"LINKER": "ld"} | {name.upper(): name for name in ("ar", "nm", "objcopy", "ranlib", "readelf", "strip")}
    return [
        "-DCMAKE_SYSTEM_NAME=Linux",
        f"-DCMAKE_SYSTEM_PROCESSOR={machine}",
        *(f"-DCMAKE_{variable}={tool(name, machine)}" for variable, name in binutils.items()),
        f"-DCMAKE_Fortran_COMPILER={fortran}" if fortran else "-DMPT_FORTRAN=OFF",
    ]


def compile_all(build: Path, jobs: int, env: dict[str, str], machine: str) -> Path:
    """The folder with the installation."""
    made, stage = build / "cmake", build / "stage"
    flags = ["-DCMAKE_BUILD_TYPE=Release", "-DMPT_TESTS=OFF", "-DMPT_BENCH=OFF", "-DCMAKE_INSTALL_PREFIX=/mpt"]
    flags += cross(machine)
    settings, known = repr((flags, env["CC"], env["CFLAGS"])), build / "settings"
    if not (made / "build.ninja").exists() or not known.exists() or known.read_text() != settings:
        shutil.rmtree(made, ignore_errors=True)  # CMake takes compilers and their flags the first time only
        run("cmake", "-S", SOURCE, "-B", made, "-G", "Ninja", *flags, env=env)
        known.write_text(settings)
    run("cmake", "--build", made, "-j", jobs, "--target", "toolkit", env=env)
    shutil.rmtree(stage, ignore_errors=True)
    run("cmake", "--install", made, "--prefix", stage, env={**env, "CMAKE_INSTALL_MODE": "COPY"})
    return stage


def strip(stage: Path, machine: str) -> None:
    """Of debugging information, the greater part; names of functions stay, for backtraces."""
    for path in sorted(stage.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        with path.open("rb") as file:
            start = file.read(8)
        if start.startswith(b"\x7fELF") or start == b"!<arch>\n":
            run(tool("strip", machine) or "strip", "--strip-debug", path)


def pack(build: Path, python: Path, stage: Path, out: Path, machine: str) -> Path:
    root, now = build / "wheel", version()
    tag = f"manylinux_{GLIBC.replace('.', '_')}_{machine}"
    layout.lay_out(stage, SOURCE, root, now, tag)
    run(python, HERE / "elf_check.py", root, GLIBC, machine)
    out.mkdir(parents=True, exist_ok=True)
    run(python, "-m", "wheel", "pack", root, "-d", out)
    return out / f"{layout.NAME.replace('-', '_')}-{now}-py3-none-{tag}.whl"


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Builds the wheel mpt-toolkit.")
    parser.add_argument("--build", type=Path, default=SOURCE / "build-wheel", help="folder to build in")
    parser.add_argument("--out", type=Path, help="where the wheel goes (dist in the build folder)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="compilers at a time")
    parser.add_argument("--machine", default=platform.machine(), help="processor it is for: x86_64 or aarch64")
    args = parser.parse_args(words)
    if not tool("strip", args.machine):
        parser.error(
            f"no strip for {args.machine}: Debian has it in binutils-{args.machine.replace('_', '-')}-linux-gnu"
        )
    build = args.build.resolve()
    build.mkdir(parents=True, exist_ok=True)
    try:
        python = tools(build)
        stage = compile_all(build, args.jobs, compilers(build, python, args.machine), args.machine)
        strip(stage, args.machine)
        wheel = pack(build, python, stage, (args.out or build / "dist").resolve(), args.machine)
    except subprocess.CalledProcessError as error:
        print(f"build.py: {shlex.join(error.cmd)} failed", file=sys.stderr)
        return 1
    print(wheel)
    return 0


if __name__ == "__main__":
    sys.exit(main())
