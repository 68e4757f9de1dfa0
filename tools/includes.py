#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check what source files get through the headers they include.

layers.py looks at the includes that a file has itself. Here: a name of a header
that its folder may not include must not come to a file through another header,
however many lie between; folders stand on one another without a circle; and each
header compiles alone. The tables are those of layers.py.
Usage: includes.py SOURCE_FOLDER [BUILD_FOLDER]: headers are compiled when there is
a build folder, which holds generated ones. Prints each breach and exits 1 if there
is one.
"""

import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from layers import ALLOWED, FOLDERS, INCLUDE

# Headers that include their layer's face for those above, who may use all of it.
UMBRELLAS = ("core/core.h", "coll/coll.h")
# Structs of a layer's state whose fields are parts of its folders, and that layer.
STATES = {"core_state": "core", "core_thread": "core"}
NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
DECLARATION = re.compile(
    r"""^\#\s*define\s+(\w+)
      | ^(?![\s\#}]|return|_Static)[^;={(]*?\b(\w+)\s*\(            # a function
      | ^extern[^;(]*?\b(\w+)(?=\s*(?:\[[^;]*\])?\s*(?:__attribute__[^;]*)?;)
      | ^(?:typedef\s+)?(?:struct|union|enum)\s+(\w+)\s*(?:__attribute__[^{]*)?[{;]
      | ^typedef[^;{(]*?\b(\w+)(?=;|\()
      | ^\}\s*(\w+)\s*;""",
    re.M | re.X,
)
ENUMERATORS = re.compile(r"\benum\b[^{;()]*\{([^}]*)\}")


def declared(code: str) -> set[str]:
    """Names that a header declares, as far as its layout tells."""
    names = {name for found in DECLARATION.finditer(code) for name in found.groups() if name}
    for found in ENUMERATORS.finditer(code):
        names.update(re.findall(r"(?:^|,)\s*(\w+)", found.group(1)))
    return names


def folder_of(path: str) -> str:
    part = path.split("/")
    return part[1] if len(part) > 2 and part[0] in FOLDERS else ""


class Sources:
    """The files of src/ by their paths there, without comments and strings."""

    def __init__(self, root: Path) -> None:
        texts = {
            file.relative_to(root / "src").as_posix(): file.read_text()
            for file in sorted((root / "src").rglob("*"))
            if file.suffix in {".c", ".h", ".def"}
        }
        self.code = {path: NOISE.sub(" ", text) for path, text in texts.items()}
        self.includes = {
            path: [name for name in INCLUDE.findall(text) if name in texts] for path, text in texts.items()
        }
        self.declared_in: dict[str, set[str]] = {}
        for path, code in self.code.items():
            if path.endswith(".h"):
                for name in declared(code):
                    self.declared_in.setdefault(name, set()).add(path)

    def reached(self, *paths: str, past_state: bool = True) -> set[str]:
        seen: set[str] = set()
        left = list(paths)
        while left:
            path = left.pop()
            if path not in seen:
                seen.add(path)
                if past_state or path.split("/")[1:] != ["state.h"]:
                    left += self.includes[path]
        return seen

    @functools.cached_property
    def on_top(self) -> dict[str, set[str]]:
        """Of each layer with folders: the headers on top and all that they include; but the parts of its state stay
        those of their folders."""
        return {
            layer: self.reached(
                *(
                    path
                    for path in self.code
                    if path.startswith(layer + "/") and path.endswith(".h") and not folder_of(path)
                ),
                past_state=False,
            )
            for layer in FOLDERS
        }

    def may_use(self, path: str, header: str) -> bool:
        layer, other = path.split("/")[0], header.split("/")[0]
        if layer != other:
            faces = ALLOWED[layer]
            return header in faces or header in self.reached(*(face for face in UMBRELLAS if face in faces))
        if layer not in FOLDERS or folder_of(path) == folder_of(header) or header in self.on_top[layer]:
            return True
        return folder_of(header) in FOLDERS[layer].get(folder_of(path), "").split()


def name_breaches(sources: Sources) -> Iterator[str]:
    for path, code in sources.code.items():
        reached, own = sources.reached(path), declared(code)
        for name in sorted(set(re.findall(r"\b[A-Za-z_]\w+", code)) - own):
            headers = sources.declared_in.get(name, set()) & reached
            if headers and not any(sources.may_use(path, header) for header in headers):
                yield f"src/{path}: uses {name} of {min(headers)}, a header that its folder may not include"


def state_breaches(sources: Sources) -> Iterator[str]:
    """Files that look into the part of a folder whose headers they may not include, or into another layer's state."""
    for path, code in sources.code.items():
        layer, own = path.split("/")[0], folder_of(path)
        for name, part in set(re.findall(r"\b(\w+_(?:state|thread))\.(\w+)\b", code)):
            owner = STATES.get(name)
            if owner and layer != owner:
                yield f"src/{path}: looks into {name}, which is {owner}'s"
            elif owner and own and part in FOLDERS[owner] and part != own and part not in FOLDERS[owner][own].split():
                yield f"src/{path}: looks into {name}.{part}, the part of a folder whose headers it may not include"


def circles(layer: str) -> Iterator[str]:
    """Folders whose headers include each other, perhaps over others."""
    left = {folder: set(others.split()) for folder, others in FOLDERS[layer].items() if folder}
    while free := [folder for folder, others in left.items() if not others & left.keys()]:
        for folder in free:
            del left[folder]
    if left:
        yield f"src/{layer}: these folders, or some of them, stand on each other in a circle: {', '.join(sorted(left))}"


def header_breaches(root: Path, build: Path) -> Iterator[str]:
    """Headers that need another one before them."""
    command = [
        os.environ.get("CC", "cc"),
        "-std=gnu17",
        "-D_GNU_SOURCE",
        "-fsyntax-only",
        "-Werror",
        "-x",
        "c",
        *(f"-I{folder}" for folder in (root / "src", root / "include", build / "generated")),
    ]

    def errors_of(header: Path) -> str:
        return subprocess.run([*command, str(header)], capture_output=True, text=True, check=False).stderr

    headers = sorted((root / "src").rglob("*.h"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for header, errors in zip(headers, pool.map(errors_of, headers), strict=True):
            first = [line for line in errors.splitlines() if "error:" in line][:1]
            if errors:
                yield f"{header.relative_to(root)}: does not compile alone: {first[0] if first else errors}"


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    sources = Sources(root)
    found = [*name_breaches(sources), *state_breaches(sources), *(text for layer in FOLDERS for text in circles(layer))]
    if len(sys.argv) > 2:
        found += header_breaches(root, Path(sys.argv[2]).resolve())
    for text in found:
        print(text)
    print(f"includes: {len(found)} breaches")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
