#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that what only x86-64 has stands where other processors' compilers do not see it.

That is headers, intrinsics, assembler and relocations of x86: in src and include only below an #if that names the
processor, in assembler's text as well. A cross build (tools/arm64.sh) finds the same, later.
Usage: machines.py [FILE...]; without FILEs, all of the tree. Prints each breach and exits 1 if there is one.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tree import ROOT, files

ONLY_X86 = re.compile(
    r"\b(immintrin\.h|cpuid\.h|x86intrin\.h|__builtin_ia32_\w+|__builtin_cpu_(?:init|is|supports)|_mm\d*_\w+"
    r"|R_X86_64_\w+|REG_R\w\w|stmxcsr|wrfsbase|rep movsb|rep stosq|prefetchw|lock orl)\b|%%?r[sb]p\b"
)
NAMES_IT = re.compile(r"__x86_64__|__AVX\w*__|__SSE\w*__")


def conditions(line: str, stack: list[str]) -> None:
    """What the lines that follow stand below."""
    words = re.match(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b(.*)", line)
    if not words:
        return
    kind, rest = words.groups()
    if kind in ("if", "ifdef"):
        stack.append(rest)
    elif kind == "ifndef":
        stack.append("")
    elif kind == "endif":
        if stack:
            stack.pop()
    elif stack:
        stack[-1] = rest if kind == "elif" else ""


def breaches(path: Path) -> Iterator[str]:
    stack: list[str] = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        conditions(line, stack)
        code = re.sub(r"/\*.*?\*/|//.*", "", line)
        found = ONLY_X86.search(code)
        if found and not code.lstrip().startswith("*") and not any(NAMES_IT.search(c) for c in stack):
            yield f"{path.relative_to(ROOT)}:{number}: {found.group()} is x86-64's; put it below an #if that says so"


def main(names: Sequence[str]) -> int:
    chosen = [Path(n).resolve() for n in names or [str(ROOT / n) for n in files("src/*.c", "src/*.h", "include/*.h")]]
    found = [line for path in chosen for line in breaches(path)]
    print("\n".join([*found, f"machines: {len(found)} breaches in {len(chosen)} files"]))
    return 1 if found or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
