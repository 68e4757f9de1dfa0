#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""From an installation (`cmake --install`) to the places that Debian's packages may use.

An installation is one tree that finds its parts from wherever it lies. It stays one, below /usr/lib/TRIPLET/mpt, since
Debian's packages of MPICH, Open MPI and PVM own many of its names (record 66). What only people and other programs look
for goes to the usual places, under names that are free: PLACES. Links make commands and libmpt known outside of the
tree. Usage: layout.py FOLDER TRIPLET, where FOLDER holds usr/lib/TRIPLET/mpt
"""

import contextlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

HOME = "usr/lib/{triplet}/mpt"
OWN_NAMES = ("mpt", "mptrun")  # commands that are nobody else's; the others end in .mpt in /usr/bin

# Where a file of the installation goes: the first row whose pattern is the whole path counts. None: into no package.
PLACES: tuple[tuple[str, str | None], ...] = (
    (r"lib/(libmpt\.so\.\d+\.\d+\.\d+)", r"usr/lib/{triplet}/\1"),
    (r"lib/.*-gdb\.py", None),  # gdb finds the one below
    (r"share/gdb/auto-load/.*/(.*)", r"usr/share/gdb/auto-load/usr/lib/{triplet}/\1"),
    (r"share/man/man1/(mpt|mptrun)\.1", r"usr/share/man/man1/\1.1"),
    (r"share/man/man1/(.*)\.1", r"usr/share/man/man1/\1.mpt.1"),
    (r"share/man/man(\d)/(.*)\.\d", r"usr/share/man/man\1/\2.\1mpt"),
    (r"share/doc/mpt/LICENSE", None),  # debian/copyright
    (r"share/doc/mpt/(.*)", r"usr/share/doc/mpt-doc/\1"),
    (r"share/bash-completion/completions/(mpt|mptrun)", r"usr/share/bash-completion/completions/\1"),
    (r"share/bash-completion/completions/(.*)", r"usr/share/bash-completion/completions/\1.mpt"),
    (r"share/zsh/site-functions/(.*)", r"usr/share/zsh/vendor-completions/\1"),
    (r"share/fish/(.*)/(mpt|mptrun)\.fish", r"usr/share/fish/\1/\2.fish"),
    (r"share/fish/(.*)/(.*)\.fish", r"usr/share/fish/\1/\2.mpt.fish"),
    (r"share/mpt/(.*)", r"usr/share/mpt/\1"),
    (r"(.*)", HOME + r"/\1"),
)


def place(path: str, triplet: str) -> str | None:
    """Of a path below the installation's prefix, in the packages' tree."""
    for pattern, to in PLACES:
        found = re.fullmatch(pattern, path)
        if found:
            return None if to is None else found.expand(to).format(triplet=triplet)
    raise AssertionError("the last row takes all")


def links(paths: Iterable[str], triplet: str) -> Iterator[tuple[str, str]]:
    """(link, what it leads to), both in the packages' tree, for the installation's paths."""
    home, lib = HOME.format(triplet=triplet), f"usr/lib/{triplet}"
    for path in paths:
        name = path.rpartition("/")[2]
        if re.fullmatch(r"bin/[^/]+", path):
            yield f"usr/bin/{name}" + ".mpt" * (name not in OWN_NAMES), f"{home}/{path}"
        if re.fullmatch(PLACES[0][0], path):
            yield f"{home}/{path}", f"{lib}/{name}"
        if re.fullmatch(r"lib/libmpt\.so(\.\d+)?", path):
            yield f"{lib}/{name}", f"{lib}/libmpt.so.0" if name.endswith(".so") else f"{lib}/{target_of(paths)}"
    yield f"{home}/share/mpt", "usr/share/mpt"
    yield f"{lib}/pkgconfig/mpt.pc", f"{home}/lib/pkgconfig/mpt.pc"
    yield f"{lib}/cmake/mpt", f"{home}/lib/cmake/mpt"


def target_of(paths: Iterable[str]) -> str:
    """The name of libmpt's file."""
    return next(found[1] for path in paths if (found := re.fullmatch(PLACES[0][0], path)))


def installed(home: Path) -> list[str]:
    """The installation's files and links, as its manifest lists them."""
    return [
        str((Path(folder) / name).relative_to(home)) for folder, _, names in sorted(os.walk(home)) for name in names
    ]


def move(root: Path, path: str, triplet: str) -> None:
    old, to = root / HOME.format(triplet=triplet) / path, place(path, triplet)
    if to is None:
        old.unlink()
        return
    new = root / to
    if old == new:
        return
    new.parent.mkdir(parents=True, exist_ok=True)
    if old.is_symlink():  # pages and completions have links to their neighbours, which have new names, too
        neighbour = place(f"{path.rpartition('/')[0]}/{old.readlink()}", triplet)
        new.symlink_to(Path(str(neighbour)).name)
        old.unlink()
    else:
        old.rename(new)


def point_at_home(folder: Path, home: str) -> None:
    """pkg-config's files are found by links, which say nothing of the place."""
    for file in folder.glob("*.pc"):
        text = file.read_text()
        text = text.replace(
            "prefix=${pcfiledir}/../..\nlibdir=${pcfiledir}/..\n", f"prefix=/{home}\nlibdir=/{home}/lib\n"
        )
        if "pcfiledir" in text:
            sys.exit(f"layout.py: {file.name} says in another way where it is")
        file.write_text(text)


def lay_out(root: Path, triplet: str) -> None:
    home = HOME.format(triplet=triplet)
    paths = installed(root / home)
    point_at_home(root / home / "lib/pkgconfig", home)
    for path in paths:
        move(root, path, triplet)
    for folder, _, _ in sorted(os.walk(root / home), reverse=True):
        with contextlib.suppress(OSError):  # those that still hold something
            Path(folder).rmdir()
    for link, to in links(paths, triplet):
        where = root / link
        where.parent.mkdir(parents=True, exist_ok=True)
        where.symlink_to(os.path.relpath(root / to, where.parent))


if __name__ == "__main__":
    lay_out(Path(sys.argv[1]), sys.argv[2])
