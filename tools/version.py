#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""One version everywhere: that of include/mpt/version.h.

Compares the files that hold a copy and exits 1 when one is stale, or when the version stands anywhere else; --write
mends the copies, --set NEW writes another version and them. With a build folder it also asks what was built there:
launcher, compiler wrappers, pkg-config files, the CMake package, libraries.
Usage: version.py [--write | --set X.Y.Z] [BUILD_FOLDER]
"""

import ctypes
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tree import ROOT, files

SOURCE = ROOT / "include/mpt/version.h"
VENDOR = "MPT {} (a message passing toolkit)"
# File: what surrounds the copy of the version in it.
COPIES = {
    "report/pyproject.toml": r'(?m)^(version = ")[^"]*(")$',
    "report/mpt_report/__init__.py": r'(?m)^(__version__ = ")[^"]*(")$',
    "CITATION.cff": r"(?m)^(version: )\S+()$",
    "docs/cite.md": r"(version = \{)[^}]*(\})",
    "packaging/spack/spack_repo/mpt/packages/mpt_toolkit/package.py": r'(?m)^(    version\(")[^"]*("\))$',
    "packaging/conda/recipe.yaml": r'(?m)^(  version: ")\d[^"]*(")$',
    "packaging/rpm/mpt.spec": r"(?m)^(Version: +)\S+()$",
    "include/shmem.fh": r"(& 'MPT )\S+( \(a message passing toolkit\)')",
}
NO_VERSION = {"pvm3"}  # a package whose version is that of its interface
# What tells of versions that were, and data that were measured with one.
HISTORY = ("CHANGELOG.md", "*/changelog", "docs/adr", "report/tests", "*.jsonl", "*.json", "*.svg")
LINE = r'(?m)^(#define MPT_VERSION ")(\d+\.\d+\.\d+)"$'


def version() -> str:
    found = re.search(LINE, SOURCE.read_text())
    if not found:
        sys.exit("include/mpt/version.h does not tell a version")
    return found[2]


def strays(now: str) -> Iterator[str]:
    """Where the version stands, though nobody would change it there."""
    wanted = re.compile(rf"(?<![\d.]){re.escape(now)}(?![\d.]*\d)")
    for name in files(*(f":!{pattern}" for pattern in HISTORY)):
        if name in COPIES or ROOT / name == SOURCE:
            continue
        for number, line in enumerate((ROOT / name).read_text(errors="replace").splitlines(), 1):
            if wanted.search(line):
                yield f"{name}:{number}: a copy of the version that tools/version.py does not know"


def fresh(name: str, now: str) -> str:
    """What the file should be."""
    text, n = re.subn(COPIES[name], rf"\g<1>{now}\g<2>", (ROOT / name).read_text())
    if n != 1:
        sys.exit(f"{name}: {n} places look like the version")
    if name.endswith(".fh"):
        text = re.sub(r"len=\d+(\) SHMEM_VENDOR_STRING)", rf"len={len(VENDOR.format(now))}\1", text)
    return text


def said(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def mpi_library_version(build: Path) -> str:
    ctypes.CDLL(str(build / "lib/libmpt.so"), mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(str(build / "lib/libmpi_abi.so"))
    text, n = ctypes.create_string_buffer(8192), ctypes.c_int()
    library.MPI_Get_library_version(text, ctypes.byref(n))
    return text.value.decode()


def shmem_name(build: Path) -> str:
    library = ctypes.CDLL(str(build / "lib/libmpt.so"))
    text = ctypes.create_string_buffer(64)
    library.shmem_info_get_name(text)
    return text.value.decode()


def built(build: Path) -> Iterator[tuple[str, str, str]]:
    """Who tells a version, where it stands in what it says, and that."""
    yield "mptrun --version", r"\(MPT\) (\S+)$", said(str(build / "bin/mptrun"), "--version").strip()
    for name in ("oshcc", "oshc++", "mpicc", "mpicxx"):
        yield f"{name} --showme:version", r"\(MPT\) (\S+)$", said(str(build / "bin" / name), "--showme:version").strip()
    for file in sorted(build.glob("*.pc")):
        if file.stem not in NO_VERSION:
            yield file.name, r"(?m)^Version: (\S+)$", file.read_text()
    yield "the CMake package", r'set\(PACKAGE_VERSION "([^"]*)"\)', (build / "mptConfigVersion.cmake").read_text()
    yield "MPI_Get_library_version", r"^MPT (\S+),", mpi_library_version(build)
    yield "shmem_info_get_name", r"^MPT (\S+) ", shmem_name(build)
    for name in ("mpt", "benchlib", "mptm"):
        for file in (build / "lib").glob(f"lib{name}.so.*.*[0-9]"):
            yield file.name, r"\.so\.(.*)$", file.name


def main() -> int:
    words = [word for word in sys.argv[1:] if word != "--write"]
    if "--set" in words:
        at = words.index("--set")
        new = words[at + 1] if len(words) > at + 1 else ""
        if not re.fullmatch(r"\d+\.\d+\.\d+", new):
            sys.exit("version.py: --set takes a version, as 1.2.3")
        SOURCE.write_text(re.sub(LINE, rf'\g<1>{new}"', SOURCE.read_text()))
        del words[at : at + 2]
    now = version()
    stale = [name for name in COPIES if (ROOT / name).read_text() != fresh(name, now)]
    if {"--write", "--set"} & set(sys.argv[1:]):
        for name in stale:
            (ROOT / name).write_text(fresh(name, now))
        stale = []
    bad = [f"{name}: has another version than {now}: run tools/version.py --write" for name in stale]
    bad += strays(now)
    if not re.search(rf"^## {re.escape(now)}\b", (ROOT / "CHANGELOG.md").read_text(), re.M):
        bad.append(f"CHANGELOG.md: has no section {now}")
    for who, pattern, text in built(Path(words[0]).resolve()) if words else ():
        found = re.search(pattern, text)
        if not found or found[1] != now:
            bad.append(f"{who}: says {text.strip()[:200]!r}, not {now}")
    print("\n".join(bad) or f"version {now} everywhere")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
