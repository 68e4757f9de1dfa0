#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Do the programs and libraries below a folder run from a given release of glibc on, with nothing else installed?

Each may need the libraries that glibc consists of (PEP 600 allows more; we need no others) and those in the folder, and
no version of a symbol that is younger. All are for one processor, and none writes to its own text when it is loaded.
Prints the youngest that any needs; exits 1 with a line for each that is wrong.
Needs PyPI's pyelftools. Usage: elf_check.py FOLDER 2.28 [x86_64|aarch64]
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

MACHINES = {"x86_64": "EM_X86_64", "aarch64": "EM_AARCH64"}
GLIBC = re.compile(r"(lib(c|m|dl|rt|pthread)\.so\.\d+|ld-linux-[\w-]+\.so\.\d+)$")


def objects(folder: Path) -> Iterator[tuple[Path, ELFFile]]:
    """The programs and shared libraries."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.is_symlink():
            continue
        with path.open("rb") as file:
            try:
                elf = ELFFile(file)
            except ELFError:
                continue
            if elf["e_type"] in ("ET_EXEC", "ET_DYN"):
                yield path, elf


def needed(elf: ELFFile) -> list[str]:
    return [
        tag.needed
        for section in elf.iter_sections()
        if isinstance(section, DynamicSection)
        for tag in section.iter_tags("DT_NEEDED")
    ]


def versions(elf: ELFFile) -> Iterator[tuple[str, str]]:
    """Library and version, as ("libc.so.6", "GLIBC_2.17")."""
    for section in elf.iter_sections():
        if isinstance(section, GNUVerNeedSection):
            for library, wanted in section.iter_versions():
                yield from ((library.name, version.name) for version in wanted)


def writes_text(elf: ELFFile) -> bool:
    """Relocations in text: it could not be shared, and is forbidden on hardened systems."""
    tags = [tag for s in elf.iter_sections() if isinstance(s, DynamicSection) for tag in s.iter_tags()]
    return any(
        tag.entry.d_tag == "DT_TEXTREL" or (tag.entry.d_tag == "DT_FLAGS" and tag.entry.d_val & 0x4) for tag in tags
    )


def check(folder: Path, glibc: str, machine: str = "") -> tuple[list[str], str]:
    """What is wrong, and the youngest version needed."""
    limit, youngest, wrong = tuple(map(int, glibc.split("."))), (0,), []
    found = list(folder.rglob("*.so.*"))
    ours = {path.name for path in found}
    count = 0
    for path, elf in objects(folder):
        count += 1
        name = path.relative_to(folder)
        wrong += [f"{name}: needs {other}" for other in needed(elf) if other not in ours and not GLIBC.match(other)]
        if machine and elf["e_machine"] != MACHINES[machine]:
            wrong.append(f"{name}: is for {elf['e_machine']}, not {machine}")
        if writes_text(elf):
            wrong.append(f"{name}: has relocations in its text")
        for library, version in versions(elf):
            number = re.fullmatch(r"GLIBC_(\d+(?:\.\d+)+)", version)
            if not number:
                wrong.append(f"{name}: needs {version} of {library}")
                continue
            this = tuple(map(int, number[1].split(".")))
            youngest = max(youngest, this)
            if this > limit:
                wrong.append(f"{name}: needs {version} of {library}, later than {glibc}")
    if not count:
        wrong.append(f"{folder}: holds no programs or libraries")
    return wrong, ".".join(map(str, youngest))


def main() -> int:
    wrong, youngest = check(Path(sys.argv[1]), *sys.argv[2:4])
    print("\n".join(wrong) or f"glibc {youngest} is enough, and nothing else is needed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
