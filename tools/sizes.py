#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that no function's body has more than 60 lines.

Functions of C are found by the layout that clang-format gives them: their braces
stand alone in column 0. (How long files may be layers.py says.)
Usage: sizes.py [FILES]; without any, all of the tree. Exits 1 if one is longer.
"""

import ast
import sys
from collections.abc import Iterator

from tree import ROOT, files

MOST = 60


def of_c(text: str) -> Iterator[tuple[int, int]]:
    """Line and length of each function's body."""
    start = None
    for number, line in enumerate(text.splitlines(), 1):
        if line == "{":
            start = number
        elif line == "}" and start is not None:
            yield start, number - start - 1
            start = None


def of_python(text: str) -> Iterator[tuple[int, int]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            yield node.lineno, node.end_lineno - node.lineno


def main() -> int:
    listed = files("*.c", "*.h", "*.cc", "*.sc", "*.py")
    bad = 0
    for name in sys.argv[1:] or listed:
        file = ROOT / name
        found = of_python if file.suffix == ".py" else of_c
        for line, length in found(file.read_text()):
            if length > MOST:
                print(f"{name}:{line}: a function of {length} lines, more than {MOST}")
                bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
