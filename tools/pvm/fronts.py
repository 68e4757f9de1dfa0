#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write what joins the bodies of PVM's calls in libmpt with libpvm3 and libgpvm3.

A body is written under its public name; pvm_names.h turns that into mpt_<name>, which
libmpt exports. front_<library>.S holds the public names: each is one jump to its body, so
calls with variable arguments work too. A comment says where the body is. Usage: fronts.py NAMES.TSV OUTPUT_FOLDER.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import where

JUMP = """    .globl {name} /* {place} */
    .type {name}, %function
{name}:
#if defined(__x86_64__)
    endbr64
    jmp *mpt_{name}@GOTPCREL(%rip)
#elif defined(__aarch64__)
    bti c
    adrp x16, :got:mpt_{name}
    ldr x16, [x16, :got_lo12:mpt_{name}]
    br x16
#else
#error "no jump is written for this processor"
#endif
    .size {name}, . - {name}
"""
TOP = "/* SPDX-License-Identifier: BSD-3-Clause\n * Written by tools/pvm/fronts.py; do not edit. */\n"


def read_names(path: Path) -> list[tuple[str, str]]:
    rows = [line.split("\t") for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return [(name, library) for name, library in rows]


def write(path: Path, text: str) -> None:
    path.write_text(text)


def main() -> None:
    bodies = where.Folder(*where.INTERFACES["PVM"][1])
    names, out = read_names(Path(sys.argv[1])), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    write(out / "pvm_names.h", TOP + "".join(f"#define {name} mpt_{name}\n" for name, _ in names))
    for library in sorted({library for _, library in names}):
        jumps = "".join(
            JUMP.format(name=name, place=bodies.find(name)[0].path) for name, its in names if its == library
        )
        end = '    .section .note.GNU-stack,"",%progbits\n'
        write(out / f"front_{library}.S", TOP + "    .text\n" + jumps + end)


if __name__ == "__main__":
    main()
